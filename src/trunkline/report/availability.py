"""`availability` from end to end: read, look at what is likeliest, and say it as one document."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from pathlib import Path
from typing import Any

from trunkline.model.load import Loaded, load
from trunkline.model.network import Network
from trunkline.model.nouns import BILLION, MILLION
from trunkline.model.rates import YEAR
from trunkline.model.tables import Cell, Table, table
from trunkline.report.breaking import progress, sweeper
from trunkline.report.files import table_document
from trunkline.report.parts import Parts, swept
from trunkline.report.progress import Watching
from trunkline.risk.availability import Availability, Interval, Verdict, Work, available
from trunkline.risk.cluster import Swept
from trunkline.risk.gain import Gain, gains
from trunkline.risk.groups import Group
from trunkline.risk.impact import Rows
from trunkline.risk.sample import CONFIDENCE
from trunkline.risk.sweep import Chunk

MOST = 10
"""How many scenarios are listed for each class, and how many additions."""
_FIGURES = (
    "rate:int:bit/s served:int:ppb served_most:int:ppb delivered:int:ppb delivered_most:int:ppb "
    "downtime:int:s downtime_most:int:s mtbf:int:h transient_most:int:us"
)
_ADDITIONS = (
    "rank:int addition beside saved:int:s downtime:int:s downtime_most:int:s served:int:ppb served_most:int:ppb"
)
_OBJECTIVES = "objective class target:int:ppb verdict served:int:ppb served_most:int:ppb worst more:int"


@dataclass(frozen=True, eq=False)
class Available:
    """What was found, and of what."""

    name: str
    loaded: Loaded
    found: Availability
    gains: tuple[Gain, ...] | None = None
    """What additions gain, where that was asked for."""

    @property
    def ok(self) -> bool:
        """Whether no objective of availability is broken; one may be undecided."""
        return all(judged.verdict is not Verdict.BROKEN for judged in self.found.verdicts)

    @cached_property
    def tables(self) -> dict[str, Table]:
        """Every result, by name."""
        demands = {d.name: d.cls for d in self.found.net.demands}
        gained = {} if self.gains is None else {"additions": table(_ADDITIONS, self._additions(self.gains))}
        return {
            "availability_objectives": table(_OBJECTIVES, self._objectives()),
            "availability_demands": table(
                f"demand family class {_FIGURES}",
                [(g[1], g[2], demands[g[1]], *cells) for g, cells in self._figures("demand")],
            ),
            "availability_classes": table(f"class {_FIGURES}", [(g[1], *cells) for g, cells in self._figures("class")]),
            "availability_pairs": table(
                f"from to {_FIGURES}", [(*g[1:], *cells) for g, cells in self._figures("pair")]
            ),
            "contributors": table(
                "class rank:int scenario probability:int:ppb downtime:int:s lost:int:bit/s", self._contributors()
            ),
            **gained,
        }

    @staticmethod
    def _additions(gains: Sequence[Gain]) -> list[tuple[Cell, ...]]:
        rows = enumerate(gains[:MOST], 1)
        return [(rank, g.what, g.thing, floor(g.gained * YEAR), *g.served.downtime, *g.served.ppb) for rank, g in rows]

    def _objectives(self) -> list[tuple[Cell, ...]]:
        rows: list[tuple[Cell, ...]] = []
        for judged in self.found.verdicts:
            served = judged.found.ppb if judged.found is not None else (None, None)
            objective = judged.objective
            key = objective.name, objective.cls, objective.limit, str(judged.verdict)
            rows.append((*key, *served, judged.worst, judged.more))
        return rows

    def _figures(self, kind: str) -> list[tuple[Group, tuple[Cell, ...]]]:
        rows: list[tuple[Group, tuple[Cell, ...]]] = []
        for group, rate in self.found.groups(kind):
            served = self.found.served(group)
            figures = (rate, *served.ppb, *self.found.delivered(group, rate).ppb, *served.downtime)
            rows.append((group, (*figures, *self._transient(group, rate))))
        return rows

    def _transient(self, group: Group, rate: int) -> tuple[int | None, int]:
        """Hours between failures that hit a group, and the microseconds a year that it is without service by them."""
        cost = self.found.transients.get(group)
        if cost is None:
            return None, 0
        return int(YEAR // 3600 / cost.per_year), ceil(cost.lost / rate)

    def _contributors(self) -> list[tuple[Cell, ...]]:
        rows: list[tuple[Cell, ...]] = []
        for cls, hurt in sorted(self.found.tally.hurt.items()):
            worst = sorted(hurt, key=lambda h: (-h[0], h[1]))[:MOST]
            for rank, (weight, scenario, lost) in enumerate(worst, 1):
                share = Fraction(weight, self.found.likely.total)
                rows.append((cls, rank, scenario, round(share * BILLION), round(share * YEAR), lost))
        return rows

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The whole answer as plain data: schema `trunkline/availability/1`."""
        return {
            "schema": "trunkline/availability/1",
            "network": {"sha256": self.loaded.sha256},
            "ok": self.ok,
            "scenarios": len(self.found.likely.effects),
            "sampled": self.found.sampled,
            "confidence_ppm": round(CONFIDENCE * MILLION) if self.found.sampled else MILLION,
            "remainder_ppb": Interval(Fraction(0), self.found.remainder).ppb[1],
            "tables": {name: table_document(found) for name, found in self.tables.items()},
        }


