"""What moved: the rows that differ, each watched column before and after."""

from __future__ import annotations

from trunkline.model.tables import table
from trunkline.report.moved import difference

SPEC = "name load:int:bit/s note"


def test_only_rows_that_differ_in_what_is_watched_are_listed() -> None:
    before = table(SPEC, [("same", 1, "x"), ("changed", 2, "x"), ("gone", 3, "x"), ("noted", 4, "x")])
    after = table(SPEC, [("same", 1, "x"), ("changed", 5, "x"), ("noted", 4, "y"), ("new", 0, "x")])
    found = difference(before, after, ["name"], ["load"])
    assert [(c.name, c.type, c.unit) for c in found.columns] == [
        ("name", "str", ""),
        ("load.before", "int", "bit/s"),
        ("load.after", "int", "bit/s"),
    ]
    assert found.rows == (("changed", 2, 5), ("new", None, 0), ("gone", 3, None))
