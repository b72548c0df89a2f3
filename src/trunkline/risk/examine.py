"""Whether what is bought serves: a replay of every failure, those that have broken something before going first.

A proposal that fails is found out by few states, and one that holds is proved in all of them.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from trunkline.flow import State
from trunkline.jobs import Workers, chunks
from trunkline.model.network import Network
from trunkline.model.prices import Prices
from trunkline.risk.grow import Grower, Look, Scope
from trunkline.risk.needs import Bounds, Needs, needs, used
from trunkline.risk.plan import Plan
from trunkline.risk.promises import Broken, broken
from trunkline.risk.replay import NOTHING
from trunkline.risk.scenario import Scenario

ENOUGH = 8
"""States that break a promise, so many of which are enough to ask for more."""
PART = 4
"""How many failures a worker is given at once: few, for they are in vain once there are enough."""

Today = Mapping[str, frozenset[str]]
"""Promises that are broken today, by failure."""
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Report:
    """A state: what it breaks that is not broken today, what it lacks and uses, and what goes from where to where."""

    scenario: Scenario
    broken: tuple[Broken, ...]
    lacks: Needs
    used: Needs
    aimed: Mapping[tuple[str, str], int]


@dataclass(frozen=True)
class Exam:
    """What was bought, and which failures are to be replayed on it with traffic grown.

    All are reported with `every`, else those that break something.
    """

    plan: Plan
    look: Look
    every: bool


class Examiner:
    """Replays failures on what was bought last; a worker keeps one."""

    def __init__(self, net: Network, prices: Prices, today: Today) -> None:
        self.net, self.prices, self.today = net, prices, today
        self.bounds = Bounds.of(net)
        self._last: tuple[Plan, Grower] | None = None

    def examine(self, exam: Exam) -> tuple[list[Report], Needs]:
        """Return reports, and the most that any state uses."""
        grower = self._grower(exam.plan)
        found, most = list[Report](), list[Needs]()
        for scenario, state in zip(exam.look.scenarios, grower.states(exam.look), strict=True):
            whole = grower.replay.net.circuit
            lost = {c.name: whole[c.name].capacity - c.capacity for c in state.net.circuits}
            use = _with(lost, used(state, self.bounds, self.net))
            most.append(use)
            new = tuple(b for b in broken(state) if b.name not in self.today.get(scenario.name, ()))
            if new or exam.every:
                lacks = _with(lost, needs(state, self.bounds, self.net))
                found.append(Report(scenario, new, lacks, use, _aimed(state)))
        return found, Needs.most(most)

    def _grower(self, plan: Plan) -> Grower:
        if self._last is None or self._last[0] != plan:
            self._last = None  # one network at a time
            gc.unfreeze()
            self._last = plan, Grower(plan.built(self.net, self.prices))
        return self._last[1]


def _with(lost: Mapping[str, int], what: Needs) -> Needs:
    """The same of circuits before they have lost members."""
    return Needs({name: capacity + lost[name] for name, capacity in what.circuits.items()}, what.ports)


def _aimed(state: State) -> dict[tuple[str, str], int]:
    aimed: Counter[tuple[str, str]] = Counter()
    for (_, start, exit_, _), rate in state.flows.aimed.items():
        aimed[start, exit_] += rate
    return dict(aimed)


@dataclass(frozen=True)
class Judgement:
    """In how many states something was replayed, reports of those that break something, and the most that any uses."""

    states: int
    reports: tuple[Report, ...]
    busy: Needs


class Judge:
    """Says of one proposal after another whether it serves."""

    def __init__(self, crew: Workers[Examiner], scope: Scope, watch: Progress) -> None:
        self.crew, self.scope, self.watch = crew, scope, watch
        self.suspects = list[str]()
        """Names of failures that are replayed first: they broke something, or are likely to; the last one first."""

    def suspect(self, names: Sequence[str]) -> None:
        """Let these be replayed first, in this order."""
        self.suspects = [*names, *(name for name in self.suspects if name not in names)]

    def judge(
        self, plan: Plan, factor: int, failures: Sequence[Scenario], what: str, enough: int = ENOUGH
    ) -> Judgement:
        """Replay what was bought with everything in order and after each failure.

        It ends once it is clear that more is needed: where something breaks with everything in order, or after failures
        that are suspected, or in so many states as are `enough`.
        """
        named = {f.name: f for f in failures}
        known = [named[name] for name in self.suspects if name in named]
        others = [f for f in failures if f.name not in set(self.suspects)]
        parts = [(NOTHING,), *((f,) for f in known), *chunks(others, PART)]
        found, busy, done = list[Report](), list[Needs](), 0
        with closing(self._each(plan, factor, parts, every=False)) as answers:
            for number, (part, (reports, use)) in enumerate(zip(parts, answers, strict=True)):
                done += len(part)
                found += reports
                busy.append(use)
                self.watch(f"{what}: {done:,} of {len(failures) + 1:,} states replayed, {len(found):,} break a promise")
                if len(found) >= enough or (found and number in (0, len(known))):
                    break
        self.suspect([report.scenario.name for report in found if report.scenario.things])
        return Judgement(done, tuple(found), Needs.most(busy))

    def survey(self, plan: Plan, factor: int, failures: Sequence[Scenario], what: str) -> tuple[Report, ...]:
        """Report what was bought with everything in order, which comes first, and after each failure."""
        found = list[Report]()
        for reports, _ in self._each(plan, factor, [(NOTHING,), *chunks(failures, PART)], every=True):
            found += reports
            self.watch(f"{what}: {len(found):,} of {len(failures) + 1:,} states replayed")
        return tuple(found)

    def _each(
        self, plan: Plan, factor: int, parts: Sequence[tuple[Scenario, ...]], every: bool
    ) -> Generator[tuple[list[Report], Needs], None, None]:
        exams = (Exam(plan, Look(self.scope, factor, part), every) for part in parts)
        yield from self.crew.each(Examiner.examine, exams)
