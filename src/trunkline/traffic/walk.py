"""One flow's walk through every router's own FIB: what it puts on each circuit, where it ends, and what it meets.

Rates are whole bit/s and every division's remainder goes to the first by name, so that what is offered equals what is
delivered plus what is lost, exactly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, chain
from typing import Any, NamedTuple, TypeVar
from zlib import crc32

from trunkline.demand.flows import Flow, split, split_by_weight
from trunkline.demand.reason import Reason
from trunkline.traffic.fib import Fib, Step, Turn, Way
from trunkline.traffic.order import Component, components

Place = str | tuple[str, str]
"""What can be full: a directed circuit, ("in", port) or ("out", port)."""
Gate = Callable[[Place, str, int], int]
"""What passes of a class's rate at a place, bit/s."""
BUCKETS = 1024
"""A share of a flow smaller than one in so many is not split inside a loop: it is one bucket of the routers' hash."""


class Share(NamedTuple):
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

    def over(self, way: Way, rate: int, aims: frozenset[str]) -> Share:
        """Return the part of this share at the end of a way that it takes towards an exit."""
        _, moment, slowest, rode, strayed, _ = self
        if rate != self.rate:
            moment = moment * rate // self.rate
            rode, strayed = rode * rate // self.rate, strayed * rate // self.rate
        moment, slowest = moment + rate * way.latency, slowest + way.latency
        return Share(rate, moment, slowest, rate if way.lsp else rode, rate if way.longer else strayed, aims)

    def plus(self, other: Share) -> Share:
        """Return both shares as one."""
        return Share(
            self.rate + other.rate,
            self.moment + other.moment,
            max(self.slowest if self.rate else 0, other.slowest if other.rate else 0),
            self.rode + other.rode,
            self.strayed + other.strayed,
            self.aims | other.aims,
        )


NONE = Share(0)
_rates = partial(defaultdict[Any, int], int)


@dataclass(eq=False, slots=True)
class Trail:
    """What one flow did.  All rates bit/s, as offered to each place, after what was lost before it."""

    igp: dict[str, int] = field(default_factory=_rates)
    """By directed circuit, unlabelled."""
    lsp: dict[str, int] = field(default_factory=_rates)
    """By directed circuit, inside LSPs."""
    lsps: dict[str, int] = field(default_factory=_rates)
    ports: dict[tuple[str, str], int] = field(default_factory=_rates)
    """By (`in` or `out`, port)."""
    exits: dict[str, int] = field(default_factory=_rates)
    """Delivered, by port or, where no port is crossed, router."""
    lost: dict[tuple[Reason, str], int] = field(default_factory=_rates)
    """By reason, and the router, directed circuit or port where."""
    done: Share = NONE
    """Everything delivered, as one share."""
    deflections: dict[tuple[str, str, str], int] = field(default_factory=_rates)
    """By (router, exits aimed at before, exit aimed at there)."""
    loops: dict[tuple[str, ...], int] = field(default_factory=_rates)
    """By the routers of the cycle."""

    routers: tuple[str, ...] = ()
    """Every router whose FIB it may meet."""

    def places(self) -> Iterator[tuple[Place, int]]:
        """Everything offered to what can be full; a circuit may come twice."""
        return chain(self.igp.items(), self.lsp.items(), self.ports.items())


Pair = tuple[Flow, Trail]
Walked = Sequence[Pair]
"""Every flow with what it did."""


class Stream(NamedTuple):
    """What flows of one start, group, class and family go through."""

    order: tuple[Component, ...]
    steps: dict[str, Step]
    """What each router does with them."""


@dataclass(eq=False)
class Walk:
    """Walks flows through one set of FIBs."""

    fib: Fib
    _streams: dict[tuple[object, ...], Stream] = field(default_factory=dict)

    def follow(self, flow: Flow, gate: Gate | None = None) -> Trail:
        """Return what a flow does when `gate` says what passes where: everything, if there is none."""
        stream = self._stream(flow)
        going = _Going(stream, flow, gate)
        going.through(flow.port in self.fib.shut)
        return going.trail

    def _stream(self, flow: Flow) -> Stream:
        start, group, cls, family = key = flow.start, flow.group, flow.cls, flow.family
        found = self._streams.get(key)
        if found is None:
            order = components(start, lambda router: self.fib.step(router, group, cls, family).heads)
            steps = {router: self.fib.step(router, group, cls, family) for router in chain.from_iterable(order)}
            found = self._streams[key] = Stream(order, steps)
        return found


