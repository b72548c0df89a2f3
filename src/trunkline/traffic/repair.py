"""FIBs in the moment after a failure: all that was prepared in advance is in use, and nothing has been computed since.

Who is next to the failure sees it.  Labelled traffic goes on over the LSP's standby, where its head-end has one that is
whole; else over the bypass of the router before the failure; else it is lost.  Unlabelled traffic leaves out next hops
that are dead, and is lost where none is left.  Routes, IGP and LSPs are those from before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from trunkline.demand.reason import Reason
from trunkline.igp.solve import Arc
from trunkline.model.network import Network
from trunkline.model.nouns import Family, Lsp
from trunkline.model.protection import Guard
from trunkline.te.repairs import Bypass, Repairs
from trunkline.traffic.fib import Bound, Fib, Key, Step, Turn, Way
from trunkline.traffic.reuse import Differs


@dataclass(frozen=True)
class Dead:
    """Names of what has failed, with what hangs off it."""

    circuits: frozenset[str] = frozenset()
    routers: frozenset[str] = frozenset()
    ports: frozenset[str] = frozenset()

    @staticmethod
    def between(before: Network, left: Network) -> Dead:
        """Return what one network has and the other has not."""
        pairs = ((before.circuit, left.circuit), (before.router, left.router), (before.port, left.port))
        return Dead(*(frozenset(was.keys() - now.keys()) for was, now in pairs))

    def whole(self, path: Iterable[Arc]) -> bool:
        """Whether nothing of a path has failed."""
        return self.circuits.isdisjoint([arc.circuit for arc in path])


@dataclass(frozen=True)
class Repair:
    """What becomes of an LSP that is cut: its path now, by which bypasses or standby, and the arc where it is lost."""

    path: tuple[Arc, ...]
    bypasses: tuple[Bypass, ...] = ()
    standby: bool = False
    lost: Arc | None = None


@dataclass(frozen=True, eq=False)
class Repaired(Fib):
    """The FIBs of `base` as the routers next to a failure, and head-ends with a standby, have changed them."""

    base: Fib | None = None
    rest: Network = field(default_factory=Network)
    repairs: Repairs = field(default_factory=Repairs)
    _mended: dict[str, tuple[Way, Way]] = field(default_factory=dict, repr=False)
    """By LSP: a way that is cut, and what has become of it."""

    @staticmethod
    def of(base: Fib, left: Network, repairs: Repairs) -> Repaired:
        """Return them; `left` is what the failure leaves of their network."""
        now = replace(base.net, circuits=tuple(left.circuit.get(c.name, c) for c in base.net.circuits))
        return Repaired(now, base.reach, base.routes, base.placement, base=base, rest=left, repairs=repairs)

    @cached_property
    def dead(self) -> Dead:
        """What has failed."""
        return Dead.between(self.net, self.left)

    @property
    def settled(self) -> Fib:
        """The FIBs before the failure."""
        if self.base is None:
            raise ValueError("there are no FIBs to repair")
        return self.base

    @property
    def shut(self) -> frozenset[str]:
        """The peer ports that have failed."""
        return self.dead.ports

    def after(self, before: Fib) -> tuple[Fib, Differs]:
        """Return these FIBs with the steps from before that use nothing that is dead, and those that are others."""
        known = before.known
        hit = known.on((*self.dead.circuits, *self.dead.routers, *self.dead.ports))
        kept = dict(known.steps)
        for key in hit:
            del kept[key]
        now = replace(self, _steps=kept, _known=[])
        return now, Differs(steps={key for key in hit if now.step(*key) != known.steps[key]})

    @property
    def left(self) -> Network:
        """What the failure leaves."""
        return self.rest

    def without(self, lsp: Lsp) -> Fib:
        """Return the same with an LSP missing from the FIBs before."""
        return replace(self, base=self.settled.without(lsp), _steps={}, _turns={}, _known=[])

    def step(self, router: str, group: str, cls: str, family: Family) -> Step:
        """Return what a router does with packets now."""
        key = router, group, cls, family
        if key not in self._steps:
            dead = router in self.dead.routers
            self._steps[key] = Step(reason=Reason.START_DOWN) if dead else self._step_now(key, self.settled.step(*key))
        return self._steps[key]

    def _step_now(self, key: Key, was: Step) -> Step:
        """The step itself where nothing of it is dead."""
        if was.ports:
            left = tuple(port for port in was.ports if port not in self.dead.ports)
            return was if left == was.ports else Step(ports=left) if left else Step(reason=Reason.PORT_DOWN)
        router, _, cls, family = key
        turns = tuple([self._turn_now((router, turn.exit, cls, family), turn) for turn in was.turns])
        return was if turns == was.turns else Step(turns=turns)

    def _turn_now(self, bound: Bound, was: Turn) -> Turn:
        now = self._turns.get(bound)
        if not isinstance(now, Turn):
            now = self._turns[bound] = self._turned(was)
        return now

    def _turned(self, was: Turn) -> Turn:
        ways = tuple([self._way_now(way) for way in was.ways])
        if ways == was.ways:
            return was
        alive = [
            (way, weight) for way, old, weight in zip(ways, was.ways, was.weights, strict=True) if way.lsp or way is old
        ]
        if not alive:
            return Turn(was.exit, ways, was.weights)
        return Turn(was.exit, tuple(way for way, _ in alive), tuple(weight for _, weight in alive))

    def _way_now(self, was: Way) -> Way:
        if self.dead.whole(was.arcs):
            return was
        if was.lsp is None:
            return Way(was.head, (), 0, lost=(Reason.NEXT_HOP_DOWN, was.arcs[0].name))
        known = self._mended.get(was.lsp.id)
        if known is None or known[0] is not was:
            known = self._mended[was.lsp.id] = was, self._repaired(was, was.lsp)
        return known[1]

    def _repaired(self, was: Way, lsp: Lsp) -> Way:
        now = self.repair(lsp, was.arcs)
        latency = sum(self.net.circuit[arc.circuit].latency for arc in now.path)
        distance = self.reach.distance(Family.V4, lsp.head, lsp.tail)
        longer = distance is not None and sum(arc.metric for arc in now.path) > distance
        lost = (Reason.LSP_CUT, now.lost.name) if now.lost else None
        return Way(was.head, now.path, latency, lsp, longer, lost)

    def repair(self, lsp: Lsp, path: Sequence[Arc]) -> Repair:
        """Return what becomes of an LSP on a path that has failed somewhere."""
        second = self.repairs.standby.get(lsp.id)
        if second is not None and self.dead.whole(second.path):
            return Repair(second.path, standby=True)
        now: list[Arc] = []
        used: list[Bypass] = []
        at = 0
        while at < len(path):
            arc = path[at]
            if arc.circuit not in self.dead.circuits:
                now.append(arc)
                at += 1
                continue
            bypass = self.repairs.bypass.get((lsp.id, arc))
            if bypass is None or not self.dead.whole(bypass.path):
                return Repair(tuple(now), tuple(used), lost=arc)
            now += bypass.path
            used.append(bypass)
            at += 2 if bypass.guard is Guard.NODE else 1
        return Repair(tuple(now), tuple(used))

    @cached_property
    def cut(self) -> tuple[tuple[Lsp, Repair], ...]:
        """Every LSP that the failure cuts, by identity; those whose head-end has failed have no traffic any more."""
        over = self.placement.over
        hit = sorted({i for circuit in self.dead.circuits for i in over.get(circuit, ())})
        cut = [p for p in map(self.placement.placed.__getitem__, hit) if p.lsp.head not in self.dead.routers]
        return tuple([(p.lsp, self.repair(p.lsp, p.path or ())) for p in cut])
