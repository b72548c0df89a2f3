"""The file as it was written: its syntax tree, where everything stands in it, and what is wrong with it.

A later stage that wants to warn of something asks `Document.where` (a field path) or `Document.spot` (a thing's name).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from trunkline.model.problem import Problem, Problems, Severity


@dataclass(frozen=True, order=True)
class Place:
    """A character of a file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Spot:
    """A place and the field path that stands there, such as `circuits[3].capacity`."""

    place: Place
    field: str = ""


@dataclass(frozen=True)
class Text:
    """A scalar as it was written.  `plain` is False where quotes or a tag make it text for certain."""

    value: str
    place: Place
    plain: bool = True

    @property
    def empty(self) -> bool:
        """Whether nothing was written: `key:`, `key: ~` or `key: null`."""
        return self.plain and self.value in ("", "~", "null")


@dataclass(frozen=True)
class Map:
    """Keys and values in the order of the file, each key once."""

    entries: tuple[tuple[Text, Node], ...]
    place: Place

    def get(self, key: str) -> Node | None:
        """Return the value of a key, None where the key is absent."""
        return next((value for name, value in self.entries if name.value == key), None)


@dataclass(frozen=True)
class List:
    """Items in the order of the file."""

    items: tuple[Node, ...]
    place: Place


Node = Text | Map | List

_INDEX = re.compile(r"\[([0-9]{1,9})\]")


@dataclass(frozen=True)
class Document:
    """The files of a network, merged into one tree, and where each named thing was defined."""

    files: tuple[str, ...]
    """As they were opened, in the order of reading."""
    tree: Map = field(repr=False)
    spots: Mapping[tuple[str, str], Spot] = field(default_factory=dict, repr=False)
    """By (kind, name); kinds are `circuit`, `router`, `lsp` (its identity `head/name`), `demand`, `class` and so on."""

    def where(self, path: str) -> Place | None:
        """Return where a field stands, such as `circuits[3].capacity`; None where the file does not write it."""
        return _find(self.tree, path)

    def spot(self, kind: str, name: str) -> Spot | None:
        """Return where a thing was defined; None where no such thing was."""
        return self.spots.get((kind, name))


def _find(node: Node, path: str) -> Place | None:
    if not path:
        return node.place
    if isinstance(node, List):
        match = _INDEX.match(path)
        if match is None or int(match[1]) >= len(node.items):
            return None
        return _find(node.items[int(match[1])], path[match.end() :].removeprefix("."))
    if isinstance(node, Map):
        for key, value in node.entries:  # a name may hold dots, so every key that fits is tried
            rest = path.removeprefix(key.value)
            if path.startswith(key.value) and (not rest or rest[0] in ".["):
                found = _find(value, rest.removeprefix("."))
                if found is not None:
                    return found
    return None


class Faults:
    """What is wrong with the files of one run; said once however often it is read."""

    def __init__(self) -> None:
        self._found: dict[tuple[Place, str, str], Problem] = {}

    def _add(self, severity: Severity, code: str, spot: Spot, texts: tuple[str, str, str]) -> None:
        place = spot.place
        problem = Problem(
            place.file, place.line, place.column, code, texts[0], spot.field, texts[1], texts[2], severity
        )
        self._found.setdefault((place, code, texts[0]), problem)

    def error(self, code: str, spot: Spot, message: str, expected: str = "", nearest: str = "") -> None:
        """Note what stops the run."""
        self._add(Severity.ERROR, code, spot, (message, expected, nearest))

    def warn(self, code: str, spot: Spot, message: str, expected: str = "") -> None:
        """Note what will hurt."""
        self._add(Severity.WARNING, code, spot, (message, expected, ""))

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """The warnings, sorted by place."""
        return tuple(sorted(p for p in self._found.values() if p.severity is Severity.WARNING))

    def stop(self) -> None:
        """Raise Problems with every error found so far; do nothing where there is none."""
        errors = [p for p in self._found.values() if p.severity is Severity.ERROR]
        if errors:
            raise Problems(errors)
