"""What BGP settles on, against a search of every state: stable, and `unsettled` only where nothing is."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations, permutations, product

import pytest

from bgp_worlds import world
from nets import circuit, network, router
from traffic_nets import complete
from trunkline.bgp.solve import solve
from trunkline.igp import solve as igp
from trunkline.igp.solve import Reach
from trunkline.model.network import Network
from trunkline.model.nouns import Announcement, Family, Ibgp, Kind, Peer, Port
from trunkline.model.policy import PolicyRule
from trunkline.model.route import Route

State = dict[str, str | None]
"""What each border router advertises: the name of its port, None where its best is another router's."""


def entered(net: Network) -> dict[str, list[tuple[Port, Peer]]]:
    found: dict[str, list[tuple[Port, Peer]]] = {}
    for peer in net.peers:
        for port in peer.ports:
            found.setdefault(port.router, []).append((port, peer))
    return found


def crosses(net: Network, sender: str, at: str, kind: Kind) -> bool:
    ends = net.router[sender].region, net.router[at].region
    blocked = any((rule.source, rule.target) == ends for rule in net.ibgp.rules)
    return ends[0] == ends[1] or (not blocked and kind is not Kind.TRANSIT)


def best(net: Network, reach: Reach, at: str, state: State) -> str:
    """The port that a router's best route entered by, from RFC 4271 9.1 anew; candidates as plain tuples."""
    ports = {port.name: (port, peer) for peer in net.peers for port in peer.ports}
    heard = [(name, False) for name in ports if ports[name][0].router == at]
    for sender, name in state.items():
        if name is not None and sender != at and crosses(net, sender, at, ports[name][1].kind):
            heard.append((name, True))

    def said(name: str) -> Announcement:
        return ports[name][1].announces[0]

    def degree(name: str) -> tuple[int, int, int]:
        return -(ports[name][0].local_pref or 0), len(said(name).path), ["igp", "egp"].index(said(name).origin)

    top = min(degree(name) for name, _ in heard)
    heard = [h for h in heard if degree(h[0]) == top]
    same_as = {a: min(said(n).med or 0 for n, _ in heard if said(n).path[0] == a) for a in (1, 2, 3) if any(
        said(n).path[0] == a for n, _ in heard)}  # fmt: skip
    heard = [h for h in heard if said(h[0]).med == same_as[said(h[0]).path[0]]]

    def rest(one: tuple[str, bool]) -> tuple[bool, int, int, str]:
        name, internal = one
        origin = ports[name][0].router
        return internal, reach.distance(Family.V4, at, origin) or 0, int(net.router[origin].loopback), name

    return min(heard, key=rest)[0]


def stable_states(net: Network, reach: Reach) -> list[State]:
    own = {at: [port.name for port, _ in found] for at, found in entered(net).items()}
    states = [dict(zip(own, choice, strict=True)) for choice in product(*([*names, None] for names in own.values()))]

    def holds(state: State) -> bool:
        for at, names in own.items():
            chosen = best(net, reach, at, state)
            if state[at] != (chosen if chosen in names else None):
                return False
        return True

    return [state for state in states if holds(state)]


def assert_settles_where_it_can(net: Network) -> bool:
    """Hold the answer against the search of every state; return whether there is a stable one."""
    reach = igp.solve(net)
    routes = solve(net, reach)
    stable = stable_states(net, reach)
    assert bool(routes.unsettled) == (not stable)
    if not stable:
        return False
    state: State = {}
    for at, found in entered(net).items():
        decision = routes.best(at, "net", Family.V4)
        port = decision.best.route.port if decision else None
        state[at] = port if port in [p.name for p, _ in found] else None
    assert state in stable
    for r in net.routers:
        decision = routes.best(r.name, "net", Family.V4)
        expected = best(net, reach, r.name, state) if _hears(net, r.name, state) else None
        assert (decision.best.route.port if decision else None) == expected
    return True


@pytest.mark.parametrize("block", range(8))
def test_the_answer_is_a_stable_state(block: int) -> None:
    for seed in range(block * 250, block * 250 + 250):
        assert assert_settles_where_it_can(world(seed)), seed


def test_it_does_not_settle_only_where_no_state_is_stable() -> None:
    """The rotor below with two more routers that may stop it; both outcomes occur among the 100."""
    outcomes = [assert_settles_where_it_can(beside_the_rotor(seed)) for seed in range(100)]
    assert 10 < sum(outcomes) < 90


def _hears(net: Network, at: str, state: State) -> bool:
    kinds = {port.name: peer.kind for peer in net.peers for port in peer.ports}
    own = any(port.router == at for peer in net.peers for port in peer.ports)
    return own or any(name and crosses(net, sender, at, kinds[name]) for sender, name in state.items())


Entry = tuple[str, str, int, int]
"""A peer and its one port, both by this name; the router; AS; MED."""

