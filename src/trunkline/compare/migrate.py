"""From one design to another, router by router: an order whose every state is proved, or the step that fails.

A router takes a step at a time: first it configures the sessions of the new design (a session is up once both its ends
have it), then the settings change, then it gives up the sessions of the old design.  The order is found by trying:
the first move that leaves nothing broken is taken, by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import combinations

from trunkline.bgp.alike import alike
from trunkline.bgp.choices import choices
from trunkline.bgp.decision import Exit
from trunkline.bgp.design import Relation, sessions
from trunkline.bgp.enter import entries
from trunkline.bgp.exchange import exchange
from trunkline.compare.designs import Design
from trunkline.compare.forwarding import astray
from trunkline.flow import Watch
from trunkline.igp.solve import Reach
from trunkline.igp.solve import solve as converge_igp
from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Family, Ibgp, IbgpSession, Kind
from trunkline.model.tables import Table, table

SESSIONS = ("design", "sessions", "reflectors")
"""Settings of iBGP that say which sessions there are."""
OF_DESIGN = ("confine", "client_to_client")
"""Settings that follow from the design where the file says nothing of them."""


@dataclass(frozen=True, order=True)
class Fault:
    """What is broken in a state: `unsettled`, `no route`, `loop`, `dead end`, `leak` or `too many sessions`."""

    what: str
    group: str = ""
    family: str = ""
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        about = f" to {self.group} ({self.family})" if self.group else ""
        return f"{self.what}{about}: {' '.join(self.path)}" if self.path else f"{self.what}{about}"


@dataclass(frozen=True)
class Move:
    """One step: `add` or `remove` at a router, or `set` of a setting everywhere."""

    action: str
    what: str


@dataclass(frozen=True)
class Step:
    """A move and the state after it: network, the most sessions of any router (both families), and what is broken."""

    move: Move
    net: Network
    sessions_most: int
    faults: tuple[Fault, ...] = ()


@dataclass(frozen=True)
class Migration:
    """The steps in order.  `failed` is None, or the first of the moves that were left, where each breaks something."""

    start: Network
    steps: tuple[Step, ...]
    failed: Step | None = None

    @property
    def tables(self) -> dict[str, Table]:
        """`steps`, in order, and `faults`: what the step that fails would break."""
        rows = [(n, s.move.action, s.move.what, s.sessions_most) for n, s in enumerate(self.steps, 1)]
        failed = self.failed
        faults = [] if failed is None else [(f.what, f.group, f.family, " ".join(f.path)) for f in failed.faults]
        return {
            "steps": table("step:int action what sessions_most:int", rows),
            "faults": table("fault group family path", faults),
        }


def migrate(net: Network, a: Design, b: Design, bound: int | None = None, watch: Watch = lambda _: None) -> Migration:
    """Return the steps from design `a` to `b`; no router ever has more than `bound` sessions in both families."""
    change = _Change(net, a, b, converge_igp(net), bound)
    at = _Progress()
    start = change.state(at)
    change.promise(start)
    steps: list[Step] = []
    while left := list(change.moves(at)):
        failed = None
        for move in left:
            watch(f"step {len(steps) + 1}: {move.action} {move.what}")
            then = at.after(move)
            step = change.step(move, then)
            if not step.faults:
                break
            failed = failed or step
        else:
            return Migration(start, tuple(steps), failed)
        at = then
        steps.append(step)
    return Migration(start, tuple(steps))


@dataclass(frozen=True)
class _Progress:
    """Which routers have the new design's sessions, which have given up the old one's, and which settings are new."""

    added: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()
    settings: frozenset[str] = frozenset()

    def after(self, move: Move) -> _Progress:
        key = {"add": "added", "remove": "removed", "set": "settings"}[move.action]
        return replace(self, **{key: getattr(self, key) | {move.what}})


@dataclass
class _Change:
    net: Network
    a: Design
    b: Design
    reach: Reach
    bound: int | None
    _routed: set[tuple[str, str, Family]] = field(default_factory=set)
    """What has a route before and after, and so must have one all the way: (router, group, family)."""
    _before: frozenset[Fault] = frozenset()
    """What is broken before anything is changed: no step's doing."""

    def __post_init__(self) -> None:
        self.old, self.new = (sessions(d.of(self.net)) for d in (self.a, self.b))
        pairs = combinations(sorted(self.net.router), 2)
        both = ((one, other, self.old.relation(one, other), self.new.relation(one, other)) for one, other in pairs)
        self._ends = [ends for ends in both if any(ends[2:])]

    def moves(self, at: _Progress) -> Iterator[Move]:
        """Yield every move that is left, in the order that they are tried."""
        for router in self.net.router:
            mine = self.new.neighbours(router)
            if router not in at.added and (mine - self.old.neighbours(router) or self._clients_differ(router)):
                yield Move("add", router)
        for setting in _settings_that_differ(self.a.ibgp, self.b.ibgp):
            if setting not in at.settings:
                yield Move("set", setting)
        for router in self.net.router:
            mine = self.old.neighbours(router)
            if router not in at.removed and (mine - self.new.neighbours(router) or self._clients_differ(router)):
                yield Move("remove", router)

    def _clients_differ(self, router: str) -> bool:
        return self.old.clients.get(router, frozenset()) != self.new.clients.get(router, frozenset())

    def state(self, at: _Progress) -> Network:
        """Return the network in the middle of the change, its sessions listed one by one."""
        changed = {s: getattr(self.b.ibgp, s) for s in at.settings if s not in OF_DESIGN}
        confines = (self.b if "confine" in at.settings else self.a).ibgp.confines
        between = (self.b if "client_to_client" in at.settings else self.a).ibgp.between_clients
        ibgp = replace(self.a.ibgp, **changed, confine=confines, client_to_client=between)
        return replace(self.net, ibgp=replace(ibgp, design="sessions", reflectors=(), sessions=tuple(self._pairs(at))))

    def _pairs(self, at: _Progress) -> Iterator[IbgpSession]:
        for one, other, was, will in self._ends:
            kept = was and not {one, other} & at.removed
            if kept or (was and will) or (will and {one, other} <= at.added):
                yield IbgpSession(one, other, _client(one, other, was, will, at))

    def promise(self, start: Network) -> None:
        """Note what has a route both before and after, and what is broken before."""
        before, after = (self._routes(state) for state in (start, self.b.of(self.net)))
        self._routed = before & after
        self._before = frozenset(self._faults(start))

    def _routes(self, net: Network) -> set[tuple[str, str, Family]]:
        return {
            (router, group, family)
            for family in Family
            for group, exits in self._chosen(net, family)[0].items()
            for router, chosen in exits.items()
            if chosen
        }

    def step(self, move: Move, at: _Progress) -> Step:
        """Return the state after a move, proved."""
        net = self.state(at)
        up = sessions(net)
        counts = {router: len(Family) * len(up.neighbours(router)) for router in net.router}
        faults = list(self._faults(net))
        if self.bound is not None:
            over = sorted(r for r, count in counts.items() if count > self.bound)
            faults += [Fault("too many sessions", path=(r, str(counts[r]))) for r in over]
        return Step(move, net, max(counts.values(), default=0), tuple(sorted(set(faults) - self._before)))

    def _faults(self, net: Network) -> Iterator[Fault]:
        for family in Family:
            exits, faults = self._chosen(net, family)
            yield from faults
            for router, group, wanted in sorted(self._routed):
                if wanted is family and not exits.get(group, {}).get(router):
                    yield Fault("no route", group, family, (router,))
            for group, chosen in exits.items():
                for found in astray(self.reach, family, chosen):
                    yield Fault(found.what, group, family, found.path)

    def _chosen(self, net: Network, family: Family) -> tuple[Mapping[str, dict[str, tuple[Exit, ...]]], list[Fault]]:
        """Return every router's exits by group (the default's where it must), and what is wrong with the routes."""
        mesh = exchange(net, self.reach, family)
        found: dict[str, dict[str, tuple[Exit, ...]]] = {}
        faults = []
        for one in alike(net, entries(net, family)):
            told, cycle = mesh.settle(one.own)
            made = choices(mesh, one.own, told)
            found |= {group: {r: c.exits for r, c in made.items()} for group in one.groups}
            for group in one.groups:
                faults += [Fault("unsettled", group, family)] if cycle else []
            leaks = [
                (c.route.port or "", c.route.router, r)
                for r, choice in sorted(made.items())
                for c in choice.held
                if net.ibgp.confines and c.route.kind is Kind.TRANSIT and c.route.region != net.router[r].region
            ]
            faults += [Fault("leak", one.groups[0], family, leak) for leak in leaks[:1]]
        default = found.pop(DEFAULT_GROUP, {})
        return {g: {r: x or default.get(r, ()) for r, x in by.items()} for g, by in sorted(found.items())}, faults


def _client(one: str, other: str, was: Relation | None, will: Relation | None, at: _Progress) -> str | None:
    """Return the end of a session that is the other's client in the middle of the change, if one is.

    `was` and `will` are what `other` is to `one` in the old design and in the new.
    """
    for reflector, client, what in ((one, other, Relation.CLIENT), (other, one, Relation.REFLECTOR)):
        still = was is what and (reflector not in at.removed or will is what)
        if still or (will is what and reflector in at.added):
            return client
    return None


def _settings_that_differ(a: Ibgp, b: Ibgp) -> list[str]:
    found = [
        f.name
        for f in fields(Ibgp)
        if f.name not in (*SESSIONS, *OF_DESIGN) and getattr(a, f.name) != getattr(b, f.name)
    ]
    found += ["confine"] if a.confines != b.confines else []
    found += ["client_to_client"] if a.between_clients != b.between_clients else []
    first = ("fallback_default",)  # what carries a region without transit must be there before transit is confined
    return sorted(found, key=lambda s: (s not in first, s))
