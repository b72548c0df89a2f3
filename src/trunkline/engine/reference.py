"""The plain definitions.  A kernel may be faster; it may not differ by one bit."""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from trunkline.engine.graph import FAR, Bool, Graph, Int32, Int64


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
                    if alive[arc] and far < row[head[arc]]:
                        row[head[arc]] = far
                        heappush(heap, (far, head[arc]))
            out[s, k] = np.array(row, np.int64)
