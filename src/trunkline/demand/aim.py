"""Where each demand starts, and which exits its first router aims at.

LSPs whose bandwidth comes from demands are sized by this, before any LSP exists: BGP chooses exits by IGP distance,
never by an LSP's own length.
"""

from __future__ import annotations

from trunkline.bgp.solve import Routes
from trunkline.demand.flows import Flow, Flows, Start, split_by_weight
from trunkline.igp.solve import Reach
from trunkline.model.network import Network
from trunkline.model.nouns import Family, Kind, Port


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
    ports = []
    for peer in peers:
        ports += _least_med([p for p in peer.ports if _announced(reach, routes, p, target, family)])
    shortest = min((p.prepend_out for p in ports), default=0)
    ports = sorted((p for p in ports if p.prepend_out == shortest), key=lambda p: (p.router, p.name))
    return tuple((Start(p.router, p.name), p.weight) for p in ports)


def _least_med(heard: list[Port]) -> list[Port]:
    """Return the ports a peer chooses of those where it hears of a destination: least prepending, then least MED."""
    shortest = min((p.prepend_out for p in heard), default=0)
    heard = [p for p in heard if p.prepend_out == shortest]
    least = min((p.med_out or 0 for p in heard), default=0)
    return [p for p in heard if (p.med_out or 0) == least]


def _announced(reach: Reach, routes: Routes, port: Port, target: str, family: Family) -> bool:
    """Whether a peer hears of a destination at a port: only a route that the router uses (RFC 4271 9.1.3).

    Ours goes to everyone, in the regions where the port announces; others' are for customers, and customers' for
    everyone (valley-free, RFC 7908).
    """
    net = routes.net
    if target in net.router:
        return _in_scope(net, port, (target,)) and reach.distance(family, port.router, target) is not None
    if target in net.datacenter:
        known = routes.best(port.router, target, family) is not None
        return known and _in_scope(net, port, net.datacenter[target].attach)
    decision = routes.lookup(port.router, target, family)
    if decision is None:
        return False
    return decision.best.route.kind is Kind.CUSTOMER or net.peer[port.peer].kind is Kind.CUSTOMER


def _in_scope(net: Network, port: Port, routers: tuple[str, ...]) -> bool:
    return port.announce_out is None or any(net.router[r].region in port.announce_out for r in routers)
