"""Every flow walked through every FIB, and loss where a circuit or port is full, settled as a fixed point.

Demand is inelastic.  What a full place lets through is the class queueing rule's to say (`traffic.queue`); each flow of
the class keeps its proportion, rounded down to a whole bit/s, and only what passed loads the next place.
"""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np

from trunkline.bgp.solve import Routes
from trunkline.demand.flows import Flow, Flows
from trunkline.demand.reason import Reason
from trunkline.igp.solve import Arc, Reach
from trunkline.model.network import Network
from trunkline.model.nouns import Family
from trunkline.te.result import Placement
from trunkline.traffic.deliver import deliveries, elephants
from trunkline.traffic.fib import Fib
from trunkline.traffic.loads import Deflection, Delivery, Loads, Loop
from trunkline.traffic.queue import serve
from trunkline.traffic.walk import Place, Trail, Walk, Walked

__all__ = ["ROUNDS", "Loads", "carry"]

ROUNDS = 100
"""Rounds of thinning before the loss is given as it stands, with its residual."""

Passing = dict[tuple[Place, str], tuple[int, int]]
"""What passes of a class where it is not everything: {(place, class): (served, offered)}, bit/s."""


def carry(
    net: Network, reach: Reach, routes: Routes, flows: Flows, placement: Placement, before: Loads | None = None
) -> Loads:
    """Return the load of every circuit, port and LSP, and what became of every demand.

    `before` are the loads of another state of the network, which change nothing but the time it takes: a flow that
    meets the same FIBs as then is not walked again.
    """
    fib = Fib(net, reach, routes, placement)
    walked, residual = _settle(fib, flows, before)
    shape = len(reach.arcs), len(net.classes)
    igp, lsp, lost = (np.zeros(shape, np.int64) for _ in range(3))
    row = {arc: i for i, arc in enumerate(reach.arcs)}
    named = {arc.name: i for i, arc in enumerate(reach.arcs)}
    column = {c.name: i for i, c in enumerate(net.classes)}
    lsps: Counter[str] = Counter()
    ports: Counter[tuple[str, str, str]] = Counter()
    for flow, trail in walked:
        at = column[flow.cls]
        for into, load in ((igp, trail.igp), (lsp, trail.lsp)):
            for arc, rate in load.items():
                into[row[arc], at] += rate
        for (reason, where), rate in trail.lost.items():
            if reason is Reason.CONGESTION:
                lost[named[where], at] += rate
        lsps.update(trail.lsps)
        ports.update({(way, name, flow.cls): rate for (way, name), rate in trail.ports.items()})
    found = deliveries(fib, walked, _delivered(before) if before is not None else {})
    turned, loops = _deflections(walked), _loops(walked)
    for array in (igp, lsp, lost):
        array.flags.writeable = False
    return Loads(
        fib, igp, lsp, lost, dict(ports), dict(lsps), found, turned, loops, elephants(net, found), residual, walked
    )


def _delivered(before: Loads) -> dict[tuple[int, ...], Delivery]:
    """What became of demands, by the trails of their flows."""
    trails: dict[tuple[str, Family], list[int]] = defaultdict(list)
    for flow, trail in before.walked:
        trails[flow.demand, flow.family].append(id(trail))
    return {tuple(ids): d for d in before.deliveries if (ids := trails.get((d.demand.name, d.family)))}


def _same_ways(fib: Fib, flows: Flows, before: Loads | None) -> dict[Flow, Trail]:
    """The trails of flows that meet the same FIBs as before, where nothing was full then."""
    if before is None or before.full:
        return {}
    then, found, wanted = before.fib, {}, set(flows.flows)
    same: dict[tuple[str, str, str, Family], bool] = {}
    for flow, trail in before.walked:
        met = True
        for router in trail.routers:
            key = router, flow.group, flow.cls, flow.family
            if key not in same:
                same[key] = router in fib.net.router and fib.step(*key) == then.step(*key)
            met = met and same[key]
        if met and flow in wanted:
            found[flow] = trail
    return found


def _settle(fib: Fib, flows: Flows, before: Loads | None) -> tuple[Walked, int]:
    """Walk, see what is full, and walk again what that thins, until nothing changes.

    The residual is 0 then; after the last round it is the largest change that was still to come, bit/s.
    """
    walk = Walk(fib)
    passing: Passing = {}

    def gate(place: Place, cls: str, rate: int) -> int:
        share = passing.get((place, cls)) if passing else None
        return rate * share[0] // share[1] if share else rate

    known = _same_ways(fib, flows, before)
    walked = [(flow, known.get(flow) or walk.follow(flow, gate)) for flow in flows.flows]
    change = 0
    for _ in range(ROUNDS):
        now = _passing(fib.net, walked)
        moved = {key for key in {*now, *passing} if now.get(key) != passing.get(key)}
        if not moved:
            return walked, 0
        change = max(abs(_refused(now, key) - _refused(passing, key)) for key in moved)
        passing = now
        walked = [
            (flow, walk.follow(flow, gate) if any((p, flow.cls) in moved for p, _ in trail.places()) else trail)
            for flow, trail in walked
        ]
    return walked, change


def _refused(passing: Passing, key: tuple[Place, str]) -> int:
    served, offered = passing.get(key, (0, 0))
    return offered - served


def _passing(net: Network, walked: Walked) -> Passing:
    """Return what each full place lets through of each class that it does not let through whole."""
    offered: dict[Place, Counter[str]] = defaultdict(Counter)
    for flow, trail in walked:
        for place, rate in trail.places():
            offered[place][flow.cls] += rate
    found: Passing = {}
    for place, rates in offered.items():
        capacity = net.circuit[place.circuit].capacity if isinstance(place, Arc) else net.port[place[1]].capacity
        if rates.total() > capacity:
            served = serve(capacity, rates, net.classes)
            found.update({(place, cls): (served[cls], rate) for cls, rate in rates.items() if served[cls] < rate})
    return found


def _deflections(walked: Walked) -> tuple[Deflection, ...]:
    total: Counter[tuple[str, Family, str, str, str]] = Counter()
    for flow, trail in walked:
        for turned, rate in trail.deflections.items():
            total[flow.demand, flow.family, *turned] += rate
    return tuple(Deflection(*key, rate) for key, rate in sorted(total.items()))


def _loops(walked: Walked) -> tuple[Loop, ...]:
    total: Counter[tuple[str, Family, tuple[str, ...]]] = Counter()
    for flow, trail in walked:
        for cycle, rate in trail.loops.items():
            total[flow.demand, flow.family, cycle] += rate
    return tuple(Loop(*key, rate) for key, rate in sorted(total.items()))