@dataclass(frozen=True)
class Asked:
    """What is asked of `availability`."""

    budget: int
    sample: int = 0
    additions: bool = False
    workers: int = 1
    cluster: str | None = None
    """The address of a Dask scheduler whose workers are to do it instead."""
    out: Path | None = None
    """Where every row goes, part by part."""

    @property
    def options(self) -> dict[str, Any]:
        """What the results depend on beside the network."""
        return {"budget": self.budget, "sample": self.sample, "additions": self.additions}


class _Sweeps:
    """The sweeps that `available` asks for, each with its parts where rows are to be kept."""

    def __init__(self, asked: Asked, loaded: Loaded, compute: Swept) -> None:
        self.asked, self.loaded, self.compute = asked, loaded, compute
        self.fresh = 0
        """Scenarios computed by now: not read."""
        self.every = self._parts("")

    def __call__(self, name: str, net: Network, chunks: Sequence[Chunk]) -> Iterator[Rows]:
        """Yield the rows of each chunk."""
        parts = self._parts(name) if chunks else None
        for rows, fresh in swept(parts, chunks, lambda missing: self.compute(net, missing, False)):
            self.fresh += fresh
            yield rows

    def _parts(self, name: str) -> Parts | None:
        if self.asked.out is None:
            return None
        loaded = self.loaded
        return Parts(self.asked.out / name, "availability", loaded.network, loaded.sha256, self.asked.options)


def availability(file: Path, asked: Asked, watching: Watching) -> Available:
    """Read a network and say how likely it is to serve, and what additions gain where that is asked.

    With `out`, parts that are there are read instead of computed, and the rest is written as it comes.
    Raises Problems for bad input.
    """
    with sweeper(asked.workers, asked.cluster) as compute:
        loaded, begun = load(file), time.monotonic()
        sweeps = _Sweeps(asked, loaded, compute)

        def watch(done: int, total: int) -> None:
            watching.stage(progress(done, total, sweeps.fresh, time.monotonic() - begun))

        work = Work(asked.budget, asked.sample, sweeps)
        found, gained = available(loaded.network, work, watch), None
        if asked.additions:
            less = replace(work, budget=max(1, work.budget // 2))
            gained = gains(found, less, lambda done, total: watching.stage(f"addition {done + 1:,} of {total:,}"))
        said = Available(loaded.name or file.stem, loaded, found, gained)
        if sweeps.every is not None:
            sweeps.every.finish(said.document, said.tables)
    return said
