"""How likely it is that demands are served: what the likeliest effects of failures cost, and what may cost more.

Everything is an interval: what is not looked at may lose nothing, or everything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from math import ceil, floor

from trunkline.model.network import Network
from trunkline.model.nouns import BILLION, Family, Measure, Objective
from trunkline.model.rates import YEAR
from trunkline.risk.causes import Effect, Effects
from trunkline.risk.groups import Group, Part, groups, parts_of
from trunkline.risk.impact import AFTER, BYPASSED, Rows
from trunkline.risk.likely import Likely, likely
from trunkline.risk.sample import bounds, sample
from trunkline.risk.scenario import Kind, Scenario
from trunkline.risk.sweep import Chunk, Sweep, chunks, sweep
from trunkline.risk.transient import Transient, transients

NOTHING = "(nothing)"
"""The scenario in which all is up."""


@dataclass(frozen=True)
class Interval:
    """Two bounds of a probability."""

    low: Fraction
    high: Fraction

    @property
    def ppb(self) -> tuple[int, int]:
        """Both bounds in parts per billion, rounded outward."""
        return floor(self.low * BILLION), ceil(self.high * BILLION)

    @property
    def downtime(self) -> tuple[int, int]:
        """The least and the most time of a year that is left over, in seconds, rounded outward."""
        return floor((1 - self.high) * YEAR), ceil((1 - self.low) * YEAR)


@dataclass
class Cost:
    """What scenarios cost a group: the weight of those that cost it anything, and weight times traffic lost."""

    down: int = 0
    lost: int = 0


@dataclass
class Tally:
    """What scenarios cost each part of a demand, class and pair of regions, as their rows come in.

    `weights` are by the name of a scenario; `alone` has the things of scenarios that a single cause is enough for.
    """

    net: Network
    weights: Mapping[str, int]
    alone: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    bypassed: dict[tuple[str, ...], dict[Part, int]] = field(default_factory=dict)
    """What those lose on bypass, where the rows say so."""
    costs: defaultdict[Group, Cost] = field(default_factory=lambda: defaultdict(Cost))
    hurt: defaultdict[str, list[tuple[int, str, int]]] = field(default_factory=lambda: defaultdict(list))
    """Per class, what costs it anything: (weight, scenario, bit/s lost)."""

    def __post_init__(self) -> None:
        self.groups = groups(self.net)

    def add(self, rows: Rows) -> None:
        """Take in the rows of a chunk; what is lost once the network has settled counts."""
        lost: dict[tuple[str, str], dict[Part, int]] = defaultdict(dict)
        for row in rows.demands:
            if row[5]:
                lost[str(row[0]), str(row[1])][str(row[2]), Family(str(row[3]))] = int(row[5])
        for scenario, state in ((str(row[0]), row[1]) for row in rows.scenarios):
            if state == AFTER:
                self.count(scenario, lost.get((scenario, AFTER), {}))
            elif state == BYPASSED and scenario in self.alone:
                self.bypassed[self.alone[scenario]] = lost.get((scenario, BYPASSED), {})

    def count(self, scenario: str, parts: Mapping[Part, int]) -> None:
        """Take in what one scenario costs each part of a demand, bit/s."""
        weight, missing = self.weights[scenario], defaultdict[Group, int](int)
        for part, rate in parts.items():
            for group in self.groups[part]:
                missing[group] += rate
        for group, rate in missing.items():
            self.costs[group].down += weight
            self.costs[group].lost += weight * rate
            if group[0] == "class":
                self.hurt[group[1]].append((weight, scenario, rate))


@dataclass(frozen=True, eq=False)
class Availability:
    """What was found: `tally` of the likeliest effects, and `rest` of `sampled` draws from the remainder."""

    net: Network
    likely: Likely
    tally: Tally
    rest: Tally
    sampled: int
    transients: Mapping[Group, Transient]
    """What is lost before the network has settled after each failure: not part of the probabilities."""

    @property
    def remainder(self) -> Fraction:
        """The probability of everything that is not among the likeliest."""
        return Fraction(self.likely.remainder, self.likely.total)

    def groups(self, kind: str) -> list[tuple[Group, int]]:
        """Return the groups of a kind (`demand`, `class`, `pair`) by name, each with its rate, bit/s."""
        demands, rates = {d.name: d for d in self.net.demands}, defaultdict[Group, int](int)
        for (name, family), belongs in self.tally.groups.items():
            for group in belongs:
                rates[group] += demands[name].rate_of(family)
        return sorted((group, rate) for group, rate in rates.items() if group[0] == kind)

    def served(self, group: Group) -> Interval:
        """Return the probability that all of a group is served in full."""
        return self._interval(self.tally.costs[group].down, self.rest.costs[group].down, 1)

    def delivered(self, group: Group, rate: int) -> Interval:
        """Return the expected share of a group's traffic that is delivered."""
        return self._interval(self.tally.costs[group].lost, self.rest.costs[group].lost, rate)

    def _interval(self, lost: int, drawn: int, of: int) -> Interval:
        """What is not lost, with the sums over the likeliest effects and over the sample, each of so much."""
        known = Fraction(lost, self.likely.total * of)
        figures = 2 * len({group for groups in self.tally.groups.values() for group in groups})
        low, high = bounds(drawn / (self.sampled * of) if self.sampled else 0.0, self.sampled, figures)
        return Interval(1 - known - self.remainder * Fraction(high), 1 - known - self.remainder * Fraction(low))

    @property
    def verdicts(self) -> tuple[Judged, ...]:
        """Every objective of availability, judged."""
        return tuple(self._judged(o) for o in self.net.objectives if o.measure is Measure.AVAILABILITY)

    def _judged(self, objective: Objective) -> Judged:
        demands = {d.name: d.cls for d in self.net.demands}
        mine = [g for g, _ in self.groups("demand") if objective.cls in (None, demands[g[1]])]
        if not mine:
            return Judged(objective, Verdict.MET, None, "", None)
        ordered = sorted(((self.served(group), group) for group in mine), key=lambda f: (f[0].low, f[0].high, f[1]))
        found, worst = ordered[0]
        target, more = Fraction(objective.limit, BILLION), None
        verdict = Verdict.MET if found.low >= target else Verdict.UNDECIDED
        if min(interval.high for interval, _ in ordered) < target:
            verdict = Verdict.BROKEN
        elif verdict is Verdict.UNDECIDED:
            more = self.likely.more(floor((found.high - target) * self.likely.total))
        return Judged(objective, verdict, found, f"{worst[1]} {worst[2]}", more)


