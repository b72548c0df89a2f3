"""Equal-cost loads after each of many failures, every one from the same network with every arc up.

What a scenario yields is what `spf.loads` yields with its arcs down.  The kernel repairs the loads instead: per
destination it recomputes only nodes that lose a best next hop, and pushes differences of flow down the new best paths.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

import numpy as np

from trunkline.engine.choice import backend as chosen
from trunkline.engine.cuts import Cuts
from trunkline.engine.graph import Graph, Int32, Int64, frozen
from trunkline.engine.spf import rates_of
from trunkline.engine.sweep import FIGURES, How


@dataclass(frozen=True, eq=False)
class Demand:
    """What is offered, and what there is for it."""

    rates: Int64
    """(nodes, nodes), from and to, bit/s"""
    capacity: Int64
    """(arcs,), bit/s"""


@dataclass(frozen=True, eq=False)
class IgpLoads:
    """What each scenario comes to."""

    hottest: Int32
    """(scenarios,) the arc most loaded in proportion to its capacity, the first by rank; -1 where nothing is"""
    load: Int64
    """(scenarios,) bit/s on it"""
    undelivered: Int64
    """(scenarios,) bit/s of demand without a way"""
    loads: Int64 | None
    """(scenarios, arcs) bit/s; None unless asked for"""


def igp_loads(
    graph: Graph, demand: Demand, cuts: Cuts, how: How = FIGURES, backend: ModuleType | None = None
) -> IgpLoads:
    """Return the loads after each failure; the answer is the same for any number of workers.

    `how.keep` asks for the load of every arc.  Splits are those of `spf.loads`; metrics must be at least 1.
    """
    rates = rates_of(graph, demand.rates)
    capacity = frozen(demand.capacity, np.int64)
    if capacity.shape != (graph.arcs,) or (capacity < 0).any():
        raise ValueError(f"capacity must be at least 0, ({graph.arcs},)")
    if graph.arcs and graph.metric.min() < 1:
        raise ValueError("metrics must be at least 1")
    if how.workers < 1:
        raise ValueError("a sweep needs a worker")
    cuts.check(graph)
    found: IgpLoads = (backend or chosen()).igp_loads(graph, Demand(rates, capacity), cuts, how)
    return found
