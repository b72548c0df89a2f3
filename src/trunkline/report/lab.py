"""How a lab is, on the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from rich.console import Console
from rich.text import Text

from trunkline.model.tables import Cell, Table
from trunkline.report.terminal import BAD, GOOD, grid, line, show_grid

SHOWN = 20
"""How many faults are named."""


def show_health(
    console: Console, name: str, health: Table, wrong: Mapping[str, Sequence[str]], done: Mapping[str, Sequence[str]]
) -> None:
    """Show what each router has of what it must have, what is wrong with which, and what was done to the lab."""
    parts = [c.name for c in health.columns if c.type == "int" and not c.name.endswith("_expected")]
    rows = grid(f"lab {name}", *(f">{part}" for part in parts))
    for record in health.records():
        rows.add_row(str(record["router"]), *(_of(record[part], record[f"{part}_expected"]) for part in parts))
    show_grid(console, rows)
    for what, things in done.items():
        if things:
            line(console, f"{what}: {', '.join(things)}")
    faults = [f"{router}: {fault}" for router, found in sorted(wrong.items()) for fault in found]
    if not faults:
        line(console, ("all is as the network says", GOOD))
    for fault in faults[:SHOWN]:
        line(console, ("wrong ", BAD), fault)
    if len(faults) > SHOWN:
        line(console, ("wrong ", BAD), f"and {len(faults) - SHOWN} more: --json has them all")


def _of(there: Cell, expected: Cell) -> Text:
    return Text(f"{there}/{expected}", "" if there == expected else BAD)


class Round(Protocol):
    """What is shown of one look at a lab (`trunkline.lab.drill.Round`)."""

    @property
    def what(self) -> str: ...  # noqa: D102
    @property
    def sha256(self) -> str: ...  # noqa: D102
    @property
    def differences(self) -> Sequence[object]: ...  # noqa: D102
    @property
    def settled_s(self) -> float | None: ...  # noqa: D102
    @property
    def repairs(self) -> Mapping[str, float]: ...  # noqa: D102


def show_rounds(console: Console, rounds: Sequence[Round]) -> None:
    """Show every round: whether all is as predicted, how long that took, and what differs."""
    rows = grid("lab test", "", ">as predicted after", ">repaired within", "prediction, sha256")
    for r in rounds:
        rows.add_row(r.what, _verdict(r), _settled(r), _repaired(r), r.sha256[:16])
    show_grid(console, rows)
    for r in rounds:
        _show_differences(console, r)


def show_step(console: Console, step: Round) -> None:
    """Show one step of a walk on a line, and below it what differs."""
    after = "" if step.settled_s is None else f", as predicted after {_settled(step)}"
    after += f", packets lost for {_repaired(step)}" if step.repairs else ""
    line(console, f"{step.what}: ", _verdict(step), after)
    _show_differences(console, step)


def _verdict(r: Round) -> Text:
    return Text("equal", GOOD) if not r.differences else Text(f"{len(r.differences)} differ", BAD)


def _settled(r: Round) -> str:
    return "-" if r.settled_s is None else f"{r.settled_s:.1f} s"


def _repaired(r: Round) -> str:
    return f"{max(r.repairs.values()):.0f} ms" if r.repairs else "-"


def _show_differences(console: Console, r: Round) -> None:
    for difference in r.differences[:SHOWN]:
        line(console, ("differs ", BAD), f"{r.what}: {difference}")
    if len(r.differences) > SHOWN:
        line(console, ("differs ", BAD), f"and {len(r.differences) - SHOWN} more: --json has them all")
