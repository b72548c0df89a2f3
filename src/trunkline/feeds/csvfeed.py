"""A peer's table from CSV: prefix, as_path, origin, med, communities; the first two are required.

AS numbers stand apart by spaces, `{1,2}` is an AS_SET; so do communities, `65000:1` or `65000:1:2`.  An empty `origin`
is igp, an empty `med` none.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator

from trunkline.feeds.feed import ORIGINS, Attributes, Feed
from trunkline.feeds.rows import AS_SETS, Rows
from trunkline.feeds.source import Source
from trunkline.model.csvtext import cells
from trunkline.model.document import Faults, Place, Spot
from trunkline.model.problem import Problem, Problems, nearest

COLUMNS = ("prefix", "as_path", "origin", "med", "communities")
REQUIRED = COLUMNS[:2]
MOST = (1 << 32) - 1
"""The largest AS number, MED, and part of a large community."""
MOST_FAULTS = 20
LONGEST = 1 << 20
"""Bytes of a line."""


class Unreadable(ValueError):
    """A cell that cannot be read: why, and what was expected."""

    def __init__(self, column: str, message: str, expected: str) -> None:
        super().__init__(message)
        self.column, self.expected = column, expected


def read_csv(source: Source) -> Feed:
    """Return the table in a CSV file.  Raises Problems with up to 20 places that cannot be read."""
    reader = _Reader(source.path)
    number = 0
    for number, line in _lines(source):
        reader.line(number, line)
    reader.faults.stop()
    if not len(reader.rows):
        message = "there are no routes in it"
        raise Problems([Problem(source.path, 1, 1, "empty", message, expected="a row for each prefix")])
    return reader.rows.feed(f"after line {number:,}: {source.damage}" if source.damage else None)


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    """Every line with its number, less one that a damaged file breaks off in.

    Raises Problems at what is not UTF-8, and at a line that has no end.
    """
    number, rest = 0, b""
    while chunk := source.chunk():
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            number += 1
            yield number, _text(line, number, source.path)
        if len(rest) > LONGEST:
            message = f"this line has more than {LONGEST:,} bytes"
            raise Problems([Problem(source.path, number + 1, 1, "csv", message, expected="a row for each prefix")])
    if rest and not source.damage:
        yield number + 1, _text(rest, number + 1, source.path)


def _text(line: bytes, number: int, file: str) -> str:
    try:
        return line.removesuffix(b"\r").decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        column = len(line[: error.start].decode("utf-8", "replace")) + 1
        message = f"the byte 0x{line[error.start]:02x} is not UTF-8"
        raise Problems([Problem(file, number, column, "encoding", message, expected="a file in UTF-8")]) from error


class _Reader:
    """The rows so far."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.rows = Rows()
        self.faults = Faults()
        self.columns: list[str] = []
        """Of the header, once it was read."""
        self._faults = 0
        self._known: dict[tuple[str, ...], tuple[int, str]] = {}

    def fault(self, place: Place, code: str, message: str, expected: str, near: str = "") -> None:
        """Note what is wrong.  Raises Problems when it is enough."""
        self.faults.error(code, Spot(place), message, expected, near)
        self._faults += 1
        if self._faults >= MOST_FAULTS:
            self.faults.stop()

    def line(self, number: int, line: str) -> None:
        """Take in a line: the header, a route, a comment or nothing."""
        if not line.strip() or line.startswith("#"):
            return
        row = _cells(line, self.file)
        if row is None:
            message = "the quotes of a field are wrong"
            place = Place(self.file, number, line.index('"') + 1)
            self.fault(place, "csv", message, 'a field "in quotes", "" for a quote')
            return
        if not self.columns:
            self._header(number, row)
        elif len(row) != len(self.columns):
            message = f"this row has {len(row)} fields and the header has {len(self.columns)}"
            self.fault(Place(self.file, number, 1), "csv", message, f"{len(self.columns)} fields")
        else:
            try:
                self._route(dict(zip(self.columns, row, strict=True)))
            except Unreadable as error:
                place = _place(line, self.columns.index(error.column), Place(self.file, number, 1))
                self.fault(place, error.column, str(error), error.expected)

    def _header(self, number: int, row: list[str]) -> None:
        self.columns = row
        for name in row:
            if name not in COLUMNS or row.count(name) > 1:
                message = f"'{name}' is no column of a table" if name not in COLUMNS else f"`{name}` is there twice"
                near = nearest(name, COLUMNS) if name not in COLUMNS else ""
                self.fault(Place(self.file, number, 1), "column", message, ", ".join(COLUMNS), near)
        self.faults.stop()
        missing = [name for name in REQUIRED if name not in row]
        if missing:
            message = f"the header lacks {' and '.join(missing)}"
            self.fault(Place(self.file, number, 1), "column", message, ", ".join(COLUMNS))
        self.faults.stop()

    def _route(self, row: dict[str, str]) -> None:
        address, length, six = _prefix(row["prefix"])
        texts = tuple(row.get(name, "") for name in COLUMNS[1:])
        found = self._known.get(texts)
        if found is None:
            attributes, has_set = _attributes(*texts)
            found = self._known[texts] = self.rows.attribute(attributes), AS_SETS if has_set else ""
        if found[1]:
            self.rows.left_out[found[1]] += 1
        (self.rows.add6 if six else self.rows.add4)(address, length, found[0])


