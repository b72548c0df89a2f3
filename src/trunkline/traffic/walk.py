"""One flow's walk through every router's own FIB: what it puts on each circuit, where it ends, and what it meets.

Rates are whole bit/s and every division's remainder goes to the first by name, so that what is offered equals what is
delivered plus what is lost, exactly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain
from typing import TypeVar
from zlib import crc32

from trunkline.demand.flows import Flow, split, split_by_weight
from trunkline.demand.reason import Reason
from trunkline.igp.solve import Arc
from trunkline.traffic.fib import Fib, Step, Way
from trunkline.traffic.order import Component, components

Place = Arc | tuple[str, str]
"""What can be full: an arc, ("in", port) or ("out", port)."""
Gate = Callable[[Place, str, int], int]
"""What passes of a class's rate at a place, bit/s."""
BUCKETS = 1024
"""A share of a flow smaller than one in so many is not split inside a loop: it is one bucket of the routers' hash."""


@dataclass(frozen=True)
class Share:
    """A part of a flow on its way.  `moment` is rate x latency so far; `rode` and `strayed` are parts of the rate."""

    rate: int
    moment: int = 0
    slowest: int = 0
    rode: int = 0
    """What crossed at least one LSP."""
    strayed: int = 0
    """What left the IGP's shortest path: over a longer LSP, or deflected."""
    aims: frozenset[str] = frozenset()
    """The exits that the routers before aimed it at."""

    def part(self, rate: int) -> Share:
        """Return a part of this share, its properties in proportion (rounded down)."""
        if rate == self.rate:
            return self
        moment = self.moment * rate // self.rate
        rode, strayed = self.rode * rate // self.rate, self.strayed * rate // self.rate
        return Share(rate, moment, self.slowest, rode, strayed, self.aims)

    def over(self, way: Way, exit_: str) -> Share:
        """Return this share at the end of a way that it takes towards an exit."""
        return Share(
            self.rate,
            self.moment + self.rate * way.latency,
            self.slowest + way.latency,
            self.rate if way.lsp else self.rode,
            self.rate if way.longer else self.strayed,
            frozenset((exit_,)),
        )

    def plus(self, other: Share) -> Share:
        """Return both shares as one."""
        return Share(
            self.rate + other.rate,
            self.moment + other.moment,
            max(share.slowest if share.rate else 0 for share in (self, other)),
            self.rode + other.rode,
            self.strayed + other.strayed,
            self.aims | other.aims,
        )


