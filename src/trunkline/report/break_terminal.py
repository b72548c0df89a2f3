"""`break` on one screen: how many failures break a promise, and the worst of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.text import Text

from trunkline.model.tables import Cell
from trunkline.model.units import show_rate, show_share
from trunkline.report.breaking import Broken
from trunkline.report.terminal import BAD, DIM, GOOD, WARN, count, grid, line, show_grid
from trunkline.risk.impact import AFTER, BYPASSED, REOPTIMISED

MOMENTS = {BYPASSED: "before anything settles", AFTER: "once settled", REOPTIMISED: "once re-optimised"}
"""The states of a scenario in words, in their order."""

Row = Mapping[str, Cell]
SOONER = 3
"""How many of the worst before anything settles are shown."""


def show_broken(console: Console, found: Broken) -> None:
    """Print how many scenarios there are, how many break something, and the worst ten."""
    worst = found.worst
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in found.kinds.items())
    total = sum(worst.kinds.values())
    line(console, (found.name, "bold"), f"  {total:,} scenario{'' if total == 1 else 's'}: {kinds}")
    for state, when in MOMENTS.items():
        number = worst.broken[state]
        said = ("none breaks a promise", GOOD) if not number else (f"{number:,} break a promise", BAD)
        line(console, f"{when}: ", said)
    _worst(console, found)


def _worst(console: Console, found: Broken) -> None:
    every = found.tables["scenarios_worst"].records()
    rows = [row for row in every if row["state"] == AFTER]
    first = found.worst.first
    shown = grid(
        "worst failures", "kind", *_lost_by(first), ">lost in all", ">moved", ">unplaced", ">displaced",
        "hottest circuit", ">util", "breaks",
    )  # fmt: skip
    for row in rows:
        shown.add_row(
            str(row["scenario"]), str(row["kind"]), *_lost(row, first), count(int(row["moved"] or 0), ""),
            count(int(row["unplaced"] or 0), BAD), count(int(row["displaced"] or 0), WARN), *_hottest(row),
            Text(str(row["broken"]), BAD),
        )  # fmt: skip
    console.print()
    show_grid(console, shown)
    for row in rows:
        if row["cut_off"]:
            line(console, (f"{row['scenario']}: ", ""), ("no way to the Internet in ", BAD), str(row["cut_off"]))
    more = [row for row in every if row["state"] == BYPASSED and int(row["lost"] or 0) > int(row["lost_after"] or 0)]
    if more:
        _before_settled(console, more[:SOONER], first)


def _before_settled(console: Console, rows: Sequence[Row], first: str | None) -> None:
    """What loses more until the network has settled than once it has."""
    shown = grid(
        "worst before anything settles", "kind", *_lost_by(first), ">lost in all", ">once settled", "hottest circuit",
        ">util",
    )  # fmt: skip
    for row in rows:
        settled = _rate(row["lost_after"])
        shown.add_row(str(row["scenario"]), str(row["kind"]), *_lost(row, first), settled, *_hottest(row))
    console.print()
    show_grid(console, shown)


def _lost_by(first: str | None) -> list[str]:
    return [f">lost {first}"] if first else []


def _lost(row: Row, first: str | None) -> list[Text]:
    return [_rate(row[name]) for name in ([f"lost.{first}"] if first else []) + ["lost"]]


def _hottest(row: Row) -> tuple[str, str]:
    return str(row["circuit"] or "-"), show_share(int(row["circuit_utilisation"] or 0))


def _rate(cell: Cell) -> Text:
    return Text(show_rate(int(cell or 0)), BAD if cell else DIM)
