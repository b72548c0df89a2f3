"""`availability --out`: every row is kept, and a run that was killed goes on to the same bytes."""

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
from trunkline.model import frames

PROGRAM = Path(sys.executable).with_name("trunkline")
TINY = Path(__file__).parent.parent.parent / "examples" / "tiny.yaml"
OPTIONS = ["--budget", "24", "--sample", "9", "--additions", "-q"]
"""Three chunks of the likeliest, one or two of the sample, and half as many for each addition."""


def command(out: Path, *more: str) -> list[str]:
    return [str(PROGRAM), "availability", str(TINY), *OPTIONS, "--out", str(out), "--workers", "1", *more]


def run(out: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(out, *more), capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "out"
    assert run(folder).returncode == 0
    return folder


def test_killed_at_any_moment_it_goes_on_to_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    out, many = tmp_path / "out", len(files(whole))
    for least in (2, 9, many // 2, many - 3):
        program = subprocess.Popen(command(out), stdout=subprocess.DEVNULL)
        while program.poll() is None and sum(p.is_file() for p in out.rglob("*")) < least:
            time.sleep(0.002)
        os.kill(program.pid, signal.SIGKILL)
        program.wait()
    assert run(out).returncode == 0
    assert files(out) == files(whole)


def test_what_is_there_is_read_and_not_computed_again(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(whole, out)
    (out / "likeliest/scenarios/000001.parquet").unlink()
    before = {
        name: (out / name).stat().st_mtime_ns for name in files(out) if name.endswith(".parquet") and "/0" in name
    }
    assert run(out).returncode == 0
    after = {name: (out / name).stat().st_mtime_ns for name in before}
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {f"likeliest/{table}/000001.parquet" for table in ("demands_hit", "loads", "lsps_hit")}
    assert files(out) == files(whole)


def test_the_parts_are_what_the_answer_is_made_of(whole: Path) -> None:
    """The document is the one printed without --out; each of the likeliest scenarios is there, as it settled."""
    bare = [str(PROGRAM), "availability", str(TINY), *OPTIONS, "--json", "--workers", "2"]
    printed = subprocess.run(bare, capture_output=True, text=True, check=False).stdout
    assert (whole / "availability.json").read_text() == printed
    document = json.loads(printed)
    rows = [row for part in sorted((whole / "likeliest/scenarios").iterdir()) for row in frames.rows_of(part)]
    assert document["scenarios"] == 24 == sum(row[1] == "after" for row in rows)
    names = sorted(p.name for p in (whole / "additions").iterdir())
    assert names[-1] == "none"
    assert [name[:2] for name in names[:-1]] == [f"{n:02}" for n in range(1, len(names))]


def test_a_folder_of_other_work_is_refused_and_stays(whole: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(whole, out)
    found = run(out, "--budget", "30")
    assert found.returncode == 2
    assert found.stderr.endswith("it holds results of other options; expected an empty folder, or the same sweep's\n")
    sweep = [str(PROGRAM), "break", str(TINY), "--out", str(out), "-q"]
    assert subprocess.run(sweep, capture_output=True, check=False).returncode == 2
    assert files(out) == files(whole)
