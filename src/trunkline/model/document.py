"""The document: every file of a network read and merged into one tree, with the place of each field.

Includes are read first, in order: maps merge, lists append, and a key given twice is an error that names both places.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from trunkline.model.lists import by_name, read_list
from trunkline.model.problem import Problem, Problems
from trunkline.model.tree import Map, Place, Seq, Text, Tree, decode, parse, problem

_ONCE_A_FILE = ("trunkline", "include")
_LISTS = ("circuits", "lsps", "demands")
_SUFFIXES = (".csv", ".json", ".txt", ".yaml", ".yml")


@dataclass(frozen=True)
class Document:
    """The files as read.  `sha256` is over their content, in order, wherever they lie."""

    files: tuple[str, ...]
    sha256: str
    tree: Map
    places: Mapping[str, Place]

    def where(self, field: str) -> Place:
        """Return the place of a field such as `circuits[3].capacity`; of what encloses it where it is left out."""
        while field and field not in self.places:
            cut = max(field.rfind("."), field.rfind("["))
            field = field[:cut] if cut > 0 else ""
        return self.places.get(field, self.tree.place)


class Files:
    """Reads files; keeps their names, their content's hash, and the problems."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.problems: list[Problem] = []
        self._hash = hashlib.sha256()

    @property
    def sha256(self) -> str:
        """The hash of all content read so far, in hexadecimal."""
        return self._hash.hexdigest()

    def read(self, file: str, at: Place | None = None) -> bytes:
        """Return a file's bytes; `at` is where the file is asked for.  Raises Problems."""
        try:
            with open(file, "rb") as stream:
                return stream.read()
        except FileNotFoundError:
            what = f"there is no file '{file}'"
        except IsADirectoryError:
            what = f"'{file}' is a directory"
        except (OSError, ValueError) as error:
            what = f"'{file}' cannot be read ({getattr(error, 'strerror', None) or error})"
        raise Problems([problem(at or Place(file, 0, 0), "file", what, "a file")])

    def text(self, file: str, at: Place) -> str:
        """Return a file's text, and remember it.  Raises Problems."""
        text = decode(file, self.read(file, at))
        content = text.encode()
        self._hash.update(f"{len(content)}\n".encode() + content)
        self.names.append(file)
        return text

    def tree(self, path: str) -> Map:
        """Return the merged tree of a network file and all that it includes.  Raises Problems."""
        merged = self._included(path, Place(path, 0, 0), (), set())
        if self.problems:
            raise Problems(self.problems)
        return merged

    def _included(self, path: str, at: Place, within: tuple[str, ...], seen: set[str]) -> Map:
        real = os.path.realpath(path)
        if real in within:
            raise Problems([problem(at, "include", f"'{path}' includes itself")])
        if real in seen:
            return Map((), at)
        seen.add(real)
        tree = parse(path, self.text(path, at))
        if not isinstance(tree, Map):
            raise Problems([problem(tree.place, "type", "the file is no map", "keys such as 'trunkline: 1'")])
        tree = self._with_lists(tree)
        include = tree.get("include")
        wanted = include.items if isinstance(include, Seq) else (include,) if include is not None else ()
        merged = Map((), tree.place)
        for name in wanted:
            if isinstance(name, Text) and not name.empty:
                beside = os.path.join(os.path.dirname(path), name.text)
                other = self._try(partial(self._included, beside, name.place, (*within, real), seen))
                if isinstance(other, Map):
                    merged = self._merge(merged, other, top=True)
        return self._merge(merged, tree, top=True)

    def _try(self, read: Callable[[], Tree]) -> Tree | None:
        try:
            return read()
        except Problems as error:
            self.problems += error.problems
            return None

    def _merge(self, old: Map, new: Map, top: bool) -> Map:
        entries = {key.text: (key, value) for key, value in old.entries}
        for key, value in new.entries:
            if key.text not in entries or (top and key.text in _ONCE_A_FILE):
                entries[key.text] = (key, value)
                continue
            first, before = entries[key.text]
            if isinstance(before, Map) and isinstance(value, Map):
                entries[key.text] = (first, self._merge(before, value, top=False))
            elif top and isinstance(before, Seq) and isinstance(value, Seq):
                entries[key.text] = (first, Seq(before.items + value.items, before.place))
            else:
                place = first.place
                what = f"'{key.text}' is given in two files, first at {place.file}:{place.line}:{place.column}"
                self.problems.append(problem(key.place, "duplicate-key", what))
        return Map(tuple(entries.values()), new.place)

    def _with_lists(self, tree: Map) -> Map:
        """Return a file's tree with every list file that it names read in its place."""
        return Map(tuple((key, self._section(key.text, value)) for key, value in tree.entries), tree.place)

    def _section(self, key: str, value: Tree) -> Tree:
        if key in _LISTS:
            return self._items(key, value)
        if key == "prefix_groups":
            groups = self._file(value)
            named = self._try(lambda: by_name(groups)) if groups is not value else value
            value = Map((), value.place) if named is None else named
            return _each(value, lambda group: _each(group, self._file))
        if key == "datacenters":
            return _each(value, lambda dc: _each(dc, lambda prefixes: _each(prefixes, self._file)))
        return value

    def _items(self, key: str, value: Tree) -> Tree:
        whole = self._file(value)
        if not isinstance(whole, Seq):
            return whole
        items: list[Tree] = []
        for item in whole.items:
            named = item.get("file") if isinstance(item, Map) and len(item.entries) == 1 else None
            if named is not None:
                inner = self._file(named)
                items += inner.items if isinstance(inner, Seq) else (inner,)
            elif key == "demands" and isinstance(item, Map):
                items.append(
                    Map(tuple((k, self._file(v) if k.text == "matrix" else v) for k, v in item.entries), item.place)
                )
            else:
                items.append(item)
        return Seq(tuple(items), whole.place)

    def _file(self, tree: Tree) -> Tree:
        """Return what a list file holds, where this names one; else the tree itself."""
        if not isinstance(tree, Text) or not tree.text.endswith(_SUFFIXES):
            return tree
        name, at = tree.text, tree.place
        beside = os.path.join(os.path.dirname(at.file), name)
        found = self._try(lambda: read_list(beside, self.text(beside, at)))
        return Seq((), at) if found is None else found


def _each(tree: Tree, change: Callable[[Tree], Tree]) -> Tree:
    """Return a map with each value changed; anything else as it is."""
    if not isinstance(tree, Map):
        return tree
    return Map(tuple((key, change(value)) for key, value in tree.entries), tree.place)
