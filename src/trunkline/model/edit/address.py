"""Where in the tree a field path or a thing such as `circuit fra-lon` leads."""

from __future__ import annotations

import re
from dataclasses import dataclass

from trunkline.model.document import Document, List, Map, Node, Place, Text
from trunkline.model.problem import Problem, Problems, nearest

_INDEX = re.compile(r"\[([0-9]{1,9})\]")
_LISTED = re.compile(r"(circuits|lsps|demands|objectives)\[[0-9]+\]")
_OWN = {
    "circuit": ("circuits[", ("count",)),
    "router": ("routers.", ()),
    "lsp": ("lsps[", ("mesh",)),
    "demand": ("demands[", ("gravity", "matrix")),
}
"""Kinds of which one entry can make many: where one with an entry of its own stands, and keys that make many."""
_MENTIONED = ("risk", "admin group")
"""Kinds that exist by being mentioned."""


@dataclass(frozen=True)
class Step:
    """One step down the tree: from a map or list, by a key (as text or as written) or an index, to a node."""

    box: Map | List
    key: str | int
    name: Text | None
    node: Node


def refuse(place: Place | None, code: str, message: str, field: str = "", expected: str = "") -> Problems:
    """Return the error of an edit that cannot be made."""
    at = place or Place("", 0, 0)
    return Problems([Problem(at.file, at.line, at.column, code, message, field, expected)])


def walk(node: Node, path: str) -> list[Step] | None:
    """Return the steps of a field path such as `circuits[3].metric`; None where nothing stands there."""
    if not path:
        return []
    if isinstance(node, List):
        match = _INDEX.match(path)
        if match is None or int(match[1]) >= len(node.items):
            return None
        item = node.items[int(match[1])]
        rest = walk(item, path[match.end() :].removeprefix("."))
        return None if rest is None else [Step(node, int(match[1]), None, item), *rest]
    if isinstance(node, Text):
        return None
    for key, value in node.entries:  # a name may hold dots: every key that fits
        rest_of_path = path.removeprefix(key.value)
        if path.startswith(key.value) and (not rest_of_path or rest_of_path[0] in ".["):
            rest = walk(value, rest_of_path.removeprefix("."))
            if rest is not None:
                return [Step(node, key.value, key, value), *rest]
    return None


def locate(document: Document, where: str) -> list[Step]:
    """Return the steps to a field path, or to a thing given as `KIND NAME`.  Raises Problems where it is not there."""
    kind, _, name = where.rpartition(" ")
    path = path_of(document, kind, name) if kind else where
    steps = walk(document.tree, path)
    if steps is None:
        raise refuse(Place(document.files[0], 0, 0), "nothing-there", f"nothing stands at `{where}`")
    return steps


def path_of(document: Document, kind: str, name: str) -> str:
    """Return the field path of the entry that defines a thing.  Raises Problems where none does, or many at once."""
    spot = document.spot(kind, name)
    if spot is None or kind in _MENTIONED:
        raise _unknown(document, kind, name)
    match = _LISTED.match(spot.field)
    path = match[0] if match else spot.field
    begin, many = _OWN.get(kind, ("", ()))
    maker = next((key for key in many if walk(document.tree, f"{path}.{key}")), "") if match else ""
    if maker or not path.startswith(begin):
        what = f"`{maker}` of `{path}`" if maker else f"`{spot.field}`"
        message = f"the {kind} '{name}' is made by {what} and has no entry of its own"
        raise refuse(spot.place, "generated", message, "", f"an edit of {what}, or an entry of its own for it first")
    return path


def _unknown(document: Document, kind: str, name: str) -> Problems:
    kinds = sorted({k for k, _ in document.spots if k not in _MENTIONED})
    file = document.files[0]
    if kind not in kinds:
        expected = "one of " + ", ".join(kinds)
        return Problems([Problem(file, 0, 0, "kind", f"no {kind} has an entry", "", expected, nearest(kind, kinds))])
    near = nearest(name, (n for k, n in document.spots if k == kind))
    return Problems([Problem(file, 0, 0, "reference", f"no {kind} is named '{name}'", "", "", near)])
