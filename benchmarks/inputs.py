"""Deterministic benchmark inputs: a ring with chords and a mesh of LSPs, from a seed (see each docstring)."""

from __future__ import annotations

from random import Random

import numpy as np

from trunkline.engine.graph import Graph, Int64, build, frozen
from trunkline.engine.placement import NO_LIMIT, Links, Lsps, Options, Step

GIG = 10**9


def backbone(nodes: int, seed: int = 1) -> Graph:
    """A ring with one random chord per router: degree about 4, metrics 10-99, the same in both directions."""
    rng = Random(seed)  # noqa: S311 - the same input in every run
    pairs = [(i, (i + 1) % nodes) for i in range(nodes)]
    pairs += [tuple(rng.sample(range(nodes), 2)) for _ in range(nodes)]  # type: ignore[misc]
    ends = []
    for a, b in dict.fromkeys(pairs):
        metric = rng.randint(10, 99)
        ends += [(a, b, metric), (b, a, metric)]
    return build(nodes, ends)[0]


def mesh(graph: Graph, count: int, seed: int = 2) -> tuple[Links, Lsps, Step]:
    """`count` LSPs: every ordered pair if they are that many, else random pairs; 1-10 Gbit/s, eight priorities.

    Every arc can reserve half of what shortest paths would put on the busiest one: some LSPs have to go round.
    """
    rng = Random(seed)  # noqa: S311 - the same input in every run
    n = graph.nodes
    pairs = [(a, b) for a in range(n) for b in range(n) if a != b]
    if count < len(pairs):
        pairs = rng.sample(pairs, count)
    wanted = frozen([rng.randint(1, 10) * GIG for _ in pairs], np.int64)
    priority = frozen(np.array([rng.randint(0, 7) for _ in pairs], np.int32), np.int32)
    none = frozen(np.zeros(len(pairs), np.uint64), np.uint64)
    empty = frozen(np.zeros(0, np.int32), np.int32)
    options = Options(
        frozen(range(len(pairs) + 1), np.int32),
        frozen([0] * (len(pairs) + 1), np.int32),
        empty,
        frozen(np.zeros((0, 2)), np.int32),
        frozen([], np.bool_),
    )
    ends = [frozen(np.array([p[i] for p in pairs], np.int32), np.int32) for i in (0, 1)]
    limit = frozen(np.full(len(pairs), NO_LIMIT, np.int32), np.int32)
    lsps = Lsps(ends[0], ends[1], priority, priority, none, none, none, limit, options)
    up = frozen(np.ones(graph.arcs), np.bool_)
    room = frozen(np.full(graph.arcs, capacity(graph, pairs, wanted)), np.int64)
    links = Links(graph, room, frozen(np.zeros(graph.arcs), np.uint64), up)
    order = list(range(len(pairs)))
    rng.shuffle(order)
    return links, lsps, Step(wanted, frozen(np.array(order, np.int32), np.int32))


def capacity(graph: Graph, pairs: list[tuple[int, int]], wanted: Int64) -> int:
    """Half of the busiest arc's load by shortest paths, in whole Gbit/s."""
    from trunkline.engine import spf  # noqa: PLC0415 - only the generator needs it

    demand = np.zeros((graph.nodes, graph.nodes), np.int64)
    for (a, b), rate in zip(pairs, wanted.tolist(), strict=True):
        demand[a, b] += rate
    return int(spf.loads(graph, demand)[0].max()) // 2 // GIG * GIG
