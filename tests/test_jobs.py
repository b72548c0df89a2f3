"""Work in several processes: order, what is under way, and who ends when."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tasks import add, noting, told
from trunkline.jobs import MOST, ordered


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_results_come_in_the_order_of_the_tasks(workers: int) -> None:
    assert list(ordered(partial(add, 100), range(20), workers)) == list(range(100, 120))
    assert list(ordered(partial(add, 100), [], workers)) == []


@pytest.mark.parametrize("workers", [1, 2])
def test_few_answers_wait_for_the_first(workers: int, tmp_path: Path) -> None:
    """The first task takes until this process has done all others that may be done by then: with one there are none."""
    tasks = [(str(tmp_path), number, (workers - 1) * (MOST * 2 - 3)) for number in range(50)]
    found = ordered(noting, tasks, workers)
    assert next(found) == 0
    assert len(list(tmp_path.iterdir())) <= MOST * workers
    assert list(found) == list(range(1, 50))


@pytest.mark.parametrize("workers", [1, 2])
def test_what_a_task_raises_is_raised_in_its_turn(workers: int) -> None:
    found = ordered(partial(add, 1), [1, 2, -1, 4], workers)
    assert [next(found), next(found)] == [2, 3]
    with pytest.raises(ValueError, match="-1 is too small"):
        next(found)


def test_workers_leave_ctrl_c_to_their_parent(tmp_path: Path) -> None:
    found = set(ordered(told, [str(tmp_path)] * 8, 2))
    ours = {(os.getpid(), False)}
    assert ours < found
    assert {ignores for _, ignores in found - ours} == {True}
    assert list(ordered(told, [""], 2)) == [(os.getpid(), False)]  # one task needs no worker


FOREVER = """
import sys, time
from trunkline.jobs import ordered

def sleep(_):
    print("at work", flush=True)
    time.sleep(3600)

def make():
    return sleep

if __name__ == "__main__":
    list(ordered(make, [0, 1], 2))
"""


def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    """They hold the pipe to us: it ends when the last of them does."""
    script = tmp_path / "forever.py"
    script.write_text(FOREVER)
    parent = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    assert [parent.stdout.readline() for _ in range(2)] == ["at work\n"] * 2
    parent.kill()
    assert parent.communicate(timeout=60)[0] == ""


UNGUARDED = """
from trunkline.jobs import ordered

class Large(bytes):
    def __call__(self):
        return len

list(ordered(Large(10**6), ["a", "b", "c"], 2))
"""


def test_a_script_without_a_guard_ends_with_an_error(tmp_path: Path) -> None:
    """The processes it starts run it again, die of that, and never read what they are sent."""
    script = tmp_path / "unguarded.py"
    script.write_text(UNGUARDED)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "BrokenProcessPool" in done.stderr
