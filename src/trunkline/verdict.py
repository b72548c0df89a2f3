"""Objectives met or broken, and warnings: what the results mean for the file's promises.

Reads the tables that every stage yields, so a verdict never rests on a figure that a user cannot look up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trunkline.model.network import Network
from trunkline.model.nouns import MILLION, Measure, Objective
from trunkline.model.problem import Problem, Severity
from trunkline.model.tables import Cell, Table, table
from trunkline.model.units import show_rate, show_share, show_time

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
    def text(self) -> str:
        """The value beside the bound, as people read it."""
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
    """Return every table's rows as dictionaries."""
    return {name: found.records() for name, found in tables.items()}


def number(cell: Cell) -> int:
    """Return an integer cell's value, 0 where it is empty."""
    return int(cell) if cell is not None else 0


def judge(objectives: Iterable[Objective], rows: Records, confined: Sequence[tuple[str, bool]]) -> tuple[Verdict, ...]:
    """Return the verdict on each objective.  `confined` names each confinement proof and whether it holds."""
    verdicts = []
    for objective in objectives:
        if objective.measure is Measure.CONFINED:
            broken = [name for name, holds in confined if not holds]
            verdicts.append(Verdict(objective, int(not broken) * MILLION, ", ".join(broken), not broken))
            continue
        value, worst = _MEASURES[objective.measure](rows, objective.cls)
        lower = objective.measure in LOWER
        met = value is None or (value >= objective.limit if lower else value <= objective.limit)
        verdicts.append(Verdict(objective, value, worst, met))
    return tuple(verdicts)


Measured = tuple[int | None, str]


def _largest(pairs: Iterable[tuple[int, str]]) -> Measured:
    """The largest value, the first by name among equals."""
    ordered = sorted(pairs, key=lambda p: (-p[0], p[1]))
    return ordered[0] if ordered else (None, "")


def _utilisation(rows: Records, cls: str | None) -> Measured:
    pairs = []
    for row in rows["circuits"]:
        load = number(row["load"] if cls is None else row[f"load.{cls}"])
        pairs.append((-(-load * MILLION // number(row["capacity"])), str(row["arc"])))
    return _largest(pairs)


def _loss(rows: Records, cls: str | None) -> Measured:
    mine = [row for row in rows["demands"] if cls in (None, row["class"])]
    rate, lost = (sum(number(row[column]) for row in mine) for column in ("rate", "lost"))
    if not rate:
        return None, ""
    _, worst = _largest((number(row["lost"]), str(row["demand"])) for row in mine)
    return -(-lost * MILLION // rate), worst if lost else ""


def _latency(rows: Records, cls: str | None) -> Measured:
    return _largest(
        (number(row["latency_max"]), str(row["demand"]))
        for row in rows["demands"]
        if cls in (None, row["class"]) and row["latency_max"] is not None
    )


def _share_of_lsps(rows: Records, cls: str | None, good: str) -> Measured:
    mine = [row for row in rows["lsps"] if cls in (None, row["class"]) and row["state"] != "gone"]
    bad = [f"{row['head']}/{row['name']}" for row in mine if not _is(row, good)]
    return ((len(mine) - len(bad)) * MILLION // len(mine), bad[0] if bad else "") if mine else (None, "")


def _is(row: Mapping[str, Cell], good: str) -> bool:
    if row["state"] != "up":
        return False
    return row["wanted"] == row["reserved"] if good == "placed" else row["cost"] == row["shortest"]


def _commit(rows: Records, cls: str | None) -> Measured:
    del cls  # a commit is for a port, not for a class
    return _largest(
        (-(-max(number(row["in"]), number(row["out"])) * MILLION // number(row["commit"])), str(row["port"]))
        for row in rows["ports"]
        if row["commit"]
    )


_MEASURES = {
    Measure.UTILISATION: _utilisation,
    Measure.LOSS: _loss,
    Measure.LATENCY: _latency,
    Measure.PLACED: lambda rows, cls: _share_of_lsps(rows, cls, "placed"),
    Measure.SHORTEST: lambda rows, cls: _share_of_lsps(rows, cls, "shortest"),
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
