"""The files of a network: read once each, included ones and lists in CSV or JSON too, and merged into one tree."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from trunkline.model.csvtext import parse_csv
from trunkline.model.document import Faults, List, Map, Node, Place, Spot, Text
from trunkline.model.keys.file import NETWORK
from trunkline.model.schema import Listing
from trunkline.model.yamltext import parse_json, parse_yaml, place_of

MAX_BYTES = 256 * 2**20
_LISTS = {key.name for key in NETWORK.keys if isinstance(key.type, Listing)} - {"include", "objectives"}
_NAMED_ROWS = {"prefix_groups"}
_OUTERMOST = {"trunkline", "name", "include"}
"""Keys that each file has for itself; those of the including file stand."""


@dataclass
class Files:
    """What was read, in order; `sha256` depends on contents and their order, not on paths, line ends or a BOM."""

    faults: Faults
    edited: Mapping[str, bytes] = field(default_factory=dict)
    """What is read in place of a file, by the path it is opened by: edits that are not saved yet."""
    names: list[str] = field(default_factory=list)
    incomplete: bool = False
    """Whether a file is missing from the tree, so that what it may define cannot be called unknown."""
    _hash: hashlib._Hash = field(default_factory=hashlib.sha256)

    @property
    def sha256(self) -> str:
        """The digest of everything read so far, in hexadecimal."""
        return self._hash.hexdigest()

    def read(self, path: str, at: Spot | None = None) -> str | None:
        """Return a file's text, None where it cannot be read (noted at `at`, where it is named)."""
        spot = at or Spot(Place(path, 0, 0))
        try:
            data = self.edited[path] if path in self.edited else self._bytes(path)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            self.faults.error("file", spot, f"cannot read {path}: {why[0].lower()}{why[1:]}", "a readable file")
            return None
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            before = data[: error.start].decode("utf-8-sig")
            message = f"the byte 0x{data[error.start]:02x} is not UTF-8"
            self.faults.error("encoding", Spot(place_of(before, len(before), path)), message, "a file in UTF-8")
            return None
        text = text.replace("\r\n", "\n")
        self._hash.update(len(text).to_bytes(8, "big") + text.encode("utf-8", "surrogatepass"))
        self.names.append(path)
        return text

    @staticmethod
    def _bytes(path: str) -> bytes:
        if os.path.isdir(path):
            raise OSError("it is a directory")
        if os.path.exists(path) and not os.path.isfile(path):
            raise OSError("it is no regular file")
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise OSError(f"it is larger than {MAX_BYTES} bytes")
        return data

    def tree(self, path: str, at: Spot | None = None) -> Node | None:
        """Return the syntax tree of a YAML, JSON or CSV file, by its name's ending."""
        text = self.read(path, at)
        if text is None:
            self.incomplete = True
            return None
        ending = os.path.splitext(path)[1].lower()
        parse = {".csv": parse_csv, ".json": parse_json}.get(ending, parse_yaml)
        tree = parse(text, path, self.faults)
        self.incomplete = self.incomplete or tree is None
        return tree


def beside(file: str, name: str) -> str:
    """Return the path of a file named in another one."""
    return os.path.normpath(os.path.join(os.path.dirname(file), name))


def gather(path: str, files: Files) -> Map | None:
    """Return the tree of a network file with all that it includes."""
    return _Gather(files).file(path, None, ())