class Verdict(StrEnum):
    """What the interval of the worst demand says of an objective."""

    MET = "met"
    BROKEN = "broken"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Judged:
    """An objective's verdict, and the demand with the least lower bound, which all demands of its class must keep.

    `more` is how many further scenarios would decide it if they lose nothing, None where more than were listed.
    `found` None: there is nothing to measure.
    """

    objective: Objective
    verdict: Verdict
    found: Interval | None
    worst: str
    more: int | None


Watch = Callable[[int, int], None]
"""Told how many scenarios are done, and how many there are."""
Sweeping = Callable[[str, Network, Sequence[Chunk]], Iterator[Rows]]
"""Yields the rows of each chunk of a network's failures, in order; the sweep has a name."""


def here(workers: int) -> Sweeping:
    """Return what sweeps with so many processes on this machine."""
    return lambda name, net, asked: sweep(net, asked, workers)


ALONE = here(1)


@dataclass(frozen=True)
class Work:
    """How much to look at, and who does it."""

    budget: int
    sampled: int = 0
    sweeping: Sweeping = ALONE

    def within(self, name: str) -> Work:
        """Return the same work, the names of its sweeps behind another one."""
        return replace(self, sweeping=lambda own, net, asked: self.sweeping(f"{name}/{own}", net, asked))


def available(net: Network, work: Work, watch: Watch = lambda done, total: None) -> Availability:
    """Look at the likeliest effects of failures and a sample of the rest; return how likely all is to be served."""
    effects = Effects(net)
    found = likely(effects, work.budget)
    drawn = sample(effects, found, work.sampled)
    total = len(found.effects) + len(drawn)
    tally = _tallied(effects, dict(found.effects), partial(work.sweeping, "likeliest"), lambda done: watch(done, total))
    rest = _tallied(
        effects, drawn, partial(work.sweeping, "rest"), lambda done: watch(len(found.effects) + done, total)
    )
    before = Sweep(net).before("")[1]
    return Availability(net, found, tally, rest, drawn.total(), transients(effects, before, tally.bypassed))


def _tallied(
    effects: Effects,
    weights: Mapping[Effect, int],
    sweeping: Callable[[Network, Sequence[Chunk]], Iterator[Rows]],
    watch: Callable[[int], None],
) -> Tally:
    """Return what effects of these weights cost."""
    net, wanted, named, gone = effects.net, [], {}, ""
    for effect, weight in weights.items():
        things = effects.things(effect)
        scenario = Scenario(",".join(things) or NOTHING, Kind.SET, things)
        named[scenario.name] = weight
        if effect & effects.all_routers == effects.all_routers:
            gone = scenario.name
        else:
            wanted.append(scenario)
    alone = {",".join(things): things for cause in effects.causes if (things := effects.things(cause.effect))}
    tally, done = Tally(net, named, alone), 0
    if gone:  # without a router there is nothing to converge: everything is lost
        tally.count(gone, {(d.name, family): d.rate_of(family) for d in net.demands for family in parts_of(d)})
    parts = chunks(wanted)
    bare = replace(net, objectives=())  # judging each state takes a fifth of the time, and nobody asks for it here
    for part, rows in zip(parts, sweeping(bare, parts), strict=True):
        tally.add(rows)
        done += len(part)
        watch(done)
    return tally
