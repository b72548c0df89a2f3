"""Scenarios as columns, and which arc is the hottest, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from trunkline.engine.cuts import Cuts, cuts, hottest, of_nodes
from trunkline.engine.graph import build, frozen

TRIANGLE, _ = build(3, [(0, 1, 1), (0, 2, 1), (1, 0, 1), (1, 2, 1), (2, 0, 1), (2, 1, 1)])


def test_a_node_takes_every_arc_that_leaves_or_enters_it() -> None:
    lost = of_nodes(TRIANGLE)
    assert [lost.of(n).tolist() for n in range(len(lost))] == [[0, 1, 2, 4], [0, 2, 3, 5], [1, 3, 4, 5]]


@pytest.mark.parametrize(
    ("load", "capacity", "expected"),
    [
        ([0, 0, 0, 0, 0, 0], [1] * 6, (-1, 0)),
        ([5, 9, 0, 0, 0, 0], [10, 20, 1, 1, 1, 1], (0, 5)),  # 50 % against 45 %
        ([5, 10, 0, 0, 0, 0], [10, 20, 1, 1, 1, 1], (0, 5)),  # equal: the first
        ([9, 0, 0, 0, 1, 2], [1, 1, 1, 1, 0, 0], (4, 1)),  # on nothing at all, the first of them
        ([1 << 60, (1 << 60) + 1, 0, 0, 0, 0], [1 << 60] * 6, (1, (1 << 60) + 1)),  # a float would see no difference
    ],
)
def test_the_hottest_arc(load: list[int], capacity: list[int], expected: tuple[int, int]) -> None:
    assert hottest(TRIANGLE, load, capacity) == expected


def test_rank_decides_not_index() -> None:
    # Given in rank order, arcs from node 1 come first; in the graph those of node 0 do.
    graph, _ = build(2, [(1, 0, 1), (0, 1, 1)])
    assert graph.rank.tolist() == [1, 0]
    assert hottest(graph, [3, 3], [9, 9]) == (1, 3)


def test_the_gate_refuses() -> None:
    one = frozen([0], np.int32)
    for start in ([0, 2], [1, 1], [0, 1, 0]):
        with pytest.raises(ValueError, match="add up"):
            Cuts(frozen(start, np.int64), one).check(TRIANGLE)
    with pytest.raises(ValueError, match="arcs of the graph"):
        cuts([[6]]).check(TRIANGLE)
    cuts([]).check(TRIANGLE)
