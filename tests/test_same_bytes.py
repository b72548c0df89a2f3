"""Same input, same bytes: any hash seed, any number of workers, either core."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CASES = {
    "aurora": ["examples/aurora.yaml"],
    "cut": ["examples/aurora.yaml", "--event", "examples/aurora-cut.yaml"],
    "tenfold": ["examples/tenfold.yaml"],
}
WAYS = [
    {"PYTHONHASHSEED": "0", "workers": "1", "TRUNKLINE_BACKEND": ""},
    {"PYTHONHASHSEED": "1", "workers": "2", "TRUNKLINE_BACKEND": ""},
    {"PYTHONHASHSEED": "random", "workers": "2", "TRUNKLINE_BACKEND": "reference"},
]


def output(arguments: list[str], way: dict[str, str]) -> bytes:
    environment = {**os.environ, **{k: v for k, v in way.items() if k.isupper()}}
    command = [sys.executable, "-m", "trunkline", "plan", *arguments, "--json", "--workers", way["workers"]]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    return done.stdout


@pytest.mark.parametrize("case", CASES)
def test_every_way_gives_the_same_bytes(case: str) -> None:
    outputs = [output(CASES[case], way) for way in WAYS]
    assert len(outputs[0]) > 10_000
    assert [o == outputs[0] for o in outputs] == [True] * len(WAYS)


def test_the_answer_does_not_depend_on_where_it_is_asked(tmp_path: Path) -> None:
    for name in ("aurora.yaml", "tenfold.yaml"):
        (tmp_path / name).write_bytes((ROOT / "examples" / name).read_bytes())
    here = output(["examples/tenfold.yaml"], WAYS[0])
    assert output([str(tmp_path / "tenfold.yaml")], WAYS[0]) == here
