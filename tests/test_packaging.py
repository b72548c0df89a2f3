"""What users install: one wheel for every Python, and an sdist that needs no compiler and answers the same."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel, built from a copy of what git tracks."""
    folder = tmp_path_factory.mktemp("dist")
    source = tmp_path_factory.mktemp("source")
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in tracked.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    subprocess.run(
        [sys.executable, "-m", "build", "--outdir", str(folder), str(source)], check=True, capture_output=True
    )
    return folder


def test_the_wheel_serves_every_python_3(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    assert wheel.name.split("-")[2:4] == ["py3", "none"]
    assert not wheel.name.endswith("-any.whl"), "built without its compiled core"


def test_the_wheel_has_the_report_page(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    built = ["LICENSES.txt", "coast.json", "page.css", "page.js", "sources.sha256"]
    wanted = [
        *(f"trunkline/report/html/{name}.html" for name in ("base", "break", "compare", "map", "page")),
        *(f"trunkline/report/html/built/{name}" for name in built),
    ]
    assert sorted(name for name in names if "/html/" in name) == sorted(wanted)


def test_the_sdist_installs_without_a_compiler_and_answers_the_same(dist: Path, tmp_path: Path) -> None:
    (sdist,) = dist.glob("*.tar.gz")
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = str(tmp_path / "venv" / "bin" / "python")
    nothing = {**os.environ, "CC": "/bin/false", "CXX": "/bin/false"}
    subprocess.run([python, "-m", "pip", "install", "-q", str(sdist)], check=True, env=nothing, capture_output=True)
    plan = ["-m", "trunkline", "plan", str(ROOT / "examples" / "aurora.yaml"), "--json"]
    unasked = {name: value for name, value in os.environ.items() if name != "TRUNKLINE_BACKEND"}
    slow = subprocess.run([python, *plan], cwd=tmp_path, env=unasked, capture_output=True, check=True)
    assert slow.stderr.count(b"pure-Python core") == 1
    fast = subprocess.run([sys.executable, *plan], cwd=tmp_path, capture_output=True, check=True)
    assert slow.stdout == fast.stdout
