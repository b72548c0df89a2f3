"""`break` on one screen: how many failures break a promise, and the worst of them."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from trunkline.model.tables import Cell
from trunkline.model.units import show_rate, show_share
from trunkline.report.breaking import Broken
from trunkline.report.terminal import BAD, DIM, GOOD, WARN, count, grid, line, show_grid
from trunkline.risk.impact import AFTER, REOPTIMISED


def show_broken(console: Console, found: Broken) -> None:
    """Print how many scenarios there are, how many break something, and the worst ten."""
    worst = found.worst
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in found.document["scenarios"].items())
    total = sum(worst.kinds.values())
    line(console, (found.name, "bold"), f"  {total:,} scenario{'' if total == 1 else 's'}: {kinds}")
    for state, when in ((AFTER, "once settled"), (REOPTIMISED, "once re-optimised")):
        number = worst.broken[state]
        said = ("none breaks a promise", GOOD) if not number else (f"{number:,} break a promise", BAD)
        line(console, f"{when}: ", said)
    _worst(console, found)


def _worst(console: Console, found: Broken) -> None:
    rows = found.tables["scenarios_worst"].records()
    first = found.worst.first
    lost = [f">lost {first}"] if first else []
    shown = grid(
        "worst failures", "kind", *lost, ">lost in all", ">moved", ">unplaced", ">displaced", "hottest circuit",
        ">util", "breaks",
    )  # fmt: skip
    for row in rows:
        mine = [_rate(row[f"lost.{first}"])] if first else []
        use = int(row["circuit_utilisation"] or 0)
        shown.add_row(
            str(row["scenario"]), str(row["kind"]), *mine, _rate(row["lost"]), count(int(row["moved"] or 0), ""),
            count(int(row["unplaced"] or 0), BAD), count(int(row["displaced"] or 0), WARN), str(row["circuit"] or "-"),
            show_share(use), Text(str(row["broken"]), BAD),
        )  # fmt: skip
    console.print()
    show_grid(console, shown)
    for row in rows:
        if row["cut_off"]:
            line(console, (f"{row['scenario']}: ", ""), ("no way to the Internet in ", BAD), str(row["cut_off"]))


def _rate(cell: Cell) -> Text:
    return Text(show_rate(int(cell or 0)), BAD if cell else DIM)
