"""The documentation builds into a site without a warning, and its pictures say what the program answers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures"


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    done = subprocess.run(
        [*build, "-d", str(tmp_path / "trees"), "docs", str(tmp_path / "site")],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    start = (tmp_path / "site" / "index.html").read_text()
    assert 'href="tutorial.html"' in start
    assert 'href="decisions/index.html"' in start


def test_the_pictures_are_what_the_program_answers(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(PICTURES / "draw.py"), str(tmp_path)], check=True)
    drawn = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert drawn == {file.name: file.read_text() for file in PICTURES.glob("*.svg")}
    assert len(drawn) == 3
