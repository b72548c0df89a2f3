"""Tables in the form that a page embeds: column by column, and every text once.

Paths repeat between the LSPs, the log and the states, so that 10,000 LSPs stay a file one can mail.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from trunkline.model.tables import Cell, Column, Table

EXACT = 2**53
"""Integers up to this are exact in a browser's numbers; larger ones travel as text."""


class Texts:
    """Every text that the tables hold, once, in the order of first use."""

    def __init__(self) -> None:
        self.found: dict[str, int] = {}

    def number(self, text: str) -> int:
        """Return the place of a text in the list."""
        return self.found.setdefault(text, len(self.found))

    def table(self, found: Table) -> dict[str, Any]:
        """Return a table: `columns` [[name, type, unit]], and `data`, a list of cells per column."""
        columns = [[c.name, c.type, c.unit] for c in found.columns]
        cells = list(zip(*found.rows, strict=True)) if found.rows else [()] * len(columns)
        data = [[self._cell(column, cell) for cell in mine] for column, mine in zip(found.columns, cells, strict=True)]
        return {"columns": columns, "data": data}

    def _cell(self, column: Column, cell: Cell) -> Cell:
        if isinstance(cell, str) and column.type == "str":
            return self.number(cell)
        if isinstance(cell, int) and abs(cell) > EXACT:
            return str(cell)
        return cell


def embedded(document: Mapping[str, Any]) -> str:
    """Return JSON that may stand inside a `<script>` element: nothing in it ends the element or a line of script."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return text.translate({ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"})
