"""`compare` from end to end: read, measure every design, and say it as one document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from trunkline.compare.compare import Comparison, compare
from trunkline.compare.designs import chosen
from trunkline.compare.growth import Growth, grow
from trunkline.compare.migrate import Migration, migrate
from trunkline.model.load import Loaded, load
from trunkline.model.tables import Table
from trunkline.report.files import table_document
from trunkline.report.progress import Watching


@dataclass(frozen=True)
class Wanted:
    """What is asked of a comparison: which designs, and what beside their figures."""

    designs: Sequence[str] = ()
    steps: bool = False
    """Whether to order the change from the first design to the second."""
    grow: int | None = None
    """Up to how many routers."""
    bounds: Mapping[str, int] = field(default_factory=dict)
    """Bounds of one router, by figure."""


@dataclass(frozen=True, eq=False)
class Compared:
    """A comparison with what it was read from, and growth and migration where they were asked for."""

    name: str
    loaded: Loaded
    comparison: Comparison
    growth: Growth | None
    migration: Migration | None

    @cached_property
    def tables(self) -> dict[str, Table]:
        """Every figure."""
        found = dict(self.comparison.tables)
        for more in (self.growth, self.migration):
            found |= more.tables if more is not None else {}
        return found

    @property
    def ok(self) -> bool:
        """Whether a change of designs that was asked for can be made."""
        return self.migration is None or self.migration.failed is None

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The whole answer as plain data: schema `trunkline/compare/1`."""
        net = self.comparison.net
        counts = {"routers": len(net.routers), "peers": len(net.peers), "ports": len(net.ports)}
        return {
            "schema": "trunkline/compare/1",
            "network": {"sha256": self.loaded.sha256, **counts},
            "ok": self.ok,
            "designs": [m.design.name for m in self.comparison.measurements],
            "tables": {name: table_document(found) for name, found in self.tables.items()},
        }


def compared(file: Path, wanted: Wanted, console: Console, quiet: bool) -> Compared:
    """Read a network and measure its designs.  Raises Problems for bad input."""
    with Watching(console, quiet) as watching:
        loaded = load(file)
        net = loaded.network
        designs = chosen(net, wanted.designs)
        comparison = compare(net, designs, watching.stage)
        growth = grow(net, designs, wanted.grow, wanted.bounds, watching.stage) if wanted.grow else None
        change = None
        if wanted.steps:
            change = migrate(net, designs[0], designs[1], wanted.bounds.get("sessions"), watching.stage)
    return Compared(loaded.name or file.stem, loaded, comparison, growth, change)