@dataclass(eq=False)
class Trail:
    """What one flow did.  All rates bit/s, as offered to each place, after what was lost before it."""

    igp: dict[Arc, int] = field(default_factory=lambda: defaultdict(int))
    lsp: dict[Arc, int] = field(default_factory=lambda: defaultdict(int))
    lsps: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    ports: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    """By (`in` or `out`, port)."""
    exits: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Delivered, by port or, where no port is crossed, router."""
    lost: dict[tuple[Reason, str], int] = field(default_factory=lambda: defaultdict(int))
    """By reason, and the router, directed circuit or port where."""
    done: Share = field(default_factory=lambda: Share(0))
    """Everything delivered, as one share."""
    deflections: dict[tuple[str, str, str], int] = field(default_factory=lambda: defaultdict(int))
    """By (router, exits aimed at before, exit aimed at there)."""
    loops: dict[tuple[str, ...], int] = field(default_factory=lambda: defaultdict(int))
    """By the routers of the cycle."""

    routers: tuple[str, ...] = ()
    """Every router whose FIB it may meet."""

    def places(self) -> Iterator[tuple[Place, int]]:
        """Everything offered to what can be full; an arc may come twice."""
        return chain(self.igp.items(), self.lsp.items(), self.ports.items())


Walked = Sequence[tuple[Flow, Trail]]
"""Every flow with what it did."""


@dataclass(eq=False)
class Walk:
    """Walks flows through one set of FIBs."""

    fib: Fib
    _orders: dict[tuple[object, ...], tuple[Component, ...]] = field(default_factory=dict)

    def follow(self, flow: Flow, gate: Gate) -> Trail:
        """Return what a flow does when `gate` says what passes where."""
        trail = Trail()
        rate = flow.rate
        if flow.port is not None:
            rate = _pass(trail, gate, ("in", flow.port), flow.cls, rate)
        key = flow.start, flow.group, flow.cls, flow.family
        if key not in self._orders:
            self._orders[key] = components(flow.start, lambda r: self._step(flow, r).heads)
        trail.routers = tuple(router for component in self._orders[key] for router in component)
        here = {flow.start: Share(rate)}
        whole = -(-rate // BUCKETS)
        for component in self._orders[key]:
            for router in component:
                share = here.pop(router, None)
                if share is not None:
                    self._visit(flow, gate, trail, (router, share, (), component, here, whole))
        return trail

    def _step(self, flow: Flow, router: str) -> Step:
        return self.fib.step(router, flow.group, flow.cls, flow.family)

    def _visit(
        self,
        flow: Flow,
        gate: Gate,
        trail: Trail,
        at: tuple[str, Share, tuple[str, ...], Component, dict[str, Share], int],
    ) -> None:
        """Send a share on from a router; what leaves the component waits in `here`, the rest is followed at once.

        Which paths return is a property of whole paths, and they can be exponentially many: so a share below `whole`
        takes one next hop, as a flow does.
        """
        router, share, before, component, here, whole = at
        on_way = (*before, router)
        hashed = crc32(" ".join(on_way).encode()) if before and share.rate < whole else None
        step = self._step(flow, router)
        if step.reason is not None:
            trail.lost[step.reason, router] += share.rate
        elif not step.turns:
            _deliver(trail, gate, flow.cls, (router, step), share)
        for head, sent in _send(trail, gate, flow.cls, (router, step), share, hashed):
            if head in on_way:
                cycle = on_way[on_way.index(head) :]
                trail.loops[(*cycle, head)] += sent.rate
                trail.lost[Reason.LOOP, head] += sent.rate
            elif head in component:
                self._visit(flow, gate, trail, (head, sent, on_way, component, here, whole))
            else:
                here[head] = here[head].plus(sent) if head in here else sent


def _pass(trail: Trail, gate: Gate, place: tuple[str, str], cls: str, rate: int) -> int:
    """Offer a rate to a port, note what it refuses, and return what passes."""
    trail.ports[place] += rate
    passed = gate(place, cls, rate)
    if passed < rate:
        trail.lost[Reason.PORT_FULL, place[1]] += rate - passed
    return passed


def _deliver(trail: Trail, gate: Gate, cls: str, at: tuple[str, Step], share: Share) -> None:
    router, step = at
    share = _turned(trail, router, router, share)
    outs = zip(step.ports, split(share.rate, len(step.ports)), strict=True) if step.ports else [(router, share.rate)]
    for out, rate in outs:
        passed = _pass(trail, gate, ("out", out), cls, rate) if step.ports else rate
        trail.exits[out] += passed
        trail.done = trail.done.plus(share.part(passed))


def _turned(trail: Trail, router: str, exit_: str, share: Share) -> Share:
    """Return a share that leaves for an exit, noting a deflection where no router before aimed it there."""
    if not share.aims or exit_ in share.aims or not share.rate:
        return share
    trail.deflections[router, " ".join(sorted(share.aims)), exit_] += share.rate
    return replace(share, strayed=share.rate)


def _send(
    trail: Trail, gate: Gate, cls: str, at: tuple[str, Step], share: Share, hashed: int | None
) -> list[tuple[str, Share]]:
    """Return the shares that leave a router, each with the router it comes to next; one share where it is `hashed`."""
    router, step = at
    sent = []
    turns = zip(step.turns, split(share.rate, len(step.turns)), strict=True)
    for turn, rate in turns if hashed is None else _one(turns, hashed):
        bound = _turned(trail, router, turn.exit, share.part(rate))
        ways = zip(turn.ways, split_by_weight(rate, turn.weights), strict=True)
        for way, part in ways if hashed is None else _one(ways, crc32(turn.exit.encode(), hashed)):
            if part:
                passed = _cross(trail, gate, cls, way, part)
                if passed:
                    sent.append((way.head, bound.part(part).over(way, turn.exit).part(passed)))
    return sent


T = TypeVar("T")


def _one(parts: Iterable[tuple[T, int]], hashed: int) -> Iterator[tuple[T, int]]:
    """Yield the one way that a 32-bit hash falls on, in proportion to the parts, with all of them."""
    parts = tuple(parts)
    total = sum(part for _, part in parts)
    ends = accumulate(part for _, part in parts)
    point = hashed * total >> 32
    for (way, _), end in zip(parts, ends, strict=True):
        if point < end:
            yield way, total
            return


def _cross(trail: Trail, gate: Gate, cls: str, way: Way, rate: int) -> int:
    """Put a rate on every arc of a way and return what comes out at its end."""
    if way.blind:
        trail.lost[Reason.NO_FAMILY, way.arcs[0].name] += rate
        return 0
    load = trail.lsp if way.lsp else trail.igp
    if way.lsp:
        trail.lsps[way.lsp.id] += rate
    for arc in way.arcs:
        load[arc] += rate
        passed = gate(arc, cls, rate)
        if passed < rate:
            trail.lost[Reason.CONGESTION, arc.name] += rate - passed
        rate = passed
    return rate
