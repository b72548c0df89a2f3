"""Deterministic inputs: a ring with chords and LSPs across it, from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from ipaddress import IPv4Address, IPv6Address
from random import Random
from typing import Any

import numpy as np

from trunkline.demand.flows import Flows
from trunkline.engine import spf
from trunkline.engine.graph import Graph, Int64, build, frozen
from trunkline.engine.placement import NO_LIMIT, Links, Lsps, Options, Step
from trunkline.model.network import Network
from trunkline.model.nouns import Circuit, Lsp, Role, Router

GIG = 10**9
Pairs = list[tuple[int, int]]


def backbone(nodes: int, seed: int = 1) -> Graph:
    """A ring with one random chord per router: degree about 4, metrics 10-99, the same in both directions."""
    rng = Random(seed)  # noqa: S311 - the same input in every run
    pairs: Pairs = [(i, (i + 1) % nodes) for i in range(nodes)]
    for _ in range(nodes):
        a, b = rng.sample(range(nodes), 2)
        pairs.append((min(a, b), max(a, b)))
    ends = []
    for a, b in dict.fromkeys((min(p), max(p)) for p in pairs):
        metric = rng.randint(10, 99)
        ends += [(a, b, metric), (b, a, metric)]
    return build(nodes, ends)[0]


def mesh(graph: Graph, count: int, load: float, priorities: int = 1, seed: int = 2) -> tuple[Links, Lsps, Step]:
    """`count` LSPs: every ordered pair if they are that many, else random pairs; 1-10 Gbit/s.

    Every arc can reserve what shortest paths would put on the busiest one, divided by `load`: at 0.5 everything fits on
    its shortest path, at 1.6 much has to go round or wait.
    """
    rng = Random(seed)  # noqa: S311 - the same input in every run
    n = graph.nodes
    pairs = [(a, b) for a in range(n) for b in range(n) if a != b]
    if count < len(pairs):
        pairs = rng.sample(pairs, count)
    wanted = frozen([rng.randint(1, 10) * GIG for _ in pairs], np.int64)
    priority = frozen(np.array([rng.randrange(priorities) for _ in pairs], np.int32), np.int32)
    room = int(busiest(graph, pairs, wanted) / load) // GIG * GIG
    links = Links(
        graph,
        frozen(np.full(graph.arcs, room), np.int64),
        frozen(np.zeros(graph.arcs), np.uint64),
        frozen(np.ones(graph.arcs), np.bool_),
    )
    order = list(range(len(pairs)))
    rng.shuffle(order)
    return links, _columns(pairs, priority), Step(wanted, frozen(np.array(order, np.int32), np.int32))


def _columns(pairs: Pairs, priority: Any) -> Lsps:
    count = len(pairs)
    none = frozen(np.zeros(count), np.uint64)
    dynamic = Options(
        first=frozen(range(count + 1), np.int32),
        hop=frozen(np.zeros(count + 1), np.int32),
        node=frozen([], np.int32),
        arcs=frozen(np.zeros((0, 2)), np.int32),
        loose=frozen([], np.bool_),
    )
    head, tail = (frozen(np.array([p[i] for p in pairs], np.int32), np.int32) for i in (0, 1))
    limit = frozen(np.full(count, NO_LIMIT), np.int32)
    return Lsps(head, tail, priority, priority, none, none, none, limit, dynamic)


def busiest(graph: Graph, pairs: Pairs, wanted: Int64) -> int:
    """The busiest arc's load by shortest paths, bit/s."""
    demand = np.zeros((graph.nodes, graph.nodes), np.int64)
    for (a, b), rate in zip(pairs, wanted.tolist(), strict=True):
        demand[a, b] += rate
    return int(spf.loads(graph, demand)[0].max())


def for_peers(links: Links, lsps: Lsps, step: Step, sample: int | None = None) -> dict[str, Any]:
    """The same input as plain data: arcs (tail, head, metric, capacity), LSPs (head, tail, rate), in order."""
    graph = links.graph
    arcs = zip(graph.tail.tolist(), graph.head.tolist(), graph.metric.tolist(), links.reservable.tolist(), strict=True)
    turns: Sequence[int] = step.turns[:sample].tolist()
    ends = [(int(lsps.head[i]), int(lsps.tail[i]), int(step.wanted[i])) for i in turns]
    return {"nodes": graph.nodes, "arcs": list(arcs), "lsps": ends}


def network(links: Links, lsps: Lsps, step: Step) -> tuple[Network, Flows]:
    """The same input as a network, for what a whole placement costs with its Python results."""
    graph = links.graph
    routers = tuple(
        Router(f"r{i:04}", "s", "x", Role.BB, False, IPv4Address(i + 1), IPv6Address(i + 1)) for i in range(graph.nodes)
    )
    circuits = []
    for arc in range(graph.arcs):
        a, b, metric = int(graph.tail[arc]), int(graph.head[arc]), int(graph.metric[arc])
        if a < b:
            room = int(links.reservable[arc])
            ends = routers[a].name, routers[b].name
            circuits.append(Circuit(f"c{a:04}-{b:04}", *ends, room, 1, metric, metric, metric, metric, room))
    found = [
        Lsp(routers[h].name, f"l{i:06}", routers[t].name, "c", p, p, rate)
        for i, (h, t, p, rate) in enumerate(
            zip(lsps.head.tolist(), lsps.tail.tolist(), lsps.setup.tolist(), step.wanted.tolist(), strict=True)
        )
    ]
    net = Network(regions=("x",), routers=routers, circuits=tuple(sorted(circuits, key=lambda c: c.name)))
    return replace(net, lsps=tuple(sorted(found, key=lambda x: (x.head, x.name)))), Flows(())
