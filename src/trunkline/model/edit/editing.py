"""Open a network file, change values in it, save it.

Every change is checked by reading the files again: had anything but the thing asked for changed with it, through an
anchor or a merge key, nothing is changed and the error says what.  Saving reads the whole network first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from trunkline.model.document import Document, Faults, List, Map, Place, Text
from trunkline.model.edit import locations
from trunkline.model.edit.address import Step, locate, refuse, walk
from trunkline.model.edit.expect import Keys, differences, expected_after
from trunkline.model.edit.sheet import Sheet
from trunkline.model.edit.splice import Splice, Unfit
from trunkline.model.edit.texts import Source, write
from trunkline.model.edit.words import Value, data
from trunkline.model.gather import Files, gather
from trunkline.model.load import Loaded, load, outline
from trunkline.model.problem import Problems

_ENTRY = re.compile(r"(sites|routers|circuits|peers|lsps|demands)[.\[].*")
_GIVEN_BY = {"peers": "ports"}
"""The key of `defaults` for a section's entries, where it is another than the section's."""


def edit(path: Path | str) -> Editing:
    """Open a network file and all that it names, for editing.  Raises Problems where it cannot be parsed."""
    return Editing(str(path))


class Editing:
    """The files of one network, changed in memory until `save`.

    `where` is a field path (`circuits[3]`, `sites.fra.wiring`, empty for the whole file) or a thing as `KIND NAME`
    (`circuit fra-lon`, `router fra-bb1`, `lsp fra-dr1/customer`).  Every change raises Problems, and changes nothing,
    where it cannot be made, or not without changing more than it says.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._document = outline(path)
        self._sources = {name: Source.read(name) for name in self._document.files}

    @property
    def document(self) -> Document:
        """The tree as it is now."""
        return self._document

    def set(self, where: str, field: str, value: Value, *, override: bool = False) -> None:
        """Give a field a value; a field that is not written yet is added.

        A value that comes from `defaults`, an alias or a merge key is changed only with `override`, which writes it at
        the thing itself and leaves its source alone.
        """
        cell = locations.matrix_cell(self._document, where) if field == "rate" else None
        if cell is not None:
            self._change(cell.file, Sheet.read(self._text(cell.file)).set_cell(cell, value), None, [])
            return
        steps = locate(self._document, where)
        node = steps[-1].node if steps else self._document.tree
        inner = walk(node, field)
        if inner:
            self._replace([*steps, *inner], value, override)
            return
        outer, _, key = field.rpartition(".")
        through = walk(node, outer) if outer else None
        steps, key = ([*steps, *through], key) if through else (steps, field)
        self._check_default(steps, key, override)
        self._insert(steps, key, value)

    def add(self, section: str, value: Value, name: str | None = None) -> None:
        """Add an item to a list such as `circuits`, or with a `name` an entry to a map such as `routers`.

        It goes behind the last one, into that one's file and in its style.
        """
        if walk(self._document.tree, section) is None:
            steps, key = locate(self._document, ""), section
            self._insert(steps, key, {name: value} if name is not None else [value])
            return
        steps = locate(self._document, section)
        if name is not None and walk(steps[-1].node if steps else self._document.tree, name):
            raise refuse(steps[-1].node.place, "name-twice", f"`{section}` has an entry '{name}' already")
        self._insert(steps, name, value)

    def remove(self, where: str, field: str = "") -> None:
        """Take out a thing with its lines, or one field of it."""
        steps = locate(self._document, where)
        inner = walk(steps[-1].node if steps else self._document.tree, field)
        if not steps + (inner or []) or inner is None:
            raise refuse(None, "nothing-there", f"there is no `{field}` at `{where}`")
        steps = [*steps, *inner]
        source = locations.written(self._text, steps)
        if source.inherited:
            raise self._inherited(steps, source.inherited, "a value for it here, with override")
        self._change(source.file, self._fitting(steps, source.remove), None, _keys(steps))

    def diff(self) -> str:
        """Return all changes since opening or saving as a unified diff, empty where there are none."""
        return "".join(source.diff() for source in self._sources.values())

    def check(self) -> Loaded:
        """Return the network as it would be read back.  Raises Problems where it would not be."""
        return load(self.path, self.written())

    def written(self) -> dict[str, bytes]:
        """Return the bytes of every file as they are now, by name."""
        return {name: source.now for name, source in self._sources.items()}

    def save(self) -> list[str]:
        """Write the files that changed, each at once, and return their names.

        Raises Problems, with nothing written, where the network would not load or a file has changed meanwhile.
        """
        self.check()
        written = write(self._sources.values())
        self._sources = {name: Source(name, s.now, s.now) for name, s in self._sources.items()}
        return written

    # ---- how

    def _text(self, file: str) -> str:
        return self._sources[file].text

    def _replace(self, steps: list[Step], value: Value, override: bool) -> None:
        source = locations.written(self._text, steps)
        if source.inherited and not override:
            raise self._inherited(steps, source.inherited, "override, to write it here and leave its source alone")
        self._change(source.file, self._fitting(steps, lambda: source.replace(value)), value, _keys(steps))

    def _insert(self, steps: list[Step], key: str | None, value: Value) -> None:
        node = steps[-1].node if steps else self._document.tree
        keyed = isinstance(node, Map) or (isinstance(node, Text) and node.empty and key is not None)
        listed = isinstance(node, List) or (isinstance(node, Text) and node.empty)
        if not (keyed if key is not None else listed) or (key is not None and "[" in key):
            what = f"`{key}`" if key is not None else "an item"
            raise refuse(node.place, "nothing-there", f"there is no place for {what} here", _path(steps))
        box = locations.container(self._text, steps, self._document.tree)
        splices = self._fitting(steps, lambda: box.insert(key, value))
        self._change(box.file, splices, value, [*_keys(steps), key])

    def _fitting(self, steps: list[Step], cut: locations.Cut) -> list[Splice]:
        try:
            return cut()
        except Unfit as error:
            place = steps[-1].node.place if steps else self._document.tree.place
            raise refuse(place, "unfit", str(error), _path(steps)) from None

    def _check_default(self, steps: list[Step], key: str, override: bool) -> None:
        path = _path(steps)
        match = _ENTRY.fullmatch(path)
        if match is None or override:
            return
        given = f"defaults.{_GIVEN_BY.get(match[1], match[1])}.{key}"
        place = self._document.where(given)
        if place is not None:
            here = steps[-1].node.place
            expected = "override, to write it here and leave the default alone"
            raise refuse(here, "inherited", f"`{key}` comes from `{given}` at {place}", f"{path}.{key}", expected)

    def _inherited(self, steps: list[Step], how: str, expected: str) -> Problems:
        last = steps[-1]
        here = steps[-2].node.place if len(steps) > 1 else last.node.place
        message = f"`{last.key}` comes from {how}, at {last.node.place}"
        return refuse(here, "inherited", message, _path(steps), expected)

    def _change(self, file: str, splices: list[Splice], value: Value | None, keys: Keys) -> None:
        """Make a change, unless it changes anything else too.  `value` None takes out; no keys: the tree stays."""
        sources = {**self._sources, file: self._sources[file].after(splices)}
        edited = {name: source.now for name, source in sources.items()}
        after = outline(self.path, edited)
        others = differences(expected_after(data(self._document.tree), keys, value), data(after.tree))
        if others:
            self._parse(edited)  # what cannot be read any more says so itself
            named = ", ".join(f"`{path}`" for path in others[:3]) + (" and more" if len(others) > 3 else "")
            message = f"this would change {named} too, through an anchor or an alias"
            raise refuse(Place(file, 0, 0), "shared", message, "", "a value of its own for each of them first")
        self._sources, self._document = sources, after

    def _parse(self, edited: dict[str, bytes]) -> None:
        faults = Faults()
        gather(self.path, Files(faults, edited))
        faults.stop()


def _keys(steps: Iterable[Step]) -> Keys:
    return [step.key for step in steps]


def _path(steps: Iterable[Step]) -> str:
    parts = (f"[{step.key}]" if isinstance(step.key, int) else f".{step.key}" for step in steps)
    return "".join(parts).removeprefix(".")
