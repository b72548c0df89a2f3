"""However a file is mangled, what comes back is a network or Problems, never another exception."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trunkline.model.load import load
from trunkline.model.problem import Problem, Problems
from trunkline.model.starter import starter

GOOD = [file.read_bytes() for file in sorted((Path(__file__).parent / "good").glob("*.yaml"))] + [starter().encode()]
VALUES = ["~", "[]", "{}", "-1", "0", "1e999", ".nan", "[[[[]]]]", "{a: {b: c}}", "*x", "!!set {a}", "é", "300%"]
LONG = ["[a, a]", "? a", "9" * 400, "x" * 300, "1" * 20 + "T", "'\\0'", "&x y", "|\n  text"]
VALUE = st.sampled_from(VALUES + LONG) | st.text(max_size=12)
CUT = st.tuples(st.sampled_from(["delete", "repeat", "swap", "flip"]), st.integers(0, 10**6), st.integers(1, 9))
CUTS = st.lists(CUT, min_size=1, max_size=4)


def mangled(data: bytes, cuts: list[tuple[str, int, int]]) -> bytes:
    for how, where, size in cuts:
        at = where % (len(data) + 1)
        piece, rest = data[at : at + size], data[at + size :]
        match how:
            case "delete":
                data = data[:at] + rest
            case "repeat":
                data = data[:at] + piece * 2 + rest
            case "swap":
                data = data[:at] + piece[::-1] + rest
            case _:
                data = data[:at] + bytes(b ^ 0x80 for b in piece) + rest
    return data


def try_to_load(folder: Path, data: bytes) -> None:
    file = folder / "net.yaml"
    file.write_bytes(data)
    problems: tuple[Problem, ...] = ()
    try:
        load(file)
    except Problems as found:
        problems = found.problems or (Problem("", 0, 0, "", ""),)
    assert all(p.line >= 1 and p.column >= 1 and p.message for p in problems)


@settings(max_examples=300)
@given(good=st.sampled_from(GOOD), cuts=CUTS)
def test_bytes(tmp_path_factory: pytest.TempPathFactory, good: bytes, cuts: list[tuple[str, int, int]]) -> None:
    try_to_load(tmp_path_factory.getbasetemp(), mangled(good, cuts))


@settings(max_examples=300)
@given(
    good=st.sampled_from(GOOD), at=st.integers(0, 10**6), value=st.sampled_from(VALUES + LONG) | st.text(max_size=12)
)
def test_values(tmp_path_factory: pytest.TempPathFactory, good: bytes, at: int, value: str) -> None:
    places = [i for i in range(len(good)) if good[i : i + 2] == b": "]
    start = places[at % len(places)] + 2
    end = min(i for i in (good.find(mark, start) for mark in (b",", b"}", b"]", b"\n")) if i >= 0)
    try_to_load(tmp_path_factory.getbasetemp(), good[:start] + value.encode("utf-8", "replace") + good[end:])
