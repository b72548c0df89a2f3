"""The filters that routers are given let through what the solver's policy lets through, rule by rule."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from nets import circuit, network, router
from trunkline.bgp.policy import crosses
from trunkline.devices.policy import Clause, filters, number, tags
from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Announcement, Family, Kind, Peer, Port, PrefixGroup
from trunkline.model.policy import PolicyRule
from trunkline.model.route import Route

REGIONS = ("east", "north", "west")
GROUPS = ("cdn", "internet")
PEERS = {"p1": Kind.TRANSIT, "p2": Kind.PEERING, "p3": Kind.CUSTOMER}


def base() -> Network:
    """A router per region, each with a port of each peer."""
    net = network([circuit("a", "b"), circuit("b", "c")], [router(n, r) for n, r in zip("abc", REGIONS, strict=True)])
    said = tuple(Announcement(g, (65001,)) for g in GROUPS)
    peers = tuple(
        Peer(name, kind, 65001, tuple(Port(f"{name}@{r}", name, r, 10**9) for r in "abc"), said)
        for name, kind in PEERS.items()
    )
    return replace(net, regions=REGIONS, peers=peers, groups=tuple(PrefixGroup(g, 1, 1) for g in GROUPS))


maybe = st.one_of
rules = st.builds(
    PolicyRule,
    cross=st.booleans(),
    kind=maybe(st.none(), st.sampled_from(Kind)),
    source=maybe(st.none(), st.sampled_from(REGIONS)),
    target=maybe(st.none(), st.sampled_from(REGIONS)),
    peer=maybe(st.none(), st.sampled_from(sorted(PEERS))),
    group=maybe(st.none(), st.sampled_from([*GROUPS, DEFAULT_GROUP])),
    side=st.sampled_from(["both", "export", "import"]),
)


def passes(clauses: tuple[Clause, ...], carried: tuple[str, ...]) -> bool:
    """What a router makes of a filter: the first clause whose communities a route all carries; none is a deny."""
    return next((c.passes for c in clauses if set(c.carries) <= set(carried)), False)


@given(st.lists(rules, max_size=4), st.sampled_from(REGIONS), st.sampled_from(REGIONS))
def test_filters_are_the_solvers_policy(some: list[PolicyRule], source: str, target: str) -> None:
    net = replace(base(), ibgp=replace(base().ibgp, rules=tuple(some)))
    home = dict(zip(REGIONS, "abc", strict=True))[source]
    routes = [
        (Route(g, Family.V4, home, f"{p}@{home}", kind, source, 100), p, g) for p, kind in PEERS.items() for g in GROUPS
    ]
    own = [(Route(DEFAULT_GROUP, Family.V4, home, None, Kind.DEFAULT, source, 50), None, None)]
    own += [(Route("cdn", Family.V4, home, None, Kind.DATACENTER, source, 100), None, "cdn")]  # type: ignore[list-item]
    for route, peer, group in [*routes, *own]:
        carried = tags(net, route.kind, source, peer, group)
        got = all(passes(filters(net, side, source, target), carried) for side in ("export", "import"))
        assert got == (crosses(net, route, source, target) is not None)


def test_a_number_stands_for_a_name_and_no_other() -> None:
    assert number("fra") == number("fra")
    assert 1 <= number("fra") < 2**32
    assert len({number(f"region-{i}") for i in range(10_000)}) == 10_000
