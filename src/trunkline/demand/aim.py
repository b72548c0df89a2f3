"""Where each demand starts, and which exits its first router aims at.

LSPs whose bandwidth comes from demands are sized by this, before any LSP exists: BGP chooses exits by IGP distance,
never by an LSP's own length.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from trunkline.bgp.policy import heard
from trunkline.bgp.solve import Routes
from trunkline.demand.flows import Flow, Flows, Part, Start, split_by_weight
from trunkline.igp.solve import Reach
from trunkline.model.network import Network, differing
from trunkline.model.nouns import Demand, Family, Port


def aim(net: Network, reach: Reach, routes: Routes, before: Flows | None = None) -> Flows:
    """Return every flow of every demand.

    A demand that no router of this network can carry in has no flow: the walk finds it missing, and says why.
    `before` are the flows of another state of the network, which change nothing but the time it takes; they are the
    answer where every flow is what it was.
    """
    earlier = before.parts if before is not None else {}
    starts: dict[tuple[str, str, Family], tuple[tuple[Start, int], ...]] = {}

    def part(demand: Demand, family: Family) -> Part:
        key = demand.source, demand.target, family
        if key not in starts:
            starts[key] = _starts(reach, routes, *key)
        exits = tuple([_exits(reach, routes, start.router, demand.target, family) for start, _ in starts[key]])
        rate, known = demand.rate_of(family), earlier.get((demand.name, family))
        if known is not None and (known.rate, known.starts, known.exits) == (rate, starts[key], exits):
            return known
        return Part(rate, starts[key], exits, _flows(demand, family, starts[key], exits))

    stale = _stale(net, routes, before) if before is not None else None
    if before is None or stale is None:
        parts = {(d.name, family): part(d, family) for d in net.demands for family in Family if d.rate_of(family)}
        parts = {key: parts[key] for key in sorted(parts)}
    else:
        demands = {demand.name: demand for demand in net.demands}
        anew = {(name, family): part(demands[name], family) for name, family in stale}
        if all(earlier[key] is one for key, one in anew.items()):
            return before
        parts = {**earlier, **anew}
    return Flows(tuple([flow for one in parts.values() for flow in one.flows]), parts, net, routes)


def _stale(net: Network, routes: Routes, before: Flows) -> set[tuple[str, Family]] | None:
    """Return the parts that may be others than those of a state before, None where that may be any."""
    then, old = before.routes, before.net
    changed = _changed(routes, then) if then is not None else None
    if then is None or old is None or changed is None:
        return None
    if (net.demands, net.groups, net.ibgp) != (old.demands, old.groups, old.ibgp):
        return None
    if not all(mesh.connected for mesh in (*routes.meshes.values(), *then.meshes.values())):
        return None  # whether a router is reached at all is no decision
    routers, datacenters = differing(net.router, old.router), differing(net.datacenter, old.datacenter)
    datacenters |= net.dark ^ old.dark
    changed |= {*routers, *((way, name) for name in routers | datacenters for way in ("from", "to"))}
    for name in differing(net.peer, old.peer):
        peers = [found.peer[name] for found in (net, old) if name in found.peer]
        changed |= {("from", name), *(("from", said.group) for peer in peers for said in peer.announces)}
    return {key for what in changed for key in before.following.get(what, ())}


def _changed(routes: Routes, then: Routes) -> set[Hashable] | None:
    """Return who may have come to another decision than then, None where that was no state on the way here."""
    found: set[Hashable] = set()
    at: Routes | None = routes
    while at is not then:
        if at is None:
            return None
        found |= at.turned
        at = at.before
    return found


def _flows(
    demand: Demand, family: Family, starts: Sequence[tuple[Start, int]], exits: Sequence[tuple[str, ...]]
) -> tuple[Flow, ...]:
    """One family's flows of a demand, by start and port."""
    rates = split_by_weight(demand.rate_of(family), [weight for _, weight in starts])
    found = [
        Flow(demand.name, family, start.router, start.port, demand.target, demand.cls, rate, aimed)
        for (start, _), rate, aimed in zip(starts, rates, exits, strict=True)
    ]
    return tuple(sorted(found, key=lambda f: (f.start, f.port or "")))


def _exits(reach: Reach, routes: Routes, start: str, target: str, family: Family) -> tuple[str, ...]:
    if target in routes.net.router or target not in routes.net.group:
        return (target,) if reach.distance(family, start, target) is not None else ()
    decision = routes.lookup(start, target, family)
    return decision.exits if decision else ()


def _starts(reach: Reach, routes: Routes, source: str, target: str, family: Family) -> tuple[tuple[Start, int], ...]:
    """Return where a demand starts, each with its weight, by router and port name.

    Nobody sends to a data centre that has failed itself: its traffic must not crowd out others on a default's way.
    """
    net = routes.net
    if target in net.datacenter and target in net.dark:
        return ()
    if source in net.datacenter:
        attach = sorted(net.datacenter[source].attach)
        stay = [r for r in attach if not net.router[r].graceful_shutdown]
        return tuple((Start(r), 1) for r in stay or attach)
    if source in net.router:
        return ((Start(source), 1),)
    if source in net.peer:
        peers = [net.peer[source]]
    else:
        peers = [p for p in net.peers if any(a.group == source for a in p.announces)]
    told: list[Told] = []
    for peer in peers:
        told += _chosen([t for p in peer.ports if (t := _told(reach, routes, p, target, family)) is not None])
    least = min((t.rank for t in told), default=None)
    ports = sorted((t.port for t in told if t.rank == least), key=lambda p: (p.router, p.name))
    return tuple((Start(p.router, p.name), p.weight) for p in ports)


@dataclass(frozen=True)
class Told:
    """What a peer hears of a destination at a port: how often our AS stands in front of the AS path, and the MED.

    A peer heeds a graceful shutdown before either, as RFC 8326 asks of it: it prefers what it hears there to nothing.
    """

    port: Port
    times: int
    med: int
    leaving: bool

    @property
    def rank(self) -> tuple[bool, int]:
        """The less, the better."""
        return self.leaving, self.times


def _chosen(told: list[Told]) -> list[Told]:
    """Return what a peer chooses of what it hears of a destination: least prepending, then the least MED."""
    first = min((t.rank for t in told), default=None)
    told = [t for t in told if t.rank == first]
    least = min((t.med for t in told), default=0)
    return [t for t in told if t.med == least]


def _told(reach: Reach, routes: Routes, port: Port, target: str, family: Family) -> Told | None:
    """Return what a peer hears of a destination at a port: only a route that the router uses (RFC 4271 9.1.3).

    A router is heard of where our own prefixes are: rules are for the routes of prefix groups.
    """
    net = routes.net
    leaving = net.router[port.router].graceful_shutdown
    if target in net.router:
        region = net.router[target].region
        there = port.announce_out is None or region in port.announce_out
        known = there and reach.distance(family, port.router, target) is not None
        return Told(port, 1 + port.prepend_out, port.med_out or 0, leaving) if known else None
    find = routes.best if target in net.datacenter else routes.lookup
    decision = find(port.router, target, family)
    used = decision.best.route if decision else None
    route = heard(net, port, used) if used else None
    return Told(port, len(route.path) - len(used.path), route.med, leaving) if used and route else None
