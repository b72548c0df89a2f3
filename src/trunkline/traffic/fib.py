"""What each router does with a packet: its own longest match, its own exits, and the ways there that it heads.

A step depends on the router, the destination, the class and the family alone, never on where the packet came from.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from functools import cached_property

from trunkline.bgp.decision import Learned
from trunkline.bgp.solve import Routes
from trunkline.demand.reason import Reason
from trunkline.igp.solve import Arc, Reach
from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Family, Lsp
from trunkline.te.result import Placed, Placement

DROP = "drop"
"""The last word of a class's fallback list that keeps it off the IGP."""


@dataclass(frozen=True)
class Way:
    """One way on from a router: over one arc by the IGP, or over a whole LSP to its tail."""

    head: str
    """The next router that looks the packet up."""
    arcs: tuple[Arc, ...]
    latency: int
    lsp: Lsp | None = None
    longer: bool = False
    """Whether an LSP's path costs more than the IGP's distance between its ends."""
    blind: bool = False
    """Whether the circuit does not carry the packet's family, as one in a single topology may not: all is lost."""


@dataclass(frozen=True)
class Turn:
    """The ways towards one exit, by name, and how its part of the rate splits over them."""

    exit: str
    ways: tuple[Way, ...]
    weights: tuple[int, ...]


@dataclass(frozen=True)
class Step:
    """What a router does with a packet: hand it to `ports`, deliver it itself, drop it (`reason`), or send it on.

    The rate splits evenly over ports, and evenly over turns.
    """

    local: bool = False
    ports: tuple[str, ...] = ()
    reason: Reason | None = None
    turns: tuple[Turn, ...] = ()

    @cached_property
    def heads(self) -> tuple[str, ...]:
        """The next routers, each once, in order."""
        return tuple(dict.fromkeys(way.head for turn in self.turns for way in turn.ways))


@dataclass(frozen=True, eq=False)
class Fib:
    """Every router's forwarding, looked up lazily.

    `down` is one LSP that has failed just now: only its head-end's steps differ from those of `base`.
    """

    net: Network
    reach: Reach
    routes: Routes
    placement: Placement
    down: Lsp | None = None
    base: Fib | None = None
    _steps: dict[tuple[str, str, str, Family], Step] = field(default_factory=dict, repr=False)

    def without(self, lsp: Lsp) -> Fib:
        """Return the FIBs in the moment after an LSP has failed."""
        return replace(self, down=lsp, base=self, _steps={})

    def step(self, router: str, group: str, cls: str, family: Family) -> Step:
        """Return what a router does with packets for a group (or a router) of a class."""
        if self.base is not None and self.down is not None and router != self.down.head:
            return self.base.step(router, group, cls, family)
        key = router, group, cls, family
        if key not in self._steps:
            self._steps[key] = self._step(router, group, cls, family)
        return self._steps[key]

    def _step(self, router: str, group: str, cls: str, family: Family) -> Step:
        if group in self.net.router or group not in self.net.group:
            return Step(local=True) if group == router else self._towards(router, (group,), cls, family)
        decision = self.routes.lookup(router, group, family)
        if decision is None:
            return Step(reason=Reason.NO_ROUTE)
        route, learned = decision.best.route, decision.best.learned
        if learned is Learned.IBGP:
            exits = tuple(sorted({c.route.router for c in decision.multipath}))
            return self._towards(router, exits, cls, family)
        # A default covers the group, but its originator has nothing better; and no neighbour's default leads home.
        if route.group == DEFAULT_GROUP != group and (learned is Learned.LOCAL or group in self.net.datacenter):
            return Step(reason=Reason.NO_ROUTE)
        if learned is Learned.LOCAL:
            return Step(local=True)
        return Step(ports=tuple(sorted(c.route.port for c in decision.multipath if c.route.port)))

    def _towards(self, router: str, exits: tuple[str, ...], cls: str, family: Family) -> Step:
        turns = []
        for exit_ in exits:
            turn = self._turn(router, exit_, cls, family)
            if isinstance(turn, Reason):
                return Step(reason=turn)
            turns.append(turn)
        return Step(turns=tuple(turns))

    def _turn(self, router: str, exit_: str, cls: str, family: Family) -> Turn | Reason:
        """Own class's LSPs first, then the fallback classes' in order; last the IGP, or `drop`."""
        if self.reach.distance(family, router, exit_) is None:
            return Reason.UNREACHABLE
        if family is Family.V4 or self.net.te.v6_over_lsp != "off":
            for name in (cls, *self.net.cls[cls].fallback):
                if name == DROP:
                    return Reason.DROPPED
                lsps = self._lsps(router, exit_, name, family)
                if lsps:
                    return self._over(exit_, lsps)
        hops = self.reach.next_hops(family, router, exit_)
        ways = tuple(self._hop(arc, family) for arc in hops)
        return Turn(exit_, ways, (1,) * len(ways))

    def _hop(self, arc: Arc, family: Family) -> Way:
        circuit = self.net.circuit[arc.circuit]
        return Way(arc.head, (arc,), circuit.latency, blind=family not in circuit.families)

    def _over(self, exit_: str, lsps: tuple[Placed, ...]) -> Turn:
        weights = (1,) * len(lsps)
        if self.net.te.parallel == "bandwidth":
            weights = tuple(p.reserved for p in lsps)
        return Turn(exit_, tuple(self._way(p) for p in lsps), weights)

    def _way(self, placed: Placed) -> Way:
        arcs = placed.path or ()
        latency = sum(self.net.circuit[arc.circuit].latency for arc in arcs)
        distance = self.reach.distance(Family.V4, placed.lsp.head, placed.lsp.tail)
        longer = distance is not None and sum(arc.metric for arc in arcs) > distance
        return Way(placed.lsp.tail, arcs, latency, placed.lsp, longer)

    def _lsps(self, router: str, exit_: str, cls: str, family: Family) -> tuple[Placed, ...]:
        """LSPs to the exit; IPv6 shortcuts take those to the nearest tail on the way there as well."""
        if family is Family.V4 or self.net.te.v6_over_lsp == "6pe":
            return self._up(router, exit_, cls)
        total = self.reach.distance(family, router, exit_)
        tails = []
        for tail in self._tails.get((router, cls), ()):
            near = self.reach.distance(family, router, tail)
            far = self.reach.distance(family, tail, exit_)
            on_the_way = near is not None and far is not None and near + far == total
            passable = tail == exit_ or not self.net.router[tail].overload
            if far is not None and on_the_way and passable and self._up(router, tail, cls):
                tails.append((far, tail))
        return self._up(router, min(tails)[1], cls) if tails else ()

    def _up(self, router: str, tail: str, cls: str) -> tuple[Placed, ...]:
        return tuple(p for p in self.placement.riding(router, tail, cls) if p.lsp != self.down)

    @cached_property
    def meant(self) -> frozenset[tuple[str, str, str]]:
        """(head, tail, class) that have an LSP, up or down."""
        return frozenset((p.lsp.head, p.lsp.tail, p.lsp.cls) for p in self.placement.placed)

    @cached_property
    def _tails(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """Tails of the placed LSPs by (head, class)."""
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for p in self.placement.placed:
            if p.path is not None:
                found[p.lsp.head, p.lsp.cls].add(p.lsp.tail)
        return {key: tuple(sorted(tails)) for key, tails in found.items()}
