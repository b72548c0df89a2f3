"""Why an LSP has the path it has: what stood in the way of the shortest one, and what its path was preferred to."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from trunkline.engine.graph import Bool, Int64, frozen
from trunkline.engine.placement import Links, Lsps, reserved_by_hold, routes
from trunkline.igp.solve import Arc, Reach
from trunkline.model.network import Network
from trunkline.te.columns import Axes, axes, columns, links
from trunkline.te.result import Placed, Placement


@dataclass(frozen=True)
class Full:
    """A circuit without room, and who holds it and may not be preempted, the largest first.

    `unreserved` is bit/s at the LSP's setup priority, its own part counted as free.
    """

    arc: Arc
    unreserved: int
    holders: tuple[Placed, ...]


@dataclass(frozen=True)
class Choice:
    """A path and what it is compared by: TE metric, hops, bottleneck (bit/s unreserved before booking)."""

    path: tuple[Arc, ...]
    metric: int
    bottleneck: int

    @property
    def key(self) -> tuple[int, int, int, tuple[Arc, ...]]:
        """Least first."""
        return self.metric, len(self.path), -self.bottleneck, self.path


@dataclass(frozen=True)
class Why:
    """What decided.

    `shortest` is the path it would take in an empty network, `full` what on it has no room; `taken` its path, and
    `beaten` the next best one that had room, None where there is no other.  `rule` says what decided between the two:
    `metric`, `hops`, `bottleneck` or `name`; None where no rule did (an explicit path, or one from before an event).
    """

    placed: Placed
    shortest: Choice | None
    full: tuple[Full, ...]
    taken: Choice | None
    beaten: Choice | None
    rule: str | None


def explain(base: Network, now: Network, reach: Reach, placement: Placement, lsp: str) -> Why:
    """Return why an LSP (by identity, `head/name`) has its path.

    The first three arguments are those of `place`; the placement must come from it.  KeyError: there is no such LSP.
    """
    index = {p.lsp.id: i for i, p in enumerate(placement.placed)}[lsp]
    placed, state = placement.placed[index], placement.state
    if state is None:
        raise ValueError("the placement was not made by te.place")
    axis = axes(base)
    table = links(axis, now, reach)
    asked = columns(axis, (placed.lsp,))
    held = reserved_by_hold(table, columns(axis, base.lsps), state)
    held[state.paths.of(index), placed.lsp.hold] -= placed.reserved
    ask = _Ask(axis, table, asked, frozen(held, np.int64), placed)
    shortest = ask.choice(0, np.zeros_like(held), table.up)
    taken = ask.of(placed.path) if placed.path else None
    beaten = ask.next_best() if taken else None
    return Why(placed, shortest, _full(ask, placement, shortest), taken, beaten, _rule(taken, beaten))


@dataclass(frozen=True, eq=False)
class _Ask:
    """CSPF for one LSP, its own reservation out of the books."""

    axis: Axes
    links: Links
    asked: Lsps
    held: Int64
    placed: Placed

    def unreserved(self, arc: Arc) -> int:
        """What is unreserved at the setup priority."""
        at = self.axis.at[arc.circuit, arc.tail]
        return int(self.links.reservable[at] - self.held[at, : self.placed.lsp.setup + 1].sum())

    def of(self, path: tuple[Arc, ...]) -> Choice:
        """A path as it is compared."""
        metric = self.links.graph.metric
        cost = sum(int(metric[self.axis.at[arc.circuit, arc.tail]]) for arc in path)
        return Choice(path, cost, min(self.unreserved(arc) for arc in path))

    def choice(self, bandwidth: int, held: Int64, up: Bool) -> Choice | None:
        """CSPF's answer."""
        found = routes(replace(self.links, up=up), self.asked, frozen(np.array([bandwidth], np.int64), np.int64), held)
        return self.of(tuple(self.axis.arcs[a] for a in found.of(0))) if found.option[0] >= 0 else None

    def next_best(self) -> Choice | None:
        """The best path that differs from the taken one: it avoids at least one of its circuits."""
        others = []
        for arc in self.placed.path or ():
            up = self.links.up.copy()
            up[self.axis.at[arc.circuit, arc.tail]] = False
            others.append(self.choice(self.placed.reserved, self.held, frozen(up, np.bool_)))
        return min((c for c in others if c), key=lambda c: c.key, default=None)


def _full(ask: _Ask, placement: Placement, shortest: Choice | None) -> tuple[Full, ...]:
    lsp, wanted = ask.placed.lsp, ask.placed.wanted
    found = []
    for arc in shortest.path if shortest else ():
        room = ask.unreserved(arc)
        if room < wanted:
            holders = [p for p in placement.placed if p is not ask.placed and arc in (p.path or ())]
            holders = [p for p in holders if p.lsp.hold <= lsp.setup]
            holders.sort(key=lambda p: -p.reserved)
            found.append(Full(arc, room, tuple(holders)))
    return tuple(found)


def _rule(taken: Choice | None, beaten: Choice | None) -> str | None:
    if taken is None or beaten is None:
        return None
    if taken.key > beaten.key:
        return None
    pairs = zip(("metric", "hops", "bottleneck", "name"), taken.key, beaten.key, strict=True)
    return next((name for name, one, other in pairs if one != other), None)
