"""`drain` on one screen: the steps, what each does and leaves, and the first that loses traffic."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from trunkline.model.tables import Cell
from trunkline.model.units import show_rate, show_share
from trunkline.report.draining import Draining
from trunkline.report.terminal import BAD, DIM, GOOD, WARN, count, grid, line, show_grid

MOST = 10
"""How many losses, times and failures the screen shows; --json has them all."""
NAMES = 1
"""How many names a step shows."""


def show_draining(console: Console, found: Draining) -> None:
    """Print it."""
    what = found.drain.thing
    doing = "bring back" if found.wanted.undo else "drain"
    line(console, (found.name, "bold"), f"  {doing} {what.kind} {what.name}, step by step; every state is proved")
    console.print()
    _steps(console, found)
    console.print()
    _verdict(console, found)
    _windows(console, found)
    _failures(console, found)


def _steps(console: Console, found: Draining) -> None:
    shown = grid(
        ">step",
        "do",
        "at",
        ">moved",
        ">displaced",
        ">still on it",
        ">LSPs",
        "hottest circuit",
        ">util",
        ">lost",
        "breaks",
    )
    for row in found.tables["drain_steps"].records():
        shown.add_row(
            str(row["step"]), str(row["action"]), _few(str(row["what"])), count(_int(row["moved"]), ""),
            count(_int(row["displaced"]), WARN), _rate(row["on_it"], ""), count(_int(row["lsps_on_it"]), ""),
            str(row["arc"] or "-"), show_share(_int(row["utilisation"])), _rate(row["lost"], BAD),
            Text(str(row["broken"]), WARN),
        )  # fmt: skip
    show_grid(console, shown)


def _verdict(console: Console, found: Draining) -> None:
    failed = found.steps.failed
    rows = found.tables["drain_steps"].records()
    gone = max(_int(row["gone"]) for row in rows)
    if gone:
        line(console, (f"{show_rate(gone)} begins or ends in what goes: gone, not lost", WARN))
    stopped = found.drain.thing.datacenters
    if stopped:
        line(console, (f"its own data centre stops: {', '.join(stopped)}; what it runs has to move first", WARN))
    if failed is None:
        line(console, ("no class loses traffic at any step", GOOD))
        return
    lost = ", ".join(f"{show_rate(rate)} of {cls}" for cls, rate in sorted(found.steps.lost[failed].items()))
    said = f"{rows[failed]['action']} {_few(str(rows[failed]['what']))}"
    line(console, (f"step {failed} loses traffic ({said}): {lost}", BAD))
    losses = [row for row in found.tables["drain_losses"].records() if row["step"] == failed]
    for row in sorted(losses, key=lambda r: -_int(r["lost"]))[:MOST]:
        line(
            console,
            f"  {row['demand']} ({row['family']}) {show_rate(_int(row['lost']))}: {row['reason']}, {row['where']}",
        )


def _windows(console: Console, found: Draining) -> None:
    if found.windows is None:
        return
    safe = [w.time for w in found.windows if w.step is None]
    style = GOOD if len(safe) == len(found.windows) else WARN
    line(console, (f"nothing is lost at {len(safe):,} of {len(found.windows):,} times", style))
    bad = [w for w in found.windows if w.step is not None]
    for w in bad[:MOST]:
        line(console, f"  not at {w.time}: step {w.step} is the first to lose, at worst {show_rate(w.lost)}")
    if len(bad) > MOST:
        line(console, f"  nor at {len(bad) - MOST:,} more times: see drain_windows")


def _failures(console: Console, found: Draining) -> None:
    if found.exposed is None:
        return
    if not found.exposed:
        line(console, ("while it is down, no single failure loses more than it would otherwise", GOOD))
        return
    number = len(found.exposed)
    line(console, (f"while it is down, {number:,} single failure{'' if number == 1 else 's'} would lose more", WARN))
    for e in found.exposed[:MOST]:
        more = f"{show_rate(e.lost)} lost, {show_rate(e.lost - e.lost_in_order)} more than with everything in order"
        line(console, f"  {e.scenario.kind} {e.scenario.name}: {more}")


def _few(names: str) -> str:
    every = names.split()
    return " ".join(every[:NAMES]) + (f" + {len(every) - NAMES}" if len(every) > NAMES else "")


def _int(cell: Cell) -> int:
    return int(cell) if cell is not None else 0


def _rate(cell: Cell, style: str) -> Text:
    return Text(show_rate(_int(cell)), style if cell else DIM)
