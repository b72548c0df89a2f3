"""Parts in a folder: a sweep killed at any moment goes on, and ends with the same bytes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from folders import files
from trunkline.cli.app import console
from trunkline.model import frames
from trunkline.model.problem import Missing, Problems
from trunkline.report.breaking import Wanted, broken
from trunkline.risk.scenario import Kind

TINY = Path(__file__).parent.parent.parent / "examples" / "tiny.yaml"
PROGRAM = Path(sys.executable).with_name("trunkline")
OPTIONS = ["--pairs", "circuit", "-q"]
"""Four chunks of tiny: 18 single failures and 10 pairs."""


def run(out: Path, net: Path = TINY, *more: str) -> subprocess.CompletedProcess[str]:
    command = [str(PROGRAM), "break", str(net), *OPTIONS, "--out", str(out), *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "out"
    assert run(folder).returncode in (0, 1)
    return folder


def test_killed_at_any_moment_it_goes_on_to_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    """SIGKILL as soon as there are 1, 2, ... files, until a run comes through; then nothing tells the two apart."""
    out = tmp_path / "out"
    for least in range(1, len(files(whole))):
        command = [str(PROGRAM), "break", str(TINY), *OPTIONS, "--out", str(out), "--workers", "2"]
        program = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while program.poll() is None and sum(p.is_file() for p in out.rglob("*")) < least:
            time.sleep(0.002)
        os.kill(program.pid, signal.SIGKILL)
        program.wait()
        if least % 4:  # some of them suffice, others start from what is left
            continue
    assert run(out).returncode in (0, 1)
    assert files(out) == files(whole)


def test_parts_that_are_there_are_not_computed_again(whole: Path, tmp_path: Path) -> None:
    """A part whose rows are replaced stays: what is read is what is said."""
    out = tmp_path / "out"
    shutil.copytree(whole, out)
    (out / "break.json").unlink()
    before = {name: (out / name).stat().st_mtime_ns for name in files(out) if "/" in name}
    assert run(out).returncode in (0, 1)
    assert {name: (out / name).stat().st_mtime_ns for name in before} == before
    assert files(out) == files(whole)


def test_the_parts_are_the_answer(whole: Path) -> None:
    """All rows of the parts together are the table that --json prints without --out."""
    printed = subprocess.run([PROGRAM, "break", TINY, *OPTIONS, "--json"], capture_output=True, text=True, check=False)
    document = json.loads(printed.stdout)
    rows = [list(row) for part in sorted((whole / "scenarios").iterdir()) for row in frames.rows_of(part)]
    assert document["tables"].pop("scenarios")["rows"] == rows
    assert json.loads((whole / "break.json").read_text()) == document


def test_rows_of_scenarios_are_kept_only_where_they_are_asked_for() -> None:
    """Tiny's five circuits in three states."""
    kept = broken(TINY, Wanted((Kind.CIRCUIT,), every_row=True), console(), quiet=True)
    assert len(kept.tables["scenarios"].rows) == 15
    bare = broken(TINY, Wanted((Kind.CIRCUIT,)), console(), quiet=True)
    assert "scenarios" not in bare.tables
    assert bare.document == {**kept.document, "tables": bare.document["tables"]}


@pytest.mark.parametrize(
    ("more", "what"), [(("--only", "short"), "other options"), (("--kinds", "router"), "other options")]
)
def test_another_sweep_is_refused(whole: Path, more: tuple[str, ...], what: str) -> None:
    before = files(whole)
    refused = run(whole, TINY, *more)
    assert refused.returncode == 2
    assert f"it holds results of {what}" in refused.stderr
    assert files(whole) == before


def test_another_network_is_refused(whole: Path, tmp_path: Path) -> None:
    changed = tmp_path / "tiny.yaml"
    changed.write_text(TINY.read_text() + "# changed\n")
    assert "it holds results of another network" in run(whole, changed).stderr


def test_tables_without_a_manifest_are_refused(tmp_path: Path) -> None:
    (tmp_path / "loads").mkdir()
    with pytest.raises(Problems, match=r"there are tables here and no manifest.json"):
        broken(TINY, Wanted((Kind.CIRCUIT,), out=tmp_path), console(), quiet=True)


def test_without_pyarrow_nothing_is_computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(Missing, match=r"pip install 'trunkline\[frames\]'"):
        broken(TINY, Wanted((Kind.CIRCUIT,), out=tmp_path / "out"), console(), quiet=True)
    assert not (tmp_path / "out").exists()
