"""Shortest paths and equal-cost loads over many what-ifs at once; a scenario is an array axis."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

import numpy as np

from trunkline.engine.choice import backend as chosen
from trunkline.engine.graph import FAR, Bool, Graph, Int32, Int64, frozen


def distances(
    graph: Graph, sources: Sequence[int] | Int32, up: Bool | None = None, backend: ModuleType | None = None
) -> Int64:
    """Return the cost of the best path: int64 (scenarios, sources, nodes), FAR where there is none.

    `up` is bool (scenarios, arcs); None is one scenario with every arc up.
    """
    where = frozen(sources, np.int32)
    alive = _scenarios(graph, up)
    if len(where) and not (0 <= where.min() and where.max() < graph.nodes):
        raise ValueError("a source is not a node of the graph")
    out = np.full((len(alive), len(where), graph.nodes), FAR, np.int64)
    (backend or chosen()).distances(graph, where, alive, out)
    return out


def loads(
    graph: Graph, demand: Int64, up: Bool | None = None, backend: ModuleType | None = None
) -> tuple[Int64, Int64]:
    """Return the load of every arc, int64 (scenarios, arcs), and what cannot be delivered, int64 (scenarios,).

    `demand` is int64 (nodes, nodes), from and to, bit/s.  Every node splits what it forwards evenly over all best
    next hops, by divmod, the remainder to the first by rank; traffic to one destination is forwarded as one.
    """
    rates = rates_of(graph, demand)
    alive = _scenarios(graph, up)
    out = np.zeros((len(alive), graph.arcs), np.int64)
    undelivered = np.zeros(len(alive), np.int64)
    (backend or chosen()).loads(graph, rates, alive, out, undelivered)
    return out, undelivered


def rates_of(graph: Graph, demand: Int64) -> Int64:
    """Return a matrix of demand as a core reads it; raise ValueError where it is none of this graph's."""
    rates: Int64 = frozen(demand, np.int64)
    if rates.shape != (graph.nodes, graph.nodes):
        raise ValueError(f"demand must be ({graph.nodes}, {graph.nodes}), not {rates.shape}")
    if rates.size and (rates.min() < 0 or float(rates.sum(dtype=np.float64)) >= 1 << 62):
        raise ValueError("demand must be at least 0 and below 2^62 in all")
    return rates


def _scenarios(graph: Graph, up: Bool | None) -> Bool:
    alive: Bool = frozen(np.ones((1, graph.arcs)) if up is None else up, np.bool_)
    if alive.ndim != 2 or alive.shape[1] != graph.arcs:
        raise ValueError(f"up must be (scenarios, {graph.arcs}), not {alive.shape}")
    return alive
