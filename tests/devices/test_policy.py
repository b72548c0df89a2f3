"""The filters that routers are given let through what the solver's policy lets through, rule by rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from ipaddress import ip_network
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from nets import circuit, network, router
from trunkline.bgp.policy import crosses, heard
from trunkline.devices.policy import Clause, filters, number, peer_rules, tags
from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Announcement, Family, Kind, Peer, Port, PrefixGroup
from trunkline.model.policy import Change, PeerRule, PolicyRule, Prefix, PrefixRange
from trunkline.model.route import Route, imported, offered

REGIONS = ("east", "north", "west")
GROUPS = ("cdn", "internet")
PREFIXES: dict[str, dict[Family, Prefix]] = {
    "cdn": {Family.V4: ip_network("203.0.113.0/25"), Family.V6: ip_network("2001:db8::/48")},
    "internet": {Family.V4: ip_network("198.51.100.0/24"), Family.V6: ip_network("2001:db8::/47")},
}
PEERS = {"p1": Kind.TRANSIT, "p2": Kind.PEERING, "p3": Kind.CUSTOMER}


def base() -> Network:
    """A router per region, each with a port of each peer."""
    net = network([circuit("a", "b"), circuit("b", "c")], [router(n, r) for n, r in zip("abc", REGIONS, strict=True)])
    said = tuple(Announcement(g, (65001,)) for g in GROUPS)
    peers = tuple(
        Peer(name, kind, 65001, tuple(Port(f"{name}@{r}", name, r, 10**9) for r in "abc"), said)
        for name, kind in PEERS.items()
    )
    return replace(
        net,
        regions=REGIONS,
        peers=peers,
        groups=tuple(PrefixGroup(g, 1, 1, tuple(PREFIXES[g].values())) for g in GROUPS),
    )


maybe = st.one_of
RANGES = (PrefixRange.of("203.0.113.0/24 le 32"), PrefixRange.of("2001:db8::/32 le 48"))
changes = st.builds(
    Change,
    local_pref=st.sampled_from([None, 90]),
    med=st.sampled_from([None, 7]),
    communities=st.sampled_from([(), ("65001:2",), ("8:8:8",), ("65001:1", "7:7:7")]),
)
rules = st.builds(
    PolicyRule,
    cross=st.sampled_from([True, False, None]),
    kind=maybe(st.none(), st.sampled_from(Kind)),
    source=maybe(st.none(), st.sampled_from(REGIONS)),
    target=maybe(st.none(), st.sampled_from(REGIONS)),
    peer=maybe(st.none(), st.sampled_from(sorted(PEERS))),
    group=maybe(st.none(), st.sampled_from([*GROUPS, DEFAULT_GROUP])),
    side=st.sampled_from(["both", "export", "import"]),
    prefixes=st.sampled_from([(), RANGES[:1], RANGES[1:], RANGES]),
    as_path=st.sampled_from([None, "_3356$", "^65001"]),
    communities=st.sampled_from([(), ("65001:1",), ("65001:1", "7:7:7"), ("8:8:8",)]),
    change=changes,
)


def follow(clauses: Iterable[Clause], route: Route, marks: tuple[str, ...], prefix: Prefix) -> Route | None:
    """What a router makes of a filter: clause by clause, its conditions, what it sets, and where it goes from there."""
    for c in clauses:
        inside = any(r.covers(prefix) for r in c.ranges) or c.family is None
        carried = {*marks, *route.communities}
        path = re.search((c.as_path or "").replace("_", "(^| |$)"), " ".join(map(str, route.path)))
        if inside and path and {*c.carries, *c.communities} <= carried:
            if not c.passes:
                return None
            route = replace(
                route,
                local_pref=route.local_pref if c.change.local_pref is None else c.change.local_pref,
                med=route.med if c.change.med is None else c.change.med,
                communities=tuple(sorted({*route.communities, *c.change.communities})),
                path=route.path[:1] * (c.change.prepend or 0) + route.path,
            )
            if not c.goes_on:
                return route
    raise AssertionError("the last clause matches everything, and ends")


@given(st.lists(rules, max_size=4), st.sampled_from(REGIONS), st.sampled_from(REGIONS), st.booleans())
def test_filters_are_the_solvers_policy(some: list[PolicyRule], source: str, target: str, confine: bool) -> None:
    net = replace(base(), ibgp=replace(base().ibgp, rules=tuple(some), confine=confine))
    for route, peer, group, prefix in routes(source):
        marks = tags(net, route.kind, source, peer, group)
        got = follow(filters(net, "export", source, target), route, marks, prefix)
        got = got and follow(filters(net, "import", source, target), got, marks, prefix)
        assert got == crosses(net, route, source, target)


def routes(source: str) -> Iterator[tuple[Route, str | None, str | None, Prefix]]:
    """Every route that enters in a region, with the peer and the group that it is marked with, and its prefix."""
    home = dict(zip(REGIONS, "abc", strict=True))[source]
    for p, kind in PEERS.items():
        for g, family in product(GROUPS, Family):
            for path in ((65001,), (65001, 3356)):
                entering = Route(g, family, home, f"{p}@{home}", kind, source, 100, path, communities=("65001:1",))
                yield entering, p, g, PREFIXES[g][family]
    default = Route(DEFAULT_GROUP, Family.V4, home, None, Kind.DEFAULT, source, 50)
    yield default, None, None, ip_network("0.0.0.0/0")
    yield Route("cdn", Family.V4, home, None, Kind.DATACENTER, source, 100), None, "cdn", PREFIXES["cdn"][Family.V4]


peer_rules_of = st.builds(
    PeerRule,
    accept=st.sampled_from([True, False, None]),
    group=st.sampled_from([None, *GROUPS]),
    at=st.sampled_from([(), ("a",), ("b", "c")]),
    prefixes=st.sampled_from([(), RANGES[:1], RANGES]),
    as_path=st.sampled_from([None, "_3356$", "^65001 65001"]),
    communities=st.sampled_from([(), ("65001:1",), ("65001:1", "7:7:7"), ("8:8:8",)]),
    change=changes.flatmap(lambda c: st.sampled_from([c, replace(c, prepend=1)])),
)


@given(st.lists(peer_rules_of, max_size=4), st.sampled_from(REGIONS))
def test_a_peers_rules_are_the_solvers(some: list[PeerRule], source: str) -> None:
    net = base()
    net = replace(net, peers=tuple(replace(p, imports=tuple(some), exports=tuple(some)) for p in net.peers))
    for route, peer, group, prefix in routes(source):
        if peer is not None and route.port is not None:
            marks = tags(net, route.kind, source, peer, group)
            clauses = peer_rules(net, net.peer[peer], "import", route.router) or (Clause(True, (), "everything"),)
            assert follow(clauses, route, marks, prefix) == imported(net, route)
        for port in (p for p in net.ports if p.router == route.router):
            marks = tags(net, route.kind, source, peer, group)
            clauses = peer_rules(net, net.peer[port.peer], "export", route.router) or (Clause(True, (), "everything"),)
            sent = replace(route, path=(net.ibgp.asn, *route.path), med=0)
            if offered(net, port, route):
                assert follow(clauses, sent, marks, prefix) == heard(net, port, route)


def test_a_number_stands_for_a_name_and_no_other() -> None:
    assert number("fra") == number("fra")
    assert 1 <= number("fra") < 2**32
    assert len({number(f"region-{i}") for i in range(10_000)}) == 10_000
