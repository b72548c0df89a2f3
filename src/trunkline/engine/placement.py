"""RSVP-TE placement over arrays: the columns of links, LSPs and state, and the one gate in front of every core.

Knows nodes, arcs and LSPs by index only; index order of the LSPs is their identity, rank order of the arcs the last
tie-break.  A core (`reference` or `kernel`) trusts what has passed `advance` or `routes` here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from types import ModuleType

import numpy as np
import numpy.typing as npt

from trunkline.engine.choice import backend as chosen
from trunkline.engine.graph import Bool, Graph, Int32, Int64, frozen

UInt64 = npt.NDArray[np.uint64]

PRIORITIES = 8
"""Setup and hold priorities are 0 (best) to 7 (RFC 3209 4.7)."""
NO_LIMIT = int(np.iinfo(np.int32).max)
"""The hop limit of an LSP that has none."""
MOST_BITS = 1 << 60
"""Bandwidths, and what all LSPs want together, stay below this, so that no sum overflows int64."""


class Did(IntEnum):
    """What a line of the log says happened to an LSP."""

    PLACED = 0
    RESIZED = 1
    MOVED = 2
    KEPT = 3
    PREEMPTED = 4
    DOWN = 5
    UNPLACED = 6


@dataclass(frozen=True, eq=False)
class Links:
    """The TE topology: the graph's metric is the TE metric, its `transit` False where the overload bit is set."""

    graph: Graph
    reservable: Int64
    """(arcs,) bit/s"""
    groups: UInt64
    """(arcs,) one bit per admin group (RFC 3630 2.5.9, RFC 5305 3.1)"""
    up: Bool
    """(arcs,)"""


@dataclass(frozen=True, eq=False)
class Options:
    """Explicit paths; an option without hops is the dynamic path.

    Those of LSP l are options ``first[l]:first[l + 1]``, the hops of option o ``hop[o]:hop[o + 1]``.

    A hop is a node, or a circuit: then `node` is -1 and `arcs` holds its two directions.
    """

    first: Int32
    """(lsps + 1,)"""
    hop: Int32
    """(options + 1,)"""
    node: Int32
    """(hops,)"""
    arcs: Int32
    """(hops, 2), -1 for a node"""
    loose: Bool
    """(hops,)"""


@dataclass(frozen=True, eq=False)
class Lsps:
    """What is to be signalled, in order of identity.  Affinities are bit masks as in RFC 3209 4.7.4."""

    head: Int32
    tail: Int32
    setup: Int32
    hold: Int32
    include_any: UInt64
    include_all: UInt64
    exclude: UInt64
    hop_limit: Int32
    options: Options

    def __len__(self) -> int:
        return len(self.head)

    def only(self, rows: Bool) -> Lsps:
        """Return those of them for which `rows` (lsps,) is True."""
        own = self.options
        options = np.repeat(rows, np.diff(own.first))
        hops = np.repeat(options, np.diff(own.hop))
        first, hop = (np.cumsum(np.append(0, many)) for many in (np.diff(own.first)[rows], np.diff(own.hop)[options]))
        explicit = Options(
            frozen(first, np.int32), frozen(hop, np.int32), own.node[hops], own.arcs[hops], own.loose[hops]
        )
        masks = self.include_any[rows], self.include_all[rows], self.exclude[rows]
        ends = self.head[rows], self.tail[rows]
        return Lsps(*ends, self.setup[rows], self.hold[rows], *masks, self.hop_limit[rows], explicit)


@dataclass(frozen=True, eq=False)
class Paths:
    """A path, or none, for every LSP: arcs ``arc[start[l]:start[l + 1]]`` from head to tail."""

    option: Int32
    """(lsps,) which path option it follows, -1 without a path"""
    start: Int64
    """(lsps + 1,)"""
    arc: Int32
    """(sum of hops,)"""

    def of(self, lsp: int) -> list[int]:
        """The arcs of one LSP's path, from head to tail."""
        return self.arc[int(self.start[lsp]) : int(self.start[lsp + 1])].tolist()  # type: ignore[no-any-return]


@dataclass(frozen=True, eq=False)
class State:
    """What is settled: paths and what they hold, what each LSP wants, and whether it has been tried at all."""

    paths: Paths
    held: Int64
    wanted: Int64
    tried: Bool


