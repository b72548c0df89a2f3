"""Shortest paths and equal-cost loads over many what-ifs at once; a scenario is an array axis."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

import numpy as np

from trunkline.engine import reference
from trunkline.engine.graph import FAR, Bool, Graph, Int32, Int64, frozen


def distances(
    graph: Graph, sources: Sequence[int] | Int32, up: Bool | None = None, backend: ModuleType = reference
) -> Int64:
    """Return the cost of the best path: int64 (scenarios, sources, nodes), FAR where there is none.

    `up` is bool (scenarios, arcs); None is one scenario with every arc up.
    """
    where = frozen(sources, np.int32)
    alive = frozen(np.ones((1, graph.arcs)) if up is None else up, np.bool_)
    if alive.ndim != 2 or alive.shape[1] != graph.arcs:
        raise ValueError(f"up must be (scenarios, {graph.arcs}), not {alive.shape}")
    if len(where) and not (0 <= where.min() and where.max() < graph.nodes):
        raise ValueError("a source is not a node of the graph")
    out = np.full((len(alive), len(where), graph.nodes), FAR, np.int64)
    backend.distances(graph, where, alive, out)
    return out
