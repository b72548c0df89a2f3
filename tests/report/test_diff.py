"""`trunkline diff` on tiny, whose every figure is checked by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from test_cli import ROOT, trunkline

TINY = (ROOT / "examples" / "tiny.yaml").read_text()


@pytest.fixture
def smaller(tmp_path: Path) -> Path:
    """Tiny with 30G of internal traffic instead of 50G: 60G + 30G fit the short circuit."""
    edited = TINY.replace("class: internal, bandwidth: 50G", "class: internal, bandwidth: 30G")
    edited = edited.replace("class: internal, rate: 50G", "class: internal, rate: 30G").replace(
        "name: tiny", "name: next"
    )
    (tmp_path / "next.yaml").write_text(edited)
    return tmp_path / "next.yaml"


def test_a_smaller_lsp_moves_to_the_short_circuit(smaller: Path) -> None:
    done = trunkline("diff", "examples/tiny.yaml", str(smaller), "--json")
    assert (done.returncode, done.stderr) == (0, "")
    document = json.loads(done.stdout)
    rows = {name: [dict(zip([c["name"] for c in t["columns"]], row, strict=True)) for row in t["rows"]]
            for name, t in document["tables"].items()}  # fmt: skip
    assert [(c["kind"], c["name"], c["field"], c["before"], c["after"]) for c in rows["changes"]] == [
        ("lsp", "a-dr1/internal", "bandwidth", "50G", "30G"),
        ("demand", "internal.a-dc.b-dc", "rate", "50G", "30G"),
    ]
    (lsp,) = rows["lsps"]
    assert (lsp["reserved.before"], lsp["reserved.after"]) == (50 * 10**9, 30 * 10**9)
    assert (lsp["path.before"].split()[1], lsp["path.after"].split()[1]) == ("long@a-bb1", "short@a-bb1")
    loads = {r["arc"]: (r["load.before"] // 10**9, r["load.after"] // 10**9) for r in rows["circuits"]}
    assert loads == {
        "short@a-bb1": (60, 90),
        "long@a-bb1": (50, 0),
        "a-bb1--a-dr1@a-dr1": (110, 90),
        "b-bb1--b-dr1@b-bb1": (120, 100),
    }
    assert rows["routes"] == rows["ports"] == []
    assert (document["a"]["name"], document["b"]["name"]) == ("tiny", "next")


def test_the_screen_says_what_was_changed_and_what_moves(smaller: Path) -> None:
    said = trunkline("diff", "examples/tiny.yaml", str(smaller)).stdout.splitlines()
    assert said[0] == "tiny -> next"
    assert said[2:4] == ["LSP a-dr1/internal bandwidth 50G -> 30G", "demand internal.a-dc.b-dc rate 50G -> 30G"]
    (row,) = (line.split() for line in said if line.startswith("long@a-bb1"))
    assert row == ["long@a-bb1", "100G", "50G", "->", "0", "50.0", "%", "->", "0.0", "%", "0", "->", "0"]
    assert not any("demands are slower" in line for line in said)


def test_a_promise_that_the_second_network_breaks_exits_1(tmp_path: Path) -> None:
    short = next(line for line in TINY.splitlines(keepends=True) if "name: short" in line)
    (tmp_path / "cut.yaml").write_text(TINY.replace(short, ""))
    done = trunkline("diff", "examples/tiny.yaml", str(tmp_path / "cut.yaml"))
    assert done.returncode == 1
    assert "circuit short removed" in done.stdout
    (placed,) = (line for line in done.stdout.splitlines() if line.startswith("placed"))
    assert "met" in placed
    assert "BROKEN" in placed  # 60G and 50G do not fit the 100G that is left


def test_nothing_changed_moves_nothing() -> None:
    done = trunkline("diff", "examples/tiny.yaml", "examples/tiny.yaml")
    assert done.returncode == 0
    assert "no change of intent" in done.stdout
    assert done.stdout.splitlines()[-1] == "nothing moves"


def test_the_folder_holds_the_same_answer(smaller: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = trunkline("diff", "examples/tiny.yaml", str(smaller), "--json", "--out", str(out), "-q")
    assert (out / "diff.json").read_text() == done.stdout
    page = (out / "report.html").read_text()
    assert "<title>tiny -&gt; next" in page
    assert "a-dr1/internal" in page
    assert (out / "changes.csv").read_text().splitlines() == [
        "kind,name,action,field,before,after",
        "lsp,a-dr1/internal,changed,bandwidth,50G,30G",
        "demand,internal.a-dc.b-dc,changed,rate,50G,30G",
    ]


def test_bad_input_on_either_side_is_said_and_nothing_written(smaller: Path, tmp_path: Path) -> None:
    done = trunkline("diff", str(smaller), "nowhere.yaml", "--out", str(tmp_path / "out"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("nowhere.yaml: error[file]: cannot read nowhere.yaml")
    assert not (tmp_path / "out").exists()
