"""docs/how-to/import.md is held against the tables of the code."""

from __future__ import annotations

from pathlib import Path

from trunkline.sources.formats import FORMATS
from trunkline.sources.rules import RULES
from trunkline.sources.tables import COLUMNS

PAGE = (Path(__file__).parent.parent.parent / "docs" / "how-to" / "import.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table after a heading's row."""
    lines = PAGE[PAGE.index(heading) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_rule_is_documented() -> None:
    assert rows("| rule |") == [[f"`{rule}`", text] for rule, text in RULES.items()]


def test_every_format_is_documented() -> None:
    assert [row[0] for row in rows("| `--format` |")] == [f"`{name}`" for name in FORMATS]


def test_every_column_is_documented() -> None:
    found = {row[0]: tuple(row[1].replace("**", "").replace("`", "").split()) for row in rows("| table |")}
    assert found == COLUMNS