class _Going:
    """A flow on its way."""

    def __init__(self, stream: Stream, flow: Flow, gate: Gate | None) -> None:
        self.stream, self.flow, self.gate = stream, flow, gate
        self.trail = Trail(routers=tuple(stream.steps))
        self.rate = flow.rate
        """What has come in."""
        self.here: dict[str, Share] = {}
        """What waits at a router, to be sent on all together."""

    def through(self, shut: bool) -> None:
        """Go through all components, in their order; nothing comes in by a port that is shut."""
        flow, rate, here = self.flow, self.flow.rate, self.here
        if flow.port is not None and shut:
            self.trail.lost[Reason.PORT_DOWN, flow.port] += rate
            rate = 0
        elif flow.port is not None:
            rate = self._pass(("in", flow.port), rate)
        self.rate, here[flow.start] = rate, Share(rate)
        for component in self.stream.order:
            for router in component:
                share = here.pop(router, None)
                if share is not None:
                    self._visit(router, share, (), component)

    def _visit(self, router: str, share: Share, before: tuple[str, ...], component: Component) -> None:
        """Send a share on from a router; what leaves the component waits in `here`, the rest is followed at once.

        Which paths return is a property of whole paths, and they can be exponentially many: so a share below one in
        `BUCKETS` takes one next hop, as a flow does.
        """
        here, step = self.here, self.stream.steps[router]
        if step.reason is not None:
            self.trail.lost[step.reason, router] += share.rate
            return
        if not step.turns:
            self._deliver(router, step, share)
            return
        on_way = (*before, router)
        hashed = crc32(" ".join(on_way).encode()) if before and share.rate * BUCKETS < self.rate else None
        for head, sent in self._send(router, step, share, hashed):
            if head in on_way:
                cycle = on_way[on_way.index(head) :]
                self.trail.loops[(*cycle, head)] += sent.rate
                self.trail.lost[Reason.LOOP, head] += sent.rate
            elif head in component:
                self._visit(head, sent, on_way, component)
            else:
                here[head] = here[head].plus(sent) if head in here else sent

    def _pass(self, place: tuple[str, str], rate: int) -> int:
        """Offer a rate to a port, note what it refuses, and return what passes."""
        self.trail.ports[place] += rate
        passed = rate if self.gate is None else self.gate(place, self.flow.cls, rate)
        if passed < rate:
            self.trail.lost[Reason.PORT_FULL, place[1]] += rate - passed
        return passed

    def _deliver(self, router: str, step: Step, share: Share) -> None:
        trail = self.trail
        share = _turned(trail, router, router, share)
        if not step.ports:
            trail.exits[router] += share.rate
            trail.done = trail.done.plus(share) if trail.done.rate else share
        for out, rate in zip(step.ports, split(share.rate, len(step.ports)), strict=True):
            passed = self._pass(("out", out), rate)
            trail.exits[out] += passed
            part = share.part(passed)
            trail.done = trail.done.plus(part) if trail.done.rate else part

    def _send(self, router: str, step: Step, share: Share, hashed: int | None) -> list[tuple[str, Share]]:
        """Return the shares that leave a router, with the router each comes to next; one share where it is `hashed`."""
        if len(step.turns) == 1 and len(step.turns[0].ways) == 1:
            return self._sent_whole(router, step.turns[0], share)
        sent = []
        turns = zip(step.turns, split(share.rate, len(step.turns)), strict=True)
        for turn, rate in turns if hashed is None else _one(turns, hashed):
            bound = _turned(self.trail, router, turn.exit, share.part(rate))
            ways = zip(turn.ways, split_by_weight(rate, turn.weights), strict=True)
            for way, part in ways if hashed is None else _one(ways, crc32(turn.exit.encode(), hashed)):
                if part and (passed := self._cross(way, part)):
                    sent.append((way.head, bound.over(way, part, turn.aims).part(passed)))
        return sent

    def _sent_whole(self, router: str, turn: Turn, share: Share) -> list[tuple[str, Share]]:
        """The same where there is one way on alone."""
        way, rate = turn.ways[0], share.rate
        bound = _turned(self.trail, router, turn.exit, share)
        if rate and (passed := self._cross(way, rate)):
            return [(way.head, bound.over(way, rate, turn.aims).part(passed))]
        return []

    def _cross(self, way: Way, rate: int) -> int:
        """Put a rate on every arc of a way and return what comes out at its end."""
        trail, gate = self.trail, self.gate
        load = trail.igp
        if way.lsp is not None:
            load = trail.lsp
            trail.lsps[way.lsp.id] += rate
        for arc in way.names:
            load[arc] += rate
            if gate is not None:
                passed = gate(arc, self.flow.cls, rate)
                if passed < rate:
                    trail.lost[Reason.CONGESTION, arc] += rate - passed
                rate = passed
        if way.lost is not None:
            trail.lost[way.lost] += rate
            return 0
        return rate


def _turned(trail: Trail, router: str, exit_: str, share: Share) -> Share:
    """Return a share that leaves for an exit, noting a deflection where no router before aimed it there."""
    if not share.aims or exit_ in share.aims or not share.rate:
        return share
    trail.deflections[router, " ".join(sorted(share.aims)), exit_] += share.rate
    return share._replace(strayed=share.rate)


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
