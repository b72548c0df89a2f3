"""What differs between two states, row by row: the tables before and after, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trunkline.model.diff import rows_that_differ
from trunkline.model.tables import Table

WATCHED: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "circuits": (("arc",), ("load", "utilisation", "lost")),
    "demands": (("demand", "family", "class"), ("delivered", "lost", "latency_max", "exits", "path")),
    "lsps": (("head", "name", "class", "setup", "hold"), ("state", "reserved", "cost", "latency", "path")),
    "ports": (("port",), ("in", "out")),
    "routes": (("router", "group", "family"), ("exit", "port")),
}
"""The tables that are compared: what names a row, and which of its columns matter."""


def moved(before: Mapping[str, Table], after: Mapping[str, Table]) -> dict[str, Table]:
    """Return, for every table watched, the rows that differ: each watched column twice, `.before` and `.after`."""
    found = {}
    for name, (key, watched) in WATCHED.items():
        was, now = (tables[name].only((*key, *watched)) for tables in (before, after))
        found[name] = rows_that_differ(was, now, tuple(key))
    return found
