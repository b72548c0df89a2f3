"""Scenarios of failure as columns: which arcs go down together in each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from trunkline.engine.graph import Graph, Int32, Int64, frozen


@dataclass(frozen=True, eq=False)
class Cuts:
    """The arcs that go down in scenario s are ``arc[start[s]:start[s + 1]]``; one may be named twice, or be down."""

    start: Int64
    """(scenarios + 1,)"""
    arc: Int32

    def __len__(self) -> int:
        return len(self.start) - 1

    def of(self, scenario: int) -> Int32:
        """The arcs that go down in one scenario."""
        return self.arc[int(self.start[scenario]) : int(self.start[scenario + 1])]

    def check(self, graph: Graph) -> None:
        """Raise ValueError unless these are scenarios of this graph."""
        rising = self.start.ndim == 1 and len(self.start) > 0 and bool((np.diff(self.start) >= 0).all())
        if self.start.dtype != np.int64 or not rising or self.start[0] != 0 or self.start[-1] != len(self.arc):
            raise ValueError("the starts of scenarios must be int64, and add up")
        if self.arc.dtype != np.int32 or (len(self.arc) and not (0 <= self.arc.min() and self.arc.max() < graph.arcs)):
            raise ValueError("what goes down must be arcs of the graph, int32")


def cuts(scenarios: Iterable[Sequence[int]]) -> Cuts:
    """Return scenarios, each given as the arcs that go down in it."""
    every = list(scenarios)
    return Cuts(
        frozen(np.cumsum([0, *map(len, every)]), np.int64),
        frozen(np.array([arc for arcs in every for arc in arcs], np.int32), np.int32),
    )


def of_nodes(graph: Graph) -> Cuts:
    """Return the loss of each node: every arc that leaves or enters it."""
    found: list[list[int]] = [[] for _ in range(graph.nodes)]
    for arc, (tail, head) in enumerate(zip(graph.tail.tolist(), graph.head.tolist(), strict=True)):
        found[tail].append(arc)
        found[head].append(arc)
    return cuts(found)


def hottest(graph: Graph, load: Sequence[int], capacity: Sequence[int]) -> tuple[int, int]:
    """Return the arc with the largest load in proportion to its capacity, and its load; (-1, 0) where none has any.

    Among equals it is the first by rank.  A load on a capacity of 0 is above every other.
    """

    def order(arc: int) -> tuple[bool, Fraction, int]:
        dead = capacity[arc] == 0
        return not dead, -Fraction(0 if dead else load[arc], capacity[arc] or 1), int(graph.rank[arc])

    loaded = [arc for arc in range(graph.arcs) if load[arc] > 0]
    arc = min(loaded, key=order, default=-1)
    return arc, load[arc] if loaded else 0
