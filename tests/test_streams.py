"""Where the output goes: closed, full and narrow streams end in an exit code and one line, never in a bug report."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PLAN = "plan examples/tiny.yaml"


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a shell line in which `trunkline` is the program."""
    script = f'trunkline() {{ "{sys.executable}" -m trunkline "$@"; }}; {line}'
    return subprocess.run(
        ["bash", "-c", script], cwd=ROOT, env={**os.environ, **environment}, capture_output=True, check=False
    )


@pytest.mark.parametrize("command", [PLAN, f"{PLAN} --json", "schema", "--help", "check examples/tiny.yaml"])
def test_a_full_disk_is_the_environments(command: str) -> None:
    done = shell(f"trunkline {command} >/dev/full")
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr == b"trunkline: [Errno 28] No space left on device\n"


@pytest.mark.parametrize("command", [PLAN, "plan nowhere.yaml", "export examples/tiny.yaml --to graphml -o /dev/null"])
def test_a_full_standard_error_is_the_environments(command: str) -> None:
    assert shell(f"trunkline {command} -q >/dev/full 2>/dev/full").returncode == (0 if "export" in command else 3)


@pytest.mark.parametrize(
    ("command", "code"),
    [(PLAN, 0), (f"{PLAN} --json", 0), ("explain examples/tiny.yaml circuit short", 0), ("plan nowhere.yaml 2>&1", 2)],
)
def test_a_reader_that_has_seen_enough_breaks_no_promise(command: str, code: int) -> None:
    done = shell(f"trunkline {command} | true; echo ${{PIPESTATUS[0]}}")
    assert (done.stdout, done.stderr) == (f"{code}\n".encode(), b"")


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_leave_the_exit_code(closed: str) -> None:
    assert shell(f"trunkline {PLAN} {closed}").returncode == 0
    assert shell(f"trunkline {PLAN} --event examples/tiny-cut.yaml {closed}").returncode == 1
    assert shell(f"trunkline plan nowhere.yaml {closed}").returncode == 2


@pytest.mark.parametrize(("name", "shown"), [("n\u00e4h", b"n\\xe4h"), ("n\udcff", b"n\\udcff")])
def test_a_name_that_the_terminal_cannot_show_is_escaped(tmp_path: Path, name: str, shown: bytes) -> None:
    file = tmp_path / f"{name}.yaml"
    file.write_bytes((ROOT / "examples" / "tiny.yaml").read_bytes().replace(b"name: tiny\n", b""))
    for command in ("plan", "check"):
        done = shell(f'trunkline {command} "$FILE"', FILE=str(file), PYTHONIOENCODING="ascii:strict")
        assert (done.returncode, done.stderr) == (0, b"")
        assert shown in done.stdout


def test_a_core_that_is_not_there_is_the_environments() -> None:
    done = shell(f"trunkline {PLAN}", TRUNKLINE_BACKEND="abacus")
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr == b"trunkline: TRUNKLINE_BACKEND is 'abacus'; expected reference or kernel\n"
