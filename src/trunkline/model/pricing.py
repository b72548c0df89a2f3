"""Prices from what was read."""

from __future__ import annotations

from decimal import Decimal

from trunkline.model.document import Faults
from trunkline.model.names import Names
from trunkline.model.nouns import Router
from trunkline.model.prices import MILLI, Candidate, Prices
from trunkline.model.read import Entry
from trunkline.model.topology import candidates_of


def prices_of(root: Entry, routers: dict[str, Router], names: Names) -> Prices | None:
    """Return what the file says can be bought; None where it says nothing of prices."""
    entry = root.entry("prices")
    if entry is None:
        return None
    optics = entry.entry("circuit")
    member = {}
    for row in entry.entries("member"):
        capacity, price = row.word("capacity", int), _milli(row, "price", names.faults)
        if capacity in member:
            names.faults.error("name-twice", row.at("capacity"), "a member of this capacity has a price above")
        elif capacity is not None and price is not None:
            member[capacity] = price
    candidates = [
        Candidate(circuit, price)
        for circuit, its in candidates_of(entry, root, routers, names)
        if (price := _milli(its, "price", names.faults)) is not None
    ]
    return Prices(
        entry.word("unit", str) or "",
        _milli(optics, "per_end", names.faults) if optics else None,
        _milli(optics, "per_km", names.faults) if optics else None,
        tuple(sorted(member.items())),
        _milli(entry, "port", names.faults),
        tuple(sorted(candidates, key=lambda c: c.circuit.name)),
    )


def _milli(entry: Entry, key: str, faults: Faults) -> int | None:
    price = entry.word(key, Decimal)
    if price is None:
        return None
    if price * MILLI % 1:
        faults.error("range", entry.at(key), f"{price} is too fine a price", "at most three decimals")
    return int(price * MILLI)
