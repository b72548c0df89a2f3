"""IS-IS: what SPF converges to, per topology (ISO 10589; RFC 5305 wide metrics; RFC 5120 multi-topology).

Single topology: one SPF over every adjacency, its next hops used for both families, whatever families the circuit
carries.  Multi-topology: one SPF each, over the circuits that carry the family.  Overload: reached, not passed through.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from trunkline.engine import spf
from trunkline.engine.graph import FAR, Bool, Graph, Int64, build
from trunkline.model.network import Network
from trunkline.model.nouns import Family


@dataclass(frozen=True, order=True)
class Arc:
    """A directed circuit.  The order, by circuit name and then tail, is the last tie-break everywhere."""

    circuit: str
    tail: str
    head: str = field(compare=False)
    metric: int = field(compare=False)

    @cached_property
    def name(self) -> str:
        """The directed circuit's name, `circuit@tail`."""
        return f"{self.circuit}@{self.tail}"


@dataclass(frozen=True, eq=False)
class Reach:
    """Distances and next hops of every router to every router, per family."""

    nodes: tuple[str, ...]
    arcs: tuple[Arc, ...]
    """In the graph's arc order."""
    graph: Graph
    up: dict[Family, Bool]
    """bool (arcs,): the arcs of the family's topology."""
    dist: dict[Family, Int64]
    """int64 (nodes, nodes): from, to; FAR where unreachable."""
    node: dict[str, int]
    """Index by router name."""
    _hops: dict[tuple[Family, str, str], tuple[Arc, ...]] = field(default_factory=dict, repr=False)
    _tight: dict[Family, Bool] = field(default_factory=dict, repr=False)
    _rows: dict[tuple[Family, str], memoryview[int]] = field(default_factory=dict, repr=False)

    @cached_property
    def at(self) -> dict[str, int]:
        """Index of an arc by its name."""
        return {arc.name: i for i, arc in enumerate(self.arcs)}

    def distance(self, family: Family, source: str, target: str) -> int | None:
        """Return the IGP metric from a router to a router, None where unreachable or where either is down."""
        if source not in self.node or target not in self.node:
            return None
        cost = self.row(family, source)[self.node[target]]
        return None if cost == FAR else cost

    def row(self, family: Family, source: str) -> memoryview[int]:
        """Return the IGP metric from a router to each, in order of `nodes`; FAR where unreachable.

        It is a row of `dist` that yields Python's integers.
        """
        row = self._rows.get((family, source))
        if row is None:
            row = self._rows[family, source] = self.dist[family][self.node[source]].data
        return row

    def next_hops(self, family: Family, source: str, target: str) -> tuple[Arc, ...]:
        """Return every equal-cost next hop from a router towards a router, by directed circuit name."""
        key = family, source, target
        if key not in self._hops:
            self._hops[key] = self._next_hops(family, source, target)
        return self._hops[key]

    def _next_hops(self, family: Family, source: str, target: str) -> tuple[Arc, ...]:
        total = self.distance(family, source, target)
        if total is None or source == target:
            return ()
        at, to = self.node[source], self.node[target]
        found = []
        for index in range(int(self.graph.start[at]), int(self.graph.start[at + 1])):
            head = int(self.graph.head[index])
            passable = bool(self.graph.transit[head]) or head == to
            rest = int(self.dist[family][head, to])
            if self.up[family][index] and passable and rest != FAR and self.arcs[index].metric + rest == total:
                found.append(self.arcs[index])
        return tuple(sorted(found))

    def tight(self, family: Family) -> Bool:
        """Return bool (arcs, nodes): whether an arc is a next hop of its tail towards a node."""
        if family not in self._tight:
            graph, dist = self.graph, self.dist[family]
            rest = dist[graph.head]
            there = (rest != FAR) & self.up[family][:, None]
            passable = graph.transit[graph.head][:, None] | (graph.head[:, None] == np.arange(len(self.nodes)))
            total = np.where(there, rest, 0) + np.array([a.metric for a in self.arcs], np.int64).reshape(-1, 1)
            self._tight[family] = there & passable & (total == dist[graph.tail])
        return self._tight[family]

    def changed(self, before: Reach, family: Family) -> frozenset[tuple[str, str]]:
        """Return (from, to) of two routers between which the distance or a next hop is another than before.

        Routers that were not there before, or are not any more, are not in it.
        """
        nodes = [name for name in self.nodes if name in before.node]
        now, then = ([reach.node[name] for name in nodes] for reach in (self, before))
        differs = self.dist[family][np.ix_(now, now)] != before.dist[family][np.ix_(then, then)]
        place = {name: i for i, name in enumerate(nodes)}
        mine, other = self.tight(family)[:, now], before.tight(family)[:, then]
        both = [(i, before.at[name]) for name, i in self.at.items() if name in before.at]
        rows = np.array(both, np.intp).reshape(-1, 2)
        mine[rows[:, 0]] ^= other[rows[:, 1]]  # what is a next hop in one of them only
        other[rows[:, 1]] = False
        for reach, only in ((self, mine), (before, other)):
            for index in np.flatnonzero(only.any(axis=1)).tolist():
                if reach.arcs[index].tail in place:
                    differs[place[reach.arcs[index].tail]] |= only[index]
        return frozenset((nodes[i], nodes[j]) for i, j in np.argwhere(differs).tolist())


def arcs_of(net: Network) -> list[Arc]:
    """Return both directions of every circuit, in order of directed circuit name."""
    found: list[Arc] = []
    for c in sorted(net.circuits, key=lambda c: c.name):
        there, back = Arc(c.name, c.a, c.b, c.metric_ab), Arc(c.name, c.b, c.a, c.metric_ba)
        found += (there, back) if c.a < c.b else (back, there)
    return found


def solve(net: Network) -> Reach:
    """Return what IS-IS converges to on this network."""
    nodes = tuple(r.name for r in net.routers)
    node = {name: i for i, name in enumerate(nodes)}
    ordered = arcs_of(net)
    graph, place = build(
        len(nodes),
        [(node[a.tail], node[a.head], a.metric) for a in ordered],
        [not r.overload for r in net.routers],
    )
    arcs = [ordered[given] for given in np.argsort(place)]
    up = {}
    for family in Family:
        carries = [not net.igp.multi_topology or family in net.circuit[a.circuit].families for a in arcs]
        up[family] = np.array(carries, np.bool_)
    dist = {}
    dist[Family.V4] = spf.distances(graph, range(len(nodes)), up[Family.V4][None, :])[0]
    same = not net.igp.multi_topology
    dist[Family.V6] = dist[Family.V4] if same else spf.distances(graph, range(len(nodes)), up[Family.V6][None, :])[0]
    return Reach(nodes, tuple(arcs), graph, up, dist, node)
