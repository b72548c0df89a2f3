"""Repaired loads are those computed anew, to the bit; and a hand computation of a split whose remainder moves."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.worlds import graph, needs_kernel
from trunkline.engine import kernel, reference, spf
from trunkline.engine.cuts import Cuts, cuts, hottest, of_nodes
from trunkline.engine.graph import Graph, Int64, build
from trunkline.engine.igp_loads import Demand, igp_loads
from trunkline.engine.sweep import How

SEEDS = st.integers(0, 10**9)


def some(seed: int) -> tuple[Graph, Demand, Cuts]:
    """Many equal paths, overloaded nodes, parts that are cut off; demands so small that remainders matter, or huge."""
    rng = Random(seed)  # noqa: S311 - reproducible on purpose
    nodes = rng.randint(2, 14)
    g = graph(rng, nodes, rng.randint(1, 3 * nodes), 0.1)
    most = rng.choice([2, 9, 10**14])
    rates = [[rng.randint(0, most) if a != b else 0 for b in range(nodes)] for a in range(nodes)]
    room = [rng.choice([0, 10, 20]) for _ in range(g.arcs)]
    arcs = [[rng.randrange(g.arcs) for _ in range(rng.randint(0, 4))] for _ in range(8)]
    lost = [*(of_nodes(g).of(n).tolist() for n in range(nodes)), *arcs]
    return g, Demand(np.array(rates, np.int64), np.array(room, np.int64)), cuts(lost)


@needs_kernel
@settings(max_examples=300)
@given(SEEDS)
def test_repair_is_computing_anew(seed: int) -> None:
    g, demand, lost = some(seed)
    found = [igp_loads(g, demand, lost, How(workers, keep=True), kernel) for workers in (1, 3)]
    up = np.ones((len(lost), g.arcs), np.bool_)
    for s in range(len(lost)):
        up[s, lost.of(s)] = False
    loads, undelivered = spf.loads(g, demand.rates, up, reference)
    for one in found:
        assert one.loads is not None
        assert (one.loads == loads).all()
        assert (one.undelivered == undelivered).all()
        best = [hottest(g, load, demand.capacity.tolist()) for load in loads.tolist()]
        assert list(zip(one.hottest.tolist(), one.load.tolist(), strict=True)) == best


@needs_kernel
@settings(max_examples=30)
@given(SEEDS)
def test_the_cores_agree_byte_for_byte(seed: int) -> None:
    for keep in (False, True):
        one, other = (igp_loads(*some(seed), How(keep=keep), backend) for backend in (kernel, reference))
        assert (one.loads is None) == (other.loads is None) == (not keep)
        for a, b in zip(vars(one).values(), vars(other).values(), strict=True):
            assert a is b is None or a.dtype.str.encode() + a.tobytes() == b.dtype.str.encode() + b.tobytes()


def test_by_hand() -> None:
    # 7 from 0 to 4 over three equal ways, by 1, 2 and 3: 3, 2, 2.  Without 0-1 it is 4 over 2 and 3 over 3; without 0-1
    # and 0-2 all goes over 3, and with node 4 gone nothing arrives.  Way 2 has half the room: with equal loads it is
    # the hotter one, and so it is with 2 against 3.
    ends = [(0, 1, 1), (0, 2, 1), (0, 3, 1), (1, 4, 1), (2, 4, 1), (3, 4, 1)]
    g, _ = build(5, ends)
    rates = np.zeros((5, 5), np.int64)
    rates[0, 4] = 7
    room = np.array([20, 10, 20, 20, 10, 20], np.int64)
    found = igp_loads(g, Demand(rates, room), cuts([[], [0], [0, 1], of_nodes(g).of(4).tolist()]), How(keep=True))
    assert found.loads is not None
    assert found.loads.tolist() == [[3, 2, 2, 3, 2, 2], [0, 4, 3, 0, 4, 3], [0, 0, 7, 0, 0, 7], [0] * 6]
    assert found.undelivered.tolist() == [0, 0, 0, 7]
    assert found.hottest.tolist() == [1, 1, 2, -1]
    assert found.load.tolist() == [2, 4, 7, 0]


def test_the_gate_refuses() -> None:
    g, _ = build(2, [(0, 1, 1), (1, 0, 1)])
    free, _ = build(2, [(0, 1, 0), (1, 0, 1)])
    rates, room = np.zeros((2, 2), np.int64), np.ones(2, np.int64)
    with pytest.raises(ValueError, match="at least 1"):
        igp_loads(free, Demand(rates, room), cuts([[0]]))
    with pytest.raises(ValueError, match="capacity"):
        igp_loads(g, Demand(rates, room[:1]), cuts([[0]]))
    with pytest.raises(ValueError, match="demand must be"):
        igp_loads(g, Demand(rates[:1], room), cuts([[0]]))
    with pytest.raises(ValueError, match="needs a worker"):
        igp_loads(g, Demand(rates, room), cuts([[0]]), How(0))


def shares(g: Graph, rates: Int64, gone: set[int]) -> list[Fraction]:
    """Loads by NetworkX's distances and fractions that never round: every node halves, thirds ... what it has."""
    net = networkx.MultiDiGraph()
    net.add_nodes_from(range(g.nodes))
    ends = [(int(g.tail[a]), int(g.head[a]), int(g.metric[a])) for a in range(g.arcs)]
    net.add_edges_from((head, tail, a, {"weight": m}) for a, (tail, head, m) in enumerate(ends) if a not in gone)
    load = [Fraction(0)] * g.arcs
    for target in range(g.nodes):
        far = networkx.single_source_dijkstra_path_length(net, target)  # of the reversed graph
        flow = {node: Fraction(int(rates[node, target])) for node in far}
        for node in sorted(far, key=lambda n: -far[n])[:-1]:
            ways = [
                a
                for a, (tail, head, m) in enumerate(ends)
                if a not in gone and tail == node and head in far and far[head] + m == far[node]
            ]
            for a in ways:
                load[a] += flow[node] / len(ways)
                flow[ends[a][1]] += flow[node] / len(ways)
    return load


def test_networkx_and_fractions_say_the_same() -> None:
    # Whole bits differ from fractions by less than one for each node and destination in the way.
    rng = Random(5)  # noqa: S311 - reproducible on purpose
    g = graph(rng, 12, 30, 0.0)
    rates = np.array([[rng.randint(0, 10**12) for _ in range(12)] for _ in range(12)], np.int64)
    np.fill_diagonal(rates, 0)
    arcs = [sorted(rng.sample(range(g.arcs), rng.randint(1, 5))) for _ in range(12)]
    found = igp_loads(g, Demand(rates, np.ones(g.arcs, np.int64)), cuts(arcs), How(keep=True))
    assert found.loads is not None
    for s, gone in enumerate(arcs):
        exact = shares(g, rates, set(gone))
        assert max(exact) > 10**11
        assert all(abs(a - b) < 12 * 12 for a, b in zip(found.loads[s].tolist(), exact, strict=True))
