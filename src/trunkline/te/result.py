"""What placement yields: every LSP's path or the reason it has none, and the log of how it came about."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from trunkline.engine.placement import State
from trunkline.igp.solve import Arc
from trunkline.model.listing import ROWS, Listing
from trunkline.model.nouns import Lsp
from trunkline.model.tables import Cell, Table, show_cell, table


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


@dataclass(frozen=True, eq=False, repr=False)
class Placement:
    """Every LSP, sorted by (head, name), the log since the cold start, and what is reserved on every arc."""

    placed: tuple[Placed, ...]
    log: tuple[LogLine, ...]
    reservations: tuple[Reservation, ...] = ()
    """By directed circuit name; circuits that are down are there, empty."""
    state: State | None = field(default=None, repr=False)
    """What the next event acts on; only `te.place` reads it."""

    @cached_property
    def _riding(self) -> dict[tuple[str, str, str], tuple[Placed, ...]]:
        found: dict[tuple[str, str, str], list[Placed]] = defaultdict(list)
        for p in self.placed:
            if p.path is not None:
                found[p.lsp.head, p.lsp.tail, p.lsp.cls].append(p)
        return {key: tuple(value) for key, value in found.items()}

    def riding(self, head: str, tail: str, cls: str) -> tuple[Placed, ...]:
        """Return the placed LSPs of a class from a head to a tail, by name."""
        return self._riding.get((head, tail, cls), ())

    def __repr__(self) -> str:
        up = sum(p.path is not None for p in self.placed)
        return f"<Placement: {up:,} of {len(self.placed):,} LSPs up, {len(self.log):,} lines of log>"

    def tables(self) -> dict[str, Table]:
        """Return `lsps`, `displacements` (the log) and `reservations`.

        An LSP's state is `up`, `down`, or `gone` where its head or tail is down: nothing could place it.
        """
        return {"lsps": self._lsps(), "displacements": self._log(), "reservations": self._reservations()}

    def _lsps(self) -> Table:
        spec = (
            "head name tail class setup:int hold:int wanted:int:bit/s reserved:int:bit/s state path cost:int "
            "shortest:int latency:int:us reason"
        )
        made = table(spec, [_row(p) for p in self.placed])
        return LspTable(made.columns, made.rows)

    def _log(self) -> Table:
        return table(
            "seq:int event action lsp bandwidth:int:bit/s by circuit path",
            [(x.seq, x.event, str(x.action), x.lsp, x.bandwidth, x.by, x.circuit, " ".join(x.path)) for x in self.log],
        )

    def _reservations(self) -> Table:
        spec = "circuit reservable:int:bit/s " + " ".join(f"r{p}:int:bit/s" for p in range(8))
        return table(spec, [(r.arc.name, r.reservable, *r.held) for r in self.reservations])


def _row(p: Placed) -> tuple[str | int | None, ...]:
    lsp = p.lsp
    gone = p.reason is Unplaced.ENDPOINT_DOWN
    state = "up" if p.path is not None else "gone" if gone else "down"
    path = " ".join(arc.name for arc in p.path) if p.path is not None else None
    return (
        *(lsp.head, lsp.name, lsp.tail, lsp.cls, lsp.setup, lsp.hold, p.wanted, p.reserved, state),
        *(path, p.cost, p.shortest, p.latency, str(p.reason) if p.reason else None),
    )
