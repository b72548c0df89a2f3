"""However a source is mangled, what comes out is a file that loads, or Problems; never another exception."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from imported import network
from sources import test_esnet, test_graphml, test_nodelink, test_pyntm, test_sndlib, test_tables
from trunkline.model.problem import Problem, Problems
from trunkline.sources.bring import bring

ESNET = {**test_esnet.TOPOLOGY, "adjcies": [test_esnet.adjacency("a", "b", 0, 10)]}
GOOD = {
    "graphml": test_graphml.ZOO,
    "node-link": test_nodelink.DIRECTED,
    "esnet": json.dumps(ESNET),
    "pyntm": test_pyntm.MODEL,
    "sndlib": test_sndlib.XML,
    "sndlib ": test_sndlib.NATIVE,
    "csv": test_tables.LINKS,
    "csv ": test_tables.NODES,
}
PIECES = [
    "",
    "-1",
    "0",
    "NaN",
    "1e999",
    "9" * 40,
    "\t",
    "\n",
    ",",
    '"',
    "<",
    "&amp;",
    "\0",
    "é中",
    "x" * 300,
    "all",
    "null",
    "~",
]
CUT = st.tuples(st.integers(0, 10**4), st.integers(0, 12), st.sampled_from(PIECES) | st.text(max_size=5))


@settings(max_examples=400)
@given(st.sampled_from(sorted(GOOD)), st.lists(CUT, min_size=1, max_size=4))
def test_a_mangled_source(
    tmp_path_factory: pytest.TempPathFactory, form: str, cuts: list[tuple[int, int, str]]
) -> None:
    text = GOOD[form]
    for where, size, piece in cuts:
        at = where % (len(text) + 1)
        text = text[:at] + piece + text[at + size :]
    file: Path = tmp_path_factory.getbasetemp() / "mangled"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    problems: tuple[Problem, ...] = ()
    try:
        network(bring([str(file)], form.strip()))
    except Problems as found:
        problems = found.problems
    assert all(problem.message and problem.file == str(file) for problem in problems)  # never one of the file we wrote


def test_what_is_mangled_was_good(tmp_path: Path) -> None:
    for form, text in GOOD.items():
        file = tmp_path / "good"
        file.write_text(text, encoding="utf-8")
        if form == "csv":
            with pytest.raises(Problems, match="no node is called"):  # its nodes are in the other file
                bring([str(file)])
        else:
            network(bring([str(file)], form.strip()))
