"""report.html: figures as in plan.json, the same bytes on every run, and no request to any network."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pages import Reading, unpacked
from trunkline.flow import prove
from trunkline.model.event import Cut
from trunkline.model.load import load
from trunkline.model.problem import Problem, Severity
from trunkline.model.tables import table
from trunkline.report.page import page, side, sides
from trunkline.report.payload import Texts, embedded

ROOT = Path(__file__).parent.parent.parent
HTML = ROOT / "src" / "trunkline" / "report" / "html"
AURORA = ["examples/aurora.yaml", "--event", "examples/aurora-cut.yaml"]


def written(folder: Path, arguments: list[str], **environment: str) -> Path:
    """Run `plan --out` in a process of its own."""
    command = [sys.executable, "-m", "trunkline", "plan", *arguments, "--out", str(folder), "-q"]
    subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, check=True)
    return folder


@pytest.fixture(scope="module")
def aurora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("aurora"), AURORA)


def test_the_embedded_tables_are_those_of_plan_json(aurora: Path) -> None:
    plan = json.loads((aurora / "plan.json").read_text())
    payload = json.loads(Reading((aurora / "report.html").read_text()).scripts["data"])
    last = payload["sides"][-1]["tables"]
    assert {name: unpacked(payload, last[name]) for name in plan["tables"]} == plan["tables"]
    assert sorted(set(last) - set(plan["tables"])) == ["circuit_ends", "objectives", "routers", "sites"]
    objectives = unpacked(payload, last["objectives"])
    names = [column["name"] for column in objectives["columns"]]
    assert [dict(zip(names, row, strict=True)) for row in objectives["rows"]] == plan["objectives"]


def test_the_other_side_is_the_plan_without_the_event(aurora: Path, tmp_path: Path) -> None:
    cold = json.loads((written(tmp_path, AURORA[:1]) / "plan.json").read_text())
    payload = json.loads(Reading((aurora / "report.html").read_text()).scripts["data"])
    before = payload["sides"][0]["tables"]
    assert [s["label"] for s in payload["sides"]] == ["before", "after cut atlantic-north"]
    assert {name: unpacked(payload, before[name]) for name in cold["tables"]} == cold["tables"]


def test_what_moved_is_what_differs_between_the_two_plans(aurora: Path, tmp_path: Path) -> None:
    both = [json.loads((f / "plan.json").read_text()) for f in (written(tmp_path, AURORA[:1]), aurora)]
    payload = json.loads(Reading((aurora / "report.html").read_text()).scripts["data"])
    moved = unpacked(payload, payload["moved"]["lsps"])["rows"]
    paths = [{(r[0], r[1]): (r[8], r[7], r[10], r[12], r[9]) for r in p["tables"]["lsps"]["rows"]} for p in both]
    assert {(r[0], r[1]) for r in moved} == {k for k in paths[0] if paths[0][k] != paths[1][k]}
    assert sum(r[-2] != r[-1] for r in moved) == sum(r["moved"] for r in both[1]["summary"]["lsps"])


def test_the_cells_of_the_page_are_what_the_readme_shows(aurora: Path) -> None:
    """The README's screen was read by people and is held against the program by its own test."""
    screen = (ROOT / "README.md").read_text().splitlines()
    tables = Reading((aurora / "report.html").read_text()).tables
    arcs = [re.split(r"\s{2,}", line.strip()) for line in screen if "@" in line and " %  " in line and "  0" in line]
    hottest = [row for row in arcs if len(row) == 8]
    assert len(hottest) == 6
    assert tables["hottest"][1:] == hottest
    customer = next(line.split() for line in screen if line.startswith("customer   2/2"))
    row = tables["lsps"][1]
    assert [*row[:7], *row[8:]] == [*customer[:7], *customer[7:]]


def test_the_page_asks_the_network_for_nothing(aurora: Path) -> None:
    text = (aurora / "report.html").read_text()
    reading = Reading(text)
    policy = next(value for tag, name, value in reading.attributes if tag == "meta" and "default-src" in value)
    assert "default-src 'none'" in policy
    assert [a for a in reading.attributes if a[1] in ("src", "srcset", "action", "data", "poster")] == []
    assert [a for a in reading.attributes if a[1] == "href" and not a[2].startswith("#")] == []
    addresses = set(re.findall(r"""https?://[^"'\s)]+""", text))
    assert {a for a in addresses if not a.startswith("http://www.w3.org/")} == set()
    styles = "".join(re.findall(r"<style>.*?</style>", text, re.DOTALL))
    assert styles
    assert re.search(r"@import|url\(", styles) is None


@pytest.mark.parametrize("arguments", [AURORA, ["examples/tiny.yaml"]])
def test_the_bytes_do_not_depend_on_the_hash_seed(tmp_path: Path, arguments: list[str]) -> None:
    texts = [
        (written(tmp_path / seed, arguments, PYTHONHASHSEED=seed) / "report.html").read_bytes() for seed in ("1", "2")
    ]
    assert texts[0] == texts[1]


