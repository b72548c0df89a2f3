"""The plain definitions.  A kernel may be faster; it may not differ by one bit."""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from trunkline.engine.cuts import Cuts, hottest
from trunkline.engine.graph import FAR, MAX_PATH_METRIC, Bool, Graph, Int32, Int64, frozen
from trunkline.engine.igp_loads import Demand, IgpLoads
from trunkline.engine.reference_place import advance, routes
from trunkline.engine.reference_sweep import sweep
from trunkline.engine.sweep import How

__all__ = ["advance", "distances", "igp_loads", "loads", "routes", "sweep"]


def distances(graph: Graph, sources: Int32, up: Bool, out: Int64) -> None:
    """Fill `out` (scenarios, sources, nodes) with the cost of the best path, FAR where there is none."""
    start, head, metric = graph.start.tolist(), graph.head.tolist(), graph.metric.tolist()
    transit = graph.transit.tolist()
    for s, alive in enumerate(up.tolist()):
        for k, source in enumerate(sources.tolist()):
            row = [FAR] * graph.nodes
            row[source] = 0
            heap = [(0, source)]
            while heap:
                cost, node = heappop(heap)
                if cost > row[node] or not (transit[node] or node == source):
                    continue
                for arc in range(start[node], start[node + 1]):
                    far = cost + metric[arc]
                    if alive[arc] and far <= MAX_PATH_METRIC and far < row[head[arc]]:
                        row[head[arc]] = far
                        heappush(heap, (far, head[arc]))
            out[s, k] = np.array(row, np.int64)


def loads(graph: Graph, demand: Int64, up: Bool, out: Int64, undelivered: Int64) -> None:
    """Fill `out` (scenarios, arcs) and `undelivered` (scenarios,), bit/s, by hop-by-hop ECMP."""
    into: list[list[int]] = [[] for _ in range(graph.nodes)]
    for arc, head in enumerate(graph.head.tolist()):
        into[head].append(arc)
    for s, alive in enumerate(up.tolist()):
        load = [0] * graph.arcs
        for target in range(graph.nodes):
            undelivered[s] += _towards(graph, into, alive, target, demand[:, target].tolist(), load)
        out[s] = np.array(load, np.int64)


def igp_loads(graph: Graph, demand: Demand, cuts: Cuts, how: How) -> IgpLoads:
    """Return the loads of each scenario, computed anew (see `igp_loads.igp_loads`)."""
    up = np.ones((len(cuts), graph.arcs), np.bool_)
    for s in range(len(cuts)):
        up[s, cuts.of(s)] = False
    every, lost = np.zeros(up.shape, np.int64), np.zeros(len(cuts), np.int64)
    loads(graph, demand.rates, up, every, lost)
    found = [hottest(graph, load, demand.capacity.tolist()) for load in every.tolist()]
    return IgpLoads(
        frozen(np.array([arc for arc, _ in found], np.int32), np.int32),
        frozen(np.array([load for _, load in found], np.int64), np.int64),
        frozen(lost, np.int64),
        frozen(every, np.int64) if how.keep else None,
    )


def _towards(
    graph: Graph, into: list[list[int]], alive: list[bool], target: int, flow: list[int], load: list[int]
) -> int:
    """Add the flows to one target to `load`, the farthest node first; return what cannot reach it."""
    cost, settled = _costs_to(graph, into, alive, target)
    start, head, metric, transit = graph.start.tolist(), graph.head.tolist(), graph.metric.tolist(), graph.transit
    lost = sum(rate for node, rate in enumerate(flow) if cost[node] == FAR)
    for node in reversed(settled[1:]):
        tight = [
            arc
            for arc in range(start[node], start[node + 1])
            if alive[arc]
            and (transit[head[arc]] or head[arc] == target)
            and cost[head[arc]] != FAR
            and cost[head[arc]] + metric[arc] == cost[node]
        ]
        part, rest = divmod(flow[node], len(tight))
        for arc in tight:
            load[arc] += part + rest
            flow[head[arc]] += part + rest
            rest = 0
    return lost


def _costs_to(graph: Graph, into: list[list[int]], alive: list[bool], target: int) -> tuple[list[int], list[int]]:
    """Costs to one target, and the nodes that reach it in the order in which Dijkstra settles them."""
    tail, metric, transit = graph.tail.tolist(), graph.metric.tolist(), graph.transit.tolist()
    cost = [FAR] * graph.nodes
    cost[target] = 0
    settled, heap = [], [(0, target)]
    while heap:
        far, node = heappop(heap)
        if far > cost[node]:
            continue
        settled.append(node)
        for arc in into[node] if transit[node] or node == target else ():
            total = far + metric[arc]
            if alive[arc] and total <= MAX_PATH_METRIC and total < cost[tail[arc]]:
                cost[tail[arc]] = total
                heappush(heap, (total, tail[arc]))
    return cost, settled
