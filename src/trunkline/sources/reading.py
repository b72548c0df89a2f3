"""One import: what was read, what is wrong with it, and which rules were applied."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from trunkline.model.csvtext import parse_csv
from trunkline.model.document import Faults, List, Map, Node, Place, Spot, Text
from trunkline.model.gather import Files
from trunkline.model.problem import nearest
from trunkline.model.yamltext import parse_json
from trunkline.sources.rules import Ledger

MBIT = 10**6
MOST_DIGITS = 18
MOST_GUESSES = 20
"""Unknown names that get a guess at what was meant: each costs a look at every name."""


class Reading:
    """What readers share: files, faults, the ledger of rules, and which of several traffic matrices to take."""

    def __init__(self, matrix: int | None = None) -> None:
        self.faults = Faults()
        self.files = Files(self.faults)
        self.ledger = Ledger()
        self.matrix = matrix
        self.matrices = 0
        """How many traffic matrices the sources have."""
        self._unknown = 0

    def text(self, path: str) -> str:
        """Return a file's text.  Raises Problems where it cannot be read."""
        found = self.files.read(path)
        self.faults.stop()
        return found or ""

    def json(self, path: str) -> Map:
        """Return the tree of a JSON file that holds an object.  Raises Problems where it is none."""
        tree = parse_json(self.text(path), path, self.faults)
        if tree is not None and not isinstance(tree, Map):
            self.faults.error("type", Spot(tree.place), "this is no JSON object", "an object: { ... }")
        self.faults.stop()
        return tree if isinstance(tree, Map) else Map((), Place(path, 1, 1))

    def csv(self, path: str) -> List:
        """Return the rows of a CSV file as maps by its header.  Raises Problems where it is none."""
        tree = parse_csv(self.text(path), path, self.faults)
        self.faults.stop()
        return tree if isinstance(tree, List) else List((), Place(path, 1, 1))

    def stop(self) -> None:
        """Raise Problems if anything is wrong so far."""
        self.faults.stop()

    def error(self, code: str, spot: Spot, message: str, expected: str = "") -> None:
        """Note a fault."""
        self.faults.error(code, spot, message, expected)

    def unknown(self, spot: Spot, what: str, name: str, valid: list[str]) -> None:
        """Note that `name` is no known `what`, with the nearest that is."""
        self._unknown += 1
        near = nearest(name, valid) if self._unknown <= MOST_GUESSES else ""
        self.faults.error("reference", spot, f"no {what} is called '{name}'", nearest=near)

    def number(self, written: str, spot: Spot, what: str, least: Decimal | None = Decimal(0)) -> Decimal | None:
        """Return a number exactly as it is written; a fault and None where it is none, or below `least`."""
        try:
            found = Decimal(written.strip())
        except InvalidOperation:
            found = Decimal("NaN")
        if not found.is_finite() or (found and abs(found.adjusted()) > MOST_DIGITS):
            self.error("number", spot, f"'{written}' is no {what}", "a finite number")
            return None
        if least is not None and found < least:
            self.error("range", spot, f"{what} is {written.strip()}", f"{least} or more")
            return None
        return found

    def bits(self, written: str, spot: Spot, what: str, unit: int = 1) -> int | None:
        """Return bit/s of a number of `unit` bit/s each, rounded half up, what is above 0 to at least 1."""
        found = self.number(written, spot, what)
        return None if found is None else max(half_up(found * unit), 1 if found else 0)

    def whole(self, written: str, spot: Spot, what: str) -> int | None:
        """Return a whole number; a fault and None where it is none, or negative."""
        found = self.number(written, spot, what)
        if found is not None and found != int(found):
            self.error("number", spot, f"'{written}' is no {what}", "a whole number")
            return None
        return None if found is None else int(found)


def half_up(value: Decimal) -> int:
    """Return the nearest whole number of one that is not negative, halves up."""
    return int(value + Decimal("0.5"))


def word(entry: Map, key: str) -> str:
    """Return a scalar of an object as text, stripped; empty where it is absent, null or no scalar."""
    node = entry.get(key)
    return node.value.strip() if isinstance(node, Text) and not node.empty else ""


def items(tree: Map, key: str, reading: Reading) -> list[tuple[Spot, Map]]:
    """Return the objects of a list and where they stand; faults where there is no list, or items are no objects."""
    node = tree.get(key)
    if not isinstance(node, List):
        reading.error(
            "type", Spot(node.place if node else tree.place, key), "a list is missing here", f"`{key}: [...]`"
        )
        return []
    found = []
    for index, item in enumerate(node.items):
        spot = Spot(item.place, f"{key}[{index}]")
        if isinstance(item, Map):
            found.append((spot, item))
        else:
            reading.error("type", spot, "this is no object", "an object: { ... }")
    return found


def inside(spot: Spot, entry: Map, key: str) -> Spot:
    """Return where a key of an object stands."""
    node: Node = entry.get(key) or entry
    return Spot(node.place, f"{spot.field}.{key}" if spot.field else key)
