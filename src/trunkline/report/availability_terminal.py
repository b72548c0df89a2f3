"""`availability` on one screen: verdicts, classes, the worst demands, and what costs them most."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rich.console import Console

from trunkline.model.tables import Cell
from trunkline.model.units import show_availability, show_minutes, show_rate
from trunkline.report.availability import Available
from trunkline.report.terminal import BAD, DIM, GOOD, WARN, grid, line, show_grid
from trunkline.risk.availability import Verdict
from trunkline.risk.sample import CONFIDENCE

WORST = 5
"""How many demands the screen shows."""
DIGITS = 100
"""The least difference that the screen shows, ppb: five digits of a percentage; the tables have all."""
SECOND = 1_000_000
"""Microseconds."""
_COLOURS = {Verdict.MET: GOOD, Verdict.BROKEN: BAD, Verdict.UNDECIDED: WARN}
_ADDED = {
    "circuit": "another circuit beside {}",
    "router": "another router beside {}",
    "port": "another port of the peer of {}",
    "diversity": "{} shared no more",
}

Row = Mapping[str, Cell]


def show_available(console: Console, said: Available) -> None:
    """Print what is met, broken or undecided, then how likely each class and the worst demands are to be served."""
    remainder = show_availability(int(said.document["remainder_ppb"]))
    number = int(said.document["scenarios"])
    looked = (
        f"{number:,} scenario{'' if number == 1 else 's'} looked at; all others together are {remainder} of the time"
    )
    line(console, (said.name, "bold"), f"  {looked}")
    if said.found.sampled:
        line(
            console,
            f"{said.found.sampled:,} of those drawn: all figures together hold with {CONFIDENCE:.0%} confidence",
        )
    _objectives(console, said)
    _figures(console, "class", [(str(r["class"]), r) for r in said.tables["availability_classes"].records()])
    demands = sorted(said.tables["availability_demands"].records(), key=lambda r: (_int(r, "served"), _int(r, "rate")))
    _figures(console, "worst demands", [(f"{r['demand']} {r['family']}", r) for r in demands[:WORST]])
    _contributors(console, said)
    if said.gains is not None:
        _additions(console, said)


def _objectives(console: Console, said: Available) -> None:
    rows = said.tables["availability_objectives"].records()
    if not rows:
        line(
            console,
            ("the file promises no availability; an objective such as `{name: nines, availability: 99.9%}` does", DIM),
        )
        return
    for row in rows:
        word = Verdict(str(row["verdict"]))
        served = "nothing to measure" if row["served"] is None else f"{_between(row, 'served', show_availability)}"
        target = show_availability(_int(row, "target"))
        line(
            console,
            f"{row['objective']}: ",
            (str(word), _COLOURS[word]),
            f"  {served} (at least {target})  ",
            (str(row["worst"]), DIM),
        )
        if word is Verdict.UNDECIDED:
            more = "more than were listed" if row["more"] is None else f"{_int(row, 'more'):,}"
            line(console, f"  further scenarios that would decide it, if they lose nothing: {more}; see --budget")


def _figures(console: Console, what: str, rows: list[tuple[str, Row]]) -> None:
    shown = grid(
        what, ">rate", ">served in full", ">delivered", ">down a year", ">hit every", ">lost until settled, a year"
    )
    for name, row in rows:
        shown.add_row(
            name,
            show_rate(_int(row, "rate")),
            _nines(row, "served"),
            _nines(row, "delivered"),
            _between(row, "downtime", show_minutes),
            f"{_int(row, 'mtbf'):,} h" if row["mtbf"] is not None else "-",
            f"{_int(row, 'transient_most') / SECOND:,.1f} s",
        )
    console.print()
    show_grid(console, shown)


def _contributors(console: Console, said: Available) -> None:
    rows = [row for row in said.tables["contributors"].records() if _int(row, "rank") <= WORST]
    if not rows:
        return
    shown = grid("class", "what costs it most", ">down a year", ">lost then")
    for row in rows:
        shown.add_row(
            str(row["class"]), str(row["scenario"]), show_minutes(_int(row, "downtime")), show_rate(_int(row, "lost"))
        )
    console.print()
    show_grid(console, shown)


def _additions(console: Console, said: Available) -> None:
    shown = grid("what could be added", ">saves a year", ">then down a year", ">served in full, on the mean")
    for row in said.tables["additions"].records():
        shown.add_row(
            _ADDED[str(row["addition"])].format(row["beside"]),
            show_minutes(max(0, _int(row, "saved"))),
            _between(row, "downtime", show_minutes),
            _nines(row, "served"),
        )
    console.print()
    show_grid(console, shown)


def _between(row: Row, name: str, show: Callable[[int], str]) -> str:
    """Both bounds, or the one figure where they are shown alike."""
    low, high = show(_int(row, name)), show(_int(row, f"{name}_most"))
    return low if low == high else f"{low} .. {high}"


def _nines(row: Row, name: str) -> str:
    """Both bounds in five digits behind the point, rounded outward; the lower alone where they are as good as one."""
    low, high = _int(row, name), _int(row, f"{name}_most")
    if high - low <= DIGITS:
        return show_availability(low // DIGITS * DIGITS)
    return f"{show_availability(low // DIGITS * DIGITS)} .. {show_availability(-(-high // DIGITS) * DIGITS)}"


def _int(row: Row, name: str) -> int:
    return int(row[name] or 0)
