"""Documentation that repeats the code's tables is held against them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import pytest

from trunkline.demand.reason import Reason
from trunkline.flow import prove
from trunkline.model.load import load
from trunkline.te.repairs import Unprotected
from trunkline.te.result import Action, Unplaced

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize("table", [Unplaced, Action, Unprotected, Reason])
def test_every_reason_is_documented(table: type[StrEnum]) -> None:
    page = (DOCS / "reasons.md").read_text()
    assert [m.name for m in table if f"| {m.name} | {m.value} |\n" not in page] == []


def test_every_package_has_its_place_in_the_design() -> None:
    src = DOCS.parent / "src" / "trunkline"
    page = (DOCS / "design.md").read_text()
    packages = sorted(p.name for p in src.iterdir() if p.is_dir() and (p / "__init__.py").exists())
    assert packages
    assert [name for name in packages if f"`{name}/`" not in page] == []


def test_every_table_and_column_is_documented() -> None:
    tables = prove(load(DOCS.parent / "examples" / "tiny.yaml").network).settled.tables
    rows = {row.split("`")[1]: row for row in (DOCS / "tables.md").read_text().splitlines() if row.startswith("| `")}
    assert sorted(rows) == sorted(tables)
    for name, found in tables.items():
        columns = {c.name.replace(".customer", ".CLASS").replace(".internal", ".CLASS") for c in found.columns}
        assert sorted(c for c in columns if f"`{c}`" not in rows[name]) == []
