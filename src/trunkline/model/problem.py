"""The one shape of errors and warnings: what is wrong, where, what was expected, the nearest valid spelling."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """An error stops the run; a warning is printed beside the answer."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, order=True)
class Problem:
    """One error or warning.  `file`, `line`, `column` (from 1) say where, where there is a where."""

    file: str
    line: int
    column: int
    code: str
    message: str
    field: str = ""
    expected: str = ""
    nearest: str = ""
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}: " if self.line else f"{self.file}: " if self.file else ""
        parts = [f"{where}{self.severity}[{self.code}]: "]
        parts.append(f"{self.field}: {self.message}" if self.field else self.message)
        if self.expected:
            parts.append(f"; expected {self.expected}")
        if self.nearest:
            parts.append(f"; did you mean '{self.nearest}'?")
        return "".join(c if c.isprintable() else _escaped(c) for c in "".join(parts))


def _escaped(character: str) -> str:
    """A character that would move the cursor, or nothing to be seen, as Python writes it in a string."""
    return character.encode("unicode_escape").decode("ascii")


class Problems(Exception):
    """All errors of a run, sorted by place.  The command line prints them and exits with 2."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems))
        super().__init__("\n".join(map(str, self.problems)))


class Missing(RuntimeError):
    """The environment lacks something that was asked for; the message says what, and what brings it."""


def nearest(name: str, valid: Iterable[str]) -> str:
    """Return the valid spelling closest to `name`, or an empty string where none is close."""
    found = difflib.get_close_matches(name, sorted(valid), n=1, cutoff=0.6)
    return found[0] if found else ""