@dataclass(frozen=True, eq=False)
class Log:
    """What happened, line by line; `by` and `arc` are -1 except for PREEMPTED, paths are those after the line."""

    did: Int32
    lsp: Int32
    bandwidth: Int64
    by: Int32
    arc: Int32
    start: Int64
    """(lines + 1,)"""
    path: Int32


@dataclass(frozen=True, eq=False)
class Step:
    """One event: the bandwidth every LSP wants from now on, the LSPs in order of their turns, and what else is done."""

    wanted: Int64
    turns: Int32
    reoptimize: bool = False


def cold(count: int) -> State:
    """Return the state before anything was signalled."""
    none = Paths(frozen(np.full(count, -1), np.int32), frozen(np.zeros(count + 1), np.int64), frozen([], np.int32))
    zero = frozen(np.zeros(count), np.int64)
    return State(none, zero, zero, frozen(np.zeros(count), np.bool_))


def advance(links: Links, lsps: Lsps, state: State, step: Step, backend: ModuleType | None = None) -> tuple[State, Log]:
    """Return the state in which the LSPs settle after an event, and what happened on the way.

    LSPs over an arc that is down are torn down and signalled again, with everything that waits; so are those that an
    arc has no room for any more, as if an LSP that comes before all others took what is missing; then, if asked,
    every placed LSP re-optimises; then each LSP in turn that is new or wants another bandwidth is set up or re-sized,
    the queue of displaced and waiting LSPs draining after each.
    """
    check(links, lsps, state)
    _check_step(lsps, step)
    core = backend or chosen()
    done: tuple[State, Log] = core.advance(links, lsps, state, step)
    return done


def routes(
    links: Links, lsps: Lsps, bandwidth: Int64, reserved: Int64 | None = None, backend: ModuleType | None = None
) -> Paths:
    """Return the path that CSPF gives each LSP on its own, for this bandwidth; nothing is booked.

    `reserved` is int64 (arcs, 8), bit/s by hold priority; None is an empty network.
    """
    _check_links(links)
    _check_lsps(links, lsps)
    _check_bandwidth("bandwidth", bandwidth, len(lsps))
    shape = links.graph.arcs, PRIORITIES
    booked = frozen(np.zeros(shape) if reserved is None else reserved, np.int64)
    if booked.shape != shape or (booked < 0).any() or (booked.sum(axis=1) > links.reservable).any():
        raise ValueError(f"reserved must be {shape}, at least 0, and no more than is reservable")
    core = backend or chosen()
    found: Paths = core.routes(links, lsps, frozen(bandwidth, np.int64), booked)
    return found


def reserved_by_hold(links: Links, lsps: Lsps, state: State) -> Int64:
    """Return what is reserved on each arc, int64 (arcs, 8), bit/s by hold priority."""
    booked = np.zeros((links.graph.arcs, PRIORITIES), np.int64)
    hops = np.diff(state.paths.start)
    np.add.at(booked, (state.paths.arc, np.repeat(lsps.hold, hops)), np.repeat(state.held, hops))
    return booked


def changed(now: State, then: State) -> Bool:
    """Return bool (lsps,): whose path, path option, or bandwidth held or wanted is another."""
    hops, old = np.diff(now.paths.start), np.diff(then.paths.start)
    found: Bool = (now.paths.option != then.paths.option) | (now.held != then.held) | (now.wanted != then.wanted)
    found |= hops != old
    rest = np.flatnonzero(~found)  # of these the paths are as long as they were: compared arc by arc
    one, other = now.paths.arc[np.repeat(~found, hops)], then.paths.arc[np.repeat(~found, old)]
    found[np.repeat(rest, hops[rest])[one != other]] = True
    return found


def check(links: Links, lsps: Lsps, state: State) -> None:
    """Raise ValueError where columns do not fit together."""
    _check_links(links)
    _check_lsps(links, lsps)
    _check_state(links, lsps, state)


def _need(sound: bool, what: str) -> None:
    if not sound:
        raise ValueError(what)


def _within(values: Int32, low: int, high: int) -> bool:
    return not values.size or bool(low <= values.min() and values.max() < high)


