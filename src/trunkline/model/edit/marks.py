"""Where every node of a YAML or JSON text begins and ends, to the character, as it was written.

The syntax tree (`model.document`) says what a text means: aliases and merge keys are followed there.  Marks say what is
written: an alias is an alias.  Offsets count characters of the text with LF line ends, as `model.gather` reads it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

import yaml

from trunkline.model.document import List, Map, Node, Place

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*\s+)*(?:[&!][^\s,\[\]{}]*$)?")
"""Anchor and tag, which stand before a node and belong to it."""


class _Position(Protocol):
    @property
    def index(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


class Shape(StrEnum):
    """What a mark is of."""

    TEXT = "text"
    MAP = "map"
    LIST = "list"
    ALIAS = "alias"


@dataclass(eq=False)
class Mark:
    """One node as it is written: `text[start:end]`, its anchor and tag not included.

    `children` of a map are key, value, key, value.  `flow` tells `{a: 1}` and `[a]` from lines of their own.
    """

    shape: Shape
    start: int
    end: int
    flow: bool = False
    parent: Mark | None = field(default=None, repr=False)
    children: list[Mark] = field(default_factory=list, repr=False)

    @property
    def entries(self) -> list[tuple[Mark, Mark]]:
        """Keys and values of a map."""
        return list(zip(self.children[::2], self.children[1::2], strict=True))

    @property
    def whole(self) -> tuple[Mark, Mark]:
        """The first and last mark of the entry that this one is, or is the value of: key and value, or an item."""
        if self.parent is None or self.parent.shape is not Shape.MAP:
            return self, self
        at = self.parent.children.index(self)
        return self.parent.children[at - at % 2], self


def _mark(mark: _Position | None) -> _Position:
    if mark is None:
        raise LookupError("the parser gives every event its place")
    return mark


class Marks:
    """All marks of one text, found by the place where the tree says that a node stands."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root: Mark | None = None
        self._at: dict[tuple[Shape, int, int], Mark] = {}
        open_marks: list[Mark] = []
        for event in yaml.parse(text.replace("\t", " "), Loader=_LOADER):
            self._take(event, open_marks)

    def _take(self, event: yaml.Event, open_marks: list[Mark]) -> None:
        match event:
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                shape = Shape.MAP if isinstance(event, yaml.MappingStartEvent) else Shape.LIST
                mark = self._put(event, shape, open_marks)
                mark.flow = bool(event.flow_style)
                open_marks.append(mark)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                done = open_marks.pop()
                # a block ends for the parser where the next token begins: behind comments that are not its own
                done.end = _mark(event.end_mark).index if done.flow or not done.children else done.children[-1].end
            case yaml.ScalarEvent():
                self._put(event, Shape.TEXT, open_marks)
            case yaml.AliasEvent():
                self._put(event, Shape.ALIAS, open_marks)

    def _put(self, event: yaml.Event, shape: Shape, open_marks: list[Mark]) -> Mark:
        first, end = _mark(event.start_mark), _mark(event.end_mark).index
        start = first.index
        if shape is not Shape.ALIAS and self.text[start : start + 1] in ("&", "!"):
            match = _PROPERTIES.match(self.text, start, max(end, start))
            start = match.end() if match else start
        end = start + len(self.text[start:end].rstrip()) if shape is Shape.TEXT else end
        mark = Mark(shape, start, end, parent=open_marks[-1] if open_marks else None)
        if mark.parent:
            mark.parent.children.append(mark)
        else:
            self.root = mark
        self._at.setdefault((shape, first.line + 1, first.column + 1), mark)
        return mark

    def of(self, node: Node) -> Mark | None:
        """Return the mark of a node of the tree of this text; None where it is not written as such."""
        shape = Shape.MAP if isinstance(node, Map) else Shape.LIST if isinstance(node, List) else Shape.TEXT
        return self.at(shape, node.place)

    def at(self, shape: Shape, place: Place) -> Mark | None:
        """Return the mark of a shape at a place of this text."""
        return self._at.get((shape, place.line, place.column))
