"""The nouns of traffic: which flow of a demand starts where, and which exits it aims at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, chain, pairwise

from trunkline.bgp.solve import Routes
from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Demand, Family


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


@dataclass(frozen=True)
class Part:
    """One family's part of a demand: its flows, and all that they depend on."""

    rate: int
    starts: tuple[tuple[Start, int], ...]
    """Each with its weight."""
    exits: tuple[tuple[str, ...], ...]
    """What each start aims at."""
    flows: tuple[Flow, ...]

    @cached_property
    def aimed(self) -> tuple[tuple[Aim, int], ...]:
        """What each flow aims at each exit."""
        return tuple(_aimed(self.flows))


Aim = tuple[Family, str, str, str]
"""Family, start, exit and class."""


@dataclass(frozen=True, eq=False)
class Flows:
    """Every flow, sorted by (demand, family, start, port)."""

    flows: tuple[Flow, ...]
    parts: Mapping[tuple[str, Family], Part] = field(default_factory=dict, repr=False)
    """The same by demand and family, in order, and what they follow from."""
    net: Network | None = field(default=None, repr=False)
    """Whose demands they were first."""
    routes: Routes | None = field(default=None, repr=False)
    """What they were first aimed by."""

    @cached_property
    def spans(self) -> dict[tuple[str, Family], slice]:
        """Where the flows of each part stand among all of them."""
        ends = accumulate((len(part.flows) for part in self.parts.values()), initial=0)
        return {key: slice(*span) for key, span in zip(self.parts, pairwise(ends), strict=True)}

    @cached_property
    def aimed(self) -> dict[Aim, int]:
        """Bit/s aimed from a start at an exit.

        A flow with several exits splits evenly, by divmod, the remainder to the first by name.
        """
        total: dict[Aim, int] = defaultdict(int)
        parts = self.parts.values()
        for key, rate in chain.from_iterable(part.aimed for part in parts) if parts else _aimed(self.flows):
            total[key] += rate
        return dict(total)

    @cached_property
    def following(self) -> Mapping[Hashable, Sequence[tuple[str, Family]]]:
        """The parts that follow from a decision, from a router, or from what demands come `from` or go `to`."""
        found: dict[Hashable, list[tuple[str, Family]]] = defaultdict(list)
        demands = {demand.name: demand for demand in self.net.demands} if self.net is not None else {}
        for key, part in self.parts.items():
            for what in self._follows_from(demands[key[0]], key[1], part):
                found[what].append(key)
        return found

    def _follows_from(self, demand: Demand, family: Family, part: Part) -> dict[Hashable, None]:
        net = self.net if self.net is not None else Network()
        peers = [p for p in net.peers if demand.source == p.name or any(a.group == demand.source for a in p.announces)]
        attached = net.datacenter[demand.source].attach if demand.source in net.datacenter else ()
        started = (start.router for start, _ in part.starts)
        ends = ("from", demand.source), ("to", demand.target), *(("from", peer.name) for peer in peers)
        found: dict[Hashable, None] = dict.fromkeys(ends)
        for router in (*started, *attached, *(port.router for peer in peers for port in peer.ports)):
            found |= dict.fromkeys((router, (router, demand.target, family)))
            if self.routes is None or self.routes.best(router, demand.target, family) is None:
                found[router, DEFAULT_GROUP, family] = None
        return found


def _aimed(flows: Iterable[Flow]) -> Iterator[tuple[Aim, int]]:
    for flow in flows:
        for exit_, part in zip(flow.exits, split(flow.rate, len(flow.exits)), strict=True):
            yield (flow.family, flow.start, exit_, flow.cls), part


def split(rate: int, ways: int) -> list[int]:
    """Return `rate` in `ways` whole parts, the remainder of the division to the first."""
    if not ways:
        return []
    part, rest = divmod(rate, ways)
    return [part + rest] + [part] * (ways - 1)


def split_by_weight(rate: int, weights: Sequence[int]) -> list[int]:
    """Return `rate` in whole parts proportional to `weights`, rounded down, the rest to the first that has a weight."""
    if len(weights) == 1:
        return [rate]
    total = sum(weights)
    if not total:
        return split(rate, len(weights))
    parts = [rate * w // total for w in weights]
    parts[next(i for i, w in enumerate(weights) if w)] += rate - sum(parts)
    return parts
