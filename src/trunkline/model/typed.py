"""From trees to typed values: reads a tree by a shape, collects every problem, never stops at the first.

What cannot be read is left out of the result and marked (`Row.bad`), so that no later check reports it again.
"""

from __future__ import annotations

from typing import Any

from trunkline.model.problem import Problem, nearest
from trunkline.model.shape import Either, ListOf, MapOf, Record, Scalar, Shape, Unreadable
from trunkline.model.tree import Map, Place, Seq, Text, Tree


class Row(dict[str, Any]):
    """The typed values of a record by key; `path` is its field path, `bad` the keys that could not be read."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.bad: set[str] = set()

    def at(self, key: str) -> str:
        """The field path of a key."""
        return f"{self.path}.{key}" if self.path else key


class Bad:
    """Stands for a value that could not be read; its problem has been reported."""


BAD = Bad()


class Reader:
    """Reads trees by shapes; keeps the problems and where every field path stands."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.places: dict[str, Place] = {}

    def report(
        self, tree: Tree | Place, path: str, code: str, message: str, expected: str = "", near: str = ""
    ) -> None:
        """Report an error where a tree stands."""
        place = tree if isinstance(tree, Place) else tree.place
        self.problems.append(Problem(place.file, place.line, place.column, code, message, path, expected, near))

    def read(self, tree: Tree, shape: Shape, path: str) -> Any:
        """Return the value of a tree, or BAD after reporting why."""
        self.places[path] = tree.place
        match shape:
            case Scalar():
                return self._scalar(tree, shape, path)
            case ListOf():
                return self._list(tree, shape, path)
            case MapOf():
                return self._map(tree, shape, path)
            case Record():
                return self._record(tree, shape, path)
            case Either():
                return self._either(tree, shape, path)

    def _wrong(self, tree: Tree, shape: Shape, path: str) -> Bad:
        form = {Text: "a single value", Seq: "a list", Map: "a map"}[type(tree)]
        if isinstance(tree, Text):
            form = "nothing" if tree.empty else f"'{tree.text[:40]}'"
        self.report(tree, path, "type", f"{form} stands here", shape.expected)
        return BAD

    def _scalar(self, tree: Tree, shape: Scalar, path: str) -> Any:
        if not isinstance(tree, Text) or tree.empty:
            return self._wrong(tree, shape, path)
        try:
            return shape.read(tree.text)
        except Unreadable as error:
            near = nearest(tree.text, shape.choices) if shape.choices else ""
            self.report(tree, path, error.code, error.message, error.expected, near)
            return BAD

    def _list(self, tree: Tree, shape: ListOf, path: str) -> Any:
        if isinstance(tree, Text) and tree.empty:
            return []
        if isinstance(tree, Text) and tree.cell:
            items: tuple[Tree, ...] = tuple(Text(w, tree.place) for w in tree.text.replace(";", " ").split())
        elif isinstance(tree, Seq):
            items = tree.items
        elif shape.alone:
            items = (tree,)
        else:
            return self._wrong(tree, shape, path)
        return [self.read(item, shape.item, f"{path}[{i}]") for i, item in enumerate(items)]

    def _map(self, tree: Tree, shape: MapOf, path: str) -> Any:
        if isinstance(tree, Text) and tree.empty:
            return {}
        if not isinstance(tree, Map):
            return self._wrong(tree, shape, path)
        found = {}
        for key, value in tree.entries:
            inner = f"{path}.{key.text}"
            try:
                Scalar("name").read(key.text)
            except Unreadable as error:
                self.report(key, inner, error.code, f"'{key.text[:40]}' is no name", error.expected)
                continue
            found[key.text] = self.read(value, shape.value, inner)
            self.places[inner] = key.place
        return found

    def _record(self, tree: Tree, shape: Record, path: str) -> Any:
        if isinstance(tree, Text) and tree.empty:
            tree = Map((), tree.place)
        if not isinstance(tree, Map):
            return self._wrong(tree, shape, path)
        row = Row(path)
        shapes = {key.name: key.shape for key in shape.keys}
        for key, value in tree.entries:
            if key.text not in shapes:
                near = nearest(key.text, shapes)
                expected = "" if near else "one of " + ", ".join(shape.names)
                self.report(key, row.at(key.text), "unknown-key", f"no such key in {shape.title}", expected, near)
                row.bad.add(near or key.text)
                continue
            read = self.read(value, shapes[key.text], row.at(key.text))
            if read is BAD:
                row.bad.add(key.text)
            else:
                row[key.text] = read
        for wanted in shape.keys:
            if wanted.required and wanted.name not in row and wanted.name not in row.bad:
                row.bad.add(wanted.name)
                what = f"'{wanted.name}' is missing in {shape.title}"
                self.report(tree, row.at(wanted.name), "missing-key", what, wanted.shape.expected)
        return row

    def _either(self, tree: Tree, shape: Either, path: str) -> Any:
        if isinstance(tree, Text) and not tree.empty:
            return self._either_text(tree, shape, path)
        for option in shape.options:
            if isinstance(tree, Seq) and isinstance(option, ListOf):
                return self.read(tree, option, path)
            if isinstance(tree, Map):
                if isinstance(option, Record) and (not option.when or tree.get(option.when) is not None):
                    return self.read(tree, option, path)
                if isinstance(option, MapOf):
                    return self.read(tree, option, path)
        return self._wrong(tree, shape, path)

    def _either_text(self, tree: Text, shape: Either, path: str) -> Any:
        scalars = [option for option in shape.options if isinstance(option, Scalar)]
        errors = []
        for option in scalars:
            try:
                return option.read(tree.text)
            except Unreadable as error:
                errors.append(error)
        for several in shape.options:
            if isinstance(several, ListOf) and (several.alone or tree.cell):
                return self.read(tree, several, path)
        if not errors:
            return self._wrong(tree, shape, path)
        last = next((error for error in errors if error.code == "range"), None)
        choices = [choice for option in scalars for choice in option.choices]
        if last is not None:
            self.report(tree, path, last.code, last.message, last.expected)
        else:
            what = f"'{tree.text[:40]}' is not readable here"
            self.report(tree, path, errors[-1].code, what, shape.expected, nearest(tree.text, choices))
        return BAD
