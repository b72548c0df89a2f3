"""What could be added between two sites in one state, by a formula: what is left on each way, over its share.

It takes LSPs to grow on the paths that they have, and to displace nobody who loses by it; a replay knows better.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from trunkline.demand.aim import aim
from trunkline.demand.flows import Flow, Flows, split
from trunkline.demand.reason import Reason
from trunkline.flow import State
from trunkline.igp.solve import Arc
from trunkline.model.network import Network
from trunkline.model.nouns import MILLION, Demand, Lsp, Role
from trunkline.te.result import Placed, Unplaced
from trunkline.traffic.walk import Trail, Walk

TERA = 10**12
"""The rate, bit/s, whose shares of the ways are measured."""

Pair = tuple[str, str]
"""A site and another one."""


@dataclass(frozen=True, order=True)
class Room:
    """What could be added, bit/s, and what stands in the way of more: an arc, by what (`reason`), for which LSP."""

    rate: int
    where: str
    reason: str
    lsp: str = ""


def entries(net: Network, site: str) -> tuple[str, ...]:
    """Return where a site's traffic starts and ends: its data centres, else its DRs, else all its routers, by name."""
    centres = tuple(d.name for d in net.datacenters if d.site == site and d.attach)
    routers = [r for r in net.routers if r.site == site]
    heads = [r.name for r in routers if r.role is Role.DR] or [r.name for r in routers]
    return centres or tuple(heads)


def added(net: Network, pair: Pair, cls: str, rate: int) -> tuple[Demand, ...]:
    """Return a rate of a class from one site to another as IPv4 demands, in even parts.

    They are named as no demand of a file can be.
    """
    ends = [(a, b) for a in entries(net, pair[0]) for b in entries(net, pair[1])]
    parts = zip(ends, split(rate, len(ends)), strict=True)
    return tuple(Demand(f"{pair[0]}>{pair[1]}:{a}>{b}", a, b, cls, part) for (a, b), part in parts)


def carrying(net: Network, more: Sequence[Demand]) -> Network:
    """Return the network with more demands."""
    return replace(net, demands=tuple(sorted((*net.demands, *more), key=lambda d: d.name)))


def rooms(state: State, probes: Mapping[Pair, Sequence[Demand]]) -> dict[Pair, Room]:
    """Return the room of each pair; `probes` are its demands at TERA.

    A pair whose end has failed itself has none, nor has one whose traffic crosses nothing.
    """
    left, fib = _Left(state), state.loads.fib
    owner = {d.name: pair for pair, demands in probes.items() for d in demands if not fib.dark(d)}
    demands = tuple(d for group in probes.values() for d in group if d.name in owner)
    flows = aim(replace(state.net, demands=demands), state.reach, state.routes)
    walk, of = Walk(fib), defaultdict[Pair, list[tuple[Flow, Trail]]](list)
    for flow in flows.flows:
        of[owner[flow.demand]].append((flow, walk.follow(flow, lambda _place, _cls, rate: rate)))
    carried = {flow.demand for flow in flows.flows}
    cut = {owner[d.name]: d for d in reversed(demands) if d.name not in carried}
    found = {pair: Room(0, d.source, str(Reason.SOURCE_DOWN)) for pair, d in cut.items()}
    limits = ((pair, left.room(walked)) for pair, walked in of.items() if pair not in found)
    return found | {pair: room for pair, room in limits if room is not None}


class _Left:
    """What is left in a state, of circuits and of what may be reserved on them."""

    def __init__(self, state: State) -> None:
        self.state = state
        circuit = state.net.circuit
        self.load = {arc.name: max(circuit[arc.circuit].capacity - load, 0) for arc, load in state.loads.offered}
        self.books = {r.arc: r for r in state.placement.reservations}
        self.parallel: dict[tuple[str, str, str], list[Placed]] = defaultdict(list)
        for p in state.placement.placed:
            if p.lsp.bandwidth is None:
                self.parallel[p.lsp.head, p.lsp.tail, p.lsp.cls].append(p)

    def room(self, walked: Sequence[tuple[Flow, Trail]]) -> Room | None:
        """Return the room of traffic that walks so, None where it crosses nothing that could be full."""
        lost = sorted(
            (where, str(reason)) for _, trail in walked for (reason, where), rate in trail.lost.items() if rate
        )
        if lost:
            return Room(0, *lost[0])
        share: Counter[str] = Counter()
        for _, trail in walked:
            share.update(trail.igp)
            share.update(trail.lsp)
        found = [Room(_most(self.load[arc], part), arc, str(Reason.CONGESTION)) for arc, part in share.items() if part]
        return min([*found, *self._admitted([flow for flow, _ in walked])], default=None)

    def _admitted(self, flows: Sequence[Flow]) -> list[Room]:
        """What may be reserved on each arc for the LSPs that grow with the traffic that is aimed at their tails."""
        grown: dict[Arc, list[tuple[Lsp, int]]] = defaultdict(list)
        for (_, head, tail, cls), rate in Flows(tuple(flows)).aimed.items():
            members = self.parallel.get((head, tail, cls), [])
            for placed, part in zip(members, split(rate, len(members)), strict=True):
                for arc in placed.path or () if part else ():
                    grown[arc].append((placed.lsp, part))
        found = []
        for arc, lsps in grown.items():
            books, part = self.books[arc], sum(part for _, part in lsps)
            worst = min((lsp for lsp, _ in lsps), key=lambda lsp: (-lsp.setup, lsp.id))
            free = max(books.reservable - sum(books.held[: worst.setup + 1]), 0)
            found.append(Room(_most(free, part), arc.name, str(Unplaced.BANDWIDTH), worst.id))
        return found


def _most(free: int, part: int) -> int:
    """The rate that takes all of `free` where TERA takes `part`, rounded down to whole Mbit/s."""
    return int(Fraction(free * TERA, part)) // MILLION * MILLION
