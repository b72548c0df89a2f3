"""Where each demand starts, and which exits its first router aims at.

LSPs whose bandwidth comes from demands are sized by this, before any LSP exists: BGP chooses exits by IGP distance,
never by an LSP's own length.
"""

from __future__ import annotations

from trunkline.bgp.solve import Routes
from trunkline.demand.flows import Flow, Flows, Start, split_by_weight
from trunkline.igp.solve import Reach
from trunkline.model.network import Network
from trunkline.model.nouns import Demand, Family, Kind, Port


def aim(net: Network, reach: Reach, routes: Routes) -> Flows:
    """Return every flow of every demand, and the demands that cannot start at all.

    A demand that no router of this network can carry in has no flow; the walk reports it by its missing starts.
    """
    flows = []
    starts: dict[tuple[str, str], tuple[tuple[Start, int], ...]] = {}
    for demand in net.demands:
        for family in Family:
            rate = demand.rate_of(family)
            if not rate:
                continue
            key = demand.source, demand.target
            if key not in starts:
                starts[key] = _starts(net, demand)
            weights = [weight for _, weight in starts[key]]
            for (start, _), part in zip(starts[key], split_by_weight(rate, weights), strict=True):
                exits = _exits(net, reach, routes, start.router, demand.target, family)
                flows.append(
                    Flow(demand.name, family, start.router, start.port, demand.target, demand.cls, part, exits)
                )
    flows.sort(key=lambda f: (f.demand, f.family, f.start, f.port or ""))
    return Flows(tuple(flows))


def _exits(net: Network, reach: Reach, routes: Routes, start: str, target: str, family: Family) -> tuple[str, ...]:
    if target in net.router or target not in net.group:
        return (target,) if reach.distance(family, start, target) is not None else ()
    decision = routes.lookup(start, target, family)
    return tuple(sorted({c.route.router for c in decision.multipath})) if decision else ()


def _starts(net: Network, demand: Demand) -> tuple[tuple[Start, int], ...]:
    """Return where a demand starts, each with its weight, by router and port name."""
    if demand.source in net.datacenter:
        return tuple((Start(r), 1) for r in sorted(net.datacenter[demand.source].attach))
    if demand.source in net.router:
        return ((Start(demand.source), 1),)
    peers = [net.peer[demand.source]] if demand.source in net.peer else []
    if demand.source in net.group and not peers:
        peers = [p for p in net.peers if any(a.group == demand.source for a in p.announces)]
    ports = [port for peer in peers for port in _entry_ports(net, peer.ports, demand.target)]
    shortest = min((p.prepend_out for p in ports), default=0)
    ports = sorted((p for p in ports if p.prepend_out == shortest), key=lambda p: (p.router, p.name))
    return tuple((Start(p.router, p.name), p.weight) for p in ports)


def _entry_ports(net: Network, ports: tuple[Port, ...], target: str) -> list[Port]:
    """Return the ports of one peer by which it sends traffic for this destination: announced, and least MED."""
    open_ = [p for p in ports if _announced(net, p, target)]
    shortest = min((p.prepend_out for p in open_), default=0)
    open_ = [p for p in open_ if p.prepend_out == shortest]
    least = min((p.med_out or 0 for p in open_), default=0)
    return [p for p in open_ if (p.med_out or 0) == least]


def _announced(net: Network, port: Port, target: str) -> bool:
    """Whether we announce the destination to this peer: our own and our customers' prefixes (RFC 7908, valley-free)."""
    if target in net.datacenter or target in net.router:
        routers = net.datacenter[target].attach if target in net.datacenter else (target,)
        regions = {net.router[r].region for r in routers if r in net.router}
        return bool(regions) and (port.announce_out is None or bool(regions & set(port.announce_out)))
    owners = {p.kind for p in net.peers if any(a.group == target for a in p.announces)}
    to_customer = net.peer[port.peer].kind is Kind.CUSTOMER
    return Kind.CUSTOMER in owners or (to_customer and bool(owners))
