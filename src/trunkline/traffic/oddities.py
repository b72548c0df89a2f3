"""What is odd about traffic on its way: it is deflected, it loops, or a flow is larger than a circuit's member."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from trunkline.igp.solve import Arc
from trunkline.model.nouns import Family
from trunkline.traffic.fib import Fib
from trunkline.traffic.walk import Walked


@dataclass(frozen=True)
class Deflection:
    """A router on the way that aims elsewhere than the routers before it did, and how much traffic that turns."""

    demand: str
    family: Family
    router: str
    aimed: str
    instead: str
    rate: int


@dataclass(frozen=True)
class Loop:
    """Traffic that comes back to a router already on its way; `cycle` begins and ends with that router."""

    demand: str
    family: Family
    cycle: tuple[str, ...]
    rate: int


@dataclass(frozen=True)
class Elephant:
    """A demand whose largest flow is larger than one member of a circuit it crosses."""

    demand: str
    flow: int
    arc: Arc
    member: int


def deflections(walked: Walked) -> tuple[Deflection, ...]:
    """Return every deflection, by demand, family, router and exits."""
    total: Counter[tuple[str, Family, str, str, str]] = Counter()
    for flow, trail in walked:
        for turned, rate in trail.deflections.items():
            total[flow.demand, flow.family, *turned] += rate
    return tuple(Deflection(*key, rate) for key, rate in sorted(total.items()))


def loops(walked: Walked) -> tuple[Loop, ...]:
    """Return every loop, by demand, family and cycle."""
    total: Counter[tuple[str, Family, tuple[str, ...]]] = Counter()
    for flow, trail in walked:
        for cycle, rate in trail.loops.items():
            total[flow.demand, flow.family, cycle] += rate
    return tuple(Loop(*key, rate) for key, rate in sorted(total.items()))


def elephants(fib: Fib, walked: Walked) -> tuple[Elephant, ...]:
    """Return each demand whose largest flow does not fit one member of a circuit it crosses, by (demand, arc)."""
    largest = {d.name: d.largest_flow for d in fib.net.demands if d.largest_flow is not None}
    found = {}
    for flow, trail in walked if largest else ():
        for name in (*trail.igp, *trail.lsp) if flow.demand in largest else ():
            arc = fib.reach.arcs[fib.reach.at[name]]
            member, most = fib.net.circuit[arc.circuit].member, largest[flow.demand]
            if most > member:
                found[flow.demand, arc] = Elephant(flow.demand, most, arc, member)
    return tuple(found[key] for key in sorted(found))
