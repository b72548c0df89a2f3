"""The page of a sweep: tables as in --json, loads and what is down by hand, the same bytes however it was computed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pages import Reading, unpacked
from trunkline.model.load import load as read
from trunkline.report import break_kept
from trunkline.report.break_kept import Kept
from trunkline.risk.impact import Rows
from trunkline.risk.worst import Worst

ROOT = Path(__file__).parent.parent.parent
MORE = "failures: {sets: {storm: [long, b-pr1]}, maintenance: [long]}\n"
STATES = ["bypassed", "after", "reoptimised"]


def swept(file: Path, *arguments: str, code: int = 1, **environment: str) -> bytes:
    """Run `break` in a process of its own; return what it says."""
    command = [sys.executable, "-m", "trunkline", "break", str(file), *arguments, "-q"]
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, check=False)
    assert done.returncode == code, done.stderr.decode()
    return done.stdout


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """tiny, with a set and a maintenance."""
    file = tmp_path_factory.mktemp("net") / "tiny.yaml"
    file.write_text((ROOT / "examples/tiny.yaml").read_text() + MORE)
    return file


@pytest.fixture(scope="module")
def page(net: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any]]:
    """The page of tiny, and the JSON of the same sweep."""
    file = tmp_path_factory.mktemp("page") / "page.html"
    told = json.loads(swept(net, "--html", str(file), "--json"))
    return file.read_text(), told


@pytest.fixture(scope="module")
def payload(page: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(Reading(page[0]).scripts["data"])
    return data


def rows(payload: dict[str, Any], table: str, where: str = "tables") -> list[list[Any]]:
    found: list[list[Any]] = unpacked(payload, payload[where][table])["rows"]
    return found


def test_the_embedded_tables_are_those_of_the_json(page: tuple[str, dict[str, Any]], payload: dict[str, Any]) -> None:
    for name in ("circuits_worst", "demands_worst", "classes_worst"):
        assert unpacked(payload, payload["tables"][name]) == page[1]["tables"][name]
    scenarios = page[1]["tables"]["scenarios"]
    assert sorted(rows(payload, "scenarios")) == sorted(scenarios["rows"])
    assert unpacked(payload, payload["tables"]["scenarios"])["columns"] == scenarios["columns"]


def test_failures_stand_the_worst_first(page: tuple[str, dict[str, Any]], payload: dict[str, Any]) -> None:
    names = list(dict.fromkeys(row[0] for row in rows(payload, "scenarios")))
    worst = page[1]["tables"]["scenarios_worst"]["rows"]
    assert names[:10] == [row[1] for row in worst if row[2] == "after"]
    assert [row[1] for row in rows(payload, "scenarios")] == STATES * len(names)


def test_loads_of_a_failure_by_hand(payload: dict[str, Any]) -> None:
    """With `long` and b-pr1 gone all that crosses is on `short`, of 100G: 60G and 50G one way, nothing back."""
    arcs = [row[0] for row in rows(payload, "circuits", "geometry")]
    load = dict(zip(arcs, payload["loads"]["storm"]["after"], strict=True))
    assert load["short@a-bb1"] == 1_100_000
    assert load["short@b-bb1"] == load["long@a-bb1"] == load["b-bb1--b-pr1@b-pr1"] == 0


def test_what_is_down_by_hand(payload: dict[str, Any]) -> None:
    """The router takes its circuit and its port along; what is out for maintenance was down before."""
    failing = rows(payload, "failing", "geometry")
    assert [row[1:] for row in failing if row[0] == "storm"] == [
        ["router", "b-pr1", False],
        ["circuit", "b-bb1--b-pr1", False],
        ["circuit", "long", False],
        ["port", "upstream@b-pr1", False],
    ]
    assert [row[1:] for row in failing if row[0] == "long+short"] == [
        ["circuit", "long", True],
        ["circuit", "short", False],
    ]


def test_without_a_script_there_are_verdicts_and_the_worst(page: tuple[str, dict[str, Any]]) -> None:
    text, told = page
    for state in STATES:
        assert f"{told['broken'][state]} of {sum(told['scenarios'].values())}" in text
    listed = [row for row in told["tables"]["scenarios_worst"]["rows"] if row[2] == "after"]
    assert text.split('id="classes-worst"')[0].count('<th scope="row"><a href="#at=failure:') == len(listed) == 10
    for row in listed:
        assert f'<th scope="row"><a href="#at=failure:{row[1].replace("+", "%2B")}">{row[1]}</a></th>' in text


def test_the_bytes_depend_on_nobody(net: Path, page: tuple[str, dict[str, Any]], tmp_path: Path) -> None:
    swept(net, "--out", str(tmp_path / "out"), "--workers", "2", PYTHONHASHSEED="7")
    first = (tmp_path / "out/report.html").read_text()
    assert first == page[0]
    for name in ("scenarios", "demands_hit", "lsps_hit", "loads"):
        (tmp_path / f"out/{name}/000001.parquet").unlink()
    (tmp_path / "out/report.html").unlink()
    swept(net, "--out", str(tmp_path / "out"), "--workers", "1", PYTHONHASHSEED="8")
    assert (tmp_path / "out/report.html").read_text() == first


def test_a_page_that_cannot_be_written_is_an_error(net: Path, tmp_path: Path) -> None:
    swept(net, "--only", "short", "--html", str(tmp_path / "none/page.html"), code=2)
    assert list(tmp_path.iterdir()) == []


def test_the_worst_are_kept_whatever_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine failures, the i-th losing i: five are listed, three of them drawn, with the two LSPs that are hurt most."""
    monkeypatch.setattr(break_kept, "LISTED", 5)
    monkeypatch.setattr(break_kept, "MAPPED", 3)
    monkeypatch.setattr(break_kept, "HIT", 2)
    net = read(ROOT / "examples/tiny.yaml").network
    kept = Kept(Worst(net))
    columns = [c.name for c in Rows((), (), (), ()).tables(net)["scenarios"].columns]
    for i in (4, 9, 1, 8, 2, 7, 3, 6, 5):
        cells = {"scenario": f"s{i}", "state": "after", "lost": i, "lost.customer": i, "broken": ""}
        scenario = tuple(cells.get(name, 0) for name in columns)
        what = ("moved", "displaced", "moved", "unplaced")
        lsps = tuple((f"s{i}", "after", f"l{n}", "customer", w, None, None, None) for n, w in enumerate(what))
        loads = ((f"s{i}", "after", "short@a-bb1", 10, i),)
        kept.add(Rows((scenario,), (), lsps, loads))
    assert kept.total == 9
    assert [row[0] for row in kept.scenarios] == ["s9", "s8", "s7", "s6", "s5"]
    assert list(kept.drawn) == ["s9", "s8", "s7"]
    assert [row[2] for row in kept.drawn["s8"].lsps] == ["l3", "l1"]
    place = kept.arcs.index("short@a-bb1")
    assert kept.drawn["s8"].loads["after"].tolist() == [8 * (n == place) for n in range(len(kept.arcs))]
