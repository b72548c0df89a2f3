"""Where in its file a node of the tree is written, and how it is replaced, taken out or added to there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from trunkline.model.document import Document, List, Map, Place
from trunkline.model.edit.address import Step, refuse
from trunkline.model.edit.marks import Mark, Marks, Shape
from trunkline.model.edit.sheet import Sheet
from trunkline.model.edit.splice import Splice, Surgeon, Unfit
from trunkline.model.edit.words import Value

Cut = Callable[[], list[Splice]]
TextOf = Callable[[str], str]
"""The text of a file by name."""


@dataclass(frozen=True)
class Written:
    """One place of one file, and what can be done there."""

    file: str
    replace: Callable[[Value], list[Splice]]
    remove: Cut
    inherited: str = ""
    """By what the value gets here if it is written elsewhere."""


@dataclass(frozen=True)
class Box:
    """A map or list of one file that takes another entry; its key is None in a list."""

    file: str
    insert: Callable[[str | None, Value], list[Splice]]


def matrix_cell(document: Document, where: str) -> Place | None:
    """Return the place of the rate of a demand that a matrix gives; None for anything else."""
    kind, _, name = where.rpartition(" ")
    spot = document.spot(kind, name) if kind == "demand" else None
    return spot.place if spot is not None and not spot.field else None


def written(text_of: TextOf, steps: list[Step]) -> Written:
    """Return where the last step's node is written."""
    last = steps[-1]
    file = (last.name or last.node).place.file
    if _is_csv(file):
        return _in_sheet(Sheet.read(text_of(file)), file, steps)
    marks = Marks(text_of(file))
    surgeon = Surgeon(marks, _is_json(file))
    if last.name is None:
        mark = marks.of(last.node)
        if mark is None or mark.parent is None or mark.parent.shape is not Shape.LIST:
            raise refuse(last.node.place, "shared", f"item {last.key} is an alias of this: it cannot change alone")
        return _plain(file, surgeon, mark)
    key = marks.at(Shape.TEXT, last.name.place)
    if key is None or key.parent is None:
        raise LookupError("a key of the tree has no mark")
    if key.whole[1] is key and key.whole[0] is not key:  # the `name` of a row of a JSON list: the row is the entry
        row, name = key.parent, last.name.value
        return Written(file, lambda v: surgeon.replace(row, _named(name, v)), lambda: surgeon.remove(row))
    value = key.parent.children[key.parent.children.index(key) + 1]
    box = marks.of(last.box) if last.box.place.file == file else None
    if len(steps) > 2 and key.parent is not box:
        return _merged(file, surgeon, box, last)
    how = f"the alias {marks.text[value.start : value.end]}" if value.shape is Shape.ALIAS else ""
    return _plain(file, surgeon, value, how)


def _is_csv(file: str) -> bool:
    return file.lower().endswith(".csv")


def _is_json(file: str) -> bool:
    return file.lower().endswith(".json")


def _named(name: str | None, value: Value) -> Value:
    if not isinstance(value, Mapping):
        raise Unfit("an entry of this file is a map")
    return {"name": str(name), **value}


def _plain(file: str, surgeon: Surgeon, mark: Mark, inherited: str = "") -> Written:
    return Written(file, lambda value: surgeon.replace(mark, value), lambda: surgeon.remove(mark), inherited)


def _merged(file: str, surgeon: Surgeon, box: Mark | None, last: Step) -> Written:
    if box is None:
        raise refuse(last.node.place, "shared", f"`{last.key}` is written here for several: it cannot change alone")
    here = box

    def never() -> list[Splice]:
        raise LookupError("what is inherited is not removed")

    return Written(file, lambda value: surgeon.insert(here, str(last.key), value), never, "a merge key")


def _in_sheet(sheet: Sheet, file: str, steps: list[Step]) -> Written:
    last = steps[-1]
    if len(steps) == 2:
        return Written(file, _row_replace, lambda: sheet.remove(last.node.place))
    if isinstance(last.node, Map):
        cells = [value.place for _, value in last.node.entries]
        return Written(file, _parts_replace, lambda: [s for place in cells for s in sheet.set_cell(place, "")])
    place = last.node.place
    return Written(file, lambda value: sheet.set_cell(place, value), lambda: sheet.set_cell(place, ""))


def _row_replace(_: Value) -> list[Splice]:
    raise Unfit("a row of a CSV file is changed key by key")


def _parts_replace(value: Value) -> list[Splice]:
    raise Unfit(f"this is given in parts, a column each: {value!r} cannot stand for them")


def container(text_of: TextOf, steps: list[Step], tree: Map) -> Box:
    """Return what takes another entry of the last step's node: for a section, where its last entry is written."""
    node = steps[-1].node if steps else tree
    inside: list[Place] = []
    if len(steps) == 1 and isinstance(node, Map):
        inside = [key.place for key, _ in node.entries]
    elif len(steps) == 1 and isinstance(node, List):
        inside = [item.place for item in node.items]
    file = (inside[-1] if inside else node.place).file
    if _is_csv(file):
        return Box(file, _sheet_insert(Sheet.read(text_of(file)), steps))
    marks = Marks(text_of(file))
    mark = marks.of(node) if node.place.file == file else None
    if inside and isinstance(node, Map):
        key = marks.at(Shape.TEXT, inside[-1])
        mark = key.parent if key else None
        if key is not None and mark is not None and key.whole[0] is not key and key.whole[1] is key:
            return _rows_box(file, Surgeon(marks, _is_json(file)), mark)
    elif inside and isinstance(node, List) and mark is None:
        item = marks.of(node.items[-1])
        mark = item.parent if item else None
    if mark is None:
        raise refuse(node.place, "shared", "this is written here for several: it cannot change alone")
    here, surgeon = mark, Surgeon(marks, _is_json(file))
    return Box(file, lambda key, value: surgeon.insert(here, key, value))


def _rows_box(file: str, surgeon: Surgeon, row: Mark) -> Box:
    """The list that a row with a `name` stands in."""
    if row.parent is None:
        raise LookupError("a row stands in a list")
    rows = row.parent
    return Box(file, lambda key, value: surgeon.insert(rows, None, _named(key, value)))


def _sheet_insert(sheet: Sheet, steps: list[Step]) -> Callable[[str | None, Value], list[Splice]]:
    if len(steps) == 1:
        return lambda key, value: sheet.append(value if key is None else _named(key, value))
    if len(steps) == 2:
        return lambda key, value: sheet.set(steps[-1].node.place, str(key), value)
    return lambda key, value: sheet.set(steps[-2].node.place, f"{steps[-1].key}.{key}", value)
