"""What differs between two states, row by row: the tables before and after, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trunkline.model.tables import Column, Table

WATCHED: Mapping[str, tuple[Sequence[str], Sequence[str]]] = {
    "circuits": (("arc",), ("load", "utilisation", "lost")),
    "demands": (("demand", "family", "class"), ("delivered", "lost", "latency_max", "exits", "path")),
    "lsps": (("head", "name", "class", "setup", "hold"), ("state", "reserved", "cost", "latency", "path")),
    "ports": (("port",), ("in", "out")),
    "routes": (("router", "group", "family"), ("exit", "port")),
}
"""The tables that are compared: what names a row, and which of its columns matter."""


def moved(before: Mapping[str, Table], after: Mapping[str, Table]) -> dict[str, Table]:
    """Return, for every table watched, the rows that differ: each watched column twice, `.before` and `.after`.

    A row that one state lacks has empty cells there.
    """
    return {name: difference(before[name], after[name], *WATCHED[name]) for name in WATCHED}


def difference(before: Table, after: Table, key: Sequence[str], watched: Sequence[str]) -> Table:
    """Return the rows in which a watched column differs, by key."""
    was, now = ({tuple(r[k] for k in key): r for r in found.records()} for found in (before, after))
    order = [*now, *(k for k in was if k not in now)]
    rows = []
    for name in order:
        old, new = was.get(name, {}), now.get(name, {})
        if any(old.get(w) != new.get(w) for w in watched):
            rows.append((*name, *(cell for w in watched for cell in (old.get(w), new.get(w)))))
    kinds = {c.name: c for c in after.columns}
    twice = [Column(f"{w}.{side}", kinds[w].type, kinds[w].unit) for w in watched for side in ("before", "after")]
    return Table((*(kinds[k] for k in key), *twice), tuple(rows))
