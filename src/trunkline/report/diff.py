"""`diff` from end to end: two networks, what was changed between them, and what moves because of it.

Both are solved on their own, each from cold and through the same events: the answer is how the two designs differ, not
how a live network would get from one to the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from trunkline.model.diff import Change, changes, rows_that_differ
from trunkline.model.tables import Table, table
from trunkline.report.files import table_document
from trunkline.report.plan import Planning, planned
from trunkline.verdict import Verdict, objectives_table

KEYS = {
    "objectives": ("objective",),
    "routes": ("router", "group", "family"),
    "held": ("router",),
    "lsps": ("head", "name"),
    "circuits": ("arc",),
    "ports": ("port",),
    "demands": ("demand", "family"),
}
"""The tables that are compared, and what a row of each is known by."""


@dataclass(frozen=True, eq=False)
class Difference:
    """Two plans, and what differs between them."""

    a: Planning
    b: Planning
    labels: tuple[str, str]
    """What tells the two apart: the networks' names, or their files where both have the same."""

    @property
    def ok(self) -> bool:
        """Whether the second network keeps every promise."""
        return self.b.proof.ok

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """What was changed in the file, derived defaults included."""
        return changes(self.a.proof.net, self.b.proof.net)

    @cached_property
    def tables(self) -> dict[str, Table]:
        """`changes`, and the rows that differ of every compared table."""
        rows = [(c.kind, c.name, c.action, c.field, c.before, c.after) for c in self.changes]
        before, after = _tables(self.a), _tables(self.b)
        moved = {name: rows_that_differ(before[name], after[name], key) for name, key in KEYS.items()}
        return {"changes": table("kind name action field before after", rows), **moved}

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The whole answer as plain data: schema `trunkline/diff/1`."""
        return {
            "schema": "trunkline/diff/1",
            "a": _side(self.a),
            "b": _side(self.b),
            "ok": self.ok,
            "tables": {name: table_document(found) for name, found in self.tables.items()},
        }


def compared(a: Path, b: Path, events: tuple[Path, ...], console: Console, quiet: bool) -> Difference:
    """Plan two networks through the same events and return what differs.  Raises Problems for bad input."""
    first, second = (planned(net, events, 1, console, quiet) for net in (a, b))
    names = first.name, second.name
    return Difference(first, second, names if first.name != second.name else (str(a), str(b)))


def _tables(planning: Planning) -> dict[str, Table]:
    last = planning.proof.settled
    return {**last.tables, "objectives": objectives_table(last.objectives)}


def _side(planning: Planning) -> dict[str, Any]:
    network = {"sha256": planning.loaded.sha256, **planning.summary["size"]}
    return {"name": planning.name, "network": network, "ok": planning.proof.ok, "summary": dict(planning.summary)}


def things_changed(found: tuple[Change, ...]) -> list[tuple[str, str, list[str]]]:
    """Return (kind, what was done, names) with things that were changed alike on one line, in the order of kinds."""
    by_thing: dict[tuple[str, str], list[Change]] = defaultdict(list)
    for change in found:
        alone = replace(change, before="", after="") if change.action != "changed" else change
        by_thing[change.kind, change.name].append(alone)
    alike: dict[tuple[str, tuple[tuple[str, ...], ...]], list[str]] = defaultdict(list)
    for (kind, name), mine in by_thing.items():
        alike[kind, tuple((c.action, c.field, c.before, c.after) for c in mine)].append(name)
    return [(kind, _done(what), names) for (kind, what), names in alike.items()]


def _done(what: tuple[tuple[str, ...], ...]) -> str:
    action = what[0][0]
    if action != "changed":
        return action
    values = {name: f"{before or 'none'} -> {after or 'none'}" for _, name, before, after in what}
    said = {}
    for name, value in values.items():  # both directions of a circuit alike are one thing to read
        one, other = name.removesuffix("_ab"), name.removesuffix("_ba")
        if name != one and values.get(f"{one}_ba") == value:
            said[one] = value
        elif name == other or values.get(f"{other}_ab") != value:
            said[name] = value
    return ", ".join(f"{name} {value}" for name, value in said.items())


def verdicts(difference: Difference) -> list[tuple[str, Verdict | None, Verdict | None]]:
    """Return every objective of either side by name with both verdicts; None where one side does not ask for it."""
    sides = [{v.objective.name: v for v in p.proof.settled.objectives} for p in (difference.a, difference.b)]
    return [(name, sides[0].get(name), sides[1].get(name)) for name in sorted({*sides[0], *sides[1]})]
