"""CSV text (RFC 4180) to cells that know their place, and to the same tree that YAML gives."""

from __future__ import annotations

import re

from trunkline.model.document import Faults, List, Map, Node, Place, Spot, Text

_PLAIN = re.compile(r"[^,\r\n]*")
_QUOTED = re.compile(r'"((?:[^"]|"")*)"[ ]*(?=,|\r?\n|\Z)')
_BREAK = re.compile(r"\r?\n|\r")


def cells(text: str, file: str, faults: Faults) -> list[list[Text]] | None:
    """Return the rows that hold anything, or None where a quote is wrong.  A line that starts with # is a comment."""
    rows: list[list[Text]] = []
    row: list[Text] = []
    at, line, begin = 0, 1, 0
    while at < len(text):
        if not row and text[at] == "#":
            at = _end_of_line(text, at)
        else:
            place = Place(file, line, at - begin + 1)
            match = (_QUOTED if text[at] == '"' else _PLAIN).match(text, at)
            if match is None:
                faults.error(
                    "csv", Spot(place), "the quotes of this field are wrong", 'a field "in quotes", "" for a quote'
                )
                return None
            row.append(_cell(match, place))
            line += match[0].count("\n")
            begin = match.start() + match[0].rfind("\n") + 1 if "\n" in match[0] else begin
            at = match.end()
            if text.startswith(",", at):
                at += 1
                if at < len(text) and text[at] not in "\r\n":
                    continue
                row.append(Text("", Place(file, line, at - begin + 1)))
        ending = _BREAK.match(text, at)
        at = ending.end() if ending else at
        line, begin = line + 1, at
        if any(cell.value for cell in row):
            rows.append(row)
        row = []
    return rows


def _end_of_line(text: str, at: int) -> int:
    ending = _BREAK.search(text, at)
    return ending.start() if ending else len(text)


def _cell(match: re.Match[str], place: Place) -> Text:
    if match.re is _QUOTED:
        return Text(match[1].replace('""', '"'), place, plain=False)
    value = match[0]
    return Text(value.strip(), Place(place.file, place.line, place.column + len(value) - len(value.lstrip())))


def parse_csv(text: str, file: str, faults: Faults) -> List | None:
    """Return a list of one map per row; the first row names the keys, and `metric.ab` is `ab` inside `metric`.

    An empty cell leaves its key out.  None where the text cannot be read (the fault is noted).
    """
    rows = cells(text, file, faults)
    if rows is None:
        return None
    if not rows:
        faults.error("empty", Spot(Place(file, 1, 1)), "the file is empty", "a header line that names the keys")
        return None
    header = rows[0]
    if not _header_is_good(header, faults):
        return None
    maps = []
    for row in rows[1:]:
        if len(row) != len(header):
            message = f"this row has {len(row)} fields and the header has {len(header)}"
            faults.error("csv", Spot(row[0].place), message, f"{len(header)} fields")
        else:
            maps.append(_row_map(header, row, faults))
    return List(tuple(maps), header[0].place)


def _header_is_good(header: list[Text], faults: Faults) -> bool:
    first: dict[str, Place] = {}
    good = True
    for cell in header:
        if not cell.value:
            faults.error(
                "csv", Spot(cell.place), "this column has no name", "a key's name in each column of the header"
            )
            good = False
        elif cell.value in first:
            place = first[cell.value]
            faults.error(
                "duplicate-key", Spot(cell.place), f"`{cell.value}` was given before, at {place.line}:{place.column}"
            )
            good = False
        first.setdefault(cell.value, cell.place)
    return good


def _row_map(header: list[Text], row: list[Text], faults: Faults) -> Map:
    entries: dict[str, tuple[Text, Node]] = {}
    for key, cell in zip(header, row, strict=False):
        outer, dot, inner = key.value.partition(".")
        if not cell.value:
            continue
        held = entries.get(outer)
        if held and (not dot or isinstance(held[1], Text)):
            message = f"`{outer}` is given whole and in parts in one row"
            faults.error("exclusive", Spot(cell.place, key.value), message, "one or the other")
            continue
        if not dot:
            entries[key.value] = key, cell
            continue
        before = held[1].entries if held and isinstance(held[1], Map) else ()
        added = (*before, (Text(inner, key.place), cell))
        entries[outer] = Text(outer, key.place), Map(added, held[1].place if held else cell.place)
    return Map(tuple(entries.values()), row[0].place)
