"""What can be bought for a network: members of circuits, peer ports, and circuits that could be built."""

from __future__ import annotations

from dataclasses import dataclass

from trunkline.model.nouns import Circuit
from trunkline.model.units import NANOSECONDS_PER_KM

MILLI = 1000
"""Prices are whole thousandths of their unit."""


@dataclass(frozen=True)
class Candidate:
    """A circuit that could be built, and what it costs."""

    circuit: Circuit
    price: int


@dataclass(frozen=True)
class Prices:
    """Prices in thousandths of `unit`; None is what cannot be bought."""

    unit: str
    per_end: int | None = None
    per_km: int | None = None
    member: tuple[tuple[int, int], ...] = ()
    """Prices of a member by its capacity, bit/s."""
    port: int | None = None
    candidates: tuple[Candidate, ...] = ()

    def of_member(self, circuit: Circuit) -> int | None:
        """Return what one more member of a circuit costs: as listed for its capacity, else ends and km, rounded up."""
        listed = dict(self.member).get(circuit.member)
        if listed is not None or (self.per_end is None and self.per_km is None):
            return listed
        metres = -(-circuit.latency * 1_000_000 // NANOSECONDS_PER_KM)
        return 2 * (self.per_end or 0) + -(-(self.per_km or 0) * metres // 1000)
