"""What each router does with a packet: its own longest match, its own exits, and the ways there that it heads.

A step depends on the router, the destination, the class and the family alone, never on where the packet came from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property

from trunkline.bgp.decision import Learned
from trunkline.bgp.solve import Routes
from trunkline.demand.reason import Reason
from trunkline.igp.solve import Arc, Reach
from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Demand, Family, Lsp
from trunkline.te.result import Placed, Placement
from trunkline.traffic.reuse import Differs, Steps, changed, decided

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
    lost: tuple[Reason, str] | None = None
    """Why and where all is lost behind `arcs`, as where the circuit does not carry the packet's family; else None."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The arcs as directed circuits."""
        return tuple([arc.name for arc in self.arcs])


@dataclass(frozen=True)
class Turn:
    """The ways towards one exit, by name, and how its part of the rate splits over them."""

    exit: str
    ways: tuple[Way, ...]
    weights: tuple[int, ...]

    @cached_property
    def aims(self) -> frozenset[str]:
        """The exit alone."""
        return frozenset((self.exit,))

    @property
    def single(self) -> Lsp | None:
        """The LSP that it rides where there is no parallel one."""
        return self.ways[0].lsp if len(self.ways) == 1 else None


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


Key = tuple[str, str, str, Family]
"""Router, destination group (or router), class and family."""
Bound = tuple[str, str, str, Family]
"""Router, exit, class and family."""


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
    _steps: dict[Key, Step] = field(default_factory=dict, repr=False)
    _turns: dict[Bound, Turn | Reason] = field(default_factory=dict, repr=False)
    _known: list[Steps] = field(default_factory=list, repr=False)
    """The last answer of `known`."""
    _ways: dict[str, tuple[Placed, int | None, Way]] = field(default_factory=dict, repr=False)
    """The way over each LSP by its identity, with what it was made from; other states begin with it."""

    def dark(self, demand: Demand) -> bool:
        """Whether an end of a demand has failed itself, so that no network could carry it."""
        return not (self.left.has_end(demand.source) and self.left.has_end(demand.target))

    @property
    def left(self) -> Network:
        """What is up of the network."""
        return self.net

    @property
    def shut(self) -> frozenset[str]:
        """The peer ports that flows come in by, and that let nothing in."""
        return frozenset()

    def without(self, lsp: Lsp) -> Fib:
        """Return the FIBs in the moment after an LSP has failed."""
        return replace(self, down=lsp, base=self, _steps={}, _turns={}, _known=[])

    def after(self, before: Fib) -> tuple[Fib, Differs]:
        """Return these FIBs with the steps that they share with another state's, and what is another there.

        It changes nothing but the time that they take.
        """
        known, steps, turns = before.known, dict(before.known.steps), dict(before.known.turns)
        now = replace(self, _steps=steps, _turns=turns, _known=[], _ways=before._ways.copy())
        choices, changes = decided(before, self), tuple(changed(before, self))
        others, beneath = list[Hashable](), list[Hashable]()
        for bound in known.turns_of(changes, self):
            turn = now._turn(*bound) if bound[0] in self.net.router else None
            if turn != turns[bound]:
                others.append(("turn", *bound))
                del turns[bound]
                if turn is not None:
                    turns[bound] = turn
            elif isinstance(turn, Turn) and turn.single is not None:
                beneath.append(("turn", *bound))
        keys = known.steps_of((*choices, *changes, *others))
        for key in keys:
            del steps[key]
        gone = {key for key in keys if key[0] not in self.net.router or now.step(*key) != known.steps[key]}
        return now, Differs(choices, gone, known.steps_of(beneath))

    @property
    def known(self) -> Steps:
        """The steps looked up by now, for other states to share."""
        found = self._known[-1] if self._known else None
        if found is None or len(found.steps) != len(self._steps):  # more have been looked up since
            found = Steps(self, self._steps, self._turns)
            self._known[:] = [found]
        return found

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
            return self._to_router(router, group, cls, family)
        decision = self.routes.lookup(router, group, family)
        if decision is None:
            return Step(reason=self._no_route(group))
        route, learned = decision.best.route, decision.best.learned
        if learned is Learned.IBGP:
            return self._towards(router, decision.exits, cls, family)
        # A default covers the group, but its originator has nothing better; and no neighbour's default leads home.
        if route.group == DEFAULT_GROUP != group and (learned is Learned.LOCAL or group in self.net.datacenter):
            return Step(reason=self._no_route(group))
        if learned is Learned.LOCAL:
            return Step(local=True)
        return Step(ports=tuple(sorted(c.route.port for c in decision.multipath if c.route.port)))

    def _to_router(self, router: str, target: str, cls: str, family: Family) -> Step:
        if target not in self.net.router:
            return Step(reason=Reason.TARGET_DOWN)
        return Step(local=True) if target == router else self._towards(router, (target,), cls, family)

    def _no_route(self, group: str) -> Reason:
        """Why there is no route to a group: everything that would originate it is down, or it does not get here."""
        if group in self.net.datacenter:
            ends = [bool(self.net.datacenter[group].attach)]
        else:
            ends = [bool(peer.ports) for peer in self.net.peers if any(a.group == group for a in peer.announces)]
        return Reason.TARGET_DOWN if ends and not any(ends) else Reason.NO_ROUTE

    def _towards(self, router: str, exits: tuple[str, ...], cls: str, family: Family) -> Step:
        turns = []
        for exit_ in exits:
            bound = router, exit_, cls, family
            turn = self._turns.get(bound)
            if turn is None:
                turn = self._turns[bound] = self._turn(*bound)
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
        if family not in circuit.families:
            return Way(arc.head, (), 0, lost=(Reason.NO_FAMILY, arc.name))
        return Way(arc.head, (arc,), circuit.latency)

    def _over(self, exit_: str, lsps: tuple[Placed, ...]) -> Turn:
        weights = (1,) * len(lsps)
        if self.net.te.parallel == "bandwidth":
            weights = tuple(p.reserved for p in lsps)
        return Turn(exit_, tuple([self._way(p) for p in lsps]), weights)

    def _way(self, placed: Placed) -> Way:
        lsp, arcs = placed.lsp, placed.path or ()
        distance = self.reach.distance(Family.V4, lsp.head, lsp.tail)
        known = self._ways.get(lsp.id)
        if known is not None and known[0] is placed and known[1] == distance:
            return known[2]
        latency = sum([self.net.circuit[arc.circuit].latency for arc in arcs])
        longer = distance is not None and sum([arc.metric for arc in arcs]) > distance
        way = Way(lsp.tail, arcs, latency, lsp, longer)
        self._ways[lsp.id] = placed, distance, way
        return way

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
    def _tails(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """Tails of the placed LSPs by (head, class)."""
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for p in self.placement.placed:
            if p.path is not None:
                found[p.lsp.head, p.lsp.cls].add(p.lsp.tail)
        return {key: tuple(sorted(tails)) for key, tails in found.items()}
