"""Work for the processes of `test_jobs`, which must be able to import it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path


def add(number: int) -> Callable[[int], int]:
    """Make what adds a number to a task; tasks below 0 are refused."""
    return partial(_sum, number)


def _sum(one: int, other: int) -> int:
    if other < 0:
        raise ValueError(f"{other} is too small")
    return one + other


def told() -> Callable[[str], tuple[int, bool]]:
    """Make what says which process it runs in, and whether that one ignores Ctrl-C.

    A task names a folder where processes leave word: none goes on before two have.
    """
    return _told


def _told(folder: str) -> tuple[int, bool]:
    while folder:
        (Path(folder) / str(os.getpid())).touch()
        if len(os.listdir(folder)) > 1:
            break
        time.sleep(0.01)
    return os.getpid(), signal.getsignal(signal.SIGINT) == signal.SIG_IGN


def noting() -> Callable[[tuple[str, int, int]], int]:
    """Make what notes in a folder that a task is done; the first waits until so many others are, and a bit longer."""
    return _noting


def _noting(task: tuple[str, int, int]) -> int:
    folder, number, others = task
    while number == 0 and len(os.listdir(folder)) < others:
        time.sleep(0.01)
    if number == 0:
        time.sleep(0.5)
    (Path(folder) / str(number)).touch()
    return number
