"""report.html of a comparison: figures as in compare.json, the same bytes on every run, bars and steps by hand."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pages import Reading, unpacked
from trunkline.report.compare_page import BEST_POSSIBLE, TITLES
from trunkline.report.compare_terminal import BLOCKS

ROOT = Path(__file__).parent.parent.parent
TINY = ["examples/tiny.yaml", "--grow", "5..12", "--bound", "sessions=10"]
CHANGE = ["--from", "route-reflector", "--to", "regional", "--steps"]


def written(folder: Path, arguments: list[str], code: int = 0, **environment: str) -> Path:
    """Run `compare --out` in a process of its own."""
    command = [sys.executable, "-m", "trunkline", "compare", *arguments, "--out", str(folder), "-q"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, check=False)
    assert done.returncode == code, done.stderr.decode()
    return folder


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("tiny"), [*TINY, *CHANGE])


def test_the_embedded_tables_are_those_of_compare_json(tiny: Path) -> None:
    told = json.loads((tiny / "compare.json").read_text())
    payload = json.loads(Reading((tiny / "report.html").read_text()).scripts["data"])
    assert {name: unpacked(payload, packed) for name, packed in payload["tables"].items()} == told["tables"]
    assert payload["designs"] == told["designs"] == ["route-reflector", "regional"]
    assert sorted(told["tables"]) == [
        "circuits", "designs", "exits", "faults", "groups", "growth", "passes", "routers", "steps",
    ]  # fmt: skip


def test_the_sessions_of_the_map_by_hand(tiny: Path) -> None:
    """A region's first backbone router reflects to its others (docs/semantics.md): a-bb1 to one, b-bb1 to two."""
    payload = json.loads(Reading((tiny / "report.html").read_text()).scripts["data"])
    meshes, clients = (unpacked(payload, payload["geometry"][name])["rows"] for name in ("meshes", "clients"))
    assert clients == [
        ["route-reflector", "a-bb1", "a-dr1"],
        ["route-reflector", "b-bb1", "b-dr1"],
        ["route-reflector", "b-bb1", "b-pr1"],
    ]
    everyone = ["a-bb1", "a-dr1", "b-bb1", "b-dr1", "b-pr1"]
    assert meshes == [
        *(["route-reflector", 0, name] for name in ("a-bb1", "b-bb1")),
        *(["regional", 0, name] for name in everyone),
    ]


def test_a_bar_is_as_long_as_its_share_of_the_largest(tiny: Path) -> None:
    """Sessions of one router over both families: b-bb1 has its two clients and a-bb1, 3 x 2; in the mesh 4 x 2."""
    text = (tiny / "report.html").read_text()
    figure = text[text.index('data-column="sessions_most"') :].split("</table>")[0]
    rows = re.findall(r'<tr class="(\w*)"><th scope="row">(.*?)</th>.*?"value">(.*?)<.*?width: ([\d.]+)%', figure)
    assert rows == [("best", "route-reflector", "6", "75.0"), ("worst", "regional", "8", "100.0")]


def test_the_best_possible_latency_is_a_tick(tiny: Path) -> None:
    """Every route leaves at b-pr1: both designs have the best latency, the tick stands at the end of both bars."""
    text = (tiny / "report.html").read_text()
    figure = text[text.index('data-column="latency"') :].split("</table>")[0]
    assert re.findall(r'class="bar" style="width: ([\d.]+)%.*?class="tick" style="left: ([\d.]+)%', figure) == [
        ("100.0", "100.0"),
        ("100.0", "100.0"),
    ]
    assert "▲" not in figure


def test_every_figure_of_the_terminal_has_a_bar_and_a_name_of_its_own() -> None:
    columns = [column for _, figures in BLOCKS for _, column, *_ in figures]
    assert set(columns) == {*TITLES, *BEST_POSSIBLE.values()} - {"unsettled"}
    assert len(set(TITLES.values())) == len(TITLES)


def test_the_steps_are_those_of_the_table(tiny: Path) -> None:
    """All five add sessions, as each has new ones; then confinement changes; then the reflectors drop their clients."""
    rows = Reading((tiny / "report.html").read_text()).tables["change"][1:]
    assert [row[0] for row in rows] == ["1 to 5", "6", "7 to 8"]
    assert [row[3] for row in rows] == ["a-bb1 a-dr1 b-bb1 b-dr1 b-pr1", "confine", "a-bb1 b-bb1"]


def test_a_change_that_fails_names_the_step_and_its_faults(tmp_path: Path) -> None:
    """Six sessions, two a neighbour, is what the reflectors have; the mesh needs eight: no router can join it."""
    bounded = ["examples/tiny.yaml", *CHANGE, "--bound", "sessions=6"]
    text = (written(tmp_path, bounded, code=1) / "report.html").read_text()
    steps = json.loads((tmp_path / "compare.json").read_text())["tables"]
    page = Reading(text)
    told = [[cell or "-" for cell in row] for row in steps["faults"]["rows"]]
    assert page.tables["faults"][1:] == told
    assert told[0][0] == "too many sessions"
    assert told[0][3].endswith(" 8")
    assert f"step {len(steps['steps']['rows']) + 1} fails" in text


def test_the_same_bytes_on_any_hash_seed(tiny: Path, tmp_path: Path) -> None:
    again = written(tmp_path, [*TINY, *CHANGE], PYTHONHASHSEED="7")
    assert (again / "report.html").read_bytes() == (tiny / "report.html").read_bytes()


def test_it_can_ask_the_network_for_nothing(tiny: Path) -> None:
    text = (tiny / "report.html").read_text()
    page = Reading(text)
    addresses = [value for _, name, value in page.attributes if name in ("src", "href", "action", "srcset")]
    assert [address for address in addresses if not address.startswith("#")] == []
    assert "default-src 'none'" in text
