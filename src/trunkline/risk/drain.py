"""Taking a circuit, a router or a site out of service: steps in order, each of which leaves a state that is proved.

LSPs move first, make before break, a head-end at a time; then IS-IS leads around the thing; then what enters and leaves
there is asked to go elsewhere (RFC 8326); then it may be taken down.  The undo is the same steps backwards.  Between
two states routers converge, one before the other: what happens meanwhile is not proved here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from trunkline.flow import State, Watch, settle
from trunkline.igp.solve import Arc
from trunkline.model.event import Configure, Cut, Reoptimize, Restore, Setting, after
from trunkline.model.network import Network
from trunkline.model.nouns import Condition, Role
from trunkline.model.problem import Problem, Problems, nearest
from trunkline.te.result import Placed

FIRST = (Role.PR, Role.DR, Role.BB)
"""The order of a site's routers: those where traffic begins and ends before those that it crosses to them."""


class Kind(StrEnum):
    """What can be drained."""

    CIRCUIT = "circuit"
    ROUTER = "router"
    SITE = "site"


@dataclass(frozen=True)
class Thing:
    """What is drained: its routers in the order of the steps, every circuit of it, the data centres that go with it."""

    name: str
    kind: Kind
    routers: tuple[str, ...]
    circuits: tuple[str, ...]
    datacenters: tuple[str, ...] = ()

    def crossed_by(self, placed: Placed) -> bool:
        """Whether an LSP leads through it; one that begins or ends in it does not."""
        path, ends = placed.path or (), {placed.lsp.head, placed.lsp.tail}
        if self.kind is Kind.CIRCUIT:
            return any(arc.circuit in self.circuits for arc in path)
        return not ends & {*self.routers} and any(arc.head in self.routers for arc in path)


Move = Configure | Cut | Reoptimize | Restore
"""What a step may do."""


@dataclass(frozen=True, eq=False)
class Step:
    """What is done, and the state that it leaves."""

    event: Move
    state: State


@dataclass(frozen=True, eq=False)
class Drain:
    """The steps of a drain, or of its undo, from the state `start`; `condition` is what the last one leaves."""

    net: Network
    thing: Thing
    start: State
    steps: tuple[Step, ...]
    condition: Condition


def thing(net: Network, name: str) -> Thing:
    """Return what a name stands for.  Raises Problems for what is no circuit, router or site, or is all there is."""
    known: dict[Kind, Iterable[str]] = {
        Kind.CIRCUIT: net.circuit,
        Kind.ROUTER: net.router,
        Kind.SITE: [s.name for s in net.sites],
    }
    kind = next((kind for kind, names in known.items() if name in names), None)
    if kind is None:
        every = [n for names in known.values() for n in names]
        message = f"no circuit, router or site is named '{name}'"
        if shared := net.names(name)["circuits"]:
            raise _bad(f"{message}: it is what {', '.join(sorted(shared))} share; drain those one by one")
        raise _bad(message, nearest(name, every))
    if kind is Kind.CIRCUIT:
        return Thing(name, kind, (), (name,))
    inside = [r for r in net.routers if name in (r.name, r.site)]
    if len(inside) in (0, len(net.routers)):
        raise _bad(
            f"'{name}' has every router there is: nothing would be left" if inside else f"'{name}' has no router"
        )
    routers = tuple(r.name for r in sorted(inside, key=lambda r: (FIRST.index(r.role), r.name)))
    circuits = tuple(c.name for c in net.circuits if {c.a, c.b} & {*routers})
    return Thing(name, kind, routers, circuits, tuple(d for d in net.datacenter if d in net.without(name).dark))


def _bad(message: str, near: str = "") -> Problems:
    return Problems([Problem("", 0, 0, "drain", message, nearest=near)])


def drain(net: Network, what: Thing, undo: bool = False, watch: Watch = lambda _: None) -> Drain:
    """Return the steps that take a thing out of service or, for `undo`, those that bring it back after them."""
    course = _Course(net, what, watch)
    start = course.state
    course.out()
    if undo:
        start, done, course.steps = course.state, course.steps, []
        course.back([step.event for step in done])
    return Drain(net, what, start, tuple(course.steps), course.condition)


class _Course:
    """Steps as they are taken, from the settled network."""

    def __init__(self, net: Network, what: Thing, watch: Watch) -> None:
        self.net, self.what, self.watch = net, what, watch
        self.condition, self.steps = Condition(), list[Step]()
        self.state = self.cold = settle(net, self.condition)

    def take(self, event: Move) -> bool:
        """Take a step; return whether it did anything to an LSP.  Re-optimising that moves nothing is no step."""
        self.watch(f"step {len(self.steps) + 1}")
        self.condition = after(self.condition, event)
        state = settle(self.net, self.condition, event, self.state)
        done = state.placement.log != self.state.placement.log
        if done or not isinstance(event, Reoptimize):
            self.state = state
            self.steps.append(Step(event, state))
        return done

    def out(self) -> None:
        """Take the thing out of service."""
        what = self.what
        if what.datacenters:
            self.take(Configure(Setting.STOPPED, what.datacenters))
        if self.net.lsps:
            self.take(Configure(Setting.TE_METRIC, what.circuits))
            self._empty()
        if what.kind is Kind.CIRCUIT:
            self.take(Configure(Setting.METRIC, what.circuits))
            self._empty()
        for router in what.routers:
            self.take(Configure(Setting.OVERLOAD, (router,)))
            self._empty()
            if self._has_edge(router):
                self.take(Configure(Setting.SHUTDOWN, (router,)))
                self._empty()
        self.take(Cut((what.name,)))

    def back(self, done: Iterable[Move]) -> None:
        """Take those steps back, the last first; LSPs return where that is cheaper, before stopped traffic does."""
        were = {p.lsp.id: p.path for p in self.cold.placement.placed}
        for event in reversed([*done]):
            if isinstance(event, Cut):
                self.take(Restore(event.things))
            elif isinstance(event, Configure):
                self.take(Configure(event.setting, event.things, on=False))
                if event.setting is Setting.TE_METRIC:
                    self._return(were)

    def _return(self, were: Mapping[str, tuple[Arc, ...] | None]) -> None:
        """Let LSPs that are elsewhere than they were re-optimise, until none moves any more."""
        moved = True
        while moved:
            moved = self._try([p for p in self.state.placement.placed if p.path not in (None, were[p.lsp.id])])

    def _has_edge(self, router: str) -> bool:
        """Whether traffic enters or leaves the network at a router."""
        return any(p.router == router for p in self.net.ports) or any(router in d.attach for d in self.net.datacenters)

    def _on_it(self) -> list[Placed]:
        return [p for p in self.state.placement.placed if self.what.crossed_by(p)]

    def _empty(self) -> None:
        """Let head-ends move LSPs off the thing, round after round, until a round leaves as many on it as it found."""
        left = len(self._on_it()) + 1
        while left > (left := len(self._on_it())):
            self._try(self._on_it())

    def _try(self, lsps: Iterable[Placed]) -> bool:
        """Let the head-ends of these LSPs re-optimise them, one head-end after the other; return whether any moved."""
        by_head: dict[str, list[str]] = defaultdict(list)
        for placed in lsps:
            by_head[placed.lsp.head].append(placed.lsp.id)
        moved = [self.take(Reoptimize(tuple(own))) for _, own in sorted(by_head.items())]  # every head-end has its turn
        return any(moved)
