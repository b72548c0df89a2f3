"""A table as people read it: the first rows, aligned, as text for a terminal and HTML for a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

ROWS = 20
"""How many rows are shown."""
WIDEST = 48
"""How wide a cell may be, in characters."""


@dataclass(frozen=True)
class Listing:
    """The first rows of a table of `total` rows, as text; `right` says which columns align right."""

    headings: tuple[str, ...]
    right: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]
    total: int
    closing: str = ""
    """A line below, where the table sums itself up."""

    @property
    def _more(self) -> str:
        left = self.total - len(self.rows)
        return f"... {left:,} more" if left else "" if self.total else "no rows"

    def text(self) -> str:
        """Return aligned lines; a cell that is too long ends in three dots."""
        lines = [self.headings, *(tuple(_short(cell) for cell in row) for row in self.rows)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.headings))]
        aligned = [
            "  ".join(
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(line, widths, self.right, strict=True)
            ).rstrip()
            for line in lines
        ]
        return "\n".join([*aligned, *(line for line in (self._more, self.closing) if line)])

    def html(self) -> str:
        """Return the same as an HTML table, everything escaped, cells whole."""
        head = "".join(_cell("th", text, right) for text, right in zip(self.headings, self.right, strict=True))
        rows = (
            "".join(_cell("td", text, right) for text, right in zip(row, self.right, strict=True)) for row in self.rows
        )
        body = "\n".join(f"<tr>{row}</tr>" for row in rows)
        below = " · ".join(line for line in (self._more, self.closing) if line)
        caption = f'<caption style="caption-side: bottom">{escape(below)}</caption>\n' if below else ""
        return f"<table>\n{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _short(text: str) -> str:
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."


def _cell(tag: str, text: str, right: bool) -> str:
    return f'<{tag} style="text-align: {"right" if right else "left"}">{escape(text)}</{tag}>'
