"""Every flow walked through every FIB, and loss where a circuit or port is full, settled as a fixed point.

Demand is inelastic.  What a full place lets through is the class queueing rule's to say (`traffic.queue`); each flow of
the class keeps its proportion, rounded down to a whole bit/s, and only what passed loads the next place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable

from trunkline.bgp.solve import Routes
from trunkline.demand.flows import Flows
from trunkline.igp.solve import Reach
from trunkline.model.network import Network
from trunkline.te.result import Placement
from trunkline.traffic.deliver import deliveries
from trunkline.traffic.fib import Fib, Key
from trunkline.traffic.loads import Loads
from trunkline.traffic.queue import serve
from trunkline.traffic.reuse import SAME
from trunkline.traffic.sums import Sums
from trunkline.traffic.walk import Pair, Place, Walk, Walked

__all__ = ["ROUNDS", "Loads", "carried", "carry"]

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
    return carried(Fib(net, reach, routes, placement), flows, before)


def carried(fib: Fib, flows: Flows, before: Loads | None = None) -> Loads:
    """Return the same of flows over FIBs that are given."""
    net, arcs, differs, proof = fib.net, fib.reach.arcs, SAME, None
    if before is not None:
        proof = vars(before).get("proof")  # one asked for later would rest on steps that are not looked at here
        fib, differs = fib.after(before.fib)
    if before is None or before.full:  # what is thinned is walked anew
        before, sums = None, Sums.zero(arcs, tuple(c.name for c in net.classes))
    else:
        sums = before.sums.over(arcs)
    kept, less = _kept(fib, flows, before, differs.steps)
    walk, residual = Walk(fib), 0
    walked: Walked = [pair or (flow, walk.follow(flow)) for flow, pair in zip(flows.flows, kept, strict=True)]
    sums = sums.changed(_fresh(walked, kept), less)
    if any(sums.full(net)):
        walked, residual = _thin(walk, walked)
        sums = Sums.zero(arcs, sums.classes).changed(walked)
    other = {(flow.demand, flow.family) for flow, _ in (*_fresh(walked, kept), *less)}
    found = deliveries(fib, flows, walked, before, other)
    for array in (sums.igp, sums.lsp, sums.lost):
        array.flags.writeable = False
    return Loads(fib, flows, sums, found, residual, walked, (proof, differs))


def _kept(fib: Fib, flows: Flows, before: Loads | None, differs: Iterable[Key]) -> tuple[list[Pair | None], list[Pair]]:
    """Return what each flow does where it meets the same FIBs as then, else None; and what others did then.

    Nothing may have been full.
    """
    if before is None:
        return [None] * len(flows.flows), []
    touched: list[Key | Place] = [*differs, *(("in", port) for port in fib.shut)]
    gone = {i for what in touched for i in before.met.get(what, ())}
    kept: list[Pair | None] = list(before.walked)
    for i in gone:
        kept[i] = None
    if flows is not before.flows:
        at = {id(flow): i for i, (flow, _) in enumerate(before.walked)}
        places = [at.get(id(flow)) for flow in flows.flows]
        kept = [kept[i] if i is not None else None for i in places]
        gone |= {*at.values()}.difference(places)
    return kept, [before.walked[i] for i in sorted(gone)]


def _fresh(walked: Walked, kept: Iterable[Pair | None]) -> list[Pair]:
    return [pair for pair, then in zip(walked, kept, strict=True) if pair is not then]


def _thin(walk: Walk, walked: Walked) -> tuple[Walked, int]:
    """See what is full, and walk again what that thins, until nothing changes.

    The residual is 0 then; after the last round it is the largest change that was still to come, bit/s.
    """
    passing: Passing = {}

    def gate(place: Place, cls: str, rate: int) -> int:
        share = passing.get((place, cls))
        return rate * share[0] // share[1] if share else rate

    change = 0
    for _ in range(ROUNDS):
        now = _passing(walk.fib, walked)
        moved = {key for key in {*now, *passing} if now.get(key) != passing.get(key)}
        if not moved:
            return walked, 0
        change = max(abs(_refused(now, key) - _refused(passing, key)) for key in moved)
        passing = now
        walked = [(pair[0], walk.follow(pair[0], gate)) if _meets(pair, moved) else pair for pair in walked]
    return walked, change


def _meets(pair: Pair, moved: Container[tuple[Place, str]]) -> bool:
    flow, trail = pair
    return any((place, flow.cls) in moved for place, _ in trail.places())


def _refused(passing: Passing, key: tuple[Place, str]) -> int:
    served, offered = passing.get(key, (0, 0))
    return offered - served


def _passing(fib: Fib, walked: Walked) -> Passing:
    """Return what each full place lets through of each class that it does not let through whole."""
    offered: dict[Place, Counter[str]] = defaultdict(Counter)
    for flow, trail in walked:
        for place, rate in trail.places():
            offered[place][flow.cls] += rate
    found: Passing = {}
    for place, rates in offered.items():
        capacity = _capacity(fib, place)
        if rates.total() > capacity:
            served = serve(capacity, rates, fib.net.classes)
            found.update({(place, cls): (served[cls], rate) for cls, rate in rates.items() if served[cls] < rate})
    return found


def _capacity(fib: Fib, place: Place) -> int:
    if isinstance(place, str):
        return fib.net.circuit[fib.reach.arcs[fib.reach.at[place]].circuit].capacity
    return fib.net.port[place[1]].capacity
