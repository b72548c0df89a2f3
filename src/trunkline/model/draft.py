"""A network in the making: the typed file, and the problems found while it is expanded."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from trunkline.model.document import Document
from trunkline.model.problem import Problem, Severity, nearest
from trunkline.model.tree import Map, Seq, Tree
from trunkline.model.typed import BAD, Row

_EITHER_OR = ({"latency", "length"},)


class Draft:
    """The typed file, its places, and what has been found wrong or worth a warning so far."""

    def __init__(self, document: Document, root: Row, problems: list[Problem]) -> None:
        self.document = document
        self.root = root
        self.problems = problems
        self.warnings: list[Problem] = []

    def rows(self, section: str) -> list[tuple[str, Row]]:
        """The entries of a map of records that could be read, by name."""
        return sorted((name, row) for name, row in self.section(section).items() if row is not BAD)

    def section(self, name: str) -> dict[str, Any]:
        """A map section as typed; empty where it is left out."""
        found = self.root.get(name)
        return found if isinstance(found, dict) else {}

    def entries(self, section: str) -> list[Row]:
        """The entries of a list of records that could be read."""
        return [row for row in self.root.get(section) or [] if row is not BAD]

    def error(self, field: str, code: str, message: str, expected: str = "", near: str = "") -> None:
        """Report an error at a field."""
        at = self.document.where(field)
        self.problems.append(Problem(at.file, at.line, at.column, code, message, field, expected, near))

    def warn(self, field: str, code: str, message: str) -> None:
        """Report a warning at a field."""
        at = self.document.where(field)
        self.warnings.append(Problem(at.file, at.line, at.column, code, message, field, severity=Severity.WARNING))

    def known(self, field: str, name: object, valid: Collection[str], noun: str) -> bool:
        """Whether a name is one of the valid ones; reports it where not.  BAD has been reported before."""
        if name is BAD or not isinstance(name, str):
            return False
        if name in valid:
            return True
        near = nearest(name, valid)
        few = sorted(valid) if not near and 0 < len(valid) <= 8 else []
        self.error(field, "unknown-name", f"there is no {noun} '{name}'", ", ".join(few), near)
        return False

    def all_known(self, row: Row, key: str, valid: Collection[str], noun: str) -> list[str]:
        """The names of a list that are valid; reports the others."""
        names: Iterable[object] = row.get(key) or []
        return [str(n) for i, n in enumerate(names) if self.known(f"{row.at(key)}[{i}]", n, valid, noun)]


def with_defaults(root: Map) -> Map:
    """Return the file's tree with `defaults` filled into the entries of circuits, LSPs, demands and wirings."""
    defaults = root.get("defaults")
    if not isinstance(defaults, Map):
        return root
    circuits, lsps, demands, wiring = (defaults.get(k) for k in ("circuits", "lsps", "demands", "wiring"))

    def section(key: str, tree: Tree) -> Tree:
        if key == "circuits" and isinstance(tree, Seq):
            return Seq(tuple(_filled(item, circuits) for item in tree.items), tree.place)
        if key == "lsps" and isinstance(tree, Seq):
            return Seq(tuple(_filled(item, lsps) for item in tree.items), tree.place)
        if key == "demands" and isinstance(tree, Seq):
            return Seq(tuple(_demand(item, demands) for item in tree.items), tree.place)
        if key == "sites" and isinstance(tree, Map):
            return Map(tuple((k, _inside(site, "wiring", wiring)) for k, site in tree.entries), tree.place)
        return tree

    return Map(tuple((key, section(key.text, tree)) for key, tree in root.entries), root.place)


def _demand(tree: Tree, defaults: Tree | None) -> Tree:
    if isinstance(tree, Map) and isinstance(defaults, Map):
        shared = Map(tuple(e for e in defaults.entries if e[0].text != "largest_flow"), defaults.place)
        if tree.get("gravity") is not None:
            return _inside(tree, "gravity", shared)
        if tree.get("matrix") is not None:
            return _filled(tree, shared)
    return _filled(tree, defaults)


def _inside(tree: Tree, key: str, defaults: Tree | None) -> Tree:
    if not isinstance(tree, Map):
        return tree
    return Map(tuple((k, _filled(v, defaults) if k.text == key else v) for k, v in tree.entries), tree.place)


def _filled(tree: Tree, defaults: Tree | None) -> Tree:
    if not isinstance(tree, Map) or not isinstance(defaults, Map):
        return tree
    given = {key.text for key, _ in tree.entries}
    for pair in _EITHER_OR:
        given |= pair if given & pair else set()
    return Map(tree.entries + tuple(e for e in defaults.entries if e[0].text not in given), tree.place)
