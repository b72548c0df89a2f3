"""The one shape of results that leave the program: named tables whose columns carry type and unit.

Terminal, JSON and CSV read only these.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Cell = str | int | bool | None


@dataclass(frozen=True)
class Column:
    """A column: `type` is `str`, `int` or `bool`; `unit` is `bit/s`, `us`, `ppm`, or empty."""

    name: str
    type: str
    unit: str = ""


@dataclass(frozen=True)
class Table:
    """Columns and rows; every row has a cell per column, None where there is nothing to say."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def records(self) -> list[dict[str, Cell]]:
        """The rows as dictionaries by column name."""
        names = [c.name for c in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]

    def only(self, names: Sequence[str]) -> Table:
        """Return the table of these columns alone, in this order."""
        places = [[c.name for c in self.columns].index(name) for name in names]
        return Table(tuple(self.columns[i] for i in places), tuple(tuple(row[i] for i in places) for row in self.rows))


def table(spec: str, rows: Iterable[Sequence[Cell]]) -> Table:
    """Return a table from a spec such as ``"circuit load:int:bit/s up:bool"`` (type `str` where none is given)."""
    columns = []
    for word in spec.split():
        name, kind, unit = [*word.split(":"), "", ""][:3]
        columns.append(Column(name, kind or "str", unit))
    return Table(tuple(columns), tuple(tuple(row) for row in rows))
