"""Factors of demand by time: what is read, and every way in which it is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from traffic_nets import complete
from trunkline.model.network import Network
from trunkline.model.problem import Problems
from trunkline.model.series import read_series

NET = complete(Network(), [], {}, [])
"""Its classes are bulk and gold."""
BAD = ((2, "fast"), (3, "-1"), (4, "1001"))


def read(tmp_path: Path, text: str) -> dict[str, tuple[tuple[str, int], ...]]:
    file = tmp_path / "day.csv"
    file.write_text(text)
    return dict(read_series(file, NET))


def wrong(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(Problems) as found:
        read(tmp_path, text)
    return [str(p).removeprefix(f"{tmp_path}/") for p in found.value.problems]


def test_a_factor_for_all_classes_or_for_one(tmp_path: Path) -> None:
    assert read(tmp_path, "time,factor\n00:00,0.5\n01:00,120%\n") == {
        "00:00": (("bulk", 500_000), ("gold", 500_000)),
        "01:00": (("bulk", 1_200_000), ("gold", 1_200_000)),
    }
    assert read(tmp_path, "time,class,factor\nmon,gold,2\ntue,bulk,1\nmon,bulk,0\n") == {
        "mon": (("bulk", 0), ("gold", 2_000_000)),
        "tue": (("bulk", 1_000_000),),
    }


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", ["day.csv:1:1: error[csv]: this is no series of factors"]),
        ("time,factor\n", ["day.csv:1:1: error[csv]: this is no series of factors"]),
        ("hour,factor\n1,1\n", ["day.csv:1:1: error[csv]: this is no series of factors"]),
        ("time,factor\na,1,2\n", ["day.csv:2:1: error[csv]: this row has 3 fields"]),
        ("time,factor\na,fast\nb,-1\nc,1001\n", [f"day.csv:{n}:3: error[value]: '{v}'" for n, v in BAD]),
        ("time,factor\na,1\na,2\n", ["day.csv:3:1: error[duplicate]: there is a factor for a above already"]),
        ("time,class,factor\na,golf,1\n", ["day.csv:2:3: error[reference]: no class is named 'golf'"]),
    ],
)
def test_what_is_wrong_is_said_where_it_stands(tmp_path: Path, text: str, problems: list[str]) -> None:
    found = wrong(tmp_path, text)
    assert len(found) == len(problems)
    assert all(said.startswith(start) for said, start in zip(found, problems, strict=True)), found


def test_the_nearest_class_is_named(tmp_path: Path) -> None:
    assert "gold" in wrong(tmp_path, "time,class,factor\na,golf,1\n")[0].rpartition("did you mean")[2]


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(Problems, match="cannot read the series"):
        read_series(tmp_path / "none.csv", NET)
