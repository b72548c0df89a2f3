"""Every scenario from the same settled state: cut, settle, re-optimise; in one process or in many, the same rows.

A worker computes the state before a failure once, and keeps it; scenarios go out in chunks, and no more chunks are
under way than keep the workers busy, so memory does not grow with the number of scenarios.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from trunkline.flow import State, settle
from trunkline.jobs import chunks, ordered
from trunkline.model.event import Cut, Reoptimize, after
from trunkline.model.network import Network
from trunkline.model.nouns import Condition
from trunkline.risk.bypassed import bypassed
from trunkline.risk.impact import AFTER, BYPASSED, REOPTIMISED, Rows, impact
from trunkline.risk.scenario import Scenario
from trunkline.risk.seal import sealed

__all__ = ["Chunk", "Sweep", "chunks", "sweep"]

Chunk = tuple[Scenario, ...]


class Sweep:
    """Failures of one network, each from the settled state that it hits: `start`, where it is another than cold.

    With `seal`, rows come with their seals.
    """

    def __init__(self, net: Network, start: tuple[Condition, State] | None = None, seal: bool = False) -> None:
        self.net, self.seal = net, seal
        self._before = {"": start} if start is not None else {}

    def before(self, during: str) -> tuple[Condition, State]:
        """Return the condition and the state that a failure hits: from cold, or with something out for maintenance."""
        if during not in self._before:
            cold = Condition(), settle(self.net, Condition())
            if during:
                condition = after(cold[0], Cut((during,)))
                cold = condition, settle(self.net, condition, Cut((during,)), self.before("")[1])
            self._before = {key: self._before[key] for key in self._before if not key} | {during: cold}
            _ = cold[1].ok  # every FIB step that its proofs ask for, for the scenarios to share
            gc.freeze()  # it stays: what the scenarios leave behind is all that is to be searched
        return self._before[during]

    def settled(self, scenario: Scenario) -> State:
        """Return the state once the network has settled after a failure."""
        condition, before = self.before(scenario.during)
        cut = Cut(scenario.things)
        return settle(self.net, after(condition, cut), cut, before)

    def states(self, scenario: Scenario) -> tuple[State, list[tuple[str, State]]]:
        """Return the state before a failure, and those after it by name."""
        condition, before = self.before(scenario.during)
        now, hit = bypassed(before, scenario.things), self.settled(scenario)
        again = settle(self.net, after(condition, Cut(scenario.things)), Reoptimize(), hit)
        return before, [(BYPASSED, now), (AFTER, hit), (REOPTIMISED, again)]

    def rows(self, chunk: Chunk) -> Rows:
        """Return the rows of scenarios, in their order."""
        return Rows.joined([self._rows(scenario) for scenario in chunk])

    def _rows(self, scenario: Scenario) -> Rows:
        before, states = self.states(scenario)
        seals = ((scenario.name, sealed(scenario, before, states)),) if self.seal else ()
        return replace(impact(scenario, before, states), seals=seals)


def sweep(net: Network, wanted: Sequence[Chunk], workers: int = 1, seal: bool = False) -> Iterator[Rows]:
    """Yield the rows of each chunk, in order; `workers` processes compute them, with `seal` their seals too."""
    return ordered(partial(_rows, net, seal), wanted, workers)


def _rows(net: Network, seal: bool) -> Callable[[Chunk], Rows]:
    return Sweep(net, seal=seal).rows
