"""Signalling by the plain definition: admission, preemption, make before break, and the queue that drains.

After every event that releases bandwidth all LSPs that wait are queued again, in order of (setup, identity).
"""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from trunkline.engine.graph import Int64, frozen
from trunkline.engine.placement import PRIORITIES, Did, Links, Log, Lsps, Paths, State, Step, reserved_by_hold
from trunkline.engine.reference_cspf import Search, Terrain, follow

Line = tuple[Did, int, int, int, int, list[int]]
Route = tuple[int, list[int]]


def advance(links: Links, lsps: Lsps, state: State, step: Step) -> tuple[State, Log]:
    """Return the state in which the LSPs settle, and the log (see `placement.advance`)."""
    books = Books(links, lsps, state)
    books.fail()
    books.drain()
    turns = step.turns.tolist()
    if step.reoptimize:
        for lsp in turns:
            books.reoptimize(lsp)
    wanted = step.wanted.tolist()
    for lsp in turns:
        books.turn(lsp, wanted[lsp])
    return books.state(), books.log()


def routes(links: Links, lsps: Lsps, bandwidth: Int64, reserved: Int64) -> Paths:
    """Return the path that CSPF gives each LSP on its own (see `placement.routes`)."""
    land = Terrain(links)
    unreserved = _unreserved(links, reserved)
    found: list[Route | None] = []
    for lsp in range(len(lsps)):
        search = Search(land, _usable(land, lsps, lsp), unreserved[int(lsps.setup[lsp])], int(bandwidth[lsp]))
        found.append(follow(search, lsps, lsp))
    return _paths(found)


def _usable(land: Terrain, lsps: Lsps, lsp: int) -> list[bool]:
    return land.usable(int(lsps.include_any[lsp]), int(lsps.include_all[lsp]), int(lsps.exclude[lsp]))


def _unreserved(links: Links, reserved: Int64) -> list[list[int]]:
    """What is unreserved by priority and arc: reservable less all that is held at this priority or better."""
    return (links.reservable - np.cumsum(reserved, axis=1).T).tolist()  # type: ignore[no-any-return]


def _paths(found: list[Route | None]) -> Paths:
    option = [-1 if route is None else route[0] for route in found]
    arcs = [[] if route is None else route[1] for route in found]
    return Paths(frozen(option, np.int32), _starts(arcs), frozen([a for path in arcs for a in path], np.int32))


def _starts(parts: list[list[int]]) -> Int64:
    return frozen(np.cumsum([0, *map(len, parts)]), np.int64)  # type: ignore[no-any-return]


