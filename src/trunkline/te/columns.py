"""A network as the columns that the placement core reads: one axis of arcs and one of LSPs, for a whole history."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from trunkline.engine.graph import Graph, Int64, build, frozen
from trunkline.engine.placement import NO_LIMIT, Links, Lsps, Options, UInt64
from trunkline.igp.solve import Arc, Reach, arcs_of
from trunkline.model.network import Network
from trunkline.model.nouns import Family, Lsp


@dataclass(frozen=True, eq=False)
class Axes:
    """The axes of the base network: what is down later is masked, never removed."""

    net: Network
    node: dict[str, int]
    arcs: tuple[Arc, ...]
    """In the graph's order; the metric is the IS-IS metric."""
    at: dict[tuple[str, str], int]
    """Index of an arc by (circuit, tail)."""
    graph: Graph
    """Its metric is the TE metric."""

    @cached_property
    def groups(self) -> UInt64:
        """uint64 (arcs,): the admin groups of each arc as a bit mask.  ValueError where LSPs name more than 64."""
        bits = _bits(self.net)
        masks = [_mask(bits, self.net.circuit[a.circuit].groups) for a in self.arcs]
        return frozen(np.array(masks, np.uint64), np.uint64)  # type: ignore[no-any-return]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of each arc."""
        return tuple([arc.name for arc in self.arcs])

    @cached_property
    def latency(self) -> tuple[int, ...]:
        """Microseconds one way over each arc."""
        return tuple([self.net.circuit[arc.circuit].latency for arc in self.arcs])

    @cached_property
    def reservable(self) -> Int64:
        """(arcs,) bit/s."""
        return frozen([self.net.circuit[a.circuit].reservable for a in self.arcs], np.int64)  # type: ignore[no-any-return]


def axes(net: Network) -> Axes:
    """Return the axes of a network."""
    node = {r.name: i for i, r in enumerate(net.routers)}
    ordered = arcs_of(net)
    ends = [(node[a.tail], node[a.head], te_metric(net, a)) for a in ordered]
    graph, place = build(len(node), ends)
    back = np.argsort(place)
    arcs = tuple(ordered[int(i)] for i in back)
    return Axes(net, node, arcs, {(a.circuit, a.tail): i for i, a in enumerate(arcs)}, graph)


def te_metric(net: Network, arc: Arc) -> int:
    """Return the TE metric of a directed circuit."""
    circuit = net.circuit[arc.circuit]
    return circuit.te_metric_ab if arc.tail == circuit.a else circuit.te_metric_ba


def links(axis: Axes, now: Network, reach: Reach) -> Links:
    """Return the TE topology as it stands now: what is down or without IPv4 is masked, the overload bit set.

    Raises ValueError where LSPs name more than 64 admin groups.
    """
    alive = np.zeros(len(axis.arcs), np.bool_)
    alive[[axis.at[a.circuit, a.tail] for a in reach.arcs]] = reach.up[Family.V4]
    transit = [name not in now.router or not now.router[name].overload for name in axis.node]
    graph, metric, reservable = axis.graph, axis.graph.metric, axis.reservable
    if others := [c for c in now.circuits if c is not axis.net.circuit[c.name]]:
        metric, reservable = metric.copy(), reservable.copy()
        for c in others:
            at = [axis.at[c.name, c.a], axis.at[c.name, c.b]]
            metric[at], reservable[at] = (c.te_metric_ab, c.te_metric_ba), c.reservable
    return Links(
        Graph(graph.start, graph.head, frozen(metric, np.int64), graph.rank, frozen(transit, np.bool_)),
        frozen(reservable, np.int64),
        axis.groups,
        frozen(alive, np.bool_),
    )


def columns(axis: Axes, lsps: tuple[Lsp, ...]) -> Lsps:
    """Return LSPs, which must be in order of (head, name), as columns."""
    bits = _bits(axis.net)

    def ints(values: list[int]) -> np.typing.NDArray[np.int32]:
        return frozen(np.array(values, np.int32), np.int32)  # type: ignore[no-any-return]

    def masks(values: list[tuple[str, ...]]) -> np.typing.NDArray[np.uint64]:
        return frozen(np.array([_mask(bits, names) for names in values], np.uint64), np.uint64)  # type: ignore[no-any-return]

    return Lsps(
        head=ints([axis.node[lsp.head] for lsp in lsps]),
        tail=ints([axis.node[lsp.tail] for lsp in lsps]),
        setup=ints([lsp.setup for lsp in lsps]),
        hold=ints([lsp.hold for lsp in lsps]),
        include_any=masks([lsp.include_any for lsp in lsps]),
        include_all=masks([lsp.include_all for lsp in lsps]),
        exclude=masks([lsp.exclude for lsp in lsps]),
        hop_limit=ints([NO_LIMIT if lsp.hop_limit is None else lsp.hop_limit for lsp in lsps]),
        options=_options(axis, lsps),
    )


def _options(axis: Axes, lsps: tuple[Lsp, ...]) -> Options:
    paths = [option for lsp in lsps for option in lsp.paths]
    hops = [hop for option in paths for hop in option]
    node, arcs = [], []
    for hop in hops:
        circuit = axis.net.circuit.get(hop.name)
        node.append(-1 if circuit else axis.node[hop.name])
        arcs.append([axis.at[hop.name, end] for end in (circuit.a, circuit.b)] if circuit else [-1, -1])
    return Options(
        first=frozen(np.cumsum([0] + [len(lsp.paths) for lsp in lsps]), np.int32),
        hop=frozen(np.cumsum([0] + [len(option) for option in paths]), np.int32),
        node=frozen(np.array(node, np.int32), np.int32),
        arcs=frozen(np.array(arcs, np.int32).reshape(len(hops), 2), np.int32),
        loose=frozen(np.array([hop.loose for hop in hops], np.bool_), np.bool_),
    )


def _bits(net: Network) -> dict[str, int]:
    """A bit for each admin group that an LSP names; the others decide nothing."""
    named = {name for lsp in net.lsps for name in (*lsp.include_any, *lsp.include_all, *lsp.exclude)}
    if len(named) > 64:
        raise ValueError(f"LSPs name {len(named)} admin groups; 64 is the most")
    return {name: 1 << i for i, name in enumerate(sorted(named))}


def _mask(bits: dict[str, int], names: tuple[str, ...]) -> int:
    return sum(bits.get(name, 0) for name in dict.fromkeys(names)) if names else 0
