"""Where each demand starts, and which exits its first router aims at.

LSPs whose bandwidth comes from demands are sized by this, before any LSP exists: BGP chooses exits by IGP distance,
never by an LSP's own length.
"""

from __future__ import annotations

from dataclasses import dataclass

from trunkline.bgp.policy import heard
from trunkline.bgp.solve import Routes
from trunkline.demand.flows import Flow, Flows, Start, split_by_weight
from trunkline.igp.solve import Reach
from trunkline.model.network import Network
from trunkline.model.nouns import Family, Port


def aim(net: Network, reach: Reach, routes: Routes) -> Flows:
    """Return every flow of every demand.

    A demand that no router of this network can carry in has no flow: the walk finds it missing, and says why.
    """
    flows = []
    starts: dict[tuple[str, str, Family], tuple[tuple[Start, int], ...]] = {}
    for demand in net.demands:
        for family in Family:
            rate = demand.rate_of(family)
            if not rate:
                continue
            key = demand.source, demand.target, family
            if key not in starts:
                starts[key] = _starts(reach, routes, *key)
            weights = [weight for _, weight in starts[key]]
            for (start, _), part in zip(starts[key], split_by_weight(rate, weights), strict=True):
                exits = _exits(reach, routes, start.router, demand.target, family)
                flows.append(
                    Flow(demand.name, family, start.router, start.port, demand.target, demand.cls, part, exits)
                )
    flows.sort(key=lambda f: (f.demand, f.family, f.start, f.port or ""))
    return Flows(tuple(flows))


def _exits(reach: Reach, routes: Routes, start: str, target: str, family: Family) -> tuple[str, ...]:
    if target in routes.net.router or target not in routes.net.group:
        return (target,) if reach.distance(family, start, target) is not None else ()
    decision = routes.lookup(start, target, family)
    return tuple(sorted({c.route.router for c in decision.multipath})) if decision else ()


def _starts(reach: Reach, routes: Routes, source: str, target: str, family: Family) -> tuple[tuple[Start, int], ...]:
    """Return where a demand starts, each with its weight, by router and port name."""
    net = routes.net
    if source in net.datacenter:
        return tuple((Start(r), 1) for r in sorted(net.datacenter[source].attach))
    if source in net.router:
        return ((Start(source), 1),)
    if source in net.peer:
        peers = [net.peer[source]]
    else:
        peers = [p for p in net.peers if any(a.group == source for a in p.announces)]
    told: list[Told] = []
    for peer in peers:
        told += _chosen([t for p in peer.ports if (t := _told(reach, routes, p, target, family)) is not None])
    shortest = min((t.times for t in told), default=0)
    ports = sorted((t.port for t in told if t.times == shortest), key=lambda p: (p.router, p.name))
    return tuple((Start(p.router, p.name), p.weight) for p in ports)


@dataclass(frozen=True)
class Told:
    """What a peer hears of a destination at a port: how often our AS stands in front of the AS path, and the MED."""

    port: Port
    times: int
    med: int


def _chosen(told: list[Told]) -> list[Told]:
    """Return what a peer chooses of what it hears of a destination: least prepending, then the least MED."""
    shortest = min((t.times for t in told), default=0)
    told = [t for t in told if t.times == shortest]
    least = min((t.med for t in told), default=0)
    return [t for t in told if t.med == least]


def _told(reach: Reach, routes: Routes, port: Port, target: str, family: Family) -> Told | None:
    """Return what a peer hears of a destination at a port: only a route that the router uses (RFC 4271 9.1.3).

    A router is heard of where our own prefixes are: rules are for the routes of prefix groups.
    """
    net = routes.net
    if target in net.router:
        region = net.router[target].region
        there = port.announce_out is None or region in port.announce_out
        known = there and reach.distance(family, port.router, target) is not None
        return Told(port, 1 + port.prepend_out, port.med_out or 0) if known else None
    find = routes.best if target in net.datacenter else routes.lookup
    decision = find(port.router, target, family)
    used = decision.best.route if decision else None
    route = heard(net, port, used) if used else None
    return Told(port, len(route.path) - len(used.path), route.med) if used and route else None
