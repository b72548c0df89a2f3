"""CSPF against brute force, and each tie-break by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.worlds import needs_kernel, world
from trunkline.engine import kernel, reference
from trunkline.engine.graph import Graph, build, frozen
from trunkline.engine.placement import NO_LIMIT, Links, Lsps, Options, routes

BACKENDS = [reference, pytest.param(kernel, marks=needs_kernel)]


def links(ends: list[tuple[int, int, int]], room: list[int] | None = None, groups: list[int] | None = None) -> Links:
    """One-way arcs (tail, head, metric) in order of rank, each with its room (10) and groups (none)."""
    nodes = 1 + max(max(e[:2]) for e in ends)
    graph, place = build(nodes, ends)
    back = np.argsort(place)
    given_room = np.array(room or [10] * len(ends), np.int64)[back]
    given_groups = np.array(groups or [0] * len(ends), np.uint64)[back]
    return Links(
        graph, frozen(given_room, np.int64), frozen(given_groups, np.uint64), frozen([True] * len(ends), np.bool_)
    )


Hop = tuple[int, tuple[int, int], bool]


def ask(head: int, tail: int, limit: int = NO_LIMIT, options: list[list[Hop]] | None = None) -> Lsps:
    """One LSP at priority 7; a hop is (node or -1, arcs, loose)."""
    paths = options or [[]]
    hops = [hop for option in paths for hop in option]
    ends, priority = [frozen([x], np.int32) for x in (head, tail)], frozen([7], np.int32)
    mask = frozen(np.zeros(1, np.uint64), np.uint64)
    chosen = Options(
        frozen([0, len(paths)], np.int32),
        frozen(np.cumsum([0] + [len(p) for p in paths]), np.int32),
        frozen(np.array([h[0] for h in hops], np.int32), np.int32),
        frozen(np.array([h[1] for h in hops], np.int32).reshape(-1, 2), np.int32),
        frozen(np.array([h[2] for h in hops], np.bool_), np.bool_),
    )
    return Lsps(ends[0], ends[1], priority, priority, mask, mask, mask, frozen([limit], np.int32), chosen)


def ranks(table: Links, lsp: Lsps, bandwidth: int, backend: ModuleType) -> tuple[int, list[int]]:
    """Path option and the ranks of its arcs: the places in the list that the test gave."""
    found = routes(table, lsp, frozen([bandwidth], np.int64), backend=backend)
    return int(found.option[0]), [int(table.graph.rank[a]) for a in found.of(0)]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("ends", "room", "expected"),
    [
        ([(0, 1, 5), (1, 3, 5), (0, 2, 4), (2, 3, 5)], [9, 9, 2, 2], [2, 3]),  # metric 9 before 10, though narrow
        ([(0, 1, 2), (1, 3, 2), (0, 3, 4)], [9, 9, 2], [2]),  # equal metric 4: one hop before two
        ([(0, 1, 2), (1, 3, 2), (0, 2, 2), (2, 3, 2)], [9, 4, 5, 9], [2, 3]),  # equal hops: bottleneck 5 before 4
        ([(0, 2, 2), (0, 1, 2), (1, 3, 2), (2, 3, 2)], [5, 5, 9, 9], [0, 3]),  # equal width: rank 0 before 1
        ([(0, 1, 2), (0, 1, 2), (1, 3, 2), (1, 3, 2)], [5, 5, 5, 5], [0, 2]),  # parallel: the first of each
        ([(0, 1, 2), (0, 1, 2), (1, 3, 2)], [5, 9, 5], [0, 2]),  # a wider parallel arc does not widen the path
        ([(0, 1, 2), (0, 1, 2), (1, 3, 2)], [5, 9, 7], [1, 2]),  # here it does
    ],
)
def test_each_tie_break(
    ends: list[tuple[int, int, int]], room: list[int], expected: list[int], backend: ModuleType
) -> None:
    assert ranks(links(ends, room), ask(0, 3), 1, backend) == (0, expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_hop_limit_is_the_cheapest_path_within_it(backend: ModuleType) -> None:
    # 0-1-2-3 costs 3 in three hops, 0-2-3 costs 6 in two, 0-3 costs 9 in one.
    table = links([(0, 1, 1), (1, 2, 1), (2, 3, 1), (0, 2, 5), (0, 3, 9)])
    paths = {limit: ranks(table, ask(0, 3, limit), 1, backend) for limit in (0, 1, 2, 3)}
    assert paths == {0: (-1, []), 1: (0, [4]), 2: (0, [3, 2]), 3: (0, [0, 1, 2])}


@pytest.mark.parametrize("backend", BACKENDS)
def test_affinities(backend: ModuleType) -> None:
    # Arcs 0-3 cost 1, 2, 3, 4 with groups {}, {1}, {2}, {1, 2}.
    table = links([(0, 3, 1), (0, 3, 2), (0, 3, 3), (0, 3, 4)], groups=[0, 1, 2, 3])
    lsp = ask(0, 3)

    def path(**masks: int) -> list[int]:
        given = {name: frozen(np.array([bits], np.uint64), np.uint64) for name, bits in masks.items()}
        return ranks(table, replace(lsp, **given), 1, backend)[1]

    assert path() == [0]
    assert path(include_any=3) == [1]
    assert path(include_any=2) == [2]
    assert path(include_all=3) == [3]
    assert path(include_any=3, exclude=1) == [2]
    assert path(include_all=1, exclude=2) == [1]


@pytest.mark.parametrize("backend", BACKENDS)
def test_explicit_paths(backend: ModuleType) -> None:
    # A line 0-1-2-3 (metric 1, both ways) and a direct 0-3 of metric 9.
    ends = [(0, 1, 1), (1, 0, 1), (1, 2, 1), (2, 1, 1), (2, 3, 1), (3, 2, 1), (0, 3, 9)]
    table = links(ends)
    at = {int(rank): index for index, rank in enumerate(table.graph.rank)}
    node: dict[str, Hop] = {
        f"{n}{kind}": (n, (-1, -1), kind == "loose") for n in range(4) for kind in ("loose", "strict")
    }
    middle: dict[str, Hop] = {k: (-1, (at[2], at[3]), k == "loose") for k in ("loose", "strict")}

    def path(*options: list[Hop]) -> tuple[int, list[int]]:
        return ranks(table, ask(0, 3, options=list(options)), 1, backend)

    assert path([node["2loose"]]) == (0, [0, 2, 4])
    assert path([node["2strict"]]) == (-1, [])  # not adjacent
    assert path([node["2strict"]], []) == (1, [0, 2, 4])  # the next option
    assert path([node["1strict"], node["2strict"], node["3strict"]]) == (0, [0, 2, 4])
    assert path([node["3strict"]]) == (0, [6])  # adjacent, though dearer
    assert path([node["3strict"], node["2loose"]]) == (-1, [])  # back over 2 and again to 3: visited twice
    assert path([middle["loose"]]) == (0, [0, 2, 4])
    assert path([middle["strict"]]) == (-1, [])  # does not begin at the head
    assert path([node["1strict"], middle["strict"]]) == (0, [0, 2, 4])


def simple_paths(graph: Graph, source: int, target: int, arcs: list[bool]) -> Iterator[list[int]]:
    """Every path that visits no node twice and passes through no overloaded one."""
    stack: list[tuple[int, list[int], set[int]]] = [(source, [], {source})]
    while stack:
        node, path, seen = stack.pop()
        if node == target:
            yield path
            continue
        if node != source and not graph.transit[node]:
            continue
        onward = [(a, int(graph.head[a])) for a in range(int(graph.start[node]), int(graph.start[node + 1])) if arcs[a]]
        stack += [(then, [*path, arc], seen | {then}) for arc, then in onward if then not in seen]


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(0, 4))
def test_against_all_simple_paths(seed: int, bandwidth: int) -> None:
    w = world(seed)
    dynamic = replace(w.lsps, options=_dynamic(len(w.lsps)))
    found = routes(w.links, dynamic, frozen([bandwidth] * len(dynamic), np.int64))
    room, metric, rank = (c.tolist() for c in (w.links.reservable, w.links.graph.metric, w.links.graph.rank))
    for i in range(len(dynamic)):
        any_, all_, none = (int(m[i]) for m in (dynamic.include_any, dynamic.include_all, dynamic.exclude))
        good = [
            room[a] >= bandwidth and g & all_ == all_ and not g & none and (not any_ or bool(g & any_))
            for a, g in enumerate(w.links.groups.tolist())
        ]
        paths = simple_paths(w.links.graph, int(dynamic.head[i]), int(dynamic.tail[i]), good)
        keyed = [
            (sum(metric[a] for a in p), len(p), -min(room[a] for a in p), [rank[a] for a in p])
            for p in paths
            if len(p) <= dynamic.hop_limit[i]
        ]
        assert [rank[a] for a in found.of(i)] == min(keyed, default=(0, 0, 0, []))[3]


def _dynamic(count: int) -> Options:
    none = frozen(np.zeros(0, np.int32), np.int32)
    return Options(
        frozen(range(count + 1), np.int32),
        frozen([0] * (count + 1), np.int32),
        none,
        frozen(np.zeros((0, 2)), np.int32),
        frozen([], np.bool_),
    )