class Books:
    """Who holds what on which arc, who waits, and what has happened."""

    def __init__(self, links: Links, lsps: Lsps, state: State) -> None:
        self.lsps, self.land = lsps, Terrain(links)
        self.setup, self.hold = lsps.setup.tolist(), lsps.hold.tolist()
        options = state.paths.option.tolist()
        self.route: list[Route | None] = [
            None if option < 0 else (option, state.paths.of(lsp)) for lsp, option in enumerate(options)
        ]
        self.held, self.wanted = state.held.tolist(), state.wanted.tolist()
        self.tried = state.tried.tolist()
        """False for what has not been tried, or has just lost its path: its next failure is news."""
        self.unreserved = _unreserved(links, reserved_by_hold(links, lsps, state))
        self.riders: list[set[int]] = [set() for _ in range(links.graph.arcs)]
        for lsp, route in enumerate(self.route):
            for arc in route[1] if route else ():
                self.riders[arc].add(lsp)
        self.queue: list[tuple[int, int]] = []
        self.queued: set[int] = set()
        self.lines: list[Line] = []

    def fail(self) -> None:
        """Tear down what crosses an arc that is down, and what an arc has no room for any more; queue what waits."""
        up = self.land.links.up.tolist()
        for lsp, route in enumerate(self.route):
            if route is not None and not all(up[arc] for arc in route[1]):
                self._tear_down(lsp, Did.DOWN, -1, -1)
        for arc in range(len(self.riders)):
            for victim in victims(self, arc, -self.unreserved[PRIORITIES - 1][arc], -1):
                self._tear_down(victim, Did.DOWN, -1, -1)
        self._requeue()

    def turn(self, lsp: int, wanted: int) -> None:
        """The head-end sets up or re-sizes an LSP that is new or wants another bandwidth."""
        if self.tried[lsp] and self.wanted[lsp] == wanted:
            return
        self.wanted[lsp] = wanted
        if self.route[lsp] is not None:
            self.tried[lsp] = self.held[lsp] == wanted
        self._attempt(lsp)
        self.drain()

    def reoptimize(self, lsp: int) -> None:
        """Move a placed LSP, make before break, if CSPF now finds a cheaper path, or if the bit has been set on it."""
        old = self.route[lsp]
        if old is None:
            return
        self._lift(lsp)
        new = self._search(lsp, self.held[lsp])
        passable = all(self.land.transit[self.land.tail[arc]] for arc in old[1][1:])
        if new is None or (passable and self.land.total(new[1]) >= self.land.total(old[1])):
            self._book(lsp)
            return
        self._admit(lsp, new, Did.MOVED)
        self._requeue()
        self.drain()

    def drain(self) -> None:
        """Signal everything that is queued, by (setup, identity)."""
        while self.queue:
            lsp = heappop(self.queue)[1]
            self.queued.remove(lsp)
            self._attempt(lsp)

    def _attempt(self, lsp: int) -> None:
        """Set an LSP up, or re-size it make before break: its own reservation is credited (RFC 3209 2.5)."""
        old, held, fresh = self.route[lsp], self.held[lsp], not self.tried[lsp]
        self.tried[lsp] = True
        if old is not None:
            if held == self.wanted[lsp]:
                return
            self._lift(lsp)
        new = self._search(lsp, self.wanted[lsp])
        if new is not None:
            self.held[lsp] = self.wanted[lsp]
            released = self._admit(lsp, new, Did.PLACED if old is None else Did.RESIZED)
            if released or old is not None:
                self._requeue()
            return
        if old is not None:
            self._book(lsp)
        if fresh:
            did = Did.UNPLACED if old is None else Did.KEPT
            self._say(did, lsp, self.wanted[lsp])

    def _search(self, lsp: int, bandwidth: int) -> Route | None:
        usable = _usable(self.land, self.lsps, lsp)
        return follow(Search(self.land, usable, self.unreserved[self.setup[lsp]], bandwidth), self.lsps, lsp)

    def _admit(self, lsp: int, route: Route, did: Did) -> bool:
        """Book a path from head to tail, preempting on each circuit; return whether anything was preempted."""
        before = len(self.lines)
        for arc in route[1]:
            missing = self.held[lsp] - self.unreserved[PRIORITIES - 1][arc]
            for victim in victims(self, arc, missing, self.setup[lsp]):
                self._tear_down(victim, Did.PREEMPTED, lsp, arc)
        released = len(self.lines) > before
        self.route[lsp] = route
        self._book(lsp)
        self._say(did, lsp, self.held[lsp])
        return released

    def _tear_down(self, lsp: int, did: Did, by: int, arc: int) -> None:
        held = self.held[lsp]
        self._lift(lsp)
        self.route[lsp], self.held[lsp], self.tried[lsp] = None, 0, False
        self._say(did, lsp, held, by, arc)
        self._push(lsp)

    def _book(self, lsp: int) -> None:
        """Enter what an LSP holds along its path."""
        route, held = self.route[lsp], self.held[lsp]
        for arc in route[1] if route else ():
            self.riders[arc].add(lsp)
            for priority in range(self.hold[lsp], PRIORITIES):
                self.unreserved[priority][arc] -= held

    def _lift(self, lsp: int) -> None:
        """Take what an LSP holds out of the books."""
        route, held = self.route[lsp], self.held[lsp]
        for arc in route[1] if route else ():
            self.riders[arc].remove(lsp)
            for priority in range(self.hold[lsp], PRIORITIES):
                self.unreserved[priority][arc] += held

    def _requeue(self) -> None:
        for lsp, tried in enumerate(self.tried):
            if tried and (self.route[lsp] is None or self.held[lsp] != self.wanted[lsp]):
                self._push(lsp)

    def _push(self, lsp: int) -> None:
        if lsp not in self.queued:
            self.queued.add(lsp)
            heappush(self.queue, (self.setup[lsp], lsp))

    def _say(self, did: Did, lsp: int, bandwidth: int, by: int = -1, arc: int = -1) -> None:
        route = self.route[lsp]
        self.lines.append((did, lsp, bandwidth, by, arc, route[1] if route else []))

    def state(self) -> State:
        """What has settled."""
        return State(
            _paths(self.route), frozen(self.held, np.int64), frozen(self.wanted, np.int64), frozen(self.tried, np.bool_)
        )

    def log(self) -> Log:
        """What has happened."""
        arcs = [line[5] for line in self.lines]
        return Log(
            did=frozen([line[0] for line in self.lines], np.int32),
            lsp=frozen([line[1] for line in self.lines], np.int32),
            bandwidth=frozen([line[2] for line in self.lines], np.int64),
            by=frozen([line[3] for line in self.lines], np.int32),
            arc=frozen([line[4] for line in self.lines], np.int32),
            start=_starts(arcs),
            path=frozen([a for path in arcs for a in path], np.int32),
        )


def victims(books: Books, arc: int, missing: int, setup: int) -> list[int]:
    """Return whose bandwidth on an arc an LSP of a setup priority takes so that nothing is missing.

    The worst hold priority goes first, then the least bandwidth, then the first identity, until it fits; then those
    that were not needed are spared, the last taken first.
    """
    candidates = [v for v in books.riders[arc] if books.hold[v] > setup and books.held[v] > 0]
    taken: list[int] = []
    for victim in sorted(candidates, key=lambda v: (-books.hold[v], books.held[v], v)):
        if missing <= 0:
            break
        taken.append(victim)
        missing -= books.held[victim]
    for victim in reversed(taken.copy()):
        if missing + books.held[victim] <= 0:
            missing += books.held[victim]
            taken.remove(victim)
    return taken
