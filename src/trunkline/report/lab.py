"""How a lab is, on the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.text import Text

from trunkline.model.tables import Cell, Table
from trunkline.report.terminal import BAD, GOOD, grid, line, show_grid

SHOWN = 20
"""How many faults are named."""


def show_health(console: Console, name: str, health: Table, wrong: Mapping[str, Sequence[str]]) -> None:
    """Show what each router has of what it must have, and what is wrong with which."""
    parts = [c.name for c in health.columns if c.type == "int" and not c.name.endswith("_expected")]
    rows = grid(f"lab {name}", *(f">{part}" for part in parts))
    for record in health.records():
        rows.add_row(str(record["router"]), *(_of(record[part], record[f"{part}_expected"]) for part in parts))
    show_grid(console, rows)
    faults = [f"{router}: {fault}" for router, found in sorted(wrong.items()) for fault in found]
    if not faults:
        line(console, ("all is as the network says", GOOD))
    for fault in faults[:SHOWN]:
        line(console, ("wrong ", BAD), fault)
    if len(faults) > SHOWN:
        line(console, ("wrong ", BAD), f"and {len(faults) - SHOWN} more: --json has them all")


def _of(there: Cell, expected: Cell) -> Text:
    return Text(f"{there}/{expected}", "" if there == expected else BAD)
