"""The graph that every kernel reads: directed arcs in rows, knowing no routers and no circuits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]
Bool = npt.NDArray[np.bool_]

FAR = int(np.iinfo(np.int64).max)
"""The distance to a node that cannot be reached."""

MAX_PATH_METRIC = 0xFE000000
"""A path that costs more counts as none (RFC 5305 3.0)."""


def frozen(values: Any, dtype: Any) -> Any:
    """Return a contiguous read-only array of this type."""
    array = np.ascontiguousarray(values, dtype)
    if array.flags.writeable:
        array = array.copy() if array is values else array
        array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False)
class Graph:
    """Arcs grouped by tail: those of node n are ``start[n]:start[n + 1]``, by rank within a node.

    `rank` orders all arcs by directed circuit name: the last tie-break of every rule.  `transit` is False for a node
    that is reached but not passed through (the overload bit); it may still be a source.
    """

    start: Int32
    """(nodes + 1,)"""
    head: Int32
    """(arcs,)"""
    metric: Int64
    """(arcs,), at least 1; 0 is allowed from a LAN pseudonode only."""
    rank: Int32
    """(arcs,), a permutation"""
    transit: Bool
    """(nodes,)"""

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return len(self.start) - 1

    @property
    def arcs(self) -> int:
        """How many arcs there are."""
        return len(self.head)

    @cached_property
    def tail(self) -> Int32:
        """(arcs,) int32: the node each arc leaves."""
        return frozen(np.repeat(np.arange(self.nodes), np.diff(self.start)), np.int32)  # type: ignore[no-any-return]


def build(nodes: int, ends: list[tuple[int, int, int]], transit: list[bool] | None = None) -> tuple[Graph, Int32]:
    """Return the graph of arcs (tail, head, metric) given in rank order, and each given arc's place in it.

    The place is int32 (arcs,): ``place[i]`` is the index in the graph of the i-th given arc.
    """
    tails = np.array([e[0] for e in ends], np.int32)
    order = np.argsort(tails, kind="stable")
    place = np.empty(len(ends), np.int32)
    place[order] = np.arange(len(ends))
    start = np.zeros(nodes + 1, np.int32)
    np.cumsum(np.bincount(tails, minlength=nodes), out=start[1:])
    graph = Graph(
        start=frozen(start, np.int32),
        head=frozen(np.array([e[1] for e in ends], np.int32)[order], np.int32),
        metric=frozen(np.array([e[2] for e in ends], np.int64)[order], np.int64),
        rank=frozen(order, np.int32),
        transit=frozen(transit if transit is not None else np.ones(nodes), np.bool_),
    )
    return graph, place
