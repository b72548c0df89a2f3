"""The code blocks of the documentation, and what they print when they are run.

`console` blocks hold `$ command` lines (`> ` continues one) with what it prints below.  The blocks of a page run in
order in one empty folder that has `examples/` in it, so that a reader who follows the page gets the same.  A command
that shows no output is run too, and must not fail.  `scripts/doc-output PAGE...` writes the outputs anew, for a person
to read and commit; tests only compare.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, its text, and where the text stands."""

    language: str
    text: str
    span: tuple[int, int]


@dataclass(frozen=True)
class Command:
    """A command as it is typed, and the lines that the page shows below it."""

    typed: str
    shown: tuple[str, ...]

    @property
    def script(self) -> str:
        """What the shell is given."""
        return "\n".join(line[2:] for line in self.typed.splitlines())


def pages() -> list[Path]:
    """Every page of the documentation."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "examples").rglob("*.md"))]


def blocks(text: str) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    for match in FENCE.finditer(text):
        yield Block(match[1], match[2], match.span(2))


def commands(block: Block) -> list[Command]:
    """Return the commands of a console block in order."""
    found: list[Command] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            found.append(Command(line, ()))
        elif line.startswith("> ") and found and not found[-1].shown:
            found[-1] = Command(f"{found[-1].typed}\n{line}", ())
        elif found:
            found[-1] = Command(found[-1].typed, (*found[-1].shown, line.rstrip()))
    return found


def folder(at: Path) -> None:
    """Make a folder like a reader's: the examples, and the program under .venv."""
    shutil.copytree(ROOT / "examples", at / "examples")
    (at / ".venv" / "bin").mkdir(parents=True)
    (at / ".venv" / "bin" / "trunkline").symlink_to(Path(sys.executable).with_name("trunkline"))


def run(command: Command, at: Path) -> tuple[int, list[str]]:
    """Return the exit code and the lines that a command prints, errors where they come."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    env = {k: v for k, v in os.environ.items() if k not in {"COLUMNS", "TRUNKLINE_BACKEND"}} | {"PATH": path}
    done = subprocess.run(
        ["bash", "-c", command.script], cwd=at, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        check=False,
    )  # fmt: skip
    return done.returncode, [line.rstrip() for line in done.stdout.splitlines()]


def rewritten(text: str, at: Path) -> str:
    """Return a page with the outputs that are shown written anew."""
    parts, end = [], 0
    for block in blocks(text):
        if block.language != "console":
            continue
        lines: list[str] = []
        for command in commands(block):
            printed = run(command, at)[1]
            lines += [*command.typed.splitlines(), *(printed if command.shown else [])]
        parts += [text[end : block.span[0]], "\n".join(lines) + "\n"]
        end = block.span[1]
    return "".join(parts) + text[end:]
