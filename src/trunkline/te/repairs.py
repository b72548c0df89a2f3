"""What protection yields: bypasses and standby paths, and why an LSP has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from trunkline.igp.solve import Arc
from trunkline.model.nouns import Lsp
from trunkline.model.protection import Guard
from trunkline.model.tables import Cell, Table, table


class Unprotected(StrEnum):
    """Why an LSP has neither a bypass nor a standby path against a failure.  Docs and tests read this table."""

    HEAD = "its head-end itself: nobody upstream could repair (RFC 4090)"
    TAIL = "its tail itself: nothing is left to merge into (RFC 4090)"
    EGRESS = "its egress PR itself: nothing is left to merge into (RFC 4090)"
    NOT_ASKED = "not asked for"
    NO_PATH = "no path around it"
    RISK = "no path around it without a circuit that shares its risk"
    BANDWIDTH = "no path around it with the bandwidth"
    STANDBY = "its standby path leads through it too"


@dataclass(frozen=True)
class Bypass:
    """A path around `arc` (LINK) or around it and the router behind it (NODE), back into its LSPs at `merge`."""

    name: str
    guard: Guard
    arc: Arc
    merge: str
    path: tuple[Arc, ...]
    bandwidth: int
    lsps: tuple[Lsp, ...]
    """Those that it protects, the largest first."""
    protected: int
    """What they reserve, bit/s."""
    shares: tuple[str, ...]
    """Circuits of the path that share a risk with the arc: none, unless the file says so."""


@dataclass(frozen=True)
class Standby:
    """An LSP's second path.  `shares` are circuits of it that share a risk with the first, `routers` those in both."""

    lsp: Lsp
    path: tuple[Arc, ...]
    bandwidth: int
    shares: tuple[str, ...]
    routers: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Repairs:
    """Every bypass by name and every standby path by LSP."""

    bypasses: tuple[Bypass, ...] = ()
    standbys: tuple[Standby, ...] = ()
    without: tuple[tuple[Lsp, Unprotected], ...] = ()
    """LSPs that ask for a standby and have none."""
    lacking: Mapping[tuple[Guard, str, Arc], Unprotected] = field(default_factory=dict)
    """Why LSPs (by identity) that ask for a bypass at an arc have none."""

    @cached_property
    def bypass(self) -> dict[tuple[str, Arc], Bypass]:
        """The bypass that an LSP (by identity) has at an arc."""
        return {(lsp.id, b.arc): b for b in self.bypasses for lsp in b.lsps}

    @cached_property
    def no_standby(self) -> dict[str, Unprotected]:
        """Why LSPs (by identity) that ask for a standby have none."""
        return {lsp.id: why for lsp, why in self.without}

    @cached_property
    def standby(self) -> dict[str, Standby]:
        """Standby paths by the LSP's identity."""
        return {s.lsp.id: s for s in self.standbys}

    def tables(self) -> dict[str, Table]:
        """`bypasses` and `standbys`."""
        return {"bypasses": self._bypasses(), "standbys": self._standbys()}

    def _bypasses(self) -> Table:
        return table(
            "bypass around arc router merge path bandwidth:int:bit/s lsps:int protected:int:bit/s shares_risk",
            [
                (
                    *(b.name, str(b.guard), b.arc.name, b.arc.head if b.guard is Guard.NODE else None, b.merge),
                    *(_names(b.path), b.bandwidth, len(b.lsps), b.protected, " ".join(b.shares)),
                )
                for b in self.bypasses
            ],
        )

    def _standbys(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (s.lsp.id, s.lsp.cls, _names(s.path), s.bandwidth, " ".join(s.routers), " ".join(s.shares), None)
            for s in self.standbys
        ]
        rows += [(lsp.id, lsp.cls, None, None, None, None, str(why)) for lsp, why in self.without]
        return table(
            "lsp class path bandwidth:int:bit/s routers shares_risk reason", sorted(rows, key=lambda r: str(r[0]))
        )


def _names(path: tuple[Arc, ...]) -> str:
    return " ".join(arc.name for arc in path)
