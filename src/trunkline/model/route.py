"""A route as it enters the network, and what rules make of it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, replace
from ipaddress import ip_network
from typing import TypeVar

from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Family, Kind, Port
from trunkline.model.policy import NOTHING, Change, PeerRule, PolicyRule, Prefix, Rule, in_path

LOCAL_PREF = {Kind.CUSTOMER: 300, Kind.PEERING: 200, Kind.TRANSIT: 100, Kind.DATACENTER: 100, Kind.DEFAULT: 50}
"""What a route prefers by kind, unless its port or a rule says otherwise: peers are free, transit costs."""
VERSION = {Family.V4: 4, Family.V6: 6}
ANYWHERE: dict[Family, Prefix] = {Family.V4: ip_network("0.0.0.0/0"), Family.V6: ip_network("::/0")}


@dataclass(frozen=True)
class Route:
    """A route to a prefix group as it enters the network at a border router.

    `port` is the peer port it was learned on, None where the router originates it.  `path` is the AS path, the
    neighbour's AS first; empty where originated here.  `region` is where it entered.
    """

    group: str
    family: Family
    router: str
    port: str | None
    kind: Kind
    region: str
    local_pref: int
    path: tuple[int, ...] = ()
    med: int = 0
    origin: str = "igp"
    communities: tuple[str, ...] = ()
    """Those of the file (RFC 1997, RFC 8092), sorted."""


R = TypeVar("R", bound=Rule)
Note = Callable[[R], None]


def said(net: Network, but: Container[str] = ()) -> Iterator[Route]:
    """Yield every route that peers say at their ports and data centres originate, before any rule, in one order.

    Those of the groups in `but` are left out.
    """
    for port in net.ports:
        peer = net.peer[port.peer]
        for a in (a for a in peer.announces if a.group not in but):
            for family in Family:
                if net.group[a.group].has(family) and (a.at is None or port.name in a.at):
                    med = port.med if port.med is not None else a.med or 0
                    pref = port.local_pref if port.local_pref is not None else LOCAL_PREF[peer.kind]
                    where = family, port.router, port.name, peer.kind, net.router[port.router].region
                    yield Route(a.group, *where, pref, a.path, med, a.origin, a.communities)
    for dc in (dc for dc in net.datacenters if dc.name not in but):
        for router in dc.attach:
            for family in Family:
                if net.group[dc.name].has(family):
                    yield originated(net, dc.name, family, router, Kind.DATACENTER)


def originated(net: Network, group: str, family: Family, router: str, kind: Kind) -> Route:
    """Return a route that a router originates itself."""
    return Route(group, family, router, None, kind, net.router[router].region, LOCAL_PREF[kind])


def follow(rules: Iterable[R], meets: Callable[[R, Route], bool], route: Route) -> tuple[Route, R | None]:
    """Return a route after rules, and the rule that decided whether it passes; None where none did."""
    for rule in rules:
        if meets(rule, route):
            route = changed(route, rule.change)
            if rule.decides is not None:
                return route, rule
    return route, None


def changed(route: Route, change: Change) -> Route:
    """Return a route with what a rule sets on it."""
    if change == NOTHING:
        return route
    return replace(
        route,
        local_pref=route.local_pref if change.local_pref is None else change.local_pref,
        med=route.med if change.med is None else change.med,
        communities=tuple(sorted({*route.communities, *change.communities})),
        path=route.path[:1] * (change.prepend or 0) + route.path,
    )


def meets(net: Network, rule: Rule, route: Route) -> bool:
    """Whether a route is what every rule may ask for: its kind, group, communities, AS path and prefixes."""
    return (
        rule.kind in (None, route.kind)
        and rule.group in (None, route.group)
        and set(rule.communities) <= set(route.communities)
        and (rule.as_path is None or in_path(rule.as_path, route.path))
        and (not rule.prefixes or all_inside(net, rule, route))
    )


def prefixes_of(net: Network, group: str, family: Family) -> list[Prefix]:
    """Return the prefixes of a group and family that are known; none where the file has only their number."""
    if group == DEFAULT_GROUP:
        return [ANYWHERE[family]]
    return [p for p in net.group[group].prefixes if p.version == VERSION[family]]


def all_inside(net: Network, rule: Rule, route: Route) -> bool:
    """Whether every prefix of a route's group is in a rule's ranges; the file is refused where only some are."""
    known = prefixes_of(net, route.group, route.family)
    return bool(known) and all(any(r.covers(p) for r in rule.prefixes) for p in known)


def between(net: Network, side: str, source: str, target: str) -> Callable[[PolicyRule, Route], bool]:
    """Return whether a rule meets a route on a side (`export`, `import`) between two regions."""

    def meet(rule: PolicyRule, route: Route) -> bool:
        peer = net.port[route.port].peer if route.port else None
        here = rule.side in (side, "both") and rule.source in (None, source) and rule.target in (None, target)
        return here and rule.peer in (None, peer) and meets(net, rule, route)

    return meet


def at(net: Network, router: str) -> Callable[[PeerRule, Route], bool]:
    """Return whether a rule of a peer meets a route at a router."""

    def meet(rule: PeerRule, route: Route) -> bool:
        here = router in (rule.at or (router,)) and rule.region in (None, route.region)
        return here and meets(net, rule, route)

    return meet


def imported(net: Network, route: Route) -> Route | None:
    """Return what a border router makes of a route as it enters, None where a rule of the peer's rejects it."""
    if route.port is None:
        return route
    rules = net.peer[net.port[route.port].peer].imports
    let_in, rule = follow(rules, at(net, route.router), route)
    return let_in if rule is None or rule.accept else None


def offered(net: Network, port: Port, route: Route) -> bool:
    """Whether a route that a port's router uses is its peer's to hear, before any rule.

    Ours goes to everyone, in the regions that the port announces; others' go to customers, and customers' to everyone
    (valley-free, RFC 7908).
    """
    if route.kind is Kind.DATACENTER:
        return port.announce_out is None or route.region in port.announce_out
    return route.kind is Kind.CUSTOMER or net.peer[port.peer].kind is Kind.CUSTOMER
