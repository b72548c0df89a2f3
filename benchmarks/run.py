"""Ours (kernel and pure Python) beside pyNTM and NetworkX, on the same generated input in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from types import ModuleType
from typing import Any

import networkx
import numpy as np
from inputs import backbone, mesh

from trunkline.engine import describe, kernel, reference, spf
from trunkline.engine.placement import Links, Lsps, Step, advance, cold


def best(body: Callable[[], Any], repeats: int = 3) -> tuple[float, Any]:
    """The least wall time of several runs, seconds, and the last result."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        result = body()
        times.append(time.perf_counter() - begin)
    return min(times), result


def ours(links: Links, lsps: Lsps, step: Step, core: ModuleType, repeats: int) -> float:
    seconds, (state, _) = best(lambda: advance(links, lsps, cold(len(lsps)), step, core), repeats)
    placed = int((state.paths.option >= 0).sum())
    name = core.__name__.rsplit(".", 1)[1]
    print(f"  {name:<22} {seconds:9.4f} s   {placed} of {len(lsps)} placed, 8 priorities with preemption")
    return seconds


def networkx_cspf(links: Links, lsps: Lsps, step: Step, sample: int) -> tuple[float, int]:
    """The first `sample` arrivals by Dijkstra on what is left, no priorities: seconds and LSPs placed."""
    graph = links.graph
    room = dict.fromkeys(zip(graph.tail.tolist(), graph.head.tolist(), strict=True), 0)
    net = networkx.DiGraph()
    for a in range(graph.arcs):
        ends = int(graph.tail[a]), int(graph.head[a])
        room[ends] = int(links.reservable[a])
        net.add_edge(*ends, metric=int(graph.metric[a]))
    placed, begin = 0, time.perf_counter()
    for lsp in step.turns[:sample].tolist():
        rate = int(step.wanted[lsp])

        def cost(u: int, v: int, data: dict[str, int], rate: int = rate) -> int | None:
            return data["metric"] if room[u, v] >= rate else None

        try:
            path = networkx.dijkstra_path(net, int(lsps.head[lsp]), int(lsps.tail[lsp]), cost)
        except networkx.NetworkXNoPath:
            continue
        placed += 1
        for hop in pairwise(path):
            room[hop] -= rate
    return time.perf_counter() - begin, placed


def placement(nodes: int, count: int, sample: int, slow: bool) -> None:
    links, lsps, step = mesh(backbone(nodes), count)
    print(f"{len(lsps)} LSPs on {nodes} routers")
    if not kernel.trouble():
        ours(links, lsps, step, kernel, 5)
    if slow:
        ours(links, lsps, step, reference, 1)
    seconds, placed = networkx_cspf(links, lsps, step, sample)
    print(
        f"  networkx {networkx.__version__:<13} {seconds:9.4f} s   {placed} of the first {sample} placed, no priorities"
    )
    print("  no ratio: NetworkX has no priorities and no preemption, so the answers cannot be compared")


def loads(nodes: int) -> None:
    graph = backbone(nodes)
    demand = np.full((nodes, nodes), 10**6, np.int64)
    np.fill_diagonal(demand, 0)
    print(f"dense ECMP loads on {nodes} routers")
    seconds, _ = best(lambda: spf.loads(graph, demand))
    print(f"  {describe():<22} {seconds:9.4f} s")


def main() -> None:
    placement(100, 9900, 9900, slow=True)
    placement(1000, 100_000, 500, slow=False)
    loads(1000)
    print("pyNTM: not run here; it has no priorities, and breaks ties at random")


if __name__ == "__main__":
    main()
