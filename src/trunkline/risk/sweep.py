"""Every scenario from the same settled state: cut, settle, re-optimise; in one process or in many, the same rows.

A worker computes the state before a failure once, and keeps it; scenarios go out in chunks, and no more chunks are
under way than keep the workers busy, so memory does not grow with the number of scenarios.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice

from trunkline.flow import State, settle
from trunkline.model.event import Cut, Reoptimize, after
from trunkline.model.network import Network
from trunkline.model.nouns import Condition
from trunkline.risk.impact import AFTER, REOPTIMISED, Rows, impact
from trunkline.risk.scenario import Scenario

CHUNK = 8
"""Scenarios of a chunk."""

Chunk = tuple[Scenario, ...]


class Sweep:
    """Failures of one network, each from the settled state that it hits."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self._before: dict[str, tuple[Condition, State]] = {}

    def before(self, during: str) -> tuple[Condition, State]:
        """Return the condition and the state that a failure hits: from cold, or with something out for maintenance."""
        if during not in self._before:
            cold = Condition(), settle(self.net, Condition())
            if during:
                condition = after(cold[0], Cut((during,)))
                cold = condition, settle(self.net, condition, Cut((during,)), self.before("")[1])
            self._before = {key: self._before[key] for key in self._before if not key} | {during: cold}
        return self._before[during]

    def states(self, scenario: Scenario) -> tuple[State, list[tuple[str, State]]]:
        """Return the state before a failure, and those after it by name."""
        condition, before = self.before(scenario.during)
        cut = Cut(scenario.things)
        condition = after(condition, cut)
        hit = settle(self.net, condition, cut, before)
        return before, [(AFTER, hit), (REOPTIMISED, settle(self.net, condition, Reoptimize(), hit))]

    def rows(self, chunk: Chunk) -> Rows:
        """Return the rows of scenarios, in their order."""
        return Rows.joined([impact(scenario, *self.states(scenario)) for scenario in chunk])


def chunks(scenarios: Sequence[Scenario]) -> tuple[Chunk, ...]:
    """Return scenarios in chunks, in order: the same ones however many workers there are."""
    return tuple(tuple(scenarios[i : i + CHUNK]) for i in range(0, len(scenarios), CHUNK))


def sweep(net: Network, wanted: Sequence[Chunk], workers: int = 1) -> Iterator[Rows]:
    """Yield the rows of each chunk, in order; `workers` processes compute them."""
    workers = min(workers, len(wanted))
    if workers <= 1:
        here = Sweep(net)
        yield from map(here.rows, wanted)
        return
    context = multiprocessing.get_context("spawn")  # the progress display has a thread, and forks do not like those
    pool = ProcessPoolExecutor(workers, context, _begin, (net,))
    try:
        todo = iter(wanted)
        flying: deque[Future[Rows]] = deque(pool.submit(_rows, chunk) for chunk in islice(todo, 2 * workers))
        while flying:
            yield flying.popleft().result()
            flying.extend(pool.submit(_rows, chunk) for chunk in islice(todo, 1))
    finally:
        pool.shutdown(cancel_futures=True)


_here: list[Sweep] = []
"""A worker's own."""


def _begin(net: Network) -> None:
    """Make a worker ready: Ctrl-C is its parent's to hear, and it ends when its parent does, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _here[:] = [Sweep(net)]


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _rows(chunk: Chunk) -> Rows:
    return _here[0].rows(chunk)
