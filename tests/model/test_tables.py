"""Tables as text, HTML, Arrow, Parquet and frames: the figures and units of the rows, and nothing lost."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from trunkline.model.problem import Missing
from trunkline.model.tables import table

SPEC = "arc load:int:bit/s util:int:ppm delay:int:us metric:int up:bool"
ROWS = [
    ("short@a", 4_600_000_000_000, 900_000, 64_400, 10, True),
    ("<b>&", None, 0, 120, None, False),
    (None, 2**62, 1_234_567, 0, -1, None),
]


def test_text_reads_as_the_terminal_does() -> None:
    assert repr(table(SPEC, ROWS[:2])).splitlines() == [
        "arc      load    util    delay  metric  up",
        "short@a  4.6T  90.0 %  64.4 ms      10  yes",
        "<b>&        -   0.0 %   120 us       -  no",
    ]


def test_only_the_first_rows_are_shown() -> None:
    lines = str(table("n:int", [(i,) for i in range(1234)])).splitlines()
    assert [lines[1], lines[20], lines[21:]] == [" 0", "19", ["... 1,214 more"]]
    assert str(table("n:int", [])).splitlines() == ["n", "no rows"]


def test_a_long_cell_is_cut_in_text_and_whole_in_html() -> None:
    found = table("path", [("x" * 60,)])
    assert str(found).splitlines()[1] == "x" * 45 + "..."
    assert "x" * 60 in found._repr_html_()


class Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.text.append(data)


def test_html_is_escaped_and_well_formed() -> None:
    page = Cells()
    page.feed(table(SPEC, ROWS[:2])._repr_html_())
    assert page.text == [
        *("arc", "load", "util", "delay", "metric", "up"),
        *("short@a", "4.6T", "90.0 %", "64.4 ms", "10", "yes"),
        *("<b>&", "-", "0.0 %", "120 us", "-", "no"),
    ]
    assert "b" not in page.tags


def test_frames_keep_integers_and_units() -> None:
    frame = table(SPEC, ROWS).to_pandas()
    assert [str(t) for t in frame.dtypes] == ["string", "Int64", "Int64", "Int64", "Int64", "boolean"]
    assert frame["load"].isna().tolist() == [False, True, False]
    assert int(frame["load"].iloc[2]) == 2**62
    assert frame.attrs["units"] == {"load": "bit/s", "util": "ppm", "delay": "us"}


def test_parquet_reads_back_row_for_row(tmp_path: Path) -> None:
    table(SPEC, ROWS).to_parquet(tmp_path / "t.parquet")
    back = pq.read_table(tmp_path / "t.parquet")
    assert [tuple(row.values()) for row in back.to_pylist()] == ROWS
    assert back.schema.field("load").metadata == {b"unit": b"bit/s"}
    assert back.schema.field("metric").metadata is None
    table(SPEC, ROWS).to_parquet(tmp_path / "again.parquet")
    assert (tmp_path / "t.parquet").read_bytes() == (tmp_path / "again.parquet").read_bytes()


def test_an_empty_table_keeps_its_types() -> None:
    assert [str(f.type) for f in table("a n:int up:bool", []).to_arrow().schema] == ["string", "int64", "bool"]


@pytest.mark.parametrize("module", ["pandas", "pyarrow"])
def test_what_is_missing_is_named(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    found = table("a", [])
    with pytest.raises(Missing, match=r"this needs .*: pip install 'trunkline\[frames\]'"):
        found.to_pandas() if module == "pandas" else found.to_arrow()


def test_nothing_heavy_is_imported_before_it_is_asked_for() -> None:
    code = "import sys, trunkline, trunkline.model.tables; print({'numpy', 'pandas', 'pyarrow'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"
