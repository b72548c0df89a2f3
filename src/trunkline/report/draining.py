"""`drain` from end to end: read, take the steps, hold them against a series and further failures, and say it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from trunkline.model.load import Loaded, load
from trunkline.model.series import read_series
from trunkline.model.tables import Table
from trunkline.report.files import table_document
from trunkline.report.progress import Watching
from trunkline.risk.drain import Drain, drain, thing
from trunkline.risk.exposure import Exposure, exposed, exposed_table
from trunkline.risk.steps import Steps
from trunkline.risk.windows import Window, windows, windows_table


@dataclass(frozen=True)
class Wanted:
    """What is asked of a drain: what, whether to bring it back, a series of demand, how many failures to survive."""

    name: str
    undo: bool = False
    series: Path | None = None
    surviving: int = 0


@dataclass(frozen=True, eq=False)
class Draining:
    """The steps, proved; times and failures where they were asked for."""

    name: str
    loaded: Loaded
    wanted: Wanted
    steps: Steps
    windows: tuple[Window, ...] | None
    exposed: tuple[Exposure, ...] | None

    @property
    def drain(self) -> Drain:
        """What the steps are of."""
        return self.steps.drain

    @property
    def ok(self) -> bool:
        """Whether no class loses traffic at any step."""
        return self.steps.failed is None

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The steps; the times and failures where they were asked for."""
        found = self.steps.tables()
        found |= {"drain_windows": windows_table(self.windows)} if self.windows is not None else {}
        return found | ({"drain_failures": exposed_table(self.exposed)} if self.exposed is not None else {})

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The whole answer as plain data: schema `trunkline/drain/1`."""
        return {
            "schema": "trunkline/drain/1",
            "network": {"sha256": self.loaded.sha256},
            "thing": self.drain.thing.name,
            "kind": str(self.drain.thing.kind),
            "undo": self.wanted.undo,
            "ok": self.ok,
            "failed_step": self.steps.failed,
            "tables": {name: table_document(found) for name, found in self.tables.items()},
        }


def draining(file: Path, wanted: Wanted, console: Console, quiet: bool) -> Draining:
    """Read a network and work out the drain of one thing.  Raises Problems for bad input."""
    with Watching(console, quiet) as watching:
        loaded = load(file)
        net = loaded.network
        what = thing(net, wanted.name)
        series = read_series(wanted.series, net) if wanted.series is not None else None
        steps = Steps(drain(net, what, wanted.undo, watching.stage))
        safe = windows(net, what, series, wanted.undo, watching.stage) if series is not None else None
        down = drain(net, what) if wanted.surviving and wanted.undo else steps.drain
        hit = exposed(down, watching.stage) if wanted.surviving else None
        found = Draining(loaded.name or file.stem, loaded, wanted, steps, safe, hit)
        watching.stage("what is said of it")
        _ = found.tables
    return found
