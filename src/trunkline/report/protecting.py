"""`protect` from end to end: read, settle, set up what is asked for, and say what it does and does not save."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from trunkline.flow import State, settle
from trunkline.igp.solve import Arc
from trunkline.model.load import Loaded, load
from trunkline.model.nouns import Condition
from trunkline.model.problem import Problem, Problems, nearest
from trunkline.model.protection import Guard
from trunkline.model.tables import Table
from trunkline.report.files import table_document
from trunkline.report.progress import Watching
from trunkline.risk.overloads import overloads, unlabelled
from trunkline.te.cover import Cover, covers, tables
from trunkline.te.repairs import Repairs


@dataclass(frozen=True, eq=False)
class Protecting:
    """A settled network with its bypasses and standby paths; of one circuit or router where `only` names one."""

    name: str
    loaded: Loaded
    state: State
    only: str | None

    @cached_property
    def arcs(self) -> tuple[Arc, ...]:
        """The arcs that it is about."""
        return tuple(a for a in self.state.reach.arcs if self.only in (None, a.circuit, a.tail, a.head))

    @cached_property
    def covers(self) -> tuple[Cover, ...]:
        """What LSPs have against the failure of what it is about."""
        names = {self.only, *(a.name for a in self.arcs if a.circuit == self.only)}
        every = covers(self.state.net, self.state.placement, self.state.repairs)
        return tuple(c for c in every if self.only is None or c.thing in names)

    @cached_property
    def repairs(self) -> Repairs:
        """The bypasses around what it is about, and the standby paths of LSPs over that."""
        every = self.state.repairs
        if self.only is None:
            return every
        lsps = {c.lsp.id for c in self.covers}
        around = {c.bypass.name for c in self.covers if c.bypass is not None}
        return replace(
            every,
            bypasses=tuple(b for b in every.bypasses if b.name in around),
            standbys=tuple(s for s in every.standbys if s.lsp.id in lsps),
            without=tuple((lsp, why) for lsp, why in every.without if lsp.id in lsps),
        )

    @cached_property
    def tables(self) -> dict[str, Table]:
        """What `te.repairs`, `te.cover` and `risk.overloads` say."""
        names = [a.name for a in self.arcs]
        return {
            **self.repairs.tables(),
            **tables(self.covers),
            "bypass_overloads": overloads(self.state, self.only),
            "unlabelled": unlabelled(self.state, names),
        }

    @cached_property
    def summary(self) -> Mapping[str, int]:
        """The figures that fit on a line."""
        guards = Counter(b.guard for b in self.repairs.bypasses)
        return {
            "lsps": len({c.lsp.id for c in self.covers}),
            "link_bypasses": guards[Guard.LINK],
            "node_bypasses": guards[Guard.NODE],
            "standbys": len(self.repairs.standbys),
            "standbys_lacking": len(self.repairs.without),
            "parts": len(self.covers),
            "unprotected": sum(c.reason is not None for c in self.covers),
            "overloading": len({row[0] for row in self.tables["bypass_overloads"].rows}),
        }

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The whole answer as plain data: schema `trunkline/protect/1`."""
        return {
            "schema": "trunkline/protect/1",
            "network": {"sha256": self.loaded.sha256},
            "for": self.only,
            "summary": dict(self.summary),
            "tables": {name: table_document(found) for name, found in self.tables.items()},
        }


def protecting(file: Path, only: str | None, console: Console, quiet: bool) -> Protecting:
    """Read a network, settle it and protect it.  Raises Problems for bad input, and for a name that is neither."""
    with Watching(console, quiet) as watching:
        loaded = load(file)
        net = loaded.network
        if only is not None and only not in net.circuit and only not in net.router:
            message = f"no circuit or router is named '{only}'"
            raise Problems([Problem("", 0, 0, "for", message, nearest=nearest(only, (*net.circuit, *net.router)))])
        state = settle(net, Condition(), watch=watching.stage)
        found = Protecting(loaded.name or file.stem, loaded, state, only)
        watching.stage("what bypasses would overload")
        _ = found.tables
    return found
