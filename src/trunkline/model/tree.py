"""A YAML (or JSON) text as a tree in which every value knows its place; scalars stay text until the schema types them.

Built from the parser's events, so nesting is bounded before anything recurses, and aliases are counted as they are
copied.  Refused, with the place: duplicate keys, unknown tags, several documents, recursive aliases, alias bombs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from trunkline.model.problem import Problem, Problems

MAX_DEPTH = 40
MAX_COPIES = 200_000
"""How many values aliases may copy, all together: enough for any hand-written file, and no bomb."""
_PARSER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAGS = {None, "!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"}
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Place:
    """Where a value begins; line and column count from 1."""

    file: str
    line: int
    column: int


@dataclass(frozen=True)
class Text:
    """A scalar as written.  A `cell` of a table may hold a whole list, its items separated by spaces or semicolons."""

    text: str
    place: Place
    plain: bool = True
    cell: bool = False

    @property
    def empty(self) -> bool:
        """Whether nothing is written, as after a key whose value is left out."""
        return self.plain and self.text in ("", "~", "null")


@dataclass(frozen=True)
class Seq:
    """A list."""

    items: tuple[Tree, ...]
    place: Place


@dataclass(frozen=True)
class Map:
    """A map; keys are in the file's order and differ."""

    entries: tuple[tuple[Text, Tree], ...]
    place: Place

    def get(self, key: str) -> Tree | None:
        """Return the value of a key, or None."""
        return next((value for k, value in self.entries if k.text == key), None)


Tree = Text | Seq | Map


def problem(place: Place, code: str, message: str, expected: str = "") -> Problem:
    """Return an error at a place."""
    return Problem(place.file, place.line, place.column, code, message, expected=expected)


def place_of(file: str, text: str, offset: int) -> Place:
    """Return the place of a character offset in a text."""
    before = text[:offset]
    return Place(file, before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1)


def decode(file: str, data: bytes) -> str:
    """Return UTF-8 data as text: no byte-order mark, line feeds alone.  Raises Problems at the first wrong byte."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        what = f"byte 0x{data[error.start]:02x} is not UTF-8"
        raise Problems([problem(place_of(file, before, len(before)), "encoding", what, "UTF-8 text")]) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    bad = _UNPRINTABLE.search(text)
    if bad is not None:
        what = f"control character U+{ord(bad[0]):04X}"
        raise Problems([problem(place_of(file, text, bad.start()), "encoding", what, "printable text")])
    return text


def parse(file: str, text: str) -> Tree:
    """Return the tree of a YAML or JSON text.  Raises Problems: all duplicate keys, else the first thing wrong."""
    builder = _Builder(file)
    try:
        tree = builder.document(iter(yaml.parse(text, Loader=_PARSER)))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(file, mark.line + 1, mark.column + 1) if mark else Place(file, 1, 1)
        builder.problems.append(problem(place, "yaml", f"{error.problem}" if error.problem else f"{error.context}"))
    if builder.problems:
        raise Problems(builder.problems)
    return tree


class _Builder:
    """Builds the tree of one text from the parser's events."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.anchors: dict[str, tuple[Tree, int]] = {}
        self.open: set[str] = set()
        self.copies = 0

    def place(self, event: Any) -> Place:
        return Place(self.file, event.start_mark.line + 1, event.start_mark.column + 1)

    def stop(self, event: yaml.Event, code: str, message: str, expected: str = "") -> Problems:
        return Problems([*self.problems, problem(self.place(event), code, message, expected)])

    def document(self, events: Iterator[yaml.Event]) -> Tree:
        tree: Tree | None = None
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                if tree is not None:
                    raise self.stop(event, "yaml", "a second document starts here", "one document a file")
                tree, _ = self.node(next(events), events, 0)
        if tree is None:
            raise Problems([problem(Place(self.file, 1, 1), "empty", "the file is empty")])
        return tree

    def node(self, event: Any, events: Iterator[yaml.Event], depth: int) -> tuple[Tree, int]:
        """Return the tree that starts with this event, and how many values it holds."""
        if isinstance(event, yaml.AliasEvent):
            return self.alias(event)
        if depth > MAX_DEPTH:
            raise self.stop(event, "nesting", f"nested more than {MAX_DEPTH} deep")
        if event.tag not in _TAGS:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            raise self.stop(event, "tag", f"tag '{tag}' is not read", "plain values, whose keys say their type")
        if event.anchor:
            self.open.add(event.anchor)
        if isinstance(event, yaml.ScalarEvent):
            tree: Tree = Text(event.value, self.place(event), event.implicit[0])
            size = 1
        elif isinstance(event, yaml.SequenceStartEvent):
            tree, size = self.sequence(event, events, depth)
        else:
            tree, size = self.mapping(event, events, depth)
        if event.anchor:
            self.open.discard(event.anchor)
            self.anchors[event.anchor] = (tree, size)
        return tree, size

    def alias(self, event: yaml.AliasEvent) -> tuple[Tree, int]:
        if event.anchor in self.open:
            raise self.stop(event, "alias", f"alias '*{event.anchor}' stands inside its own anchor")
        if event.anchor not in self.anchors:
            raise self.stop(event, "alias", f"alias '*{event.anchor}' has no anchor above it")
        tree, size = self.anchors[event.anchor]
        self.copies += size
        if self.copies > MAX_COPIES:
            raise self.stop(event, "alias", f"aliases copy more than {MAX_COPIES} values")
        return tree, size

    def sequence(self, start: yaml.Event, events: Iterator[yaml.Event], depth: int) -> tuple[Tree, int]:
        items, size = [], 1
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            tree, count = self.node(event, events, depth + 1)
            items.append(tree)
            size += count
        return Seq(tuple(items), self.place(start)), size

    def mapping(self, start: yaml.Event, events: Iterator[yaml.Event], depth: int) -> tuple[Tree, int]:
        own: dict[str, tuple[Text, Tree]] = {}
        merged: list[Tree] = []
        size = 1
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            key, _ = self.node(event, events, depth + 1)
            value, count = self.node(next(events), events, depth + 1)
            size += count + 1
            if not isinstance(key, Text):
                raise self.stop(event, "yaml", "a key is a list or a map", "a name")
            if key.text == "<<" and key.plain:
                merged += value.items if isinstance(value, Seq) else (value,)
            elif key.text in own:
                first = own[key.text][0].place
                what = f"key '{key.text}' is given twice, first at line {first.line}, column {first.column}"
                self.problems.append(problem(self.place(event), "duplicate-key", what))
            else:
                own[key.text] = (key, value)
        for other in merged:
            if not isinstance(other, Map):
                raise Problems([problem(other.place, "yaml", "'<<' merges something else than a map", "a map")])
            for key, value in other.entries:
                own.setdefault(key.text, (key, value))
        return Map(tuple(own.values()), self.place(start)), size
