"""The one shape of results that leave the program: named tables whose columns carry type and unit.

Terminal, JSON, CSV, Parquet and frames read only these.  A table prints itself as people read it: the first rows,
aligned, `4.6T` for 4600000000000 bit/s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from trunkline.model import frames
from trunkline.model.listing import ROWS, Listing
from trunkline.model.units import show_availability, show_bytes, show_minutes, show_rate, show_share, show_time

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas as pd
    import pyarrow as pa

Cell = str | int | bool | None

Cells: TypeAlias = "Sequence[Cell] | npt.NDArray[Any]"
"""The cells of a column."""


@dataclass(frozen=True)
class Column:
    """A column: `type` is `str`, `int` or `bool`, `unit` one of `bit/s us s h ppm ppb bit B`, or empty."""

    name: str
    type: str
    unit: str = ""


_SHOWN = {
    "bit/s": show_rate,
    "us": show_time,
    "s": show_minutes,
    "ppm": show_share,
    "ppb": show_availability,
    "B": show_bytes,
}


def show_cell(cell: Cell, unit: str = "") -> str:
    """Return a cell as people read it: `4.6T`, `64.4 ms`, `90.0 %`, `yes`, and `-` where there is nothing to say."""
    if cell is None:
        return "-"
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return _SHOWN[unit](cell) if isinstance(cell, int) and unit in _SHOWN else str(cell)


@dataclass(frozen=True, repr=False)
class Table:
    """Columns and rows; every row has a cell per column, None where there is nothing to say."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def records(self) -> list[dict[str, Cell]]:
        """The rows as dictionaries by column name."""
        names = [c.name for c in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]

    def column(self, name: str) -> Cells:
        """The cells of a column, row by row."""
        place = [c.name for c in self.columns].index(name)
        return [row[place] for row in self.rows]

    def only(self, names: Sequence[str]) -> Table:
        """Return the table of these columns alone, in this order."""
        places = [[c.name for c in self.columns].index(name) for name in names]
        return Table(tuple(self.columns[i] for i in places), tuple(tuple(row[i] for i in places) for row in self.rows))

    def listing(self) -> Listing:
        """The first rows as text."""
        units = [c.unit for c in self.columns]
        rows = tuple(
            tuple(show_cell(cell, unit) for cell, unit in zip(row, units, strict=True)) for row in self.rows[:ROWS]
        )
        right = tuple(c.type == "int" for c in self.columns)
        return Listing(tuple(c.name for c in self.columns), right, rows, len(self.rows))

    def __repr__(self) -> str:
        return self.listing().text()

    def _repr_html_(self) -> str:
        return self.listing().html()

    def to_pandas(self) -> pd.DataFrame:
        """The table as a pandas frame (`Int64`, `boolean`, `string`); units are in `attrs["units"]`.

        Raises Missing without pandas.
        """
        return frames.to_pandas(self)

    def to_arrow(self) -> pa.Table:
        """The table as an Arrow table; the unit of a column is in its field's metadata.  Raises Missing without it."""
        return frames.to_arrow(self)

    def to_parquet(self, path: Path | str) -> None:
        """Write the table as a Parquet file.  Raises Missing without pyarrow, OSError where it cannot be written."""
        Path(path).write_bytes(frames.parquet(self))


T = TypeVar("T")


class Lazy(Mapping[str, T]):
    """Things by name, each made when it is first asked for."""

    def __init__(self, makers: Mapping[str, Callable[[], T]]) -> None:
        self.makers = makers
        self._made: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._made:
            self._made[name] = self.makers[name]()
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.makers)

    def __len__(self) -> int:
        return len(self.makers)


Tables = Lazy[Table]


class Figures(Protocol):
    """A table, as far as somebody who adds up or compares needs it."""

    def column(self, name: str) -> Cells:
        """The cells of a column."""


class Columns(Lazy[Cells]):
    """Some columns of a table, each made when it is first asked for, without its rows."""

    def column(self, name: str) -> Cells:
        """The cells of a column; those of all columns are in the same order."""
        return self[name]


def table(spec: str, rows: Iterable[Sequence[Cell]]) -> Table:
    """Return a table from a spec such as ``"circuit load:int:bit/s up:bool"`` (type `str` where none is given)."""
    columns = []
    for word in spec.split():
        name, kind, unit = [*word.split(":"), "", ""][:3]
        columns.append(Column(name, kind or "str", unit))
    return Table(tuple(columns), tuple(tuple(row) for row in rows))