ROTOR: tuple[Entry, ...] = (
    *(("a1", "a", 1, 2), ("a2", "a", 2, 0)),
    *(("b1", "b", 1, 1), ("b2", "b", 3, 0)),
    *(("c1", "c", 2, 1), ("c2", "c", 1, 0)),
)
HEARS = ("ab", "bc", "ca")


def one_way(entries: tuple[Entry, ...], hears: tuple[str, ...]) -> Network:
    """A full mesh of circuits, each router a region of its own; `ab` in `hears` lets a hear b, nothing else crosses."""
    names = sorted({at for _, at, _, _ in entries})
    net = network([circuit(x, y) for x, y in combinations(names, 2)], [router(n, f"r{n}") for n in names])
    peers = [
        Peer(n, Kind.PEERING, asn, (Port(n, n, at, 10**9),), (Announcement("net", (asn,), med),))
        for n, at, asn, med in entries
    ]
    rules = [PolicyRule(False, source=f"r{y}", target=f"r{x}") for x, y in permutations(names, 2) if x + y not in hears]
    return replace(complete(net, peers, {}, []), ibgp=Ibgp(rules=tuple(rules)))


def beside_the_rotor(seed: int) -> Network:
    """The rotor and two routers d and e with two entries each, that hear and are heard at random."""
    pick = random.Random(seed)  # noqa: S311
    more = [(f"{at}{i}", at, pick.choice([1, 2, 3]), pick.randint(0, 3)) for at in "de" for i in (1, 2)]
    hears = [x + y for x, y in permutations("abcde", 2) if {x, y} & {"d", "e"} and pick.random() < 0.35]
    return one_way((*ROTOR, *more), (*HEARS, *hears))


def rotor() -> Network:
    """Three routers that chase each other: a hears b, b hears c, c hears a, and no other way round.

    a prefers a1 (AS 1, MED 2) to a2 (AS 2, MED 0); b prefers b1 (AS 1, MED 1) to b2 (AS 3); c prefers c1 (AS 2, MED 1)
    to c2 (AS 1, MED 0).  If a says a1, then b does not say b1 (it would beat a1), so c says c2 (it beats b1), so a says
    a2 (it beats c1): no.  If a says a2, then c says c2, b says b2, nothing beats a1, and a says a1: no.
    """
    return one_way(ROTOR, HEARS)


def test_routers_that_chase_each_other_are_reported_and_not_followed_for_ever() -> None:
    net = rotor()
    reach = igp.solve(net)
    assert stable_states(net, reach) == []
    routes = solve(net, reach)
    unsettled = routes.unsettled
    assert [(u.group, u.family) for u in unsettled] == [("net", Family.V4), ("net", Family.V6)]
    # In turn, by name.  1: a hears nothing, a1; b hears nothing, b1; c hears a1, c1.  2: a hears b1, a2; b hears c1,
    # b1; c hears a2, c2.  3: a2; b hears c2, b2; c2.  4: a hears b2, a1; b2; c hears a1, c1.  5: b hears c1, b1.
    states = ["a=a1 b=b1 c=c1", "a=a2 b=b1 c=c2", "a=a2 b=b2 c=c2", "a=a1 b=b2 c=c1"]
    rows = [r for r in routes.tables()["unsettled"].records() if r["family"] == "v4"]
    assert [r["advertised"] for r in rows] == states


def test_a_stable_state_is_found_where_routers_that_start_from_cold_never_reach_it() -> None:
    """d and e hear each other, and a hears e too.  (AS, MED): d1 (1, 2), d2 (2, 0), e1 (2, 2), e2 (1, 1).

    From cold d says d1 and e says e1: neither beats the other's, so both stay, and e1 (beaten by a2) leaves the rotor
    turning.  But e2 beats d1 and a1, and d2 beats e1: with e2 said, d says d2, e keeps e2, a says a2, so c says c2 (a2
    beats c1) and b says b2 (c2 beats b1).  All of that holds, and nothing else does.
    """
    more = (("d1", "d", 1, 2), ("d2", "d", 2, 0), ("e1", "e", 2, 2), ("e2", "e", 1, 1))
    net = one_way((*ROTOR, *more), (*HEARS, "de", "ed", "ae"))
    routes = solve(net, igp.solve(net))
    assert routes.unsettled == ()
    chosen = [routes.best(r, "net", Family.V4) for r in "abcde"]
    assert [d and d.best.route.port for d in chosen] == ["a2", "b2", "c2", "d2", "e2"]


def test_hidden_routes_are_those_of_routers_that_advertise_nothing() -> None:
    net = world(3)
    routes = solve(net, igp.solve(net))
    expected: list[tuple[str, str | None]] = []
    for at, found in sorted(entered(net).items()):
        decision = routes.best(at, "net", Family.V4)
        if decision and decision.best.route.router != at:
            expected += [(at, port.name) for port, _ in found]
    assert [(r.router, r.port) for r in routes.hidden if _v4(r)] == expected


def _v4(route: Route) -> bool:
    return route.family is Family.V4
