"""Changes to a CSV text, as the characters they replace."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from trunkline.model.csvtext import cells
from trunkline.model.document import Faults, Place, Text
from trunkline.model.edit.splice import Splice, Unfit
from trunkline.model.edit.words import Value, cell

_FIELD = re.compile(r'"(?:[^"]|"")*"|[^,\n]*')


@dataclass(frozen=True)
class Sheet:
    """The rows of a CSV text, the header first."""

    text: str
    rows: list[list[Text]]

    @classmethod
    def read(cls, text: str) -> Sheet:
        """Return the sheet of a text that loads."""
        return cls(text, cells(text, "", Faults()) or [])

    def _row(self, place: Place) -> list[Text]:
        return next(row for row in self.rows if (row[0].place.line, row[0].place.column) == (place.line, place.column))

    def _span(self, place: Place) -> tuple[int, int]:
        lines = self.text.split("\n")
        start = sum(len(line) + 1 for line in lines[: place.line - 1]) + place.column - 1
        match = _FIELD.match(self.text, start)
        return start, start + len(match[0].rstrip()) if match else start

    def set_cell(self, place: Place, value: Value) -> list[Splice]:
        """Put a value in the field at a place.  Raises Unfit where a field cannot hold it."""
        start, end = self._span(place)
        new = cell(value, self.text[start:end])
        if new is None:
            raise Unfit("a CSV field holds one word, or words with blanks between them")
        return [Splice(start, end, new)]

    def set(self, row: Place, column: str, value: Value) -> list[Splice]:
        """Put a value in a column of the row that begins at a place.  Raises Unfit where there is no such column."""
        names = [name.value for name in self.rows[0]]
        if column not in names:
            raise Unfit(f"this file has no column `{column}`; its columns are {', '.join(names)}")
        return self.set_cell(self._row(row)[names.index(column)].place, value)

    def append(self, value: Value) -> list[Splice]:
        """Add a row.  Raises Unfit where a key has no column."""
        if not isinstance(value, Mapping):
            raise Unfit("a row of a CSV file is a map")
        flat = {
            f"{key}.{k}" if k else str(key): v
            for key, inner in value.items()
            for k, v in (inner.items() if isinstance(inner, Mapping) else (("", inner),))
        }
        names = [name.value for name in self.rows[0]]
        for key in flat:
            if key not in names:
                raise Unfit(f"this file has no column `{key}`; its columns are {', '.join(names)}")
        fields = [cell(flat[name]) if name in flat else "" for name in names]
        if None in fields:
            raise Unfit("a CSV field holds one word, or words with blanks between them")
        line = ",".join(str(field) for field in fields)
        end = len(self.text)
        return [Splice(end, end, f"{line}\n" if self.text.endswith("\n") else f"\n{line}")]

    def remove(self, row: Place) -> list[Splice]:
        """Take out the row that begins at a place."""
        found = self._row(row)
        start = self.text.rfind("\n", 0, self._span(found[0].place)[0]) + 1
        end = self.text.find("\n", self._span(found[-1].place)[1])
        return [Splice(start, len(self.text) if end < 0 else end + 1)]
