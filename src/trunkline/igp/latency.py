"""Latency from router to router along IS-IS, worked out where it is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field

from trunkline.igp.solve import Reach
from trunkline.model.network import Network
from trunkline.model.nouns import Family


@dataclass(frozen=True, eq=False)
class Latencies:
    """Latencies in one family, kept once they are known."""

    net: Network
    reach: Reach
    family: Family
    _known: dict[tuple[str, str], int] = field(default_factory=dict, repr=False)

    def to(self, source: str, target: str) -> int:
        """Return the latency from a router to one that it reaches, us: of equal paths the longest; 0 to itself."""
        known = self._known.get((source, target))
        if known is not None:
            return known
        left = [source]
        while left:  # next hops first; they are always nearer
            at = left[-1]
            hops = self.reach.next_hops(self.family, at, target)
            unknown = [arc.head for arc in hops if (arc.head, target) not in self._known and arc.head != target]
            if unknown and (at, target) not in self._known:
                left += unknown
                continue
            ahead = (self.net.circuit[a.circuit].latency + self._known.get((a.head, target), 0) for a in hops)
            self._known[at, target] = max(ahead, default=0)
            left.pop()
        return self._known[source, target]
