"""What moved: the rows that differ in a column that matters, each such column before and after."""

from __future__ import annotations

from trunkline.model.tables import Table, table
from trunkline.report.moved import WATCHED, moved


def tables(circuits: Table) -> dict[str, Table]:
    """The tables that are compared, all empty but one."""
    empty = {name: table(" ".join([*key, *watched]), []) for name, (key, watched) in WATCHED.items()}
    return {**empty, "circuits": circuits}


def test_only_rows_that_differ_in_what_is_watched_are_listed() -> None:
    spec = "arc capacity:int:bit/s load:int:bit/s utilisation:int:ppm lost:int:bit/s"
    before = table(spec, [("same", 9, 1, 0, 0), ("changed", 9, 2, 0, 0), ("gone", 9, 3, 0, 0), ("wider", 9, 4, 0, 0)])
    after = table(spec, [("same", 9, 1, 0, 0), ("changed", 9, 5, 0, 0), ("wider", 99, 4, 0, 0), ("new", 9, 0, 0, 0)])
    found = moved(tables(before), tables(after))["circuits"]
    assert [(c.name, c.type, c.unit) for c in found.columns][:4] == [
        ("arc", "str", ""),
        ("change", "str", ""),
        ("load.before", "int", "bit/s"),
        ("load.after", "int", "bit/s"),
    ]
    assert [row[:4] for row in found.rows] == [
        ("changed", "changed", 2, 5),
        ("gone", "removed", 3, None),
        ("new", "added", None, 0),
    ]
