"""NetworkX as a CSPF: each LSP in turn by Dijkstra over what has room.  Reads the input as JSON, writes the answer."""

from __future__ import annotations

import json
import sys
import time
from itertools import pairwise
from typing import Any

import networkx


def main() -> None:
    """Place the LSPs of standard input in their order, first come first served."""
    given: dict[str, Any] = json.load(sys.stdin)
    net = networkx.DiGraph()
    room = {}
    for tail, head, metric, capacity in given["arcs"]:
        net.add_edge(tail, head, metric=metric)
        room[tail, head] = capacity
    metrics: list[int | None] = []
    begin = time.perf_counter()
    for head, tail, rate in given["lsps"]:

        def cost(u: int, v: int, data: dict[str, int], rate: int = rate) -> int | None:
            return data["metric"] if room[u, v] >= rate else None

        try:
            metric, path = networkx.single_source_dijkstra(net, head, tail, weight=cost)
        except networkx.NetworkXNoPath:
            metrics.append(None)
            continue
        metrics.append(metric)
        for hop in pairwise(path):
            room[hop] -= rate
    seconds = time.perf_counter() - begin
    json.dump({"version": networkx.__version__, "seconds": seconds, "metrics": metrics}, sys.stdout)


if __name__ == "__main__":
    main()
