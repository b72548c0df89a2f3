"""Documentation that repeats the code's tables is held against them."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import pytest

from trunkline.demand.reason import Reason
from trunkline.te.result import Action, Unplaced

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize("table", [Unplaced, Action, Reason])
def test_every_reason_is_documented(table: type[StrEnum]) -> None:
    page = (DOCS / "reasons.md").read_text()
    assert [m.name for m in table if f"| {m.name} | {m.value} |\n" not in page] == []


def test_every_package_has_its_place_in_the_design() -> None:
    src = DOCS.parent / "src" / "trunkline"
    page = (DOCS / "design.md").read_text()
    packages = sorted(p.name for p in src.iterdir() if p.is_dir() and (p / "__init__.py").exists())
    assert packages
    assert [name for name in packages if f"`{name}/`" not in page] == []
