"""Random graphs, LSPs and histories for property tests, from a seed; and which cores can be compared here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import numpy as np
import pytest

from trunkline.engine import kernel
from trunkline.engine.graph import Bool, Graph, build, frozen
from trunkline.engine.placement import NO_LIMIT, Links, Lsps, Options, Step

needs_kernel = pytest.mark.skipif(bool(kernel.trouble()), reason=kernel.trouble() or "there is a kernel")


def graph(rng: Random, nodes: int, circuits: int, overloaded: float = 0.1) -> Graph:
    """Circuits between random pairs, parallel ones among them, small metrics so that ties are common."""
    ends = []
    for _ in range(circuits):
        a, b = rng.sample(range(nodes), 2)
        ends += [(a, b, rng.randint(1, 3)), (b, a, rng.randint(1, 3))]
    rng.shuffle(ends)
    return build(nodes, ends, [rng.random() >= overloaded for _ in range(nodes)])[0]


@dataclass(frozen=True, eq=False)
class World:
    links: Links
    lsps: Lsps
    history: tuple[tuple[Links, Step], ...]


def world(seed: int, plain: bool = False, most: int = 8) -> World:
    """A network of up to `most` nodes, its LSPs and a cold start with events; `plain`: no constraints, no overload."""
    rng = Random(seed)  # noqa: S311 - reproducible on purpose
    nodes = rng.randint(3, most)
    base = graph(rng, nodes, rng.randint(nodes, 2 * nodes), 0.0 if plain else 0.1)
    room = [rng.randint(0, 12) for _ in range(base.arcs)]
    groups = [rng.randint(0, 7) for _ in range(base.arcs)]
    up = frozen(np.ones(base.arcs), np.bool_)
    links = Links(base, frozen(room, np.int64), frozen(np.array(groups, np.uint64), np.uint64), up)
    lsps = some_lsps(rng, base, rng.randint(3, 3 * most), plain)
    return World(links, lsps, tuple(history(rng, links, len(lsps))))


def some_lsps(rng: Random, base: Graph, count: int, plain: bool) -> Lsps:
    pairs = sorted(rng.sample(range(base.nodes), 2) for _ in range(count))
    priorities = [sorted((rng.randint(0, 7), rng.randint(0, 7))) for _ in range(count)]

    def masks(chance: float) -> list[int]:
        return [rng.randint(1, 7) if not plain and rng.random() < chance else 0 for _ in range(count)]

    limits = [rng.randint(1, 4) if not plain and rng.random() < 0.3 else NO_LIMIT for _ in range(count)]
    return Lsps(
        frozen(np.array([p[0] for p in pairs], np.int32), np.int32),
        frozen(np.array([p[1] for p in pairs], np.int32), np.int32),
        frozen(np.array([p[1] for p in priorities], np.int32), np.int32),
        frozen(np.array([p[0] for p in priorities], np.int32), np.int32),
        frozen(np.array(masks(0.2), np.uint64), np.uint64),
        frozen(np.array([m & 1 for m in masks(0.2)], np.uint64), np.uint64),
        frozen(np.array([m & 4 for m in masks(0.2)], np.uint64), np.uint64),
        frozen(np.array(limits, np.int32), np.int32),
        some_options(rng, base, count, plain),
    )


def some_options(rng: Random, base: Graph, count: int, plain: bool) -> Options:
    first, hop, node, arcs, loose = [0], [0], [], [], []
    for _ in range(count):
        options = 1 if plain else rng.choice([1, 1, 1, 2])
        for _ in range(options):
            for _ in range(0 if plain or rng.random() < 0.7 else rng.randint(1, 2)):
                by_circuit = rng.random() < 0.4
                arc = rng.randrange(base.arcs)
                node.append(-1 if by_circuit else rng.randrange(base.nodes))
                arcs.append([arc, rng.randrange(base.arcs)] if by_circuit else [-1, -1])
                loose.append(rng.random() < 0.6)
            hop.append(len(node))
        first.append(len(hop) - 1)
    return Options(
        frozen(first, np.int32),
        frozen(hop, np.int32),
        frozen(np.array(node, np.int32), np.int32),
        frozen(np.array(arcs, np.int32).reshape(-1, 2), np.int32),
        frozen(np.array(loose, np.bool_), np.bool_),
    )


def history(rng: Random, links: Links, count: int) -> list[tuple[Links, Step]]:
    """A cold start, then cuts, repairs, lost members, overload, growth, re-optimisation, several at once at times."""
    turns = list(range(count))
    rng.shuffle(turns)
    wanted = [rng.choice([0, 1, 2, 3, 5, 8]) for _ in range(count)]
    steps = []
    for number in range(6):
        if number:
            wanted = [w if rng.random() < 0.7 else rng.choice([0, 1, 2, 4, 7]) for w in wanted]
            links = replace(links, up=_flipped(rng, links.up))
            transit = _flipped(rng, links.graph.transit) if rng.random() < 0.2 else links.graph.transit
            links = replace(links, graph=replace(links.graph, transit=transit))
            if rng.random() < 0.3:  # bundles lose members
                thin = [room * rng.choice([1, 2, 3, 3, 3]) // 3 for room in links.reservable.tolist()]
                links = replace(links, reservable=frozen(thin, np.int64))
        again = rng.random() < 0.4
        steps.append((links, Step(frozen(wanted, np.int64), frozen(np.array(turns, np.int32), np.int32), again)))
    return steps


def _flipped(rng: Random, mask: Bool) -> Bool:
    chance = rng.choice([0.0, 0.1])
    flipped: Bool = frozen(np.array([bool(x) != (rng.random() < chance) for x in mask], np.bool_), np.bool_)
    return flipped
