"""The README shows what the program prints, to the letter."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_plan_in_the_readme_is_what_plan_prints() -> None:
    shown = re.search(
        r"<!-- plan -->\n```console\n\$ trunkline (.*?)\n(.*?)```\n<!-- /plan -->",
        (ROOT / "README.md").read_text(),
        re.DOTALL,
    )
    assert shown is not None
    done = subprocess.run(
        [sys.executable, "-m", "trunkline", *shown[1].split()], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert [line.rstrip() for line in shown[2].splitlines()] == [line.rstrip() for line in done.stdout.splitlines()]


def test_every_path_that_the_readme_links_to_exists() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text())
    assert links
    assert [link for link in links if not link.startswith("http") and not (ROOT / link).exists()] == []
