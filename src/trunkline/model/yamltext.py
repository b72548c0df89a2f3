"""YAML and JSON text to a syntax tree in which every scalar is still text and knows its place.

Built on the parser's events, so that depth, aliases and repeated keys are bounded here and never by the stack.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

import yaml

from trunkline.model.document import Faults, List, Map, Node, Place, Spot, Text

MAX_DEPTH = 40
MAX_ALIAS_NODES = 100_000
"""How many nodes aliases may add to those that are written: far above any real file, far below an alias bomb."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TAGS = {"!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map"}
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Stop(Exception):
    """The text cannot be read any further; the fault is noted."""


@dataclass
class _Open:
    """A map or a list that is not closed yet."""

    place: Place
    anchor: str | None
    mapping: bool
    children: list[Node] = field(default_factory=list)
    size: int = 1


def parse_json(text: str, file: str, faults: Faults) -> Node | None:
    """Return the tree of a JSON text; None where it cannot be read (the fault is noted)."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        spot = Spot(Place(file, error.lineno, error.colno))
        faults.error("syntax", spot, f"this is not JSON: {error.msg[0].lower()}{error.msg[1:]}")
        return None
    except RecursionError:
        faults.error("depth", Spot(Place(file, 1, 1)), "nested too deeply", f"at most {MAX_DEPTH} levels")
        return None
    except ValueError:  # a number of more digits than Python converts
        faults.error("range", Spot(Place(file, 1, 1)), "a number in this file is too long")
        return None
    text = text.replace("\t", " ")  # in valid JSON a tab stands only between tokens
    return parse_yaml(_PAIR.sub(_character, text), file, faults)


_PAIR = re.compile(r"\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|.)", re.IGNORECASE)
"""An escape of JSON; in groups the two halves of a character beyond U+FFFF (RFC 8259 7), which YAML writes as one."""


def _character(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return escape[0]
    halves = bytes.fromhex(escape[1] + escape[2])
    return f"\\U{ord(halves.decode('utf-16-be')):08x}"


def parse_yaml(text: str, file: str, faults: Faults) -> Node | None:
    """Return the tree of a YAML text; None where it cannot be read or is empty (the fault is noted)."""
    bad = _UNPRINTABLE.search(text)
    if bad is not None:
        message = f"the character U+{ord(bad[0]):04X} is not allowed in YAML"
        faults.error("encoding", Spot(place_of(text, bad.start(), file)), message, "printable UTF-8 text")
        return None
    try:
        return _Builder(file, faults).build(text)
    except _Stop:
        return None
    except yaml.MarkedYAMLError as error:
        _note_syntax(error, text, file, faults)
        return None


def place_of(text: str, offset: int, file: str) -> Place:
    """Return the place of a character by its offset in the text."""
    return Place(file, text.count("\n", 0, offset) + 1, offset - (text.rfind("\n", 0, offset) + 1) + 1)


def _note_syntax(error: yaml.MarkedYAMLError, text: str, file: str, faults: Faults) -> None:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line, mark.column) if mark else (0, 0)
    lines = text.split("\n")
    spot = Spot(Place(file, line + 1, column + 1))
    if line < len(lines) and lines[line][column : column + 1] == "\t":
        faults.error("syntax", spot, "a tab where YAML allows only spaces", "spaces")
        return
    context = f" {error.context}" if error.context else ""
    faults.error("syntax", spot, f"this is not YAML:{context}{',' if context else ''} {error.problem}")


class _Builder:
    def __init__(self, file: str, faults: Faults) -> None:
        self.file = file
        self.faults = faults
        self.open: list[_Open] = []
        self.anchors: dict[str, tuple[Node, int]] = {}
        self.added = 0
        self.root: Node | None = None
        self.documents = 0

    def build(self, text: str) -> Node | None:
        for event in yaml.parse(text, Loader=_LOADER):
            self._take(event)
        if self.root is None or (isinstance(self.root, Text) and self.root.empty):
            self._error("empty", Place(self.file, 1, 1), "the file is empty", "a network (`trunkline: 1`), or events")
            return None
        return self.root

    def _error(self, code: str, place: Place, message: str, expected: str = "") -> None:
        self.faults.error(code, Spot(place), message, expected)

    def _take(self, event: yaml.Event) -> None:
        mark = event.start_mark
        place = Place(self.file, mark.line + 1, mark.column + 1) if mark else Place(self.file, 1, 1)
        match event:
            case yaml.DocumentStartEvent():
                self.documents += 1
                if self.documents > 1:
                    self._error("documents", place, "a second document starts here", "one document in a file")
                    raise _Stop
            case yaml.ScalarEvent():
                plain = event.implicit[0] and self._tag(event.tag, place)
                self._put(Text(event.value, place, plain), 1, event.anchor)
            case yaml.AliasEvent():
                self._alias(event.anchor or "", place)
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                self._tag(event.tag, place)
                if len(self.open) == MAX_DEPTH:
                    self._error("depth", place, "nested too deeply", f"at most {MAX_DEPTH} levels")
                    raise _Stop
                self.open.append(_Open(place, event.anchor, isinstance(event, yaml.MappingStartEvent)))
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                done = self.open.pop()
                node: Node = self._map(done) if done.mapping else List(tuple(done.children), done.place)
                self._put(node, done.size, done.anchor)

    def _tag(self, tag: str | None, place: Place) -> bool:
        if tag is not None and tag not in _TAGS:
            shown = tag.replace("tag:yaml.org,2002:", "!!")
            self._error("tag", place, f"the tag {shown} means nothing here", "a value without a tag")
        return tag is None

    def _alias(self, anchor: str, place: Place) -> None:
        if any(frame.anchor == anchor for frame in self.open):
            self._error("alias", place, f"*{anchor} stands inside &{anchor}: it would contain itself for ever")
            raise _Stop
        if anchor not in self.anchors:
            self._error("alias", place, f"*{anchor} names no anchor above it", f"&{anchor} before it")
            raise _Stop
        node, size = self.anchors[anchor]
        self.added += size
        if self.added > MAX_ALIAS_NODES:
            self._error("alias", place, f"aliases add more than {MAX_ALIAS_NODES} nodes to this file", "fewer aliases")
            raise _Stop
        self._put(node, size, None)

    def _put(self, node: Node, size: int, anchor: str | None) -> None:
        if anchor is not None:
            self.anchors[anchor] = node, size
        if self.open:
            self.open[-1].children.append(node)
            self.open[-1].size += size
        else:
            self.root = node

    def _map(self, done: _Open) -> Map:
        own: dict[str, tuple[Text, Node]] = {}
        merged: list[Node] = []
        for key, value in zip(done.children[::2], done.children[1::2], strict=True):
            if not isinstance(key, Text):
                self._error("type", key.place, "a key must be one word", "a key such as `capacity`")
            elif key.value == "<<" and key.plain:
                merged += value.items if isinstance(value, List) else [value]
            elif key.value in own:
                first = own[key.value][0].place
                self._error(
                    "duplicate-key", key.place, f"`{key.value}` was given before, at {first.line}:{first.column}"
                )
            else:
                own[key.value] = key, value
        for node in merged:  # YAML merge keys: the map's own keys win, then the earlier of the merged maps
            if isinstance(node, Map):
                for key, value in node.entries:
                    own.setdefault(key.value, (key, value))
            else:
                self._error("type", node.place, "`<<` merges maps only", "a map, an alias of one, or a list of these")
        return Map(tuple(own.values()), done.place)