def _cells(line: str, file: str) -> list[str] | None:
    """The fields of a line, None where its quotes are wrong."""
    if '"' not in line:
        return [cell.strip() for cell in line.split(",")]
    found = cells(line, file, Faults())
    return None if found is None else [cell.value for cell in found[0]]


def _place(line: str, field: int, start: Place) -> Place:
    """Where a field of a line that begins at `start` stands."""
    found = cells(line, start.file, Faults())
    column = found[0][field].place.column if found else start.column
    return Place(start.file, start.line, column)


def _prefix(text: str) -> tuple[int, int, bool]:
    """The address, the length, and whether it is IPv6."""
    written, slash, digits = text.partition("/")
    six = ":" in written
    bits = 128 if six else 32
    try:
        address = int.from_bytes(socket.inet_pton(socket.AF_INET6 if six else socket.AF_INET, written), "big")
        length = _number(digits, bits) if slash else None
    except (OSError, ValueError):
        length = None
    if length is None:
        raise Unreadable("prefix", f"'{text}' is no prefix", "one such as 192.0.2.0/24 or 2001:db8::/32")
    if address & ((1 << bits - length) - 1):
        raise Unreadable("prefix", f"{text} has bits beyond its length", "zeros there")
    return address, length, six


def _attributes(as_path: str, origin: str, med: str, communities: str) -> tuple[Attributes, bool]:
    path: list[int] = []
    for hop in as_path.split():
        numbers = [_number(n, MOST) for n in hop.removeprefix("{").removesuffix("}").split(",")]
        known = [n for n in numbers if n is not None]
        if len(known) != len(numbers) or hop.startswith("{") != hop.endswith("}") or ("," in hop and hop[0] != "{"):
            raise Unreadable("as_path", f"'{hop}' is no AS number", "AS numbers apart by spaces, an AS_SET as {1,2}")
        path.append(min(known))
    if origin.lower() not in ("", *ORIGINS):
        raise Unreadable("origin", f"'{origin}' is no origin", "igp, egp or incomplete")
    metric = _number(med, MOST)
    if med and metric is None:
        raise Unreadable("med", f"'{med}' is no MED", "a whole number, at most 4294967295")
    ordered = sorted(_community(text) for text in set(communities.split()))
    texts = tuple(":".join(map(str, numbers)) for _, numbers in ordered)
    return Attributes(tuple(path), origin.lower() or ORIGINS[0], metric, tuple(dict.fromkeys(texts))), "{" in as_path


def _community(text: str) -> tuple[int, tuple[int, ...]]:
    """How many numbers it has, and which."""
    parts = text.split(":")
    numbers = [n for n in (_number(part, 65535 if len(parts) == 2 else MOST) for part in parts) if n is not None]
    if len(parts) not in (2, 3) or len(numbers) != len(parts):
        raise Unreadable("communities", f"'{text}' is no community", "65000:1, or 65000:1:2 for a large one")
    return len(parts), tuple(numbers)


def _number(text: str, most: int) -> int | None:
    """A number as plain digits, None where it is none or above `most`."""
    if not (text.isascii() and text.isdigit()) or len(text) > 10:
        return None
    return int(text) if int(text) <= most else None
