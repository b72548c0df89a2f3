"""What lab tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from trunkline.lab import namespaces, state
from trunkline.lab.programs import FRR, require
from trunkline.model.problem import Missing

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


def needs_a_lab(*programs: str) -> None:
    """Skip, and say why, where no lab can be: no root, no FRR, no BIRD, or not these programs besides."""
    try:
        require([*FRR, "bird", "ip", "tc", *programs])
    except Missing as lacking:
        pytest.skip(str(lacking))


def nobody(_: str) -> None:
    """Watch nothing."""


def left_behind(name: str) -> list[str]:
    """What there is of a lab on this machine: namespaces, mounts, files, processes, by any mention of its name."""
    found = [str(path) for path in namespaces.FOLDER.glob(f"*{name}*")]
    found += [line for line in Path("/proc/self/mounts").read_text().splitlines() if name in line]
    found += [str(path) for path in state.FOLDER.glob(f"{name}*")]
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            try:
                words = (process / "cmdline").read_bytes()
            except OSError:
                continue
            if f"trunkline-lab/{name}".encode() in words:
                found.append(words.decode())
    return found
