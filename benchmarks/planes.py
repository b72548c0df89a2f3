"""Deterministic inputs like a real backbone: sites on a map, two planes, routers on both, provisioned to the load."""

from __future__ import annotations

import numpy as np

from trunkline.engine import spf
from trunkline.engine.cuts import Cuts, cuts
from trunkline.engine.graph import Graph, build, frozen
from trunkline.engine.placement import NO_LIMIT, Links, Lsps, Options, Step

GIG = 10**9


def planes(nodes: int, seed: int = 7) -> Graph:
    """Ten routers a site, numbered one after another: two core routers, joined, and eight at the edge, each on both.

    Sites stand in clusters on a map; two are neighbours, in both planes, where no third is in the circle between them
    (a Gabriel graph), and a tenth as many pairs at random have an express circuit.  Metrics are distances in 100 km.
    """
    rng = np.random.default_rng(seed)
    sites = nodes // 10
    around = rng.random((max(3, sites // 12), 2)) * (10_000, 5_000)
    spot = around[rng.integers(0, len(around), sites)] + rng.normal(0, 500, (sites, 2))
    square = ((spot[:, None] - spot[None, :]) ** 2).sum(axis=2)
    alone = [
        (a, b)
        for a in range(sites)
        for b in range(a + 1, sites)
        if not (np.delete(square[a] + square[b], [a, b]) < square[a, b]).any()
    ]
    express = [tuple(sorted(rng.choice(sites, 2, replace=False).tolist())) for _ in range(len(alone) // 10)]
    circuits = []
    for a, b in dict.fromkeys(alone + express):
        metric = 1 + int(square[a, b] ** 0.5 / 100)
        circuits += [(10 * a + plane, 10 * b + plane, metric) for plane in (0, 1)]
    for core in range(0, 10 * sites, 10):
        circuits += [(core, core + 1, 1), *((core + plane, core + i, 1) for i in range(2, 10) for plane in (0, 1))]
    return build(10 * sites, sorted([(a, b, m) for a, b, m in circuits] + [(b, a, m) for a, b, m in circuits]))[0]


def circuits_of(graph: Graph) -> list[list[int]]:
    """Both arcs of every circuit: no two circuits of these graphs have the same ends."""
    ends = list(zip(graph.tail.tolist(), graph.head.tolist(), strict=True))
    at = {end: arc for arc, end in enumerate(ends)}
    return [[arc, at[b, a]] for (a, b), arc in at.items() if a < b]


def singles(graph: Graph) -> Cuts:
    """The loss of each circuit."""
    return cuts(circuits_of(graph))


def pairs_of(graph: Graph) -> Cuts:
    """The loss of every two circuits."""
    found = circuits_of(graph)
    return cuts([*a, *b] for i, a in enumerate(found) for b in found[i + 1 :])


def gravity(graph: Graph, count: int, load: float, seed: int = 2) -> tuple[Links, Lsps, Step]:
    """LSPs between routers drawn by their weight, 8 hold priorities, a third with a setup priority one worse.

    Every arc has what shortest paths put on it, by 0.55, up to the next 100 Gbit/s; then bandwidths grow by `load`.
    """
    rng = np.random.default_rng(seed)
    weight = rng.lognormal(0, 1, graph.nodes)
    drawn = rng.choice(graph.nodes, (2 * count, 2), p=weight / weight.sum())
    ends = drawn[drawn[:, 0] != drawn[:, 1]][:count]
    rate = (rng.lognormal(0, 1, count) * GIG).astype(np.int64) + 1
    demand = np.zeros((graph.nodes, graph.nodes), np.int64)
    np.add.at(demand, (ends[:, 0], ends[:, 1]), rate)
    carried = spf.loads(graph, demand)[0][0]
    room = (carried * 20 // 11 // (100 * GIG) + 1) * 100 * GIG
    hold = rng.integers(0, 8, count)
    setup = np.minimum(7, hold + (rng.random(count) < 1 / 3))
    none = frozen(np.zeros(count), np.uint64)
    dynamic = Options(
        frozen(np.arange(count + 1), np.int32),
        frozen(np.zeros(count + 1), np.int32),
        frozen([], np.int32),
        frozen(np.zeros((0, 2)), np.int32),
        frozen([], np.bool_),
    )
    limit = frozen(np.full(count, NO_LIMIT), np.int32)
    head, tail, setups, holds = (frozen(np.array(x), np.int32) for x in (ends[:, 0], ends[:, 1], setup, hold))
    lsps = Lsps(head, tail, setups, holds, none, none, none, limit, dynamic)
    up = frozen(np.ones(graph.arcs), np.bool_)
    links = Links(graph, frozen(room, np.int64), frozen(np.zeros(graph.arcs), np.uint64), up)
    turns = frozen(rng.permutation(count), np.int32)
    return links, lsps, Step(frozen((rate * round(load * 10)) // 10, np.int64), turns)
