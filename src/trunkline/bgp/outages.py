"""For how long, through an event, which routers have no route to which groups.

A router's route counts while following it leads out of the network: to an exit that is there, in the end, and whose
router uses a route of its own.  An exit that has turned to another exit sends the packet on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from trunkline.bgp.exchange import Exchange
from trunkline.bgp.peers import Rib

Span = tuple[int, int]
"""From and until, microseconds after the event."""


@dataclass(eq=False)
class Outages:
    """The spans in which routers are without a route, by router and bunch."""

    had: set[tuple[str, int]] = field(default_factory=set)
    """Who had a route before the event."""
    spans: dict[tuple[str, int], list[Span]] = field(default_factory=dict)
    since: dict[tuple[str, int], int] = field(default_factory=dict)
    """Who is without a route now, and since when."""

    def note(self, now: int, router: str, bunch: int, has: bool) -> None:
        """Note whether a router has a route now."""
        key = router, bunch
        if not has:
            self.since.setdefault(key, now)
        elif key in self.since:
            begun = self.since.pop(key)
            if begun < now:
                self.spans.setdefault(key, []).append((begun, now))

    def until(self, end: int, router: str, bunch: int) -> list[Span]:
        """Return the spans of a router, one that lasts cut off at the end."""
        begun = self.since.get((router, bunch), end)
        return [*self.spans.get((router, bunch), ()), *([(begun, end)] if begun < end else ())]


def leads_out(mesh: Exchange, ribs: Mapping[str, Rib], router: str, bunch: int) -> bool:
    """Whether a router's best route leads out of the network."""
    seen: set[str] = set()
    while router not in seen:
        best = ribs[router].best[bunch]
        if best is None:
            return False
        exit_ = best.route.router
        if exit_ == router:
            return True
        if mesh.reach.distance(mesh.family, router, exit_) is None:
            return False
        seen.add(router)
        router = exit_
    return False


def common(spans: Sequence[Span], others: Sequence[Span]) -> int:
    """Return how long the spans of one list overlap those of another."""
    both = ((max(a, c), min(b, d)) for a, b in spans for c, d in others)
    return sum(until - begun for begun, until in both if begun < until)
