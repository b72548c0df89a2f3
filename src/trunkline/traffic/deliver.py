"""What became of every demand: the trails of its flows, summed per family."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from trunkline.demand.flows import Flow
from trunkline.demand.reason import Reason
from trunkline.igp.solve import Arc
from trunkline.model.network import Network
from trunkline.model.nouns import Demand, Family
from trunkline.traffic.fib import Fib
from trunkline.traffic.loads import Delivery, Elephant
from trunkline.traffic.path import main_path
from trunkline.traffic.walk import Share, Trail, Walked


def deliveries(fib: Fib, walked: Walked, known: Mapping[tuple[int, ...], Delivery]) -> tuple[Delivery, ...]:
    """Return every demand's outcome per family that it has traffic of, by (demand, family).

    `known` are outcomes by the identities of the trails that they were summed from.
    """
    by_demand: dict[tuple[str, Family], list[tuple[Flow, Trail]]] = defaultdict(list)
    for flow, trail in walked:
        by_demand[flow.demand, flow.family].append((flow, trail))
    parts = ((demand, family) for demand in fib.net.demands for family in Family if demand.rate_of(family))
    found = []
    for demand, family in parts:
        mine = by_demand[demand.name, family]
        same = known.get(tuple(id(trail) for _, trail in mine))
        found.append(same if same is not None else _delivery(fib, demand, family, mine))
    return tuple(sorted(found, key=lambda d: (d.demand.name, d.family)))


def _delivery(fib: Fib, demand: Demand, family: Family, walked: Walked) -> Delivery:
    done = Share(0)
    lost: Counter[tuple[Reason, str]] = Counter()
    arcs: Counter[Arc] = Counter()
    exits: Counter[str] = Counter()
    beside = 0
    for flow, trail in walked:
        done = done.plus(trail.done)
        lost.update(trail.lost)
        arcs.update(trail.igp)
        arcs.update(trail.lsp)
        exits.update(trail.exits)
        if any((flow.start, exit_, flow.cls) in fib.meant for exit_ in flow.exits):
            beside += trail.done.rate - trail.done.rode
    rate = demand.rate_of(family)
    if not walked:
        lost[_no_way_in(fib.net, demand), demand.source] = rate
    return Delivery(
        demand,
        family,
        rate,
        done.rate,
        tuple((*key, r) for key, r in sorted(lost.items(), key=lambda item: (-item[1], item[0])) if r),
        done.slowest if done.rate else None,
        done.moment // done.rate if done.rate else None,
        tuple(sorted(arcs.items())),
        tuple(sorted((name, r) for name, r in exits.items() if r)),
        done.rode,
        done.strayed,
        beside,
        tuple(main_path(fib, flow) for flow, _ in walked),
    )


def _no_way_in(net: Network, demand: Demand) -> Reason:
    """Why a demand has no flow: whoever could send it in is up but has not heard of its destination, or is down."""
    sends = [p for p in net.peers if p.name == demand.source or any(a.group == demand.source for a in p.announces)]
    inside = demand.source in net.datacenter or demand.source in net.router
    return Reason.NOT_ANNOUNCED if not inside and any(p.ports for p in sends) else Reason.SOURCE_DOWN


def elephants(net: Network, found: Iterable[Delivery]) -> tuple[Elephant, ...]:
    """Return each demand whose largest flow does not fit one member of a circuit it crosses, by (demand, arc)."""
    seen = {}
    for delivery in found:
        flow = delivery.demand.largest_flow
        for arc, _ in delivery.arcs:
            member = net.circuit[arc.circuit].member
            if flow is not None and flow > member:
                seen[delivery.demand.name, arc] = Elephant(delivery.demand.name, flow, arc, member)
    return tuple(seen[key] for key in sorted(seen))
