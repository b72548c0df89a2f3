"""The nouns of traffic: which flow of a demand starts where, and which exits it aims at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from trunkline.model.nouns import Family


@dataclass(frozen=True)
class Start:
    """Where traffic starts: a router and, where it comes in from outside, the peer port."""

    router: str
    port: str | None = None


@dataclass(frozen=True)
class Flow:
    """One family's part of a demand that starts at one router.

    `port` is the peer port it comes in by, None for traffic of our own.  `exits` are the routers that the start's own
    multipath set aims at (its own name where it delivers locally), by name; empty where it has no route.
    """

    demand: str
    family: Family
    start: str
    port: str | None
    group: str
    """The destination prefix group, or the router's name for a demand to a router."""
    cls: str
    rate: int
    exits: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Flows:
    """Every flow, sorted by (demand, family, start, port)."""

    flows: tuple[Flow, ...]

    @cached_property
    def aimed(self) -> dict[tuple[Family, str, str, str], int]:
        """Bit/s aimed from a start at an exit: {(family, start, exit, class): rate}.

        A flow with several exits splits evenly, by divmod, the remainder to the first by name.
        """
        total: dict[tuple[Family, str, str, str], int] = defaultdict(int)
        for flow in self.flows:
            for exit_, part in zip(flow.exits, split(flow.rate, len(flow.exits)), strict=True):
                total[flow.family, flow.start, exit_, flow.cls] += part
        return dict(total)


def split(rate: int, ways: int) -> list[int]:
    """Return `rate` in `ways` whole parts, the remainder of the division to the first."""
    if not ways:
        return []
    part, rest = divmod(rate, ways)
    return [part + rest] + [part] * (ways - 1)


def split_by_weight(rate: int, weights: Sequence[int]) -> list[int]:
    """Return `rate` in whole parts proportional to `weights`, rounded down, the rest to the first that has a weight."""
    total = sum(weights)
    if not total:
        return split(rate, len(weights))
    parts = [rate * w // total for w in weights]
    parts[next(i for i, w in enumerate(weights) if w)] += rate - sum(parts)
    return parts
