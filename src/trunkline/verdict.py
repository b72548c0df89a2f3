"""Objectives met or broken, and warnings: what the results mean for the file's promises.

Reads the tables that every stage yields, or their columns alone, so a verdict never rests on a figure
that a user cannot look up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trunkline.model.network import Network
from trunkline.model.nouns import MILLION, Measure, Objective
from trunkline.model.problem import Problem, Severity
from trunkline.model.tables import Cell, Figures, Lazy, Table, table
from trunkline.model.units import show_rate, show_share, show_time

Tables = Mapping[str, Figures]
Records = Mapping[str, Sequence[Mapping[str, Cell]]]
"""Every table's rows as dictionaries, by table name."""


@dataclass(frozen=True)
class Verdict:
    """One objective: the bound, the worst value found, and what has it.  `value` None: there is nothing to measure."""

    objective: Objective
    value: int | None
    worst: str
    met: bool

    @property
    def word(self) -> str:
        """`met`, `BROKEN`, or `-` where one state of the network cannot say."""
        return "-" if self.objective.measure is Measure.AVAILABILITY else "met" if self.met else "BROKEN"

    @property
    def text(self) -> str:
        """The value beside the bound, as people read it."""
        if self.objective.measure is Measure.AVAILABILITY:
            return "judged by `trunkline availability`"
        if self.objective.measure is Measure.CONFINED:
            return "holds" if self.met else "does not hold"
        sign, limit = "at least" if self.objective.measure in LOWER else "at most", self._show(self.objective.limit)
        if self.value is None:
            return f"nothing to measure ({sign} {limit})"
        value = self._show(self.value)
        if value == limit and not self.met:  # what breaks a bound is never shown as the bound
            value, limit = self._show(self.value, exact=True), self._show(self.objective.limit, exact=True)
        return f"{value} ({sign} {limit})"

    def _show(self, value: int, exact: bool = False) -> str:
        if self.objective.measure is Measure.LATENCY:
            return f"{value} us" if exact else show_time(value)
        return show_share(value, 4 if exact else 1)


LOWER = (Measure.PLACED, Measure.SHORTEST)
"""Measures whose limit is a lower bound."""


def records(tables: Mapping[str, Table]) -> Records:
    """Return every table's rows as dictionaries, made when they are asked for."""
    return Lazy({name: lambda name=name: tables[name].records() for name in tables})  # type: ignore[misc]


def number(cell: Cell) -> int:
    """Return an integer cell's value, 0 where it is empty."""
    return int(cell) if cell is not None else 0


def judge(objectives: Iterable[Objective], tables: Tables, confined: Sequence[tuple[str, bool]]) -> tuple[Verdict, ...]:
    """Return the verdict on each objective.  `confined` names each confinement proof and whether it holds.

    `tables` are those that every stage yields, or as many of their columns as objectives read.
    """
    verdicts = []
    for objective in objectives:
        if objective.measure is Measure.CONFINED:
            broken = [name for name, holds in confined if not holds]
            verdicts.append(Verdict(objective, int(not broken) * MILLION, ", ".join(broken), not broken))
            continue
        if objective.measure is Measure.AVAILABILITY:  # of all states together, so not to be told from one
            verdicts.append(Verdict(objective, None, "", True))
            continue
        value, worst = _MEASURES[objective.measure](tables, objective.cls)
        lower = objective.measure in LOWER
        met = value is None or (value >= objective.limit if lower else value <= objective.limit)
        verdicts.append(Verdict(objective, value, worst, met))
    return tuple(verdicts)


Measured = tuple[int | None, str]


def _largest(pairs: Iterable[tuple[int, str]]) -> Measured:
    """The largest value, the first by name among equals."""
    least = min(((-value, name) for value, name in pairs), default=None)
    return (-least[0], least[1]) if least is not None else (None, "")


