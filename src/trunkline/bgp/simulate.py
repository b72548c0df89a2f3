"""iBGP event by event: UPDATEs travel, wait for each other and for timers, and routers decide on what they have read.

All that happens at one time is read before routers decide, and they decide by name: the same answer on every run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from heapq import heappop, heappush

from trunkline.bgp.decision import best_of
from trunkline.bgp.exchange import Audience, Cycle, Exchange, Told, exits_told
from trunkline.bgp.lockstep import Bunch
from trunkline.bgp.outages import Outages, leads_out
from trunkline.bgp.peers import Burst, Path, Paths, Rib, Session, Tally, on_the_wire
from trunkline.bgp.restless import Restless
from trunkline.bgp.timing import Timing, Ways

Pair = tuple[str, str]
"""Speaker and listener."""


@dataclass(frozen=True, eq=False)
class Scene:
    """One family of a network, before and after an event; both exchanges know every router that is ever there."""

    before: Exchange
    after: Exchange
    bunches: tuple[Bunch, ...]
    ways: Ways
    cold: bool
    """Whether nothing is up before: every session comes up at once."""


@dataclass(frozen=True)
class Read:
    """A router has worked through a burst."""

    burst: Burst


@dataclass(frozen=True)
class Due:
    """The MRAI timer of a session ends."""

    pair: Pair


@dataclass(frozen=True)
class Converged:
    """IS-IS has converged."""


@dataclass(frozen=True)
class Down:
    """The listener finds its session with the speaker dead."""

    pair: Pair


@dataclass(frozen=True)
class Up:
    """A session comes up."""

    pair: Pair


Happening = Burst | Read | Due | Converged | Down | Up


class Simulation:
    """The state of one family's iBGP between events; `run` takes it from the event to rest."""

    def __init__(self, scene: Scene, timing: Timing) -> None:
        self.scene, self.timing = scene, timing
        self.mesh = scene.before
        self.now = self.settled_at = 0
        self.decisions = self.changes = self.group_updates = self.prefix_updates = self.depth = 0
        self.sent: Counter[str] = Counter()
        self.received: Counter[str] = Counter()
        self.outages = Outages()
        self.cycles: dict[int, Cycle] = {}
        """Bunches found not to settle by themselves: left as they are, until more of the event happens."""
        self.ribs: dict[str, Rib] = {}
        self.sessions: dict[Pair, Session] = {}
        self._busy: dict[str, int] = {}
        self._heap: list[tuple[int, int, Happening]] = []
        self._count = 0
        self._dirty: dict[str, dict[int, int]] = {}
        self._touched: set[Pair] = set()
        self.moved: dict[int, set[str]] = {}
        """Whose best route has changed, by bunch, since that was last looked at."""
        self._retold: set[int] = set()
        self._restless: dict[int, Restless] = {}
        self._listeners: dict[tuple[str, Audience], list[str]] = {}
        self._speaking = [{*b.before, *b.after} for b in scene.bunches]
        self._reflecting = {r for r, clients in scene.after.sessions.clients.items() if clients}

    @property
    def messages(self) -> int:
        """UPDATEs sent."""
        return sum(self.sent.values())

    def told(self, bunch: int) -> Told:
        """Return what routers tell of a bunch now."""
        return {r: rib.says[bunch] for r, rib in sorted(self.ribs.items()) if rib.says[bunch]}

    def run(self) -> None:
        """Let the event happen, and all that follows from it."""
        while self._heap or self._dirty or self._touched:
            self._decide()
            self._send()
            self._look()
            if self._heap:
                self.now = self._heap[0][0]
                while self._heap and self._heap[0][0] == self.now:
                    self._happen(heappop(self._heap)[2])

    def at(self, time: int, happening: Happening) -> None:
        """Have something happen at a time."""
        self._count += 1
        heappush(self._heap, (time, self._count, happening))

    def stir(self, router: str, bunch: int, depth: int = 0) -> None:
        """Have a router decide anew."""
        if bunch not in self.cycles:
            units = self._dirty.setdefault(router, {})
            units[bunch] = max(depth, units.get(bunch, 0))

    def listeners(self, router: str, audience: Audience) -> list[str]:
        """Return the neighbours that belong to an audience of a router."""
        key = router, audience
        if key not in self._listeners:
            for other in sorted(self.mesh.sessions.neighbours(router)):
                found = self.mesh.audience(router, other)
                if found is not None:
                    self._listeners.setdefault((router, found), []).append(other)
        return self._listeners.get(key, [])

    def learn(self, speaker: str, listener: str, bunch: int, paths: Paths) -> bool:
        """Put what a neighbour says into a RIB; return whether that changes what there is to choose from."""
        rib = self.ribs[listener]
        rib.received[bunch][speaker] = paths
        old = rib.heard[bunch].get(speaker, ())
        made = (self.mesh.heard(listener, speaker, said) for said in paths)
        new = tuple(c for c in made if c is not None)
        rib.heard[bunch][speaker] = new
        return new != old

    def _happen(self, what: Happening) -> None:
        match what:
            case Burst():
                done = max(self.now, self._busy.get(what.listener, 0)) + self.timing.processing * what.messages
                self._busy[what.listener] = done
                self.at(done, Read(what))
            case Read(burst):
                self.settled_at = self.now
                for bunch, paths in burst.paths.items():
                    if self.learn(burst.speaker, burst.listener, bunch, paths):
                        self.stir(burst.listener, bunch, burst.depth)
            case Due(pair):
                self.sessions[pair].due = False
                self._touched.add(pair)
            case Converged():
                self._go_on()
                self._converge()
            case Down((speaker, listener)):
                self._go_on()
                for bunch in range(len(self.scene.bunches)):
                    if self.ribs[listener].received[bunch].get(speaker) and self.learn(speaker, listener, bunch, ()):
                        self.stir(listener, bunch)
            case Up(pair):
                self._go_on()
                session = self.sessions[pair]
                session.up = True
                session.pending = dict.fromkeys(range(len(self.scene.bunches)), 0)
                self._touched.add(pair)

    def _go_on(self) -> None:
        """Let bunches that were left alone go on: what was held back of them is told now."""
        for bunch in sorted(self.cycles):
            del self.cycles[bunch], self._restless[bunch]
            for router in self.ribs:
                self.stir(router, bunch)
            for pair, session in self.sessions.items():
                if session.up:
                    session.pending.setdefault(bunch, 0)
                    self._touched.add(pair)

    def _converge(self) -> None:
        """Let every router see the new metrics; who had none before starts to decide."""
        before, self.mesh = self.mesh, self.scene.after
        self._listeners.clear()
        all_anew = self.mesh.net.ibgp.optimal
        for router, rib in sorted(self.ribs.items()):
            anew = all_anew or self.scene.cold or before.audiences(router) != self.mesh.audiences(router)
            for bunch, received in enumerate(rib.received):
                changed = [self.learn(speaker, router, bunch, paths) for speaker, paths in sorted(received.items())]
                if anew or any(changed):
                    self.stir(router, bunch)

    def _decide(self) -> None:
        for router, units in sorted(self._dirty.items()):
            for bunch, depth in sorted(units.items()):
                self._decide_one(router, bunch, depth)
        self._dirty.clear()

    def _decide_one(self, router: str, bunch: int, depth: int) -> None:
        rib, unit = self.ribs[router], self.scene.bunches[bunch]
        candidates = self.mesh.entered(router, unit.after) if router in unit.after else []
        candidates += [c for _, several in sorted(rib.heard[bunch].items()) for c in several]
        best = best_of(candidates) if candidates else None
        self.decisions += len(unit.groups)
        before, rib.best[bunch] = rib.best[bunch], best
        if (before and before.route) != (best and best.route):
            self.changes += len(unit.groups)
            self.settled_at = self.now
            self.moved.setdefault(bunch, set()).add(router)
        if router in self._speaking[bunch] or router in self._reflecting:
            self._tell(router, bunch, self.mesh.says(router, candidates, best) if best else {}, depth)

    def _tell(self, router: str, bunch: int, says: dict[Audience, Paths], depth: int) -> None:
        """Have neighbours told what has changed for them."""
        rib = self.ribs[router]
        rib.says[bunch] = says
        old, new = rib.wires[bunch], wires(says)
        rib.wires[bunch] = new
        if new == old:
            return
        self._retold.add(bunch)
        self._restless.setdefault(bunch, Restless()).changes[router] += 1
        for audience in sorted(old.keys() | new.keys(), key=lambda a: (a.relation, a.region, a.router)):
            if old.get(audience) != new.get(audience):
                for listener in self.listeners(router, audience):
                    session = self.sessions.get((router, listener))
                    if session is not None and session.up:
                        session.pending[bunch] = max(depth, session.pending.get(bunch, 0))
                        self._touched.add((router, listener))

    def _send(self) -> None:
        for pair in sorted(self._touched):
            self._flush(self.sessions[pair])
        self._touched.clear()

    def paths(self, speaker: str, listener: str, bunch: int) -> Paths:
        """Return what a router wants a neighbour to know: nothing that came from there."""
        audience = self.mesh.audience(speaker, listener)
        told = self.ribs[speaker].wires[bunch].get(audience, ()) if audience else ()
        return tuple(c for sender, c in told if listener not in (sender, c.route.router))

    def _flush(self, session: Session) -> None:
        """Send what may go now, and wait with the rest."""
        waits = self.now < session.ready
        if not (waits and self.timing.withdrawals_wait):
            self._put(session, waits)
        if session.pending and not session.due:
            session.due = True
            self.at(session.ready, Due((session.speaker, session.listener)))

    def _put(self, session: Session, withdrawals_only: bool) -> None:
        tally, paths, depth = Tally(), {}, 0
        for bunch, cause in sorted(session.pending.items()):
            old, new = session.sent.get(bunch, ()), self.paths(session.speaker, session.listener, bunch)
            if bunch in self.cycles or new == old:
                del session.pending[bunch]
                continue
            if withdrawals_only:
                left = session.identifiers(new)
                new, wanted = tuple(c for c in old if session.identifiers([c]) <= left), new
            if not withdrawals_only or new == wanted:
                del session.pending[bunch]
            if new != old:
                tally.add(session, self.scene.bunches[bunch], old, new)
                paths[bunch] = session.sent[bunch] = new
                depth = max(depth, cause + 1)
        if paths:
            self._post(session, tally, paths, depth)

    def _post(self, session: Session, tally: Tally, paths: dict[int, Paths], depth: int) -> None:
        speaker, listener = session.speaker, session.listener
        self.sent[speaker] += tally.messages
        self.received[listener] += tally.messages
        self.group_updates += tally.group_updates
        self.prefix_updates += tally.prefix_updates
        self.depth = max(self.depth, depth)
        if tally.advertises or self.timing.withdrawals_wait:
            session.ready = self.now + self.timing.mrai
        session.arrived = max(session.arrived, self.scene.ways.arrival(speaker, listener, self.now))
        self.at(session.arrived, Burst(speaker, listener, paths, tally.messages, depth))

    def _look(self) -> None:
        """Note who is without a route now, and which bunches have been here before."""
        for bunch, moved in sorted(self.moved.items()):
            everyone = bool(moved & self._speaking[bunch])
            for router in self.ribs if everyone else moved:
                self.outages.note(self.now, router, bunch, leads_out(self.scene.after, self.ribs, router, bunch))
        self.moved.clear()
        for bunch in sorted(self._retold):
            restless = self._restless[bunch]
            if restless.suspect:
                cycle = restless.recurs(self._key(bunch), exits_told(self.told(bunch)))
                if cycle:
                    self.cycles[bunch] = cycle
        self._retold.clear()

    def _key(self, bunch: int) -> Hashable:
        """Return all that decides what becomes of a bunch: RIBs, UPDATEs on their way, and timers that run."""
        flying: list[Hashable] = []
        for time, _, what in sorted(self._heap, key=lambda entry: entry[:2]):
            burst = what.burst if isinstance(what, Read) else what
            if isinstance(burst, Burst) and bunch in burst.paths:
                said = burst.speaker, burst.listener, burst.paths[bunch]
                flying.append((time - self.now, isinstance(what, Read), said))
        ribs = [tuple(sorted(rib.received[bunch].items())) for _, rib in sorted(self.ribs.items())]
        timers = [
            (pair, bunch in s.pending, max(0, s.ready - self.now), max(0, s.arrived - self.now))
            for pair, s in self.sessions.items()
            if bunch in s.pending or max(s.ready, s.arrived) > self.now
        ]
        busy = [(router, done - self.now) for router, done in sorted(self._busy.items()) if done > self.now]
        return tuple(flying), tuple(ribs), tuple(timers), tuple(busy)


def wires(says: dict[Audience, Paths]) -> dict[Audience, tuple[Path, ...]]:
    """Return what a router says as UPDATEs say it."""
    return {audience: tuple(on_the_wire(c) for c in paths) for audience, paths in says.items()}
