"""Plain CSV: a file of nodes, one of links, and if need be one each of LSPs and demands, told by their headers.

docs/how-to/import.md has the columns.  Quantities are written as in the network file: `400G`, `8.5ms`, `1100 km`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from trunkline.model import units
from trunkline.model.document import Map, Place, Spot
from trunkline.model.problem import nearest
from trunkline.sources.reading import Reading, inside, word
from trunkline.sources.sketch import Demand, Link, Lsp, Node, Sketch

TITLE = "CSV"
COLUMNS = {
    "nodes": ("name", "site", "region", "role", "lat", "lon"),
    "links": ("a", "b", "name", "capacity", "latency", "length", "metric", "metric_back", "risks"),
    "lsps": ("head", "tail", "name", "bandwidth", "setup", "hold"),
    "demands": ("from", "to", "rate", "name"),
}
"""Table -> its columns; a file is the table whose first column its header has."""
_REQUIRED = {"nodes": 1, "links": 2, "lsps": 3, "demands": 3}
"""How many of the columns, from the left, every row has."""
_ROLES = ("dr", "bb", "pr")


def told(text: str) -> bool:
    """Whether the first line is a header of one of the tables."""
    return _table(text) != ""


def _table(text: str) -> str:
    header = next((line for line in text.splitlines() if line.strip() and not line.startswith("#")), "")
    names = [name.strip().strip('"') for name in header.split(",")]
    for table in ("links", "lsps", "demands", "nodes"):  # the other tables have a `name` too
        if COLUMNS[table][0] in names and COLUMNS[table][_REQUIRED[table] - 1] in names:
            return table
    return ""


def read(sources: Sequence[str], reading: Reading) -> Sketch:
    """Return the network of the files, in any order."""
    rows: dict[str, list[tuple[Spot, Map]]] = {table: [] for table in COLUMNS}
    for source in sources:
        table = _table(reading.text(source))
        if not table:
            known = "; ".join(", ".join(columns) for columns in COLUMNS.values())
            reading.error("header", Spot(Place(source, 1, 1)), "this is the header of no table", known)
            continue
        for item in reading.csv(source).items:
            if isinstance(item, Map) and _complete(table, item, reading):
                rows[table].append((Spot(item.place), item))
    reading.stop()
    nodes = tuple(_node(spot, row, reading) for spot, row in rows["nodes"])
    links = tuple(_link(spot, row, reading) for spot, row in rows["links"])
    lsps = tuple(_lsp(spot, row, reading) for spot, row in rows["lsps"])
    demands = tuple(_demand(spot, row, reading) for spot, row in rows["demands"])
    return Sketch("network", TITLE, sources[0], nodes, links, lsps, demands)


def _complete(table: str, row: Map, reading: Reading) -> bool:
    columns = COLUMNS[table]
    unknown = [key for key, _ in row.entries if key.value not in columns]
    for key in unknown:
        message = f"no column of {table} is called '{key.value}'"
        reading.faults.error("header", Spot(key.place), message, ", ".join(columns), nearest(key.value, columns))
    missing = [column for column in columns[: _REQUIRED[table]] if not word(row, column)]
    if missing:
        reading.error("row", Spot(row.place), f"this row has no {', '.join(missing)}", ", ".join(columns))
    return not unknown and not missing


def _quantity(spot: Spot, row: Map, column: str, read_text: Callable[[str], int], reading: Reading) -> int | None:
    written = word(row, column)
    if not written:
        return None
    try:
        return read_text(written)
    except units.BadQuantity as bad:
        reading.error("unit", inside(spot, row, column), f"'{written}' is not right here", str(bad))
        return None


def _whole(spot: Spot, row: Map, column: str, reading: Reading) -> int | None:
    written = word(row, column)
    return reading.whole(written, inside(spot, row, column), column) if written else None


def _node(spot: Spot, row: Map, reading: Reading) -> Node:
    lat, lon = (_degrees(spot, row, column, reading) for column in ("lat", "lon"))
    role = word(row, "role")
    if role and role not in _ROLES:
        reading.error("role", inside(spot, row, "role"), f"'{role}' is no role", ", ".join(_ROLES))
    return Node(word(row, "name"), spot, "", word(row, "site"), word(row, "region"), role, lat, lon)


def _degrees(spot: Spot, row: Map, column: str, reading: Reading) -> Decimal | None:
    written = word(row, column)
    return reading.number(written, inside(spot, row, column), column, None) if written else None


def _link(spot: Spot, row: Map, reading: Reading) -> Link:
    length = _quantity(spot, row, "length", units.length, reading)
    if word(row, "latency") and word(row, "length"):
        reading.error("exclusive", inside(spot, row, "length"), "`latency` and `length` are both given", "one of them")
    return Link(
        word(row, "a"),
        word(row, "b"),
        spot,
        name=word(row, "name"),
        capacity=_quantity(spot, row, "capacity", units.rate, reading),
        metric=_whole(spot, row, "metric", reading),
        metric_back=_whole(spot, row, "metric_back", reading),
        latency=_quantity(spot, row, "latency", units.duration, reading),
        length=None if length is None else _kilometres(word(row, "length")),
        risks=tuple(word(row, "risks").replace(";", " ").split()),
    )


def _kilometres(length: str) -> Decimal:
    """Return kilometres of a length that is one: a number, and `km` or `m`."""
    number = Decimal(length.rstrip("km ").strip())
    return number if length.endswith("km") else number / 1000


def _lsp(spot: Spot, row: Map, reading: Reading) -> Lsp:
    bandwidth = _quantity(spot, row, "bandwidth", units.rate, reading)
    setup, hold = (_whole(spot, row, column, reading) for column in ("setup", "hold"))
    return Lsp(word(row, "name"), word(row, "head"), word(row, "tail"), spot, bandwidth, setup, hold)


def _demand(spot: Spot, row: Map, reading: Reading) -> Demand:
    rate = _quantity(spot, row, "rate", units.rate, reading)
    return Demand(word(row, "from"), word(row, "to"), rate or 0, spot, word(row, "name"))
