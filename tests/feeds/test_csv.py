"""CSV tables, and what is said of those that cannot be read."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from feeds.tables import routes
from trunkline.feeds.feed import Attributes
from trunkline.feeds.read import read
from trunkline.model.problem import Problems

TABLE = """\
# a comment
prefix,as_path,origin,med,communities
20.0.0.0/8,64500 3356 3356,igp,0,65000:10 65000:2 4200000000:1:2 65000:2

"2400::/12","64500 {30,10}" ,incomplete,,
1.0.0.0/24,4294967295,EGP,4294967295,
20.0.0.0/8,64500,igp,,
"""


def written(tmp_path: Path, data: str | bytes) -> Path:
    path = tmp_path / "table.csv"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("before", ["", "\ufeff"])
def test_a_table(tmp_path: Path, ending: str, before: str) -> None:
    found = read(written(tmp_path, before + TABLE.replace("\n", ending)))
    assert routes(found) == {
        "1.0.0.0/24": Attributes((4294967295,), "egp", 4294967295, ()),
        "20.0.0.0/8": Attributes((64500, 3356, 3356), "igp", 0, ("65000:2", "65000:10", "4200000000:1:2")),
        "2400::/12": Attributes((64500, 10), "incomplete", None, ()),
    }
    assert found.left_out == (
        "further paths of a prefix (that of the lowest path identifier stands, else the first in the file): 1",
        "routes with an AS_SET in their path, for which its lowest AS stands: 1",
    )


def test_two_columns_in_any_order_are_enough(tmp_path: Path) -> None:
    found = read(written(tmp_path, "as_path,prefix\n64500,20.0.0.0/8"))
    assert routes(found) == {"20.0.0.0/8": Attributes((64500,), "igp", None, ())}


HEADER = "prefix,as_path,origin,med,communities\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prefix,path\n", "1:1: error[column]: 'path' is no column of a table; expected prefix, as_path, origin"),
        ("prefix,as_path,prefix\n", "1:1: error[column]: `prefix` is there twice"),
        ("prefix\n", "1:1: error[column]: the header lacks as_path"),
        (HEADER, "1:1: error[empty]: there are no routes in it; expected a row for each prefix"),
        (HEADER + "20.0.0.0/8,1\n", "2:1: error[csv]: this row has 2 fields and the header has 5"),
        (HEADER + '20.0.0.0/8,"1,igp,,\n', "2:12: error[csv]: the quotes of a field are wrong"),
        (HEADER + "20.0.0.0,1,,,\n", "2:1: error[prefix]: '20.0.0.0' is no prefix; expected one such as 192.0.2.0"),
        (HEADER + "20.0.0.0/33,1,,,\n", "2:1: error[prefix]: '20.0.0.0/33' is no prefix"),
        (HEADER + "20.0.0/8,1,,,\n", "2:1: error[prefix]: '20.0.0/8' is no prefix"),
        (HEADER + "2400::/\u0661,1,,,\n", "2:1: error[prefix]: '2400::/\u0661' is no prefix"),
        (HEADER + "20.0.0.1/8,1,,,\n", "2:1: error[prefix]: 20.0.0.1/8 has bits beyond its length; expected zeros"),
        (HEADER + "20.0.0.0/8, x,,,\n", "2:13: error[as_path]: 'x' is no AS number; expected AS numbers apart"),
        (HEADER + "20.0.0.0/8,4294967296,,,\n", "2:12: error[as_path]: '4294967296' is no AS number"),
        (HEADER + '20.0.0.0/8,"1 2,3",,,\n', "2:12: error[as_path]: '2,3' is no AS number"),
        (HEADER + "20.0.0.0/8,{1,,,\n", "2:12: error[as_path]: '{1' is no AS number"),
        (HEADER + "20.0.0.0/8,{},,,\n", "2:12: error[as_path]: '{}' is no AS number"),
        (HEADER + "20.0.0.0/8,1,bgp,,\n", "2:14: error[origin]: 'bgp' is no origin; expected igp, egp or incomplete"),
        (HEADER + "20.0.0.0/8,1,,-1,\n", "2:15: error[med]: '-1' is no MED; expected a whole number, at most 4"),
        (HEADER + "20.0.0.0/8,1,,,65536:1\n", "2:16: error[communities]: '65536:1' is no community"),
        (HEADER + "20.0.0.0/8,1,,,no-export\n", "2:16: error[communities]: 'no-export' is no community"),
    ],
)  # fmt: skip
def test_what_cannot_be_read(tmp_path: Path, text: str, message: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(Problems) as caught:
        read(path)
    (problem,) = caught.value.problems
    assert str(problem).removeprefix(f"{path}:").startswith(message)


def test_up_to_twenty_places_are_listed(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER + "x,1,,,\n" * 30)
    with pytest.raises(Problems) as caught:
        read(path)
    assert [p.line for p in caught.value.problems] == list(range(2, 22))


def test_what_is_not_utf8_or_has_no_lines(tmp_path: Path) -> None:
    with pytest.raises(Problems, match=r"table.csv:2:12: error\[encoding\]: the byte 0xff is not UTF-8"):
        read(written(tmp_path, HEADER.encode() + b"20.0.0.0/8,\xff"))
    with pytest.raises(Problems, match=r"table.csv:2:1: error\[csv\]: this line has more than 1,048,576 bytes"):
        read(written(tmp_path, HEADER + "2" * (2 << 20)))


def test_a_peer_cannot_be_picked(tmp_path: Path) -> None:
    with pytest.raises(Problems, match="a CSV file has the table of one peer"):
        read(written(tmp_path, TABLE), "64500")


def test_a_packed_table_that_is_cut(tmp_path: Path) -> None:
    rows = [f"20.{i // 256}.{i % 256}.0/24,64500 {i * 7919 % 65521 + 1},,,\n" for i in range(2000)]
    packed = gzip.compress((HEADER + "".join(rows)).encode(), mtime=0)
    found = read(written(tmp_path, packed[: len(packed) // 2]))
    known = len(routes(found))
    assert 500 < known < 1500
    assert list(routes(found)) == [row.split(",")[0] for row in rows[:known]]
    assert found.broken == f"after line {known + 1:,}: the compressed file is cut here"
