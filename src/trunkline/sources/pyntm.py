"""pyNTM's models: tables of one text file, cells between tabs, or between spaces in a line without tabs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePath

from trunkline.model.document import Place, Spot
from trunkline.model.problem import nearest
from trunkline.sources.pairs import Way, implied, pair
from trunkline.sources.reading import MBIT, Reading, half_up
from trunkline.sources.sketch import Demand, Lsp, Node, Sketch

TITLE = "pyNTM model"
COLUMNS = {
    "INTERFACES_TABLE": ("node_object_name", "remote_node_object_name", "name", "cost", "capacity"),
    "NODES_TABLE": ("name",),
    "DEMANDS_TABLE": ("source", "dest", "traffic", "name"),
    "RSVP_LSP_TABLE": ("source", "dest", "name"),
}
"""Table -> the columns that it cannot do without."""
_LEFT_OUT = {"igp_shortcuts_enabled": "nodes", "manual_metric": "LSPs", "latency": "interfaces"}


@dataclass(frozen=True)
class Row:
    """A line of a table: cells by column, none of them empty, and where each stands."""

    cells: dict[str, str]
    spots: dict[str, Spot]
    spot: Spot

    def at(self, column: str) -> Spot:
        """Return where a cell stands; the row where it is empty."""
        return self.spots.get(column, self.spot)


def told(text: str) -> bool:
    """Whether a text has the table that every model has."""
    return any(line.strip() == "INTERFACES_TABLE" for line in text.splitlines())


def read(sources: Sequence[str], reading: Reading) -> Sketch:
    """Return the network of one model."""
    file = sources[0]
    tables = _tables(reading.text(file), file, reading)
    if "INTERFACES_TABLE" not in tables:
        reading.error("table", Spot(Place(file, 1, 1)), "there is no INTERFACES_TABLE", "a line INTERFACES_TABLE")
    reading.stop()
    links = pair([_way(row, reading) for row in tables["INTERFACES_TABLE"]], reading)
    nodes = tuple(_node(row, reading) for row in tables.get("NODES_TABLE", []))
    nodes += implied(nodes, links, reading)
    reading.ledger.apply("unit-assumed", "capacities and traffic")
    for column, what in _LEFT_OUT.items():
        number = sum(column in row.cells for rows in tables.values() for row in rows)
        if number:
            reading.ledger.apply("left-out", f"{column} of {number} {what}")
    demands = tuple(_demand(row, reading) for row in tables.get("DEMANDS_TABLE", []))
    lsps = tuple(_lsp(row, reading) for row in tables.get("RSVP_LSP_TABLE", []))
    return Sketch(PurePath(file).stem, TITLE, file, nodes, links, lsps, demands)


def _tables(text: str, file: str, reading: Reading) -> dict[str, list[Row]]:
    tables: dict[str, list[Row]] = {}
    table, header, missing = "", list[str](), list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        spot = Spot(Place(file, number, 1))
        words = line.split()
        if len(words) == 1 and words[0].endswith("_TABLE"):
            table, header = words[0], []
            if table not in COLUMNS or table in tables:
                what = "is given twice" if table in tables else "is no table of a model"
                reading.faults.error("table", spot, f"{table} {what}", ", ".join(COLUMNS), nearest(table, COLUMNS))
            tables.setdefault(table, [])
        elif words and not table:
            reading.error("table", spot, "this stands before the first table", "a line INTERFACES_TABLE")
        elif words and not header:
            header = words
            missing = [column for column in COLUMNS.get(table, ()) if column not in header]
            if missing:
                reading.error("header", spot, f"{table} has no column {', '.join(missing)}", "the names of columns")
        elif words and not missing:
            row = _row(line, spot, table, header, reading)
            tables[table] += [row] if row else []
    return tables


def _row(line: str, spot: Spot, table: str, header: Sequence[str], reading: Reading) -> Row | None:
    found = _cells(line)
    if len(found) > len(header):
        reading.error("row", spot, f"this row has {len(found)} cells and the header {len(header)}", " ".join(header))
        return None
    file, number = spot.place.file, spot.place.line
    filled = [(column, at, cell) for column, (at, cell) in zip(header, found, strict=False) if cell]
    spots = {column: Spot(Place(file, number, at), f"{table}.{column}") for column, at, _ in filled}
    cells = {column: cell for column, _, cell in filled}
    empty = [column for column in COLUMNS.get(table, ()) if column not in cells]
    if empty:
        reading.error("row", spot, f"this row of {table} has no {', '.join(empty)}", " ".join(header))
        return None
    if len(found) < len(header):
        reading.ledger.apply("row-short", f"line {number}: no {', '.join(header[len(found) :])}")
    return Row(cells, spots, spot)


def _cells(line: str) -> list[tuple[int, str]]:
    """Return the cells of a line, stripped, each with its column from 1."""
    if "\t" not in line:
        return [(word.start() + 1, word[0]) for word in re.finditer(r"\S+", line)]
    cells, at = [], 1
    for cell in line.split("\t"):
        cells.append((at, cell.strip()))
        at += len(cell) + 1
    return cells


def _way(row: Row, reading: Reading) -> Way:
    capacity = reading.bits(row.cells["capacity"], row.at("capacity"), "capacity", MBIT)
    share = row.cells.get("percent_reservable_bandwidth")
    part = reading.number(share, row.at("percent_reservable_bandwidth"), "share") if share else None
    return Way(
        row.cells["node_object_name"],
        row.cells["remote_node_object_name"],
        row.spot,
        circuit=row.cells.get("circuit_id", ""),
        capacity=capacity,
        metric=reading.whole(row.cells["cost"], row.at("cost"), "cost"),
        reservable=half_up(capacity * part / 100) if capacity and part is not None else None,
        rsvp=row.cells.get("rsvp_enabled", "True") != "False",
    )


def _node(row: Row, reading: Reading) -> Node:
    lon, lat = (_degrees(row, column, reading) for column in ("lon", "lat"))
    return Node(row.cells["name"], row.spot, lat=lat, lon=lon)


def _degrees(row: Row, column: str, reading: Reading) -> Decimal | None:
    written = row.cells.get(column)
    return reading.number(written, row.at(column), column, None) if written else None


def _demand(row: Row, reading: Reading) -> Demand:
    rate = reading.bits(row.cells["traffic"], row.at("traffic"), "traffic", MBIT)
    return Demand(row.cells["source"], row.cells["dest"], rate or 0, row.spot, row.cells["name"].strip("'"))


def _lsp(row: Row, reading: Reading) -> Lsp:
    written = row.cells.get("configured_setup_bw")
    size = reading.bits(written, row.at("configured_setup_bw"), "bandwidth", MBIT) if written else None
    return Lsp(row.cells["name"], row.cells["source"], row.cells["dest"], row.spot, size)
