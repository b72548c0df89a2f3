"""Tables as Arrow tables, Parquet files and pandas frames; imported only where one is asked for.

Integers stay integers where a cell is empty (`Int64`), and every column keeps its unit.
"""

from __future__ import annotations

import importlib
import io
from enum import StrEnum
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from trunkline.model.problem import Missing

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from trunkline.model.tables import Table


class Form(StrEnum):
    """How tables are written: one file each, named after the table."""

    CSV = "csv"
    PARQUET = "parquet"


_PANDAS = {"str": "string", "int": "Int64", "bool": "boolean"}
_ARROW = {"str": "string", "int": "int64", "bool": "bool_"}


def _module(name: str) -> ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise Missing(f"this needs {error.name}: pip install 'trunkline[frames]'") from None


def to_pandas(table: Table) -> pd.DataFrame:
    """Return a table as a frame; `attrs["units"]` has the unit of each column that has one."""
    pandas = _module("pandas")
    columns = {
        column.name: pandas.array([row[i] for row in table.rows], dtype=_PANDAS[column.type])
        for i, column in enumerate(table.columns)
    }
    frame: pd.DataFrame = pandas.DataFrame(columns)
    frame.attrs["units"] = {column.name: column.unit for column in table.columns if column.unit}
    return frame


def to_arrow(table: Table) -> pa.Table:
    """Return a table as an Arrow table; the unit of a column is in its field's metadata, under `unit`."""
    arrow = _module("pyarrow")
    fields = [
        arrow.field(column.name, getattr(arrow, _ARROW[column.type])(), metadata={"unit": column.unit})
        if column.unit
        else arrow.field(column.name, getattr(arrow, _ARROW[column.type])())
        for column in table.columns
    ]
    columns = [arrow.array([row[i] for row in table.rows], type=field.type) for i, field in enumerate(fields)]
    made: pa.Table = arrow.Table.from_arrays(columns, schema=arrow.schema(fields))
    return made


def need_parquet() -> None:
    """Raise Missing where Parquet files could not be written, before anything is computed."""
    _module("pyarrow.parquet")


def rows_of(path: Path) -> tuple[tuple[str | int | bool | None, ...], ...]:
    """Return the rows of a Parquet file that `parquet` has made."""
    found = _module("pyarrow.parquet").read_table(path)
    return tuple(zip(*(column.to_pylist() for column in found.columns), strict=True))


def parquet(table: Table) -> bytes:
    """Return a table as the bytes of a Parquet file, the same for the same table and version of pyarrow."""
    out = io.BytesIO()
    _module("pyarrow.parquet").write_table(to_arrow(table), out)
    return out.getvalue()
