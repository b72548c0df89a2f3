"""How far traffic can grow before the first promise breaks, with everything in order and after any single failure.

Growth is an event: from today's settled state, LSPs that demands size are signalled again at their new size.  A promise
that is broken today already, in the same failure, cannot be broken by growth and is not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from trunkline.flow import State
from trunkline.jobs import Workers, chunks
from trunkline.model.network import Network
from trunkline.model.nouns import MILLION, Demand
from trunkline.model.tables import Table, table
from trunkline.risk.promises import Broken, broken, heat
from trunkline.risk.replay import NOTHING, Replay
from trunkline.risk.scenario import Scenario

SUSPECTS = 16
"""How many failures, the hottest first, are asked while a factor is looked for; the one found is proved over all."""
ONE = 100
"""Factors are in hundredths."""

Progress = Callable[[str], None]
"""Told what is under way."""


@dataclass(frozen=True)
class Scope:
    """Which traffic grows: of a class, and with an end in a region (a data centre or router there); None is all."""

    cls: str | None = None
    region: str | None = None

    def grown(self, net: Network, factor_ppm: int) -> Network:
        """Return the network with this traffic times a factor, rounded half up."""
        local = {r.name for r in net.routers if r.region == self.region}
        sites = {s.name for s in net.sites if s.region == self.region}
        local |= {d.name for d in net.datacenters if d.site in sites}

        def one(d: Demand) -> Demand:
            mine = self.cls in (None, d.cls) and (self.region is None or bool(local & {d.source, d.target}))
            return replace(d, rate=(d.rate * factor_ppm + MILLION // 2) // MILLION) if mine else d

        return replace(net, demands=tuple(map(one, net.demands)))


@dataclass(frozen=True)
class Look:
    """A factor in hundredths, and failures after which to look."""

    scope: Scope
    factor: int
    scenarios: tuple[Scenario, ...]


@dataclass(frozen=True)
class Seen:
    """What a failure breaks, and how hot the hottest circuit is then, ppm."""

    scenario: Scenario
    broken: tuple[Broken, ...]
    heat: int


@dataclass(frozen=True)
class First:
    """The first promise that growth breaks.

    At `factor` nothing is broken that holds today, in so many `states`; at `beyond`, `promise` is, after `failure`.
    None of the last three where nothing is broken up to the bound that was asked about.
    """

    factor: int
    states: int
    beyond: int | None = None
    failure: str | None = None
    promise: Broken | None = None


class Grower:
    """A network whose traffic grows; a worker keeps one."""

    def __init__(self, net: Network) -> None:
        self.replay = Replay(net)
        self._grown: tuple[tuple[Scope, int], State] = ((Scope(), ONE), self.replay.today)

    def look(self, task: Look) -> list[Seen]:
        """Return what every failure breaks."""
        states = zip(task.scenarios, self.states(task), strict=True)
        return [Seen(scenario, broken(state), heat(state)) for scenario, state in states]

    def states(self, task: Look) -> Iterator[State]:
        """Yield the state after every failure."""
        key = task.scope, task.factor
        if self._grown[0] != key:
            now = task.scope.grown(self.replay.net, task.factor * MILLION // ONE)
            self._grown = key, self.replay.carrying(now)
        yield from (self.replay.after(self._grown[1], scenario) for scenario in task.scenarios)


@dataclass(frozen=True)
class Growth:
    """How far traffic of a scope grows: with everything in order, and after any failure (None: not asked)."""

    scope: Scope
    calm: First
    failing: First | None
    today: Mapping[str, frozenset[str]]
    """Promises that are broken today, by failure."""

    @property
    def broken_today(self) -> int:
        """How many failures break a promise already."""
        return sum(bool(names) for failure, names in self.today.items() if failure)

    @property
    def broken_calm(self) -> tuple[str, ...]:
        """Promises that are broken already with everything in order, by name."""
        return tuple(sorted(self.today[NOTHING.name]))

    def table(self) -> Table:
        """The table `factors`: factors in ppm."""
        rows = []
        for failures, first in ((False, self.calm), (True, self.failing)):
            if first is not None:
                promise = first.promise or Broken("", "", "")
                beyond = first.beyond and first.beyond * MILLION // ONE
                said = [first.failure, promise.name or None, promise.value or None, promise.worst or None]
                scope = [self.scope.cls, self.scope.region]
                rows.append((failures, *scope, first.factor * MILLION // ONE, first.states, beyond, *said))
        spec = "failures:bool class region factor:int:ppm states:int beyond:int:ppm failure objective value worst"
        return table(spec, rows)


def growth(
    net: Network,
    scope: Scope,
    failures: Sequence[Scenario],
    bound: int,
    workers: int = 1,
    watch: Progress = lambda _: None,
) -> Growth:
    """Return how far traffic grows, up to a bound in hundredths, without failures and after each of these."""
    with Workers(partial(Grower, net), workers) as crew:
        search = Search(crew, scope, watch)
        today = search.look(ONE, (NOTHING, *failures), "today")
        search.today = {seen.scenario.name: frozenset(b.name for b in seen.broken) for seen in today}
        calm = search.first((NOTHING,), bound)
        hottest = sorted(today[1:], key=lambda seen: (-seen.heat, seen.scenario.name))
        every = [NOTHING, *(seen.scenario for seen in hottest)]
        most = calm.factor if calm.beyond is None else calm.beyond
        failing = search.first(every, most) if failures else None
    return Growth(scope, calm, failing, search.today)


class Search:
    """Looks for the first promise that growth breaks."""

    def __init__(self, crew: Workers[Grower], scope: Scope, watch: Progress) -> None:
        self.crew, self.scope, self.watch = crew, scope, watch
        self.today: Mapping[str, frozenset[str]] = {}
        """Which promises are broken today, by failure."""

    def first(self, scenarios: Sequence[Scenario], bound: int) -> First:
        """Return the first promise broken up to a bound.

        The first scenarios alone are asked while the factor is looked for; it is proved over all of them, and where
        another one breaks something at it, that is asked below.  Factors below the one that is proved are not.
        """
        asked, low, high, trial = list(scenarios[:SUSPECTS]), ONE, bound + 1, bound
        why: tuple[str, Broken] | None = None
        while True:
            while high - low > 1:
                found = next(self._breaks(trial, asked), None)
                if found is None:
                    low = trial
                else:
                    high, why = trial, (found[0].name, found[1])
                    asked.sort(key=lambda s: s != found[0])  # most likely it breaks the next one too
                trial = (low + high) // 2
            others = [s for s in scenarios if s not in asked]
            worse = next(self._breaks(low, others), None) if low > ONE else None
            if worse is None:
                beyond, failure, promise = (high, *why) if why is not None else (None, None, None)
                return First(low, len(scenarios), beyond, failure, promise)
            asked, high, why = [worse[0]], low, (worse[0].name, worse[1])
            low, trial = ONE, (ONE + high) // 2

    def look(self, factor: int, scenarios: Sequence[Scenario], why: str) -> list[Seen]:
        """Return what every scenario breaks at a factor."""
        return list(self._looked(factor, scenarios, why))

    def _breaks(self, factor: int, scenarios: Sequence[Scenario]) -> Iterator[tuple[Scenario, Broken]]:
        """Scenarios that break what they do not break today, in their order."""
        for seen in self._looked(factor, scenarios, f"x{factor / ONE:.2f}"):
            new = [b for b in seen.broken if b.name not in self.today[seen.scenario.name]]
            if new:
                yield seen.scenario, new[0]

    def _looked(self, factor: int, scenarios: Sequence[Scenario], what: str) -> Iterator[Seen]:
        done = 0
        for found in self.crew.each(Grower.look, [Look(self.scope, factor, part) for part in chunks(scenarios)]):
            done += len(found)
            self.watch(f"{what}: {done:,} of {len(scenarios):,} states")
            yield from found