def _utilisation(tables: Tables, cls: str | None) -> Measured:
    rows = _rows(tables["circuits"], "arc", "load" if cls is None else f"load.{cls}", "capacity")
    return _largest((-(-number(load) * MILLION // number(capacity)), str(arc)) for arc, load, capacity in rows)


def _loss(tables: Tables, cls: str | None) -> Measured:
    """What is lost of what could be carried: a demand one of whose ends is down counts for nothing."""
    rows = _rows(tables["demands"], "class", "rate", "lost", "gone", "demand")
    mine = [(rate - gone, lost, demand) for own, rate, lost, gone, demand in rows if cls in (None, own)]
    rate, lost = sum([rate for rate, _, _ in mine]), sum([lost for _, lost, _ in mine])
    if not rate:
        return None, ""
    _, worst = _largest((missing, demand) for _, missing, demand in mine if missing)
    return -(-lost * MILLION // rate), worst if lost else ""


def _latency(tables: Tables, cls: str | None) -> Measured:
    rows = _rows(tables["demands"], "class", "latency_max", "demand")
    return _largest((late, demand) for own, late, demand in rows if cls in (None, own) and late is not None)


def _share_of_lsps(tables: Tables, cls: str | None, one: str, other: str) -> Measured:
    """The share of the LSPs that are up with two columns equal; those whose ends are down do not count."""
    lsps = tables["lsps"]
    state, a, b = (np.asarray(lsps.column(name)) for name in ("state", one, other))
    mine = state != "gone"
    if cls is not None:
        mine &= np.asarray(lsps.column("class")) == cls
    bad = np.flatnonzero(mine & ((state != "up") | (a != b)))
    many = int(np.count_nonzero(mine))
    worst = "/".join(str(lsps.column(name)[int(bad[0])]) for name in ("head", "name")) if len(bad) else ""
    return ((many - len(bad)) * MILLION // many, worst) if many else (None, "")


def _commit(tables: Tables, cls: str | None) -> Measured:
    del cls  # a commit is for a port, not for a class
    rows = _rows(tables["ports"], "port", "in", "out", "commit")
    return _largest((-(-max(into, out) * MILLION // commit), port) for port, into, out, commit in rows if commit)


def _rows(found: Figures, *names: str) -> Iterator[tuple[Any, ...]]:
    """The cells of some columns, row by row."""
    return zip(*(found.column(name) for name in names), strict=True)


_MEASURES = {
    Measure.UTILISATION: _utilisation,
    Measure.LOSS: _loss,
    Measure.LATENCY: _latency,
    Measure.PLACED: lambda tables, cls: _share_of_lsps(tables, cls, "wanted", "reserved"),
    Measure.SHORTEST: lambda tables, cls: _share_of_lsps(tables, cls, "cost", "shortest"),
    Measure.COMMIT: _commit,
}


def objectives_table(verdicts: Iterable[Verdict]) -> Table:
    """The objectives, as a table: limits and values in ppm, or microseconds for latency."""
    rows = [
        (v.objective.name, v.objective.measure, v.objective.cls, v.objective.limit, v.value, v.met, v.worst)
        for v in verdicts
    ]
    return table("objective measure class limit:int value:int met:bool worst", rows)


def warn(code: str, message: str) -> Problem:
    """Return a warning about the results, which has no place in the file."""
    return Problem("", 0, 0, code, message, severity=Severity.WARNING)


def warnings(net: Network, rows: Records) -> list[Problem]:
    """Return what breaks no objective and will hurt all the same, from the tables alone."""
    found = []
    off = net.te.v6_over_lsp == "off"
    stray = sum(number(row["off_lsp"]) for row in rows["demands"] if off and row["family"] == "v6")
    if stray:
        why = "unreserved: te.v6_over_lsp is off"
        found.append(
            warn("v6-off-lsp", f"{show_rate(stray)} of IPv6 follows the IGP beside the LSPs of its class, {why}")
        )
    fallen = sum(number(row["off_lsp"]) for row in rows["demands"]) - stray
    if fallen:
        message = f"{show_rate(fallen)} follows the IGP, unreserved, because the LSPs it would ride are down"
        found.append(warn("off-lsp", message))
    found += [
        warn(
            "elephant",
            f"a flow of {show_rate(number(row['flow']))} in {row['demand']} is larger than one member of "
            f"{row['arc']} ({show_rate(number(row['member']))}): it will not fit though the bundle has room",
        )
        for row in rows["elephants"][:3]
    ]
    found += [warn("loop", f"{row['demand']} ({row['family']}) loops: {row['cycle']}") for row in rows["loops"][:3]]
    found += _overrun(rows)
    regions = sorted({str(row["region"]) for row in rows["fallback"]})
    found += [
        warn("on-fallback", f"region {region} reaches the Internet by another region's fallback default")
        for region in regions
    ]
    found += [
        warn("loss-unsettled", f"the loss does not settle: loads still change by {show_rate(number(row['residual']))}")
        for row in rows["settling"]
        if row["residual"]
    ]
    if rows["deflections"]:
        row, many = rows["deflections"][0], len(rows["deflections"])
        found.append(
            warn(
                "deflection",
                f"{many} flow{'s are' if many > 1 else ' is'} deflected on the way; the first: {row['demand']} "
                f"({row['family']}) aims at {row['aimed']} and is turned at {row['router']} to {row['instead']}",
            )
        )
    return found


def _overrun(rows: Records) -> list[Problem]:
    """LSPs that carry more than they reserve: what goes beyond is nobody's reservation and may be lost.

    Up to a millionth is the remainder of splits over parallel LSPs, not an overrun.
    """
    carried = {str(row["lsp"]): number(row["load"]) for row in rows["lsp_loads"]}
    over = []
    for row in rows["lsps"]:
        name = f"{row['head']}/{row['name']}"
        excess = carried.get(name, 0) - number(row["reserved"])
        if excess * MILLION > number(row["reserved"]):
            over.append((-excess, name, number(row["reserved"])))
    if not over:
        return []
    excess, name, reserved = min(over)
    many = f"{len(over):,} LSPs carry" if len(over) > 1 else "1 LSP carries"
    most = f"{name} carries {show_rate(carried[name])} and reserves {show_rate(reserved)}"
    return [
        warn(
            "overrun", f"{many} more than reserved, {show_rate(-sum(x for x, _, _ in over))} in all; most of all {most}"
        )
    ]
