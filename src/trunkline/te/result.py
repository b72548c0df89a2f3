"""What placement yields: every LSP's path or the reason it has none, and the log of how it came about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

import numpy as np

from trunkline.demand.flows import Flows
from trunkline.engine.graph import Int64
from trunkline.engine.placement import Did, Links, Log, State, reserved_by_hold
from trunkline.igp.solve import Arc
from trunkline.model.listing import ROWS, Listing
from trunkline.model.nouns import Lsp
from trunkline.model.tables import Cell, Cells, Columns, Figures, Table, Tables, show_cell, table
from trunkline.te.subject import Subject, between


class Unplaced(StrEnum):
    """Why an LSP has no path, or not the bandwidth it wants.  Docs and tests read this table."""

    ENDPOINT_DOWN = "head or tail is down"
    NO_PATH = "head and tail are not connected"
    AFFINITY = "no path with these affinities"
    EXPLICIT = "the explicit path cannot be followed"
    HOP_LIMIT = "no path within the hop limit"
    BANDWIDTH = "no path with the bandwidth at its setup priority"


class Action(StrEnum):
    """What a line of the displacement log says happened to an LSP.  Docs and tests read this table."""

    PLACED = "placed"
    """Signalled on a path (first time or after a loss)."""
    RESIZED = "resized"
    """Make before break to another bandwidth, the path the same or another."""
    MOVED = "moved"
    """Make before break to a cheaper path, by re-optimisation."""
    KEPT = "kept"
    """A re-size found no room: the old path and size stay."""
    PREEMPTED = "preempted"
    """Torn down by an LSP of better setup priority, on the circuit named."""
    DOWN = "down"
    """Torn down because its path failed, or a bundle on it has no room for it any more."""
    UNPLACED = "unplaced"
    """CSPF found no path."""


@dataclass(frozen=True)
class LogLine:
    """One line of the displacement log, in the order things happened.

    `by` is the LSP that displaced it and `circuit` the directed circuit where, for PREEMPTED; else empty.
    `path` is the path after the action as directed circuit names.
    """

    seq: int
    event: str
    action: Action
    lsp: str
    bandwidth: int
    by: str = ""
    circuit: str = ""
    path: tuple[str, ...] = ()


@dataclass(frozen=True)
class Placed:
    """What one LSP got: `path` None where it is down; `reserved` may be less than `wanted` after a failed re-size."""

    lsp: Lsp
    wanted: int
    reserved: int
    path: tuple[Arc, ...] | None
    option: int | None = None
    """Which path option it took, from 0."""
    shortest: int | None = None
    """The cost (TE metric) of the shortest path ignoring bandwidth; None where there is none."""
    cost: int | None = None
    """The TE metric of its path; None where it is down."""
    reason: Unplaced | None = None
    latency: int | None = None
    """Microseconds one way along its path."""

    @property
    def standing(self) -> str:
        """`up`, `down`, or `gone` where its head or tail is down."""
        return "up" if self.path is not None else "gone" if self.reason is Unplaced.ENDPOINT_DOWN else "down"

    @cached_property
    def row(self) -> tuple[Cell, ...]:
        """Its row of the table `lsps`."""
        lsp = self.lsp
        path = " ".join([arc.name for arc in self.path]) if self.path is not None else None
        return (
            *(lsp.head, lsp.name, lsp.tail, lsp.cls, lsp.setup, lsp.hold, self.wanted, self.reserved, self.standing),
            *(path, self.cost, self.shortest, self.latency, str(self.reason) if self.reason else None),
        )


@dataclass(frozen=True)
class Reservation:
    """What is reserved on a directed circuit: bit/s by hold priority, 0 to 7, out of what may be reserved."""

    arc: Arc
    reservable: int
    held: tuple[int, ...]


class LspTable(Table):
    """The table `lsps`, which prints as `show mpls lsp` does on a router."""

    def listing(self) -> Listing:
        """An LSP a line: ends, state, priorities, bandwidth, metric, the routers between, and the name."""
        rows = self.records()
        shown = tuple(
            (
                *(str(r["tail"]), str(r["head"]), str(r["state"]).capitalize(), f"{r['setup']}/{r['hold']}"),
                *(show_cell(r["reserved"], "bit/s"), show_cell(r["cost"])),
                *(_between(r["path"], r["reason"]), str(r["name"])),
            )
            for r in rows[:ROWS]
        )
        up = sum(r["state"] == "up" for r in rows)
        closing = f"Total {len(rows)}, Up {up}, Down {len(rows) - up}"
        headings = ("To", "From", "State", "Pri", "Bandwidth", "Metric", "ActivePath", "LSPname")
        right = (False, False, False, False, True, True, False, False)
        return Listing(headings, right, shown, len(rows), closing)


def _between(path: Cell, reason: Cell) -> str:
    """The routers that a path leaves after its head, or why there is no path."""
    if path is None:
        return f"({reason})"
    return " ".join(arc.rpartition("@")[2] for arc in str(path).split()[1:]) or "direct"


@dataclass(frozen=True, eq=False)
class Happened:
    """What one event has done to LSPs, as the core says it; the lines of the log are made where they are read."""

    event: str
    seq: int
    """Of its first line."""
    log: Log
    about: Subject

    @cached_property
    def lines(self) -> tuple[LogLine, ...]:
        """Line by line."""
        return tuple(self._lines(range(len(self.log.did))))

    @property
    def displaced(self) -> Iterator[tuple[Lsp, LogLine]]:
        """The LSPs that others have displaced, with the lines that say so."""
        which = np.flatnonzero(self.log.did == Did.PREEMPTED)
        lsps = [self.about.net.lsps[i] for i in self.log.lsp[which].tolist()]
        return zip(lsps, self._lines(which.tolist()), strict=True)

    def _lines(self, which: Iterable[int]) -> Iterator[LogLine]:
        log, names, ids, actions = self.log, self.about.axis.names, self.about.ids, tuple(Action)
        start, path, did, lsp = log.start.tolist(), log.path.tolist(), log.did.tolist(), log.lsp.tolist()
        bandwidth, by, arc = log.bandwidth.tolist(), log.by.tolist(), log.arc.tolist()
        for i in which:
            who, where = ids[by[i]] if by[i] >= 0 else "", names[arc[i]] if arc[i] >= 0 else ""
            along = tuple([names[a] for a in path[start[i] : start[i + 1]]])
            yield LogLine(self.seq + i, self.event, actions[did[i]], ids[lsp[i]], bandwidth[i], who, where, along)


@dataclass(frozen=True, eq=False)
class Basis:
    """What a placement was made from and comes to, as columns: what the next state does not work out again."""

    links: Links
    aims: tuple[Flows, tuple[int, ...]]
    """The flows, and what they aim at each bunch of parallel LSPs (`te.wanted`)."""
    cost: Int64
    """(lsps,) -1 where there is none"""
    shortest: Int64
    """(lsps,) -1 where there is none"""


@dataclass(frozen=True, eq=False, repr=False)
class Placement:
    """Every LSP, sorted by (head, name), the log since the cold start, and what is reserved on every arc."""

    placed: tuple[Placed, ...]
    history: tuple[Happened, ...] = ()
    """The cold start, and every event since."""
    state: State | None = field(default=None, repr=False)
    """What the next event acts on; only `te.place` reads it."""
    subject: Subject | None = field(default=None, repr=False)
    """What is the same in the next state; only `te.place` reads it."""
    basis: Basis | None = field(default=None, repr=False)
    since: tuple[tuple[Placed, ...], tuple[int, ...]] | None = field(default=None, repr=False)
    """Every LSP as it was before the last event, and the indices of those that are others now."""

    @cached_property
    def log(self) -> tuple[LogLine, ...]:
        """What has happened to LSPs since the cold start, in order."""
        return tuple([line for event in self.history for line in event.lines])

    @cached_property
    def reservations(self) -> tuple[Reservation, ...]:
        """What is reserved, by directed circuit name; circuits that are down are there, empty."""
        if self.state is None or self.subject is None or self.basis is None:
            return ()  # made by hand
        table = self.basis.links
        booked = reserved_by_hold(table, self.subject.lsps, self.state).tolist()
        rows = zip(self.subject.axis.arcs, table.reservable.tolist(), booked, strict=True)
        return tuple(Reservation(arc, room, tuple(held)) for arc, room, held in sorted(rows, key=lambda row: row[0]))

    def changed(self, before: Placement) -> Sequence[int]:
        """Return the indices of the LSPs that are other objects than in another placement of the same network."""
        if self.placed is before.placed:
            return ()
        if self.since is not None and self.since[0] is before.placed:
            return self.since[1]
        pairs = zip(self.placed, before.placed, strict=True)
        return [i for i, (one, other) in enumerate(pairs) if one is not other]

    @cached_property
    def between(self) -> Mapping[tuple[str, str, str], Sequence[int]]:
        """Indices of the LSPs, up or down, by (head, tail, class)."""
        return self.subject.between if self.subject is not None else between([p.lsp for p in self.placed])

    @cached_property
    def over(self) -> Mapping[str, Sequence[int]]:
        """Indices of the placed LSPs by the circuits of their paths."""
        found: dict[str, list[int]] = defaultdict(list)
        for i, one in enumerate(self.placed):
            for arc in one.path or ():
                found[arc.circuit].append(i)
        return found

    def riding(self, head: str, tail: str, cls: str) -> tuple[Placed, ...]:
        """Return the placed LSPs of a class from a head to a tail, by name."""
        lsps = [self.placed[i] for i in self.between.get((head, tail, cls), ())]
        return tuple([p for p in lsps if p.path is not None])

    def __repr__(self) -> str:
        up = sum(p.path is not None for p in self.placed)
        return f"<Placement: {up:,} of {len(self.placed):,} LSPs up, {len(self.log):,} lines of log>"

    def tables(self) -> Tables:
        """Return `lsps`, `displacements` (the log) and `reservations`.

        An LSP's state is `up`, `down`, or `gone` where its head or tail is down: nothing could place it.
        """
        return Tables({"lsps": self._lsps, "displacements": self._log, "reservations": self._reservations})

    def figures(self) -> dict[str, Figures]:
        """The columns of `lsps` that objectives ask for: -1 in cost and shortest where the table has nothing."""
        about, state, basis = self.subject, self.state, self.basis
        if about is None or state is None or basis is None:
            return {"lsps": self._lsps()}  # made by hand
        makers: dict[str, Callable[[], Cells]] = {
            "head": lambda: [lsp.head for lsp in about.net.lsps],
            "name": lambda: [lsp.name for lsp in about.net.lsps],
            "class": lambda: about.classes,
            "state": self._standing,
            "wanted": lambda: state.wanted,
            "reserved": lambda: state.held,
            "cost": lambda: basis.cost,
            "shortest": lambda: basis.shortest,
        }
        return {"lsps": Columns(makers)}

    def _standing(self) -> Cells:
        down = [i for i, p in enumerate(self.placed) if p.path is None]
        found = np.full(len(self.placed), "up", "<U4")
        found[down] = [self.placed[i].standing for i in down]
        return found

    def _lsps(self) -> Table:
        spec = (
            "head name tail class setup:int hold:int wanted:int:bit/s reserved:int:bit/s state path cost:int "
            "shortest:int latency:int:us reason"
        )
        made = table(spec, [p.row for p in self.placed])
        return LspTable(made.columns, made.rows)

    def _log(self) -> Table:
        return table(
            "seq:int event action lsp bandwidth:int:bit/s by circuit path",
            [(x.seq, x.event, str(x.action), x.lsp, x.bandwidth, x.by, x.circuit, " ".join(x.path)) for x in self.log],
        )

    def _reservations(self) -> Table:
        spec = "circuit reservable:int:bit/s " + " ".join(f"r{p}:int:bit/s" for p in range(8))
        return table(spec, [(r.arc.name, r.reservable, *r.held) for r in self.reservations])
