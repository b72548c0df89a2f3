"""`break` from end to end: read, choose scenarios, sweep, and say it as one document."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from trunkline.model.load import Loaded, load
from trunkline.model.tables import Table
from trunkline.report.break_kept import Kept
from trunkline.report.files import table_document
from trunkline.report.parts import Parts, swept
from trunkline.report.progress import Watching
from trunkline.risk.cluster import Swept, cluster
from trunkline.risk.impact import AFTER, BYPASSED, REOPTIMISED, Rows
from trunkline.risk.scenario import EVERY, Kind, Scenario, scenarios
from trunkline.risk.sweep import chunks, sweep
from trunkline.risk.worst import Worst


@dataclass(frozen=True)
class Wanted:
    """What is asked of a sweep."""

    kinds: Sequence[Kind] = EVERY
    pairs: Kind | None = None
    only: Sequence[str] = ()
    workers: int = 1
    cluster: str | None = None
    """The address of a Dask scheduler whose workers are to do it instead."""
    out: Path | None = None
    """Where the parts go."""
    likeliest: int = 0
    """How many of the likeliest joint failures are added."""
    every_row: bool = False
    """Whether the document has every row of `scenarios`: they are kept in memory.  With `out` they are in the parts."""
    page: bool = False
    """Whether what the page shows is to be kept."""
    seal: bool = False
    """Whether seals are wanted: parts that are there are computed again for theirs."""

    @property
    def options(self) -> dict[str, Any]:
        """What the results depend on beside the network."""
        pairs = str(self.pairs) if self.pairs is not None else None
        return {
            "kinds": [str(k) for k in Kind if k in self.kinds],
            "pairs": pairs,
            "only": sorted(set(self.only)),
            "likeliest": self.likeliest,
        }


@dataclass(frozen=True, eq=False)
class Broken:
    """What a sweep has found, and of what."""

    name: str
    loaded: Loaded
    scenarios: Sequence[Scenario]
    worst: Worst
    rows: Rows | None
    """The rows of the table `scenarios`, where they were kept."""
    seals: Mapping[str, Any]
    """What each scenario will do, by its name, where that was asked for."""
    kept: Kept | None = None
    """What the page shows, where it was asked for."""

    @property
    def ok(self) -> bool:
        """Whether no single failure breaks an objective or a proof once the network has settled."""
        return not self.worst.broken_singles

    @property
    def kinds(self) -> dict[str, int]:
        """How many scenarios there are of each kind."""
        return {kind: self.worst.kinds[kind] for kind in Kind if kind in self.worst.kinds}

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The lists of the worst, and every scenario where it was kept."""
        every = {} if self.rows is None else {"scenarios": self.rows.tables(self.loaded.network)["scenarios"]}
        return every | self.worst.tables()

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The whole answer as plain data: schema `trunkline/break/1`."""
        return {
            "schema": "trunkline/break/1",
            "network": {"sha256": self.loaded.sha256},
            "ok": self.ok,
            "scenarios": self.kinds,
            "broken": {state: self.worst.broken[state] for state in (BYPASSED, AFTER, REOPTIMISED)},
            "broken_singles": self.worst.broken_singles,
            "tables": {name: table_document(found) for name, found in self.tables.items()},
        }


def broken(file: Path, wanted: Wanted, console: Console, quiet: bool) -> Broken:
    """Read a network and let everything fail that was asked for.  Raises Problems for bad input.

    With `out`, parts that are there are read instead of computed, and the rest is written as it comes.
    """
    with Watching(console, quiet) as watching, sweeper(wanted.workers, wanted.cluster) as sweeping:
        loaded = load(file)
        net = loaded.network
        chosen = scenarios(net, wanted.kinds, wanted.pairs, wanted.only, wanted.likeliest)
        parts = Parts(wanted.out, "break", net, loaded.sha256, wanted.options) if wanted.out is not None else None
        rows_kept: list[Rows] | None = [] if wanted.every_row and parts is None else None
        worst, begun, done = Worst(net), time.monotonic(), 0
        kept = Kept(worst) if wanted.page else None
        seals: dict[str, Any] = {}
        asked, compute = chunks(chosen), lambda missing: sweeping(net, missing, wanted.seal)
        for rows, fresh in swept(parts, asked, compute, again=wanted.seal):
            worst.add(rows)
            seals.update(rows.seals)
            if kept is not None:
                kept.add(rows)
            if rows_kept is not None:
                rows_kept.append(Rows(rows.scenarios, (), (), ()))
            done += fresh
            watching.stage(progress(sum(worst.kinds.values()), len(chosen), done, time.monotonic() - begun))
        every = Rows.joined(rows_kept) if rows_kept is not None else None
        found = Broken(loaded.name or file.stem, loaded, chosen, worst, every, seals, kept)
        if parts is not None:
            parts.finish(found.document, found.tables)
    return found


def sweeper(workers: int, address: str | None) -> AbstractContextManager[Swept]:
    """Return what computes chunks: a cluster, connected before anything is written, or processes here."""
    if address is not None:
        return cluster(address)
    return nullcontext(lambda net, asked, seal: sweep(net, asked, workers, seal))


def progress(ready: int, total: int, done: int, seconds: float) -> str:
    """Return how far a sweep is: `ready` of `total` there, `done` of them computed in so many seconds."""
    rate = done / seconds if seconds else 0.0
    left = f", {(total - ready) / rate:,.0f} s left" if rate else ""
    return f"{ready:,} of {total:,} scenarios, {rate:,.1f} a second{left}"