class _Gather:
    def __init__(self, files: Files) -> None:
        self.files = files
        self.faults = files.faults
        self.seen: dict[str, Spot] = {}

    def file(self, path: str, at: Spot | None, chain: tuple[str, ...]) -> Map | None:
        if at is not None and path in chain:
            self.faults.error("include", at, "this includes itself: " + " > ".join((*chain[chain.index(path) :], path)))
            return None
        if at is not None and path in self.seen:
            self.faults.error("include", at, f"{path} was included before, at {self.seen[path].place}")
            return None
        if at is not None:
            self.seen[path] = at
        tree = self.files.tree(path, at)
        if tree is None:
            return None
        if not isinstance(tree, Map):
            self.faults.error("type", Spot(tree.place), "this is no network", "a map that begins with `trunkline: 1`")
            return None
        merged: dict[str, tuple[Text, Node]] = {}
        for part in (*self._included(tree, path, (*chain, path)), self._loaded(tree)):
            self._merge(merged, part)
        return Map(tuple(merged.values()), tree.place)

    def _included(self, tree: Map, path: str, chain: tuple[str, ...]) -> list[Map]:
        node = tree.get("include")
        items = node.items if isinstance(node, List) else (node,) if isinstance(node, Text) else ()
        parts = []
        for i, item in enumerate(items):
            if isinstance(item, Text) and not item.empty:
                part = self.file(beside(path, item.value), Spot(item.place, f"include[{i}]"), chain)
                parts += [part] if part else []
        return parts

    def _loaded(self, tree: Map) -> Map:
        """The tree with lists in other files read in place."""
        entries = []
        for key, value in tree.entries:
            if key.value in _LISTS:
                entries.append((key, self._list(key.value, value)))
            elif key.value in _NAMED_ROWS and isinstance(value, Text) and not value.empty:
                entries.append((key, self._by_name(self._rows(key.value, value))))
            else:
                entries.append((key, value))
        return Map(tuple(entries), tree.place)

    def _list(self, section: str, node: Node) -> Node:
        if isinstance(node, Text) and not node.empty:
            return self._rows(section, node)
        if not isinstance(node, List):
            return node
        items: list[Node] = []
        for item in node.items:
            inner = item.get("file") if isinstance(item, Map) and len(item.entries) == 1 else None
            items += self._rows(section, inner).items if isinstance(inner, Text) else [item]
        return List(tuple(items), node.place)

    def _rows(self, section: str, name: Text) -> List:
        tree = self.files.tree(beside(name.place.file, name.value), Spot(name.place, section))
        if tree is not None and not isinstance(tree, List):
            self.faults.error("type", Spot(tree.place, section), "this file holds no list", "a list, as CSV or JSON")
        return tree if isinstance(tree, List) else List((), name.place)

    def _by_name(self, rows: List) -> Map:
        entries: dict[str, tuple[Text, Node]] = {}
        for row in rows.items:
            name = row.get("name") if isinstance(row, Map) else None
            if not isinstance(row, Map) or not isinstance(name, Text):
                self.faults.error("missing-key", Spot(row.place), "`name` is missing", "a row with a name")
            elif name.value in entries:
                first = entries[name.value][0].place
                self.faults.error(
                    "duplicate-key",
                    Spot(name.place),
                    f"`{name.value}` was given before, at {first.line}:{first.column}",
                )
            else:
                rest = tuple(e for e in row.entries if e[0].value != "name")
                entries[name.value] = name, Map(rest, row.place)
        return Map(tuple(entries.values()), rows.place)

    def _merge(self, merged: dict[str, tuple[Text, Node]], part: Map) -> None:
        for key, value in part.entries:
            old = merged.get(key.value)
            if old is None or key.value in _OUTERMOST:
                merged[key.value] = key, value
            elif isinstance(old[1], List) and isinstance(value, List):
                merged[key.value] = old[0], List(old[1].items + value.items, old[1].place)
            elif isinstance(old[1], Map) and isinstance(value, Map):
                inner = {k.value: (k, v) for k, v in old[1].entries}
                for k, v in value.entries:
                    if k.value in inner:
                        self._twice(k, f"{key.value}.{k.value}", inner[k.value][0])
                    inner.setdefault(k.value, (k, v))
                merged[key.value] = old[0], Map(tuple(inner.values()), old[1].place)
            else:
                self._twice(key, key.value, old[0])

    def _twice(self, key: Text, path: str, first: Text) -> None:
        self.faults.error("duplicate-key", Spot(key.place, path), f"`{key.value}` was given before, at {first.place}")