def test_a_network_without_coordinates_is_a_schematic() -> None:
    proof = prove(load(ROOT / "examples" / "tiny.yaml").network)
    payload = json.loads(Reading(page("tiny", sides(proof))).scripts["data"])
    sites = unpacked(payload, payload["sides"][0]["tables"]["sites"])["rows"]
    assert [row[:4] for row in sites] == [["a", "west", None, None], ["b", "east", None, None]]
    (ax, ay), (bx, by) = (row[4:6] for row in sites)
    assert (ax - bx) ** 2 + (ay - by) ** 2 == 1000**2  # one hop apart, a hop is 1000


def test_text_that_would_end_the_script_stays_text() -> None:
    proof = prove(load(ROOT / "examples" / "tiny.yaml").network, [Cut(("short",))])
    evil = "</script><img src=x onerror=alert(1)>\u2028&amp;"
    note = Problem("", 0, 0, "note", evil, severity=Severity.WARNING)
    text = page(evil, sides(proof, [note]), [("short", evil, "1", "2")])
    reading = Reading(text)
    assert json.loads(reading.scripts["data"])["title"] == evil
    assert not any(tag == "img" for tag, _, _ in reading.attributes)
    assert embedded({"a": evil}).isascii()


def test_before_names_the_state_ahead_of_the_last_event() -> None:
    proof = prove(load(ROOT / "examples" / "tiny.yaml").network, [Cut(("short",)), Cut(("long",))])
    assert [s.label for s in sides(proof)] == ["before (after cut short)", "after cut long"]
    ends = [{r["circuit"]: r["up"] for r in s.shown["circuit_ends"].records()} for s in sides(proof)]
    assert [(up["short"], up["long"]) for up in ends] == [(False, True), (False, False)]


def test_two_networks_and_their_changes_stand_side_by_side() -> None:
    net = load(ROOT / "examples" / "tiny.yaml").network
    states = [prove(net).settled, prove(net.scaled(2_000_000)).settled]
    both = [side("A", net, states[0]), side("B", net.scaled(2_000_000), states[1])]
    text = page("A to B", both, [("a-dc>b-dc", "rate", "60G", "120G")])
    assert '<th scope="row">a-dc&gt;b-dc</th><td>rate</td><td>60G</td><td>120G</td>' in text


def test_integers_beyond_a_browsers_numbers_travel_as_text() -> None:
    packed = Texts().table(table("n:int", [(2**53,), (2**53 + 1,), (10**18,)]))
    assert packed["data"] == [[2**53, "9007199254740993", "1000000000000000000"]]


def test_the_bundle_was_built_from_these_sources() -> None:
    names = [
        "build.js",
        "package.json",
        "package-lock.json",
        "tsconfig.json",
        *(f"src/{p.name}" for p in sorted((HTML / "src").iterdir())),
    ]
    digest = hashlib.sha256()
    for name in names:
        digest.update(f"{name}\n".encode() + (HTML / name).read_bytes())
    built = (HTML / "built" / "sources.sha256").read_text().strip()
    assert built == digest.hexdigest(), "scripts/build-report has not been run since the sources changed"


def test_every_licence_of_what_is_inlined_is_there() -> None:
    lock = json.loads((HTML / "package-lock.json").read_text())["packages"]
    licences = (HTML / "built" / "LICENSES.txt").read_text()
    for name in ("d3-geo", "d3-selection", "d3-zoom", "tabulator-tables", "topojson-client", "world-atlas"):
        assert f"{name} {lock[f'node_modules/{name}']['version']} (" in licences


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2.1 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_colours_keep_the_contrast_of_wcag_aa() -> None:
    style = (HTML / "src" / "page.css").read_text()
    schemes = [
        dict(re.findall(r"--(\w+): (#\w{6})", block)) for block in re.findall(r":root[^{]*\{(.*?)\}", style, re.DOTALL)
    ]
    assert len(schemes) == 3
    assert schemes[1] == schemes[2]  # the system's dark is the switch's dark
    text = [(ink, on) for ink in ("ink", "dim", "accent", "good", "bad", "warn") for on in ("surface", "page")]
    drawn = [*(f"u{step}" for step in range(6)), *(f"v{level}" for level in range(5)), "down"]
    lines = [(ink, on) for ink in drawn for on in ("land", "sea")]
    lines += [(bar, "page") for bar in ("down", "good", "warn")]
    for colours in schemes:
        for least, pairs in ((4.5, text), (3.0, lines)):
            for ink, on in pairs:
                dark, light = sorted((luminance(colours[ink]), luminance(colours[on])))
                assert (light + 0.05) / (dark + 0.05) >= least, (ink, on, colours[ink])
