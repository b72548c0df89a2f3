"""`break` from end to end: read, choose scenarios, sweep, and say it as one document."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from trunkline.model.load import Loaded, load
from trunkline.model.network import Network
from trunkline.model.tables import Table
from trunkline.report.files import table_document
from trunkline.report.parts import Parts
from trunkline.report.progress import Watching
from trunkline.risk.impact import AFTER, REOPTIMISED, Rows
from trunkline.risk.scenario import EVERY, Kind, Scenario, scenarios
from trunkline.risk.sweep import Chunk, chunks, sweep
from trunkline.risk.worst import Worst


@dataclass(frozen=True)
class Wanted:
    """What is asked of a sweep."""

    kinds: Sequence[Kind] = EVERY
    pairs: Kind | None = None
    only: Sequence[str] = ()
    workers: int = 1
    out: Path | None = None
    """Where the parts go; None keeps the scenarios' rows in memory."""

    @property
    def options(self) -> dict[str, Any]:
        """What the results depend on beside the network."""
        pairs = str(self.pairs) if self.pairs is not None else None
        return {"kinds": [str(k) for k in Kind if k in self.kinds], "pairs": pairs, "only": sorted(set(self.only))}


@dataclass(frozen=True, eq=False)
class Broken:
    """What a sweep has found, and of what."""

    name: str
    loaded: Loaded
    scenarios: Sequence[Scenario]
    worst: Worst
    rows: Rows
    """The rows of the table `scenarios`, where they were not written as parts."""
    in_parts: bool

    @property
    def ok(self) -> bool:
        """Whether no single failure breaks an objective or a proof once the network has settled."""
        return not self.worst.broken_singles

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The lists of the worst, and every scenario where it is not in the parts."""
        every = {} if self.in_parts else {"scenarios": self.rows.tables(self.loaded.network)["scenarios"]}
        return every | self.worst.tables()

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The whole answer as plain data: schema `trunkline/break/1`."""
        return {
            "schema": "trunkline/break/1",
            "network": {"sha256": self.loaded.sha256},
            "ok": self.ok,
            "scenarios": {kind: self.worst.kinds[kind] for kind in Kind if kind in self.worst.kinds},
            "broken": {state: self.worst.broken[state] for state in (AFTER, REOPTIMISED)},
            "broken_singles": self.worst.broken_singles,
            "tables": {name: table_document(found) for name, found in self.tables.items()},
        }


def broken(file: Path, wanted: Wanted, console: Console, quiet: bool) -> Broken:
    """Read a network and let everything fail that was asked for.  Raises Problems for bad input.

    With `out`, parts that are there are read instead of computed, and the rest is written as it comes.
    """
    with Watching(console, quiet) as watching:
        loaded = load(file)
        net = loaded.network
        chosen = scenarios(net, wanted.kinds, wanted.pairs, wanted.only)
        parts = Parts(wanted.out, net, loaded.sha256, wanted.options) if wanted.out is not None else None
        worst, kept, begun, done = Worst(net), [], time.monotonic(), 0
        for rows, fresh in _swept(net, chunks(chosen), parts, wanted.workers):
            worst.add(rows)
            if parts is None:
                kept.append(Rows(rows.scenarios, (), (), ()))
            done += fresh
            watching.stage(_progress(sum(worst.kinds.values()), len(chosen), done, time.monotonic() - begun))
        found = Broken(loaded.name or file.stem, loaded, chosen, worst, Rows.joined(kept), parts is not None)
        if parts is not None:
            parts.finish(found.document, found.tables)
    return found


def _swept(net: Network, wanted: Sequence[Chunk], parts: Parts | None, workers: int) -> Iterator[tuple[Rows, int]]:
    """Yield the rows of every chunk, and how many scenarios of it were computed now."""
    missing = []
    for number in range(len(wanted)):
        there = parts.read(number) if parts is not None else None
        if there is None:
            missing.append(number)
        else:
            yield there, 0
    for number, rows in zip(missing, sweep(net, [wanted[n] for n in missing], workers), strict=True):
        if parts is not None:
            parts.write(number, rows)
        yield rows, len(wanted[number])


def _progress(ready: int, total: int, done: int, seconds: float) -> str:
    rate = done / seconds if seconds else 0.0
    left = f", {(total - ready) / rate:,.0f} s left" if rate else ""
    return f"{ready:,} of {total:,} scenarios, {rate:,.1f} a second{left}"
