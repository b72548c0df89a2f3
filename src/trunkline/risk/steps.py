"""What each step of a drain does, as rows: step 0 is the state that it starts from, and losses count beyond it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from trunkline.flow import State
from trunkline.model.event import Configure, Cut, Reoptimize, Restore, Setting
from trunkline.model.keys.words import MAX_METRIC
from trunkline.model.nouns import Family
from trunkline.model.tables import Cell, Table, table
from trunkline.risk.drain import Drain, Move, Thing
from trunkline.te.result import Action, LogLine, Unplaced

DONE = {
    Setting.STOPPED: ("stop traffic", "start traffic"),
    Setting.TE_METRIC: (f"set TE metric {MAX_METRIC}", "restore TE metric"),
    Setting.METRIC: (f"set IS-IS metric {MAX_METRIC}", "restore IS-IS metric"),
    Setting.OVERLOAD: ("set overload bit", "clear overload bit"),
    Setting.SHUTDOWN: ("start graceful shutdown", "end graceful shutdown"),
}
"""What an operator does for a setting, and to take it back; metrics are for both ends of a circuit."""


def words(event: Move) -> tuple[str, str]:
    """Return what is done in a step, and at what: the head-end, or the things."""
    match event:
        case Reoptimize(lsps):
            return "re-optimise", lsps[0].partition("/")[0]
        case Configure(setting, things, on):
            return DONE[setting][not on], " ".join(things)
        case Cut(things):
            return "take down", " ".join(things)
        case Restore(things):
            return "bring up", " ".join(things)


@dataclass(frozen=True, eq=False)
class Steps:
    """A drain's states, numbered from 0, and what they say."""

    drain: Drain

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The state before the first step, and after each."""
        return (self.drain.start, *(step.state for step in self.drain.steps))

    @cached_property
    def lost(self) -> tuple[Counter[str], ...]:
        """What each class loses in each state, bit/s, beyond the first."""
        return tuple(state.loads.charged - self.drain.start.loads.charged for state in self.states)

    @cached_property
    def failed(self) -> int | None:
        """The first step by which a class loses traffic, None where none does."""
        return next((number for number, lost in enumerate(self.lost) if lost), None)

    def tables(self) -> dict[str, Table]:
        """`drain_steps`, `drain_lsps` (what happens to LSPs) and `drain_losses` (which demands lose, and why)."""
        spec = "step:int action what moved:int displaced:int unplaced:int on_it:int:bit/s lsps_on_it:int arc "
        spec += "utilisation:int:ppm broken lost:int:bit/s gone:int:bit/s "
        spec += " ".join(f"lost.{c.name}:int:bit/s" for c in self.drain.net.classes)
        lsps = "step:int lsp action bandwidth:int:bit/s by circuit path"
        losses = "step:int demand family class lost:int:bit/s reason where"
        return {
            "drain_steps": table(spec, [self._step(n) for n in range(len(self.states))]),
            "drain_lsps": table(lsps, self._lsps()),
            "drain_losses": table(losses, self._losses()),
        }

    def _step(self, number: int) -> tuple[Cell, ...]:
        state, before, lost = self.states[number], self.states[max(number - 1, 0)], self.lost[number]
        done = words(self.drain.steps[number - 1].event) if number else ("start", "")
        displaced = sum(line.action is Action.PREEMPTED for line in _log(before, state))
        load, lsps = left_on(self.drain.thing, state)
        kept = {v.objective.name for v in self.drain.start.objectives if v.met}
        broken = [v.objective.name for v in state.objectives if not v.met and v.objective.name in kept]
        broken += [] if all(holds for _, holds in state.confinement) else ["(confinement)"]
        return (
            *(number, *done, *_moved(before, state, displaced), load, lsps, *state.loads.hottest, " ".join(broken)),
            *(lost.total(), sum(d.gone for d in state.loads.deliveries)),
            *(lost[c.name] for c in self.drain.net.classes),
        )

    def _lsps(self) -> Iterator[tuple[Cell, ...]]:
        for number in range(1, len(self.states)):
            for x in _log(*self.states[number - 1 : number + 1]):
                yield (number, x.lsp, str(x.action), x.bandwidth, x.by, x.circuit, " ".join(x.path))

    def _losses(self) -> Iterator[tuple[Cell, ...]]:
        def missing(state: State) -> dict[tuple[str, Family], int]:
            return {(d.demand.name, d.family): d.charged for d in state.loads.deliveries}

        then = missing(self.states[0])
        for number, state in enumerate(self.states):
            for d in state.loads.deliveries:
                added = d.charged - then.get((d.demand.name, d.family), 0)
                if added > 0:
                    reason, where, _ = d.lost[0]
                    yield (number, d.demand.name, str(d.family), d.demand.cls, added, str(reason), where)


def left_on(thing: Thing, state: State) -> tuple[int, int]:
    """Return what the circuits and peer ports of a thing carry, added up, bit/s, and how many LSPs lead through it."""
    circuits = sum(load for arc, load in state.loads.offered if arc.circuit in thing.circuits)
    ports = sum(rate for (_, p, _), rate in state.loads.ports.items() if state.net.port[p].router in thing.routers)
    return circuits + ports, sum(thing.crossed_by(p) for p in state.placement.placed)


def _log(before: State, state: State) -> list[LogLine]:
    return list(state.placement.log[len(before.placement.log) :])


def _moved(before: State, state: State, displaced: int) -> tuple[int, int, int]:
    """How many LSPs have another path, were displaced, and have none any more though both their ends are up."""
    pairs = list(zip(before.placement.placed, state.placement.placed, strict=True))
    moved = sum(None not in (old.path, new.path) and old.path != new.path for old, new in pairs)
    unplaced = sum(
        old.path is not None and new.path is None and new.reason is not Unplaced.ENDPOINT_DOWN for old, new in pairs
    )
    return moved, displaced, unplaced
