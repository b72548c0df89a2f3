"""IS-IS on small networks, distances and next hops by hand.

a --10-- b --10-- d        c is dearer one way: a-c 10, c-a 30
a --10-- c --10-- d
"""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest

from engine.worlds import needs_kernel
from nets import circuit, network, router, v4_only
from trunkline.engine import kernel, reference, spf
from trunkline.engine.graph import FAR, build
from trunkline.igp.solve import Reach, solve
from trunkline.model.network import Network
from trunkline.model.nouns import Family, Igp

SQUARE = [circuit("a", "b"), circuit("b", "d"), circuit("a", "c", 10, back=30), circuit("c", "d")]


def hops(reach: Reach, family: Family, source: str, target: str) -> list[str]:
    return [arc.name for arc in reach.next_hops(family, source, target)]


def multi(net: Network) -> Network:
    return replace(net, igp=Igp(multi_topology=True))


def test_asymmetric_metrics_and_equal_cost() -> None:
    reach = solve(network(SQUARE))
    assert hops(reach, Family.V4, "a", "d") == ["a-b@a", "a-c@a"]  # 10 + 10 either way
    assert hops(reach, Family.V4, "d", "a") == ["b-d@d"]  # 20 by b, 40 by c
    assert reach.distance(Family.V4, "d", "a") == 20
    assert reach.distance(Family.V4, "c", "a") == 30  # its own 30, and 10 + 10 + 10 round by d and b
    assert hops(reach, Family.V4, "c", "a") == ["a-c@c", "c-d@c"]


def test_parallel_circuits_are_next_hops_each_by_name() -> None:
    reach = solve(network([circuit("a", "b", name="z"), circuit("a", "b", name="m"), circuit("a", "b", 11, name="k")]))
    assert hops(reach, Family.V4, "a", "b") == ["m@a", "z@a"]
    assert hops(reach, Family.V4, "b", "a") == ["m@b", "z@b"]


def test_an_overloaded_router_is_reached_and_sends_but_is_not_passed_through() -> None:
    reach = solve(network(SQUARE, [router("b", overload=True)]))
    assert hops(reach, Family.V4, "a", "d") == ["a-c@a"]
    assert reach.distance(Family.V4, "a", "b") == 10
    assert reach.distance(Family.V4, "b", "c") == 20
    assert reach.distance(Family.V4, "d", "a") == 40  # by c alone, 10 + 30


def test_with_both_middle_routers_overloaded_the_ends_part() -> None:
    reach = solve(network(SQUARE, [router("b", overload=True), router("c", overload=True)]))
    assert reach.distance(Family.V4, "a", "d") is None
    assert hops(reach, Family.V4, "a", "d") == []


def test_multi_topology_takes_v6_round_a_circuit_without_it() -> None:
    net = network([v4_only(circuit("a", "b")), *SQUARE[1:]])
    reach = solve(multi(net))
    assert hops(reach, Family.V4, "a", "b") == ["a-b@a"]
    assert hops(reach, Family.V6, "a", "b") == ["a-c@a"]
    assert (reach.distance(Family.V4, "a", "b"), reach.distance(Family.V6, "a", "b")) == (10, 30)


def test_single_topology_sends_both_families_the_same_way_whatever_the_circuit_carries() -> None:
    reach = solve(network([v4_only(circuit("a", "b")), *SQUARE[1:]]))
    assert hops(reach, Family.V6, "a", "b") == ["a-b@a"]


def test_a_network_without_circuits() -> None:
    reach = solve(network([], [router("a"), router("b")]))
    assert reach.distance(Family.V4, "a", "b") is None
    assert reach.distance(Family.V4, "a", "a") == 0


@pytest.mark.parametrize("core", [reference, pytest.param(kernel, marks=needs_kernel)])
def test_a_path_longer_than_max_path_metric_counts_as_none(core: ModuleType) -> None:
    # RFC 5305: a link metric is at most 2^24 - 2 = 16,777,214 and a path metric at most 0xFE000000 = 4,261,412,864:
    # 254 such links make 4,261,412,356 and still count, 255 do not.
    graph, _ = build(257, [(i, i + 1, 16_777_214) for i in range(256)])
    row = spf.distances(graph, [0], backend=core)[0, 0]
    assert row[254] == 4_261_412_356
    assert (row[255], row[256]) == (FAR, FAR)
    demand = np.zeros((257, 257), np.int64)
    demand[0, 254] = demand[0, 255] = 7
    load, lost = spf.loads(graph, demand, backend=core)
    assert (int(load[0, 0]), int(lost[0])) == (7, 7)
