"""`grow` from end to end: read, look for the factor, and say it as one document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from rich.console import Console

from trunkline.model.load import Loaded, load
from trunkline.model.network import Network
from trunkline.model.nouns import MILLION
from trunkline.model.prices import Prices
from trunkline.model.problem import Problem, Problems, nearest
from trunkline.model.schema import MAX_RATE
from trunkline.model.tables import Table
from trunkline.model.units import show_rate
from trunkline.report.files import table_document
from trunkline.report.headroom import check_names
from trunkline.report.progress import Watching
from trunkline.risk.fluid import Unserved
from trunkline.risk.grow import ONE, Growth, Scope, growth
from trunkline.risk.surviving import surviving
from trunkline.risk.upgrade import Stage, Upgrade, left_table, quarters, stages_table, upgrades_table


@dataclass(frozen=True)
class Wanted:
    """What is asked: which traffic grows, up to which factor (ppm), surviving what."""

    scope: Scope
    factor: int
    surviving: str
    workers: int = 1
    quarters: int = 0
    """How many steps of purchases; none where only the factor is asked about."""


@dataclass(frozen=True, eq=False)
class Growing:
    """How far a network grows."""

    name: str
    loaded: Loaded
    wanted: Wanted
    growth: Growth
    stages: tuple[Stage, ...] = ()
    unserved: Unserved | None = None

    @property
    def ok(self) -> bool:
        """Whether what is bought, if that is asked, keeps every promise."""
        return self.unserved is None and not any(stage.left for stage in self.stages)

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The table `factors`, and where it is asked what to buy `stages`, `upgrades` and `unkept`."""
        net, found = self.loaded.network, {"factors": self.growth.table()}
        if self.wanted.quarters and net.prices is not None:
            found["stages"] = stages_table(self.stages, net.prices)
            found["upgrades"] = upgrades_table(self.stages, net, net.prices)
            found["unkept"] = left_table(self.stages)
        return found

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The whole answer as plain data: schema `trunkline/grow/1`."""
        return {
            "schema": "trunkline/grow/1",
            "network": {"sha256": self.loaded.sha256},
            "surviving": self.wanted.surviving,
            "to": self.wanted.factor,
            "broken_today": self.growth.broken_today,
            "broken_calm": list(self.growth.broken_calm),
            "ok": self.ok,
            "unit": self.loaded.network.prices.unit if self.loaded.network.prices is not None else None,
            "unserved": asdict(self.unserved) if self.unserved is not None else None,
            "tables": {name: table_document(found) for name, found in self.tables.items()},
        }


def growing(file: Path, wanted: Wanted, console: Console, quiet: bool) -> Growing:
    """Read a network and let its traffic grow.  Raises Problems for bad input."""
    with Watching(console, quiet) as watching:
        loaded = load(file)
        net, scope = loaded.network, wanted.scope
        check_names(net, scope.cls, ())
        if scope.region is not None and scope.region not in net.regions:
            message = f"no region is named '{scope.region}'"
            near, there = nearest(scope.region, net.regions), f"one of {', '.join(sorted(net.regions))}"
            raise Problems([Problem("", 0, 0, "grow", message, "region", "" if near else there, near)])
        if scope.grown(net, 2 * MILLION) == net:
            raise Problems([Problem("", 0, 0, "grow", "no demand grows: there is none of this class and region")])
        _check_rates(scope.grown(net, wanted.factor))
        if wanted.quarters and net.prices is None:
            message, expected = "the file has no `prices`", "what can be bought, and for how much: see docs/file.md"
            raise Problems([Problem(str(file), 0, 0, "grow", message, "prices", expected)])
        failures, factor = surviving(net, wanted.surviving), wanted.factor * ONE // MILLION
        found = growth(net, scope, failures, factor, wanted.workers, watching.stage)
        name = loaded.name or file.stem
        if not wanted.quarters:
            return Growing(name, loaded, wanted, found)
        stages, unserved = _bought(net, wanted, found, watching)
    return Growing(name, loaded, wanted, found, stages, unserved)


def _check_rates(net: Network) -> None:
    """Raise Problems where the largest factor that is tried makes more traffic than sums can hold."""
    total = sum(d.rate for d in net.demands) + sum(lsp.bandwidth or 0 for lsp in net.lsps)
    if total > MAX_RATE:
        message = f"demands and LSPs of {show_rate(total)} in all at the largest factor"
        expected = f"at most {show_rate(MAX_RATE)}, so that sums stay exact"
        raise Problems([Problem("", 0, 0, "range", message, "to", expected)])


def _bought(
    net: Network, wanted: Wanted, found: Growth, watching: Watching
) -> tuple[tuple[Stage, ...], Unserved | None]:
    """The stages of purchases, up to one that cannot be served."""
    prices = net.prices or Prices("")
    again = partial(surviving, word=wanted.surviving)
    upgrade = Upgrade(net, prices, wanted.scope, again, found.today, wanted.workers, watching.stage)
    stages: list[Stage] = []
    for stage in upgrade.stages(quarters(wanted.factor * ONE // MILLION, wanted.quarters)):
        if isinstance(stage, Unserved):
            return tuple(stages), stage
        stages.append(stage)
    return tuple(stages), None
