"""What can be promised between two sites: the largest rate that can be added so that nothing anywhere loses by it.

The formula of `risk.room` says where to look, a replay of the network with the rate added says whether it holds: as
the settled state takes it up, and after every failure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from trunkline.jobs import CHUNK, Workers, chunks
from trunkline.model.network import Network
from trunkline.model.nouns import MILLION
from trunkline.model.problem import Problem, Problems
from trunkline.model.tables import Table, table
from trunkline.risk.replay import NOTHING, Miss, Outcome, Replay
from trunkline.risk.room import TERA, Pair, Room, added, carrying, entries, rooms
from trunkline.risk.scenario import Scenario

SUSPECTS = 2 * CHUNK
"""How many states, the tightest first, are asked while the rate is looked for; the one found is proved over all."""

Progress = Callable[[str], None]
"""Told what is under way."""


@dataclass(frozen=True)
class Limit:
    """What can be added from one site to another, bit/s, and what the next step beyond would break.

    `failure` is the scenario in which it would ("" with everything in order), `where` an arc, port or router.
    """

    pair: Pair
    rate: int
    failure: str
    where: str
    lsp: str
    reason: str


@dataclass(frozen=True)
class Proof:
    """`limit.rate` holds in so many `scenarios`, and `beyond` (bit/s) in one does not; `formula` is the first guess."""

    limit: Limit
    beyond: int
    loses: Miss
    formula: int
    scenarios: int


@dataclass(frozen=True)
class Asked:
    """Whose rooms, where."""

    cls: str
    pairs: tuple[Pair, ...]
    scenarios: tuple[Scenario, ...]


@dataclass(frozen=True)
class Trial:
    """A rate, and scenarios with what goes wrong in them without it."""

    cls: str
    pair: Pair
    rate: int
    scenarios: tuple[tuple[Scenario, Outcome], ...]


class Prober:
    """A network, probed with more traffic; a worker keeps one."""

    def __init__(self, net: Network) -> None:
        self.replay = Replay(net)
        self._carrying = (("", "", "", 0), self.replay.today)

    def look(self, asked: Asked) -> list[tuple[dict[Pair, Room], Outcome]]:
        """Return the rooms of the pairs, and what goes wrong, in each scenario."""
        net = self.replay.net
        probes = {pair: added(net, pair, asked.cls, TERA) for pair in asked.pairs}
        states = (self.replay.after(self.replay.today, scenario) for scenario in asked.scenarios)
        return [(rooms(state, probes), Outcome.of(state)) for state in states]

    def tried(self, trial: Trial) -> tuple[str, Miss] | None:
        """Return the first scenario in which the rate makes something worse, and what; None where there is none."""
        net, key = self.replay.net, (*trial.pair, trial.cls, trial.rate)
        if self._carrying[0] != key:
            more = carrying(net, added(net, trial.pair, trial.cls, trial.rate))
            self._carrying = key, self.replay.carrying(more)
        loaded = self._carrying[1]
        for scenario, without in trial.scenarios:
            state = self.replay.after(loaded, scenario)
            worse = Outcome.of(state).worse(without, loaded.net, state)
            if worse is not None:
                return scenario.name, worse
        return None


def matrix(
    net: Network, cls: str, failures: Sequence[Scenario], workers: int = 1, watch: Progress = lambda _: None
) -> tuple[Limit, ...]:
    """Return the limit of every pair of sites that has one, by the formula alone, by (from, to)."""
    sites = [site.name for site in net.sites if entries(net, site.name)]
    pairs = tuple((a, b) for a in sites for b in sites if a != b)
    with Workers(partial(Prober, net), workers) as crew:
        seen = _looked(crew, cls, pairs, failures, watch)
    limits = (_limit(pair, [(s, found.get(pair)) for s, found, _ in seen]) for pair in pairs)
    return tuple(limit for limit in limits if limit is not None)


def prove(
    net: Network, pair: Pair, cls: str, failures: Sequence[Scenario], workers: int, watch: Progress = lambda _: None
) -> Proof:
    """Return what can be added from one site to another, proved by replay.

    The step is 1 % of the formula's figure, at least 1 Mbit/s: what is returned holds with everything in order and
    after each failure, and the step beyond it does not.  Rates below need not hold: preemption is not monotone.
    Raises Problems where the traffic crosses nothing that could be full.
    """
    with Workers(partial(Prober, net), workers) as crew:
        seen = _looked(crew, cls, (pair,), failures, watch)
        limit = _limit(pair, [(s, found.get(pair)) for s, found, _ in seen])
        if limit is None:
            message = f"from '{pair[0]}' to '{pair[1]}' nothing is crossed that could be full: there is no limit"
            raise Problems([Problem("", 0, 0, "headroom", message)])
        formula = limit.rate
        tightest = sorted(seen, key=lambda s: (pair not in s[1], s[1][pair].rate if pair in s[1] else 0, s[0].name))
        todo = [(scenario, outcome) for scenario, _, outcome in tightest]

        def check(rate: int, states: Sequence[tuple[Scenario, Outcome]]) -> tuple[str, Miss] | None:
            trials = (Trial(cls, pair, rate, part) for part in chunks(states))
            for done, found in enumerate(crew.each(Prober.tried, trials), 1):
                watch(f"replay with {rate / 1e9:,.3f}G more: {min(done * CHUNK, len(states)):,} of {len(states):,}")
                if found is not None:
                    return found
            return None

        step, guess, asked = max(formula // 100 // MILLION * MILLION, MILLION), formula, todo[:SUSPECTS]
        while True:
            rate, beyond, (failure, miss) = _search(partial(check, states=asked), guess, step)
            others = [state for state in todo if state not in asked]
            found = check(rate, others) if rate else None
            if found is None:
                break
            guess, asked = max(rate - step, 0), [*(s for s in others if s[0].name == found[0]), *asked]
    lsp = miss.what if miss.lsp else ""
    return Proof(Limit(pair, rate, failure, miss.where, lsp, miss.reason), beyond, miss, formula, len(todo))


def _looked(
    crew: Workers[Prober], cls: str, pairs: tuple[Pair, ...], failures: Sequence[Scenario], watch: Progress
) -> list[tuple[Scenario, Mapping[Pair, Room], Outcome]]:
    """Rooms and what goes wrong, of every scenario and of none."""
    every = (NOTHING, *failures)
    parts = chunks(every)
    seen: list[tuple[Scenario, Mapping[Pair, Room], Outcome]] = []
    for part, found in zip(parts, crew.each(Prober.look, (Asked(cls, pairs, part) for part in parts)), strict=True):
        seen += [(scenario, *what) for scenario, what in zip(part, found, strict=True)]
        watch(f"room by the formula: {len(seen):,} of {len(every):,} states")
    return seen


def _limit(pair: Pair, found: Sequence[tuple[Scenario, Room | None]]) -> Limit | None:
    """The least room, the first scenario that has it; None where no scenario limits anything."""
    least: Limit | None = None
    for scenario, room in found:
        if room is not None and (least is None or room.rate < least.rate):
            least = Limit(pair, room.rate, scenario.name, room.where, room.lsp, room.reason)
    return least


def _search(
    check: Callable[[int], tuple[str, Miss] | None], guess: int, step: int
) -> tuple[int, int, tuple[str, Miss]]:
    """Return a rate that holds, a step beyond it, and why that does not: near the guess, then by bisection."""
    low, high, why = 0, 0, None  # nothing more is nothing worse
    stride, rate = step, guess or step
    while why is None or high - low > step:
        found = check(rate)
        if found is None:
            low = rate
        else:
            high, why = rate, found
        if why is None:
            rate, stride = low + stride, 2 * stride
        elif not low and high > stride:
            rate, stride = high - stride, 2 * stride
        else:
            rate = (low + high) // 2 // MILLION * MILLION
            rate = rate if low < rate else low + MILLION
    return low, high, why


def limits_table(limits: Sequence[Limit], cls: str) -> Table:
    """The table `headroom`."""
    rows = [(*x.pair, cls, x.rate, x.failure, x.where, x.lsp, x.reason) for x in limits]
    return table("from to class rate:int:bit/s failure where lsp reason", rows)