def _starts(start: Int32 | Int64, count: int, total: int) -> bool:
    rising = start.shape == (count + 1,) and bool((np.diff(start) >= 0).all())
    return rising and int(start[0]) == 0 and int(start[-1]) == total


def _check_bandwidth(name: str, values: Int64, count: int) -> None:
    _need(values.shape == (count,) and values.dtype == np.int64, f"{name} must be int64 ({count},)")
    if count:
        few = int(values.max()) * count < MOST_BITS or sum(values.tolist()) < MOST_BITS
        _need(bool(values.min() >= 0) and few, f"{name} must be at least 0 and below 2^60 in all")


def _check_links(links: Links) -> None:
    graph = links.graph
    _need(links.up.shape == (graph.arcs,) and links.up.dtype == np.bool_, "up must be bool (arcs,)")
    _need(links.groups.shape == (graph.arcs,) and links.groups.dtype == np.uint64, "groups must be uint64 (arcs,)")
    room = links.reservable
    _need(room.shape == (graph.arcs,) and room.dtype == np.int64, "reservable must be int64 (arcs,)")
    if graph.arcs:
        _need(0 <= room.min() and room.max() < MOST_BITS, "reservable must be at least 0 and below 2^60")
        longest = (int(graph.metric.max()) + 1) * (graph.nodes + 1) ** 2
        _need(longest < 1 << 62, "metric times nodes squared must stay below 2^62")


def _check_lsps(links: Links, lsps: Lsps) -> None:
    count, graph = len(lsps), links.graph
    columns = (lsps.head, lsps.tail, lsps.setup, lsps.hold, lsps.hop_limit)
    _need(all(c.shape == (count,) and c.dtype == np.int32 for c in columns), f"LSP columns must be int32 ({count},)")
    masks = (lsps.include_any, lsps.include_all, lsps.exclude)
    _need(all(m.shape == (count,) and m.dtype == np.uint64 for m in masks), f"affinities must be uint64 ({count},)")
    _need(_within(lsps.head, 0, graph.nodes) and _within(lsps.tail, 0, graph.nodes), "an end of an LSP is no node")
    _need(bool((lsps.head != lsps.tail).all()), "an LSP ends where it begins")
    _need(_within(lsps.setup, 0, PRIORITIES) and _within(lsps.hold, 0, PRIORITIES), "priorities are 0 to 7")
    _need(bool((lsps.hold <= lsps.setup).all()), "a hold priority is worse than its setup priority (RFC 3209 4.7)")
    _need(_within(lsps.hop_limit, 0, NO_LIMIT + 1), "a hop limit must be at least 0")
    options = lsps.options
    _need(_starts(options.first, count, len(options.hop) - 1), "option indices do not add up")
    _need(_starts(options.hop, len(options.hop) - 1, len(options.node)), "hop indices do not add up")
    _need(options.arcs.shape == (len(options.node), 2) and options.loose.shape == options.node.shape, "hops differ")
    _need(_within(options.node, -1, graph.nodes), "a hop is no node")
    circuits = options.node < 0
    _need(_within(options.arcs[circuits], 0, graph.arcs), "a hop is no arc")


def _check_state(links: Links, lsps: Lsps, state: State) -> None:
    count, paths = len(lsps), state.paths
    _check_bandwidth("held", state.held, count)
    _check_bandwidth("wanted", state.wanted, count)
    _need(state.tried.shape == (count,) and state.tried.dtype == np.bool_, "tried must be bool (lsps,)")
    _need(paths.option.shape == (count,) and paths.option.dtype == np.int32, "option must be int32 (lsps,)")
    _need(paths.start.dtype == np.int64 and _starts(paths.start, count, len(paths.arc)), "paths do not add up")
    _need(paths.arc.dtype == np.int32 and _within(paths.arc, 0, links.graph.arcs), "a path has no such arc")
    hops = np.diff(paths.start)
    _need(bool(((hops > 0) == (paths.option >= 0)).all()), "an LSP has a path exactly where it has an option")


def _check_step(lsps: Lsps, step: Step) -> None:
    _check_bandwidth("wanted", step.wanted, len(lsps))
    _need(step.turns.dtype == np.int32 and _within(step.turns, 0, len(lsps)), "turns must be LSP indices, int32")
    _need(bool((np.bincount(step.turns) <= 1).all()), "an LSP has two turns")
