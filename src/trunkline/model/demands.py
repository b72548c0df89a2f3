"""Demands, one by one, by gravity or from a matrix: from the typed file to nouns."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from trunkline.model.draft import Draft
from trunkline.model.edge import Edge
from trunkline.model.nouns import MILLION, Demand
from trunkline.model.shape import MAX_RATE
from trunkline.model.topology import Topology
from trunkline.model.typed import BAD, Row

MAX_DEMANDS = 1_000_000


def build(draft: Draft, topology: Topology, edge: Edge) -> tuple[Demand, ...]:
    """Return the demands sorted by name, times `scale`; problems go to the draft."""
    maker = _Maker(draft, topology, edge)
    for row in draft.entries("demands"):
        if "gravity" in row:
            maker.gravity(row["gravity"])
        elif "matrix" in row:
            maker.matrix(row)
        elif "gravity" not in row.bad and "matrix" not in row.bad:
            maker.one(row)
    scale = draft.root.get("scale", MILLION)
    found = [replace(d, rate=(d.rate * scale + MILLION // 2) // MILLION) for d in maker.found.values()]
    for demand in found:
        if not 1 <= demand.rate <= MAX_RATE:
            what = f"demand '{demand.name}' is {demand.rate} bit/s after `scale`"
            draft.error("scale", "range", what, "1 bit/s to 10^18")
            break
    return tuple(sorted(found, key=lambda d: d.name))


class _Maker:
    """Makes demands and keeps their names apart."""

    def __init__(self, draft: Draft, topology: Topology, edge: Edge) -> None:
        self.draft = draft
        self.found: dict[str, Demand] = {}
        self.fields: dict[str, str] = {}
        groups = {*draft.section("prefix_groups"), *draft.section("datacenters"), *(g.name for g in edge.groups)}
        self.targets: Collection[str] = groups | topology.routers.keys()
        self.sources: Collection[str] = groups | topology.routers.keys() | set(draft.section("peers"))

    def _ends(self, row: Row, key: str, name: Any, field: str) -> bool:
        if key == "from":
            return self.draft.known(field, name, self.sources, "data centre, router, peer or prefix group")
        return self.draft.known(field, name, self.targets, "data centre, router or prefix group")

    def _class(self, row: Row) -> bool:
        return self.draft.known(row.at("class"), row.get("class", BAD), self.draft.section("classes"), "class")

    def _add(self, field: str, demand: Demand) -> bool:
        first = self.fields.setdefault(demand.name, field)
        if demand.name in self.found:
            at = self.draft.document.where(first)
            what = f"demand '{demand.name}' is there already, at {at.file}:{at.line}:{at.column}"
            self.draft.error(field, "duplicate-name", what, "a `name`")
            return False
        if len(self.found) >= MAX_DEMANDS:
            self.draft.error(field, "range", f"this makes more than {MAX_DEMANDS} demands", "fewer")
            return False
        self.found[demand.name] = demand
        return True

    def _different(self, row: Row) -> bool:
        if row["from"] != row["to"]:
            return True
        self.draft.error(row.at("to"), "self-loop", f"from and to are both '{row['to']}'", "two different ends")
        return False

    def one(self, row: Row) -> None:
        """Make one demand."""
        ends = [self._ends(row, key, row.get(key, BAD), row.at(key)) for key in ("from", "to")]
        classed = self._class(row)
        if not all(ends) or not self._different(row) or not classed or row.bad & {"rate", "name"}:
            return
        name = row.get("name") or f"{row['class']}.{row['from']}.{row['to']}"
        rate, largest = row["rate"], row.get("largest_flow")
        if largest is not None and largest > rate:
            self.draft.error(row.at("largest_flow"), "conflict", "the largest flow is more than the demand's rate")
        self._add(row.path, Demand(name, row["from"], row["to"], row["class"], rate, row.get("v6", 0), largest))

    def matrix(self, row: Row) -> None:
        """Make the demands of a matrix."""
        classed = self._class(row)
        if isinstance(row["matrix"], str):
            what = f"'{row['matrix']}' is no list file"
            self.draft.error(row.at("matrix"), "type", what, "a file ending with .csv or .json")
            return
        for entry in row["matrix"]:
            if entry is BAD:
                continue
            ends = [self._ends(entry, key, entry.get(key, BAD), entry.at(key)) for key in ("from", "to")]
            if all(ends) and self._different(entry) and classed and "rate" in entry:
                name = f"{row['class']}.{entry['from']}.{entry['to']}"
                demand = Demand(name, entry["from"], entry["to"], row["class"], entry["rate"], row.get("v6", 0))
                self._add(entry.path, demand)

    def gravity(self, row: Row) -> None:
        """Make demands from every source to every target, in proportion to the product of their weights."""
        before = len(self.draft.problems)
        ends: dict[str, list[str]] = {}
        for key in ("from", "to"):
            names = row.get(key, [])
            for i, name in enumerate(names):
                self._ends(row, key, name, f"{row.at(key)}[{i}]")
                if name is not BAD and name in names[:i]:
                    self.draft.error(f"{row.at(key)}[{i}]", "duplicate-name", f"'{name}' is given twice")
            ends[key] = sorted({n for n in names if n is not BAD})
        weights = row.get("weights", {})
        for name in sorted(weights):
            self.draft.known(f"{row.at('weights')}.{name}", name, {*ends["from"], *ends["to"]}, "end here named")
        if not self._class(row) or row.bad or len(self.draft.problems) > before or BAD in weights.values():
            return
        pairs = [(a, b) for a in ends["from"] for b in ends["to"] if a != b]
        shares = [weights.get(a, 1) * weights.get(b, 1) for a, b in pairs]
        if not sum(shares):
            self.draft.error(row.path, "empty", "gravity has no pair of two different ends with weight", "two ends")
            return
        for (a, b), rate in zip(pairs, parts(row["total"], shares), strict=True):
            demand = Demand(f"{row['class']}.{a}.{b}", a, b, row["class"], rate, row.get("v6", 0))
            if rate and not self._add(row.path, demand):
                return


def parts(total: int, shares: list[int]) -> list[int]:
    """Split a total in proportion to shares, exactly: by largest remainder, the first of equals."""
    whole = sum(shares)
    floors = [total * share // whole for share in shares]
    order = sorted(range(len(shares)), key=lambda i: (-(total * shares[i] % whole), i))
    for i in order[: total - sum(floors)]:
        floors[i] += 1
    return floors
