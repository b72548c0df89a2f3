"""Demands from what was read: one by one, by a gravity model, or from a matrix in a CSV file."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from trunkline.model.csvtext import cells
from trunkline.model.document import Spot, Text
from trunkline.model.gather import Files, beside
from trunkline.model.keys.words import SOURCE, TARGET
from trunkline.model.names import Names
from trunkline.model.nouns import Demand
from trunkline.model.read import Entry, Mention, Word
from trunkline.model.schema import RATE, Refused
from trunkline.model.units import show_rate


def demands_of(root: Entry, names: Names, files: Files) -> tuple[list[Demand], list[Mention]]:
    """Return the demands that can be told, and the names that matrices mention."""
    found: list[Demand] = []
    mentions: list[Mention] = []
    for entry in root.entries("demands"):
        if entry.record.mark == "gravity":
            inner = entry.entry("gravity")
            new = [(d, inner.spot) for d in _gravity(entry, inner, names)] if inner else []
        elif entry.record.mark == "matrix":
            new = list(_matrix(entry, files, mentions))
        else:
            new = _single(entry, names)
        for demand, spot in new:
            if names.define("demand", demand.name, spot, "a `name` of its own"):
                found.append(demand)
    return found, mentions


def _single(entry: Entry, names: Names) -> list[tuple[Demand, Spot]]:
    source, target = entry.word("from", str), entry.word("to", str)
    cls, rate = entry.word("class", str), entry.word("rate", int)
    if source is None or target is None or cls is None or rate is None:
        return []
    if source == target:
        names.faults.error("from-to", entry.at("to"), f"the demand starts and ends at '{source}'", "two ends")
    name = entry.word("name", str) or f"{cls}.{source}.{target}"
    flow = entry.word("largest_flow", int)
    if flow is not None and flow > rate:
        names.faults.error(
            "range",
            entry.at("largest_flow"),
            f"a flow of {show_rate(flow)} in a demand of {show_rate(rate)}",
            "at most the rate",
        )
    spot = entry.at("name") if entry.has("name") else entry.spot
    return [(Demand(name, source, target, cls, rate, entry.word("v6", int) or 0, flow), spot)]


def _gravity(entry: Entry, model: Entry, names: Names) -> Iterator[Demand]:
    cls, total = model.word("class", str), model.word("total", int)
    if cls is None or total is None or model.broken:
        return
    sources = sorted(set(model.strings("from")))
    targets = sorted(set(model.strings("to"))) if model.has("to") else sources
    weights = {
        str(k.data): Fraction(v.data)
        for k, v in model.rows("weights")
        if isinstance(v, Word) and isinstance(v.data, Decimal)
    }
    pairs = [(a, b) for a in sources for b in targets if a != b]
    parts = [weights.get(a, Fraction(1)) * weights.get(b, Fraction(1)) for a, b in pairs]
    if not sum(parts):
        names.faults.error(
            "gravity", model.spot, "no pair of ends is left to share the total", "two ends, with weights above 0"
        )
        return
    for (a, b), rate in zip(pairs, shares(total, parts), strict=True):
        if rate:
            yield Demand(f"{entry.word('name', str) or cls}.{a}.{b}", a, b, cls, rate, model.word("v6", int) or 0)


def shares(total: int, parts: list[Fraction]) -> list[int]:
    """Return `total` split in proportion to the parts by largest remainder, ties to the first; it sums exactly."""
    whole = sum(parts, Fraction(0))
    exact = [total * part / whole for part in parts]
    floors = [int(share) for share in exact]
    order = sorted(range(len(parts)), key=lambda i: (floors[i] - exact[i], i))
    for i in order[: total - sum(floors)]:
        floors[i] += 1
    return floors


def _matrix(entry: Entry, files: Files, mentions: list[Mention]) -> Iterator[tuple[Demand, Spot]]:
    word, cls = entry.word("matrix", str), entry.word("class", str)
    if word is None or cls is None:
        return
    path = beside(entry.at("matrix").place.file, word)
    text = files.read(path, entry.at("matrix"))
    rows = cells(text, path, files.faults) if text is not None else []
    if not rows:
        return
    long = [cell.value for cell in rows[0]] == ["from", "to", "rate"]
    for source, target, cell in _long(rows, files) if long else _square(rows, files):
        mentions += [Mention(end.value, kind, Spot(end.place)) for end, kind in ((source, SOURCE), (target, TARGET))]
        rate = _rate(cell, files)
        if rate is not None and source.value == target.value:
            files.faults.error(
                "from-to", Spot(target.place), f"the demand starts and ends at '{source.value}'", "two ends"
            )
        elif rate is not None:
            name = f"{entry.word('name', str) or cls}.{source.value}.{target.value}"
            yield Demand(name, source.value, target.value, cls, rate, entry.word("v6", int) or 0), Spot(cell.place)


def _rate(cell: Text, files: Files) -> int | None:
    if cell.value in ("", "0", "-"):
        return None
    try:
        return int(str(RATE.read(cell.value)))
    except Refused as error:
        files.faults.error(error.code, Spot(cell.place), error.message, error.expected)
        return None


def _long(rows: list[list[Text]], files: Files) -> Iterator[tuple[Text, Text, Text]]:
    for row in rows[1:]:
        if len(row) == 3:
            yield row[0], row[1], row[2]
        else:
            files.faults.error("csv", Spot(row[0].place), f"this row has {len(row)} fields", "3 fields: from,to,rate")


def _square(rows: list[list[Text]], files: Files) -> Iterator[tuple[Text, Text, Text]]:
    header = rows[0][1:]
    for row in rows[1:]:
        if len(row) != len(rows[0]):
            files.faults.error(
                "csv",
                Spot(row[0].place),
                f"this row has {len(row)} fields and the first has {len(rows[0])}",
                f"{len(rows[0])} fields",
            )
        for target, cell in zip(header, row[1:], strict=False):
            yield row[0], target, cell
