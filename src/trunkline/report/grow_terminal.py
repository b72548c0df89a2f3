"""`grow` on one screen: how far, what breaks first, and what to buy."""

from __future__ import annotations

from rich.console import Console

from trunkline.model.nouns import Measure
from trunkline.model.prices import MILLI, Prices
from trunkline.model.tables import Cell
from trunkline.model.units import show_rate
from trunkline.report.growing import Growing
from trunkline.report.terminal import BAD, DIM, GOOD, WARN, grid, line, show_grid
from trunkline.risk.grow import ONE, First

MOST = 12
"""How many purchases of a quarter the screen shows, the dearest first."""


def show_growing(console: Console, found: Growing) -> None:
    """Print it."""
    growth = found.growth
    what = f"{growth.scope.cls or 'all'} traffic"
    what += f" with an end in {growth.scope.region}" if growth.scope.region else ""
    line(console, (found.name, "bold"), f"  {what} grows")
    _first(console, "with everything in order", growth.calm)
    if growth.failing is not None:
        _first(
            console,
            "whatever single thing fails" if found.wanted.surviving == "1" else "after any of these failures",
            growth.failing,
        )
    _uncounted(console, found)
    if found.wanted.quarters and found.loaded.network.prices is not None:
        _stages(console, found, found.loaded.network.prices)


def _uncounted(console: Console, found: Growing) -> None:
    """Say which promises the factors do not speak of."""
    growth, objectives = found.growth, found.loaded.network.objectives
    if growth.broken_calm:
        names = f"{', '.join(growth.broken_calm)} {'is' if len(growth.broken_calm) == 1 else 'are'}"
        said = f"{names} broken today with everything in order, which counts for nothing here: see `plan`"
        line(console, (said, BAD))
    if growth.broken_today:
        many = f"{growth.broken_today:,} failure{' breaks' if growth.broken_today == 1 else 's break'}"
        line(console, (f"{many} a promise today already, which counts for nothing here: see `break`", WARN))
    nines = [objective.name for objective in objectives if objective.measure is Measure.AVAILABILITY]
    if len(nines) == len(objectives):
        line(console, ("the file has no objective that growth could break", WARN))
    if nines:
        line(console, (f"{', '.join(nines)}: judged by `trunkline availability`, not here", DIM))


def _first(console: Console, when: str, first: First) -> None:
    states = f"proved in {first.states:,} state{'' if first.states == 1 else 's'}"
    line(console, f"{when}: ", (f"x{first.factor / ONE:.2f}", GOOD), f", {states}")
    if first.beyond is None or first.promise is None:
        line(console, ("  more was not asked about", DIM))
        return
    after = f" when {first.failure} fails" if first.failure else ""
    worst = f", {first.promise.worst}" if first.promise.worst else ""
    broken = (first.promise.name, BAD)
    line(console, f"  x{first.beyond / ONE:.2f}{after} breaks ", broken, f": {first.promise.value}{worst}")


def _stages(console: Console, found: Growing, prices: Prices) -> None:
    upgrades = found.tables["upgrades"].records()
    for stage in found.stages:
        console.print()
        heading = f"x{stage.factor / ONE:.2f}" + (f" in quarter {stage.quarter}" if found.wanted.quarters > 1 else "")
        cost = f"{_money(stage.plan.cost(prices), prices)} in all"
        proposals = f"{stage.rounds:,} proposal{'' if stage.rounds == 1 else 's'}"
        replayed = f"{stage.states:,} state{'' if stage.states == 1 else 's'} replayed"
        line(console, (heading, "bold"), f": {cost}, after {proposals}; {replayed}")
        _bought(console, [row for row in upgrades if row["quarter"] == stage.quarter], prices)
        for failure, promise in stage.left[:MOST]:
            when = f" when {failure} fails" if failure else ""
            line(console, ("no purchase keeps ", BAD), f"{promise.name}{when}: {promise.value}, {promise.worst}")
        if stage.left:
            continue  # the bound is that of a plan that serves
        gap = f"; {1 - stage.least / stage.plan.bill.cost:.0%} less" if stage.plan.bill.cost else ""
        circuits, least = _money(stage.plan.bill.cost, prices), _money(stage.least, prices)
        bound = f"circuits cost {circuits}, in the fluid model {least} at the least{gap}"
        line(console, (f"{bound}: for traffic that splits at will, in the states that the program has", DIM))
    if found.unserved is not None:
        case = f" when {found.unserved.case} fails" if found.unserved.case else ""
        what = f"{show_rate(found.unserved.rate)} from {found.unserved.source} to {found.unserved.target}{case}"
        line(console, ("no purchase serves ", BAD), what)


def _bought(console: Console, rows: list[dict[str, Cell]], prices: Prices) -> None:
    if not rows:
        line(console, "nothing to buy")
        return
    shown = grid("buy", "kind", ">number", ">cost")
    ranked = sorted(rows, key=lambda row: (-int(row["cost"] or 0), str(row["name"])))
    for row in ranked[:MOST]:
        shown.add_row(str(row["name"]), str(row["kind"]), str(row["number"]), _money(int(row["cost"] or 0), prices))
    show_grid(console, shown)
    if len(rows) > MOST:
        rest = sum(int(row["cost"] or 0) for row in ranked[MOST:])
        line(console, f"and {len(rows) - MOST:,} more for {_money(rest, prices)}: --json has them all")


def _money(milli: int, prices: Prices) -> str:
    text = f"{milli // MILLI:,}" + (f".{milli % MILLI:03d}".rstrip("0") if milli % MILLI else "")
    return f"{text} {prices.unit}"
