"""An answer that starts from another state's is the answer: decisions, what is hidden, and what does not settle."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bgp_worlds import line, world
from nets import circuit, network, router
from traffic_nets import complete, peer
from trunkline.bgp.solve import Routes, solve
from trunkline.igp import solve as igp
from trunkline.model.network import Network
from trunkline.model.nouns import AddPath, Family, Ibgp, Kind, PrefixGroup

DESIGNS = (
    Ibgp("regional"),
    Ibgp("full-mesh", fallback_default=True),
    Ibgp("full-mesh", add_path=AddPath(to_peers="2")),
    Ibgp("full-mesh", add_path=AddPath(to_peers="per-as"), best_external=True),
    Ibgp("route-reflector", add_path=AddPath("2", "2", "all")),
    Ibgp("regional-rr", optimal=True),
    Ibgp("regional-rr", best_external=True),
)


def answer(routes: Routes) -> tuple[object, ...]:
    return routes.decisions, routes.hidden, routes.unsettled


def states(net: Network, pick: random.Random) -> list[Network]:
    """The network, and what is left of it after failures of every kind, one upon another."""
    found = [net]
    for _ in range(6):
        now = found[-1] if pick.random() < 0.3 else net
        names = [c.name for c in now.circuits] + [p.name for p in now.ports]
        names += [r.name for r in now.routers] if len(now.routers) > 2 else []
        found.append(now.without(pick.choice(names)) if names else net)
    return found


@pytest.mark.parametrize("ibgp", DESIGNS, ids=str)
def test_it_does_not_matter_which_state_came_before(ibgp: Ibgp) -> None:
    for seed in range(60):
        net = replace(world(seed), ibgp=replace(ibgp, profile=world(seed).ibgp.profile))
        before: Routes | None = None
        for now in states(net, random.Random(seed)):  # noqa: S311
            reach = igp.solve(now)
            found = solve(now, reach, before)
            assert answer(found) == answer(solve(now, reach)), seed
            if before is not None:
                kept = {key for key, decision in found.decisions.items() if before.decisions.get(key) is decision}
                assert found.changed == (found.decisions.keys() | before.decisions.keys()) - kept
                for key in found.changed - found.turned:  # only metrics are others
                    one, other = found.decisions[key], before.decisions[key]
                    assert one.best.route == other.best.route
                    assert [c.route for c in one.multipath] == [c.route for c in other.multipath]
            before = found


def test_who_hears_the_same_from_as_far_keeps_its_decision() -> None:
    """On a - b - c - d, transit at a and d stays in its region: without its port at a, c and d go on as they did."""
    net = line()
    before = solve(net, igp.solve(net))
    now = net.without("t@a")
    found = solve(now, igp.solve(now), before)
    assert sorted(found.changed) == [(name, "internet", family) for name in "ab" for family in Family]
    assert not any(name in "ab" for name, _, _ in found.decisions)
    assert all(found.decisions[key] is before.decisions[key] for key in found.decisions)
    assert len(found.decisions) == 2 * 2


def test_a_reflector_that_chooses_for_a_client_looks_from_there() -> None:
    """r is as far from the exits a and b as it was, and so are they; c, which r chooses for, is nearer to b than to a.

    a and b hang off r at 1; c off a at 1, off b at 5.  Then c's circuit to a is down.
    """
    ends = [circuit("a", "r", 1), circuit("b", "r", 1), circuit("a", "c", 1), circuit("b", "c", 5)]
    net = complete(network(ends, [router(n) for n in "abcr"]), [peer("t", Kind.PEERING, ["a", "b"], ["net"])], {}, [])
    net = replace(net, ibgp=Ibgp("route-reflector", reflectors=("r",), optimal=True))
    before = solve(net, igp.solve(net))
    now = net.without("a-c")
    found = solve(now, igp.solve(now), before)
    assert before.decisions["c", "net", Family.V4].exits == ("a",)
    assert found.decisions["c", "net", Family.V4].exits == ("b",)


def test_what_the_last_reflectors_reflected_goes_with_them() -> None:
    """Data centre A at a; a and b, in the east, mesh, and c, in the west, hears of A from the reflectors r and s alone.

    Without r and s, a still has a neighbour in the east, and c still reaches it, but nobody tells c of A.
    """
    regions = {"a": "east", "b": "east", "r": "east", "c": "west", "s": "west"}
    net = network(
        [circuit("a", "b"), circuit("a", "c"), circuit("a", "r"), circuit("r", "s"), circuit("c", "s")],
        [router(name, region) for name, region in regions.items()],
    )
    net = replace(complete(net, [], {"A": ["a"]}, []), ibgp=Ibgp("regional-rr", reflectors=("r", "s")))
    now, before = net.without("r", "s"), solve(net, igp.solve(net))
    found = solve(now, igp.solve(now), before)
    assert {name for name, _, _ in before.decisions} == {*"abcrs"}
    assert {name for name, _, _ in found.decisions} == {*"ab"}


def test_a_network_that_differs_in_more_than_what_is_up_is_solved_for_what_it_is() -> None:
    """c hears of net at a and b, as near: the lower loopback wins (RFC 4271 9.1.2.2 f), unless both share."""
    net = network([circuit("a", "c"), circuit("b", "c")], [router(n) for n in "abc"])
    net = complete(net, [peer("t", Kind.PEERING, ["a", "b"], ["net"])], {}, [])
    net = replace(net, ibgp=Ibgp("full-mesh", multipath=1))
    before = solve(net, igp.solve(net))
    a, b, c = net.routers
    swapped = replace(net, routers=(replace(a, loopback=b.loopback), replace(b, loopback=a.loopback), c))
    swapped6 = replace(net, routers=(replace(a, loopback6=b.loopback6), replace(b, loopback6=a.loopback6), c))
    others = [
        (swapped, ("b",)),
        (swapped6, ("a",)),  # only what it says to c is another address
        (replace(net, ibgp=Ibgp("full-mesh", multipath=2)), ("a", "b")),
        (replace(net, groups=(PrefixGroup("net", 0, 1),)), None),
    ]
    assert before.decisions["c", "net", Family.V4].exits == ("a",)
    for now, exits in others:
        reach = igp.solve(now)
        found = solve(now, reach, before)
        decision = found.best("c", "net", Family.V4)
        assert (decision.exits if decision is not None else None) == exits
        assert answer(found) == answer(solve(now, reach))
