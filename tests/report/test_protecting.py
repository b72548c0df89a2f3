"""`protect` of tiny, by hand, and the same bytes on any hash seed and either core."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from trunkline.model.load import load

ROOT = Path(__file__).parent.parent.parent
PROGRAM = Path(sys.executable).with_name("trunkline")


def protect(file: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [str(PROGRAM), "protect", str(file), "-q", *options]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    file = tmp_path / "tiny.yaml"
    file.write_text((ROOT / "examples" / "tiny.yaml").read_text() + "protection: {bypass: node}\n")
    return file


def rows(answer: dict[str, Any], name: str) -> list[dict[str, Any]]:
    found = answer["tables"][name]
    return [dict(zip([c["name"] for c in found["columns"]], row, strict=True)) for row in found["rows"]]


def test_tiny_by_hand(tiny: Path) -> None:
    """60G ride `short`, 50G `long`, each the bypass of the other; whatever is single has no way around it.

    An LSP has five hops that can fail between its ends: three circuits and two routers.
    """
    answer = json.loads(protect(tiny, "--json").stdout)
    assert (answer["schema"], answer["for"]) == ("trunkline/protect/1", None)
    assert answer["network"] == {"sha256": load(tiny).sha256}
    assert answer["summary"] == {
        "lsps": 2, "link_bypasses": 2, "node_bypasses": 0, "standbys": 0, "standbys_lacking": 0, "parts": 14,
        "unprotected": 12, "overloading": 2,
    }  # fmt: skip
    bypasses = [(r["bypass"], r["around"], r["path"], r["lsps"], r["protected"]) for r in rows(answer, "bypasses")]
    assert bypasses == [
        ("long@a-bb1>b-bb1.1", "link", "short@a-bb1", 1, 50 * 10**9),
        ("short@a-bb1>b-bb1.1", "link", "long@a-bb1", 1, 60 * 10**9),
    ]
    lacking = [(r["part"], r["thing"]) for r in rows(answer, "unprotected") if r["lsp"] == "a-dr1/customer"]
    assert lacking == [
        ("head", "a-dr1"), ("link", "a-bb1--a-dr1@a-dr1"), ("node", "a-bb1"), ("node", "b-bb1"),
        ("link", "b-bb1--b-dr1@b-bb1"), ("tail", "b-dr1"),
    ]  # fmt: skip
    overloads = [(r["failed"], r["arc"], r["load"], r["lost"]) for r in rows(answer, "bypass_overloads")]
    assert overloads == [
        ("long", "short@a-bb1", 110 * 10**9, 10 * 10**9),
        ("short", "long@a-bb1", 110 * 10**9, 10 * 10**9),
    ]


def test_one_circuit_and_one_router(tiny: Path) -> None:
    answer = json.loads(protect(tiny, "--json", "--for", "short").stdout)
    assert [r["bypass"] for r in rows(answer, "bypasses")] == ["short@a-bb1>b-bb1.1"]
    assert [(r["class"], r["part"], r["how"], r["parts"]) for r in rows(answer, "protected")] == [
        ("customer", "link", "link bypass", 1)
    ]
    assert [r["failed"] for r in rows(answer, "bypass_overloads")] == ["short"]
    answer = json.loads(protect(tiny, "--json", "--for", "b-dr1").stdout)
    assert [(r["lsp"], r["part"]) for r in rows(answer, "unprotected")] == [
        ("a-dr1/customer", "tail"), ("a-dr1/internal", "tail"),
    ]  # fmt: skip


def test_the_screen_says_it_in_a_few_lines(tiny: Path) -> None:
    shown = protect(tiny).stdout
    assert "2 LSPs; bypasses: 0 around a router, 2 around a circuit" in shown
    assert "asked for: node, 1 per circuit at most, no bandwidth, risks: avoid" in shown
    assert "2 failures would overload a circuit" in shown
    assert "the file asks for no bypasses" in protect(ROOT / "examples" / "tiny.yaml").stdout


def test_a_name_that_is_neither_circuit_nor_router_exits_2(tiny: Path) -> None:
    done = protect(tiny, "--for", "shord")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error[for]: no circuit or router is named 'shord'; did you mean 'short'?\n"


def test_every_table_and_column_is_documented(tiny: Path) -> None:
    answer = json.loads(protect(tiny, "--json").stdout)
    page = (ROOT / "docs" / "tables.md").read_text().split("## Of protection\n")[1].split("\n## ")[0]
    for name, found in answer["tables"].items():
        assert [c["name"] for c in found["columns"] if f"`{c['name']}`" not in page] == [], name
        assert f"`{name}`:" in page


def test_the_same_bytes_on_any_hash_seed_and_either_core(tmp_path: Path) -> None:
    """Aurora with everything: two bypasses each that reserve half, around routers, and standbys."""
    text = (ROOT / "examples" / "aurora.yaml").read_text()
    text = text.replace("name: internal, class: internal,", "name: internal, class: internal, standby: reserved,")
    file = tmp_path / "aurora.yaml"
    file.write_text(text + "protection: {bypass: node, per_circuit: 2, bandwidth: 50%, risks: prefer}\n")
    ways = [("0", ""), ("1", ""), ("random", "reference")]
    said = [protect(file, "--json", PYTHONHASHSEED=seed, TRUNKLINE_BACKEND=core).stdout for seed, core in ways]
    assert len(said[0]) > 100_000
    assert said[1:] == said[:1] * 2
