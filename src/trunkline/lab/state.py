"""What is remembered of a lab between commands: a folder per lab, written before anything else is made.

The folder is also the lock: one command at a time works on a lab.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from trunkline.model.nouns import Condition
from trunkline.model.problem import Problem, Problems

FOLDER = Path("/run/trunkline-lab")
NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
FILE = "+state.json"
"""In a lab's folder, beside a folder per router and port: no name has a `+`."""


@dataclass(frozen=True)
class State:
    """Which file a lab runs, at which scale, and what was done to it since."""

    sha256: str
    scale: int
    condition: Condition = field(default_factory=Condition)


def checked(name: str) -> str:
    """Return the name of a lab.  Raises Problems where it is none."""
    if not NAME.fullmatch(name):
        raise Problems(
            [Problem("", 0, 0, "lab-name", f"'{name}' cannot name a lab", "", "--name of letters, digits, _ and -")]
        )
    return name


def home(lab: str) -> Path:
    """Return a lab's folder."""
    return FOLDER / lab


def read(lab: str, sha256: str) -> State:
    """Return a lab's state.  Raises Problems where it is not up, or runs another file or version of it."""
    found = current(lab)
    if found.sha256 != sha256:
        message = f"the lab '{lab}' runs another file, or this one before it was changed"
        raise Problems([Problem("", 0, 0, "lab-differs", message, "", "`lab apply` to change it, or another --name")])
    return found


def current(lab: str) -> State:
    """Return a lab's state, whichever file it runs.  Raises Problems where it is not up."""
    try:
        found = json.loads((home(lab) / FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise _absent(lab) from None
    condition = Condition(frozenset(found["down"]), frozenset(found["overloaded"]))
    return State(found["sha256"], found["scale"], condition)


def _absent(lab: str) -> Problems:
    return Problems([Problem("", 0, 0, "no-lab", f"no lab '{lab}' is up", "", "`trunkline lab up` first")])


def make(lab: str) -> None:
    """Make a lab's folder where it is not there."""
    home(lab).mkdir(parents=True, exist_ok=True)


def write(lab: str, state: State) -> None:
    """Remember a lab's state; the file is complete or what it was before."""
    down, overloaded = sorted(state.condition.down), sorted(state.condition.overloaded)
    text = json.dumps({"sha256": state.sha256, "scale": state.scale, "down": down, "overloaded": overloaded})
    partial = home(lab) / f"{FILE}.part"
    partial.write_text(text, encoding="utf-8")
    os.replace(partial, home(lab) / FILE)


@contextmanager
def held(lab: str) -> Iterator[None]:
    """Be the only command that works on a lab.  Raises Problems where it has no folder, or another command works."""
    try:
        descriptor = os.open(home(lab), os.O_RDONLY)
    except FileNotFoundError:
        raise _absent(lab) from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = f"another command works on the lab '{lab}'"
            raise Problems([Problem("", 0, 0, "lab-busy", message, "", "it to end first")]) from None
        yield
    finally:
        os.close(descriptor)
