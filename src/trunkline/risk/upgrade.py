"""The way to a factor: the fluid program proposes what to buy, a replay of the bought network judges, and round again.

A replay that breaks a promise names circuits that need more (`risk.needs`), which bind the next proposal, and failures
whose fluid flow it has to carry too.  So the last proposal is proved, and the program's bound is the fluid model's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Decimal
from functools import partial
from itertools import combinations

from trunkline.jobs import Workers
from trunkline.model.network import Network
from trunkline.model.nouns import MILLION
from trunkline.model.prices import Prices
from trunkline.model.tables import Table, table
from trunkline.risk.candidates import that_matter
from trunkline.risk.examine import ENOUGH, Examiner, Judge, Judgement, Progress, Report
from trunkline.risk.fluid import Bar, Bill, Case, Terms, Unserved, propose, sellable
from trunkline.risk.grow import ONE, Scope
from trunkline.risk.needs import Bounds, Needs
from trunkline.risk.plan import NO_PLAN, Plan, Shop
from trunkline.risk.promises import Broken
from trunkline.risk.scenario import Kind, Scenario
from trunkline.risk.trim import trimmed

ROUNDS = 40
"""Proposals of a stage at most."""
USUAL, CASES = 12, 16
"""States whose fluid flow a proposal carries: everything in order, failures that bind, and as many as turn up later."""
MATTER = 5
"""Candidates that matter in a state, so many at most, of which every set is tried before the first proposal."""


@dataclass(frozen=True)
class Stage:
    """A quarter (from 1) and its factor in hundredths, and the plan with which it serves, proved in so many `states`.

    `left` are promises that no purchase keeps, each with the failure ("": none) that breaks it; `least` is what the
    fluid program says that circuits must cost at the least, thousandths of the unit.
    """

    quarter: int
    factor: int
    plan: Plan
    rounds: int
    states: int
    least: int
    left: tuple[tuple[str, Broken], ...]


@dataclass
class Upgrade:
    """Looks for what to buy."""

    net: Network
    prices: Prices
    scope: Scope
    surviving: Callable[[Network], tuple[Scenario, ...]]
    """The failures that a network has to survive."""
    today: Mapping[str, frozenset[str]]
    """Promises that are broken today, by failure."""
    workers: int = 1
    watch: Progress = lambda _: None

    def stages(self, factors: Sequence[int]) -> Iterator[Stage | Unserved]:
        """Yield a stage for each factor (hundredths, rising), each plan on top of the one before.

        Ends behind one that cannot be served.
        """
        with Workers(partial(Examiner, self.net, self.prices, self.today), self.workers) as crew:
            judge = Judge(crew, self.scope, self.watch)
            plan = NO_PLAN
            for quarter, factor in enumerate(factors, 1):
                stage = _Quarter(self, judge, quarter, factor, plan).stage()
                yield stage
                if isinstance(stage, Unserved) or stage.left:
                    return
                plan = stage.plan


class _Quarter:
    """Looks for what to buy by one quarter, on top of what is bought before."""

    def __init__(self, upgrade: Upgrade, judge: Judge, quarter: int, factor: int, before: Plan) -> None:
        self.net, self.prices, self.before = upgrade.net, upgrade.prices, before
        self.quarter, self.factor = quarter, factor
        self._surviving, self._judge = upgrade.surviving, judge
        self._grown = upgrade.scope.grown(upgrade.net, factor * MILLION // ONE)
        self._shop = Shop(upgrade.net, upgrade.prices, before, Bounds.of(upgrade.net))
        self._could = [c.circuit for c in self.prices.candidates if c.circuit.name not in before.bill.candidates]
        self.cases = dict[str, Case]()
        self.floor = dict[str, int]()
        self.ports = dict(before.ports)
        self.bars = dict[Bar, None]()
        self._roomy = dict[frozenset[str], dict[str, bool]]()
        """By candidates: whether failures break a promise even with room everywhere."""
        self._hopeless = set[str]()
        """Failures that break a promise with room everywhere, whatever candidates there are."""

    def stage(self) -> Stage | Unserved:
        """Return the stage; Unserved where no purchase serves all in the fluid model."""
        judged = self._judged(self.before, "as it is")
        if not judged.reports:
            return self._ended(self.before, 0, judged)
        ample = self._ample()
        hopeless = bool(self._hopeless)
        ceiling = None if self.bars or hopeless else ample
        plan = self._proposed()
        for number in range(1, ROUNDS + 1):
            if isinstance(plan, Unserved):
                return plan
            if hopeless:
                plan = ample
            elif plan is None:
                plan, hopeless = self._least_bad(), True
            elif ceiling is not None and plan.cost(self.prices) > ceiling.cost(self.prices):
                plan, ceiling = ceiling, None
                self.floor = {c.name: c.capacity for c in self._built(plan).circuits}
            judged = self._judged(plan, f"proposal {number}")
            if not judged.reports or hopeless or number == ROUNDS or not self._learns(plan, judged.reports):
                return self._ended(plan, number, judged)
            plan = self._proposed()
        raise AssertionError("the last round returns")

    def _built(self, plan: Plan) -> Network:
        return plan.built(self.net, self.prices)

    def _judged(self, plan: Plan, what: str, enough: int = ENOUGH) -> Judgement:
        failures = self._surviving(self._built(plan))
        return self._judge.judge(plan, self.factor, failures, f"{self._at}, {what}", enough)

    @property
    def _at(self) -> str:
        return f"x{self.factor / ONE:.2f}"

    def _proposed(self) -> Plan | Unserved | None:
        terms = Terms(self.before.bill, self.floor, tuple(self.bars))
        bill = propose(self.net, self.prices, self._shop.bounds.use, list(self.cases.values()), terms)
        return Plan(bill, dict(self.ports)) if isinstance(bill, Bill) else bill

    def _ample(self) -> Plan:
        """What it takes for every LSP and flow to have room on its first way.

        The failures that only a candidate may mend, and those that need most of what is dear, are the first that the
        program is told, and the first replayed.
        """
        roomy = self._shop.roomy(self._grown, ())
        failures = self._surviving(self._built(self.before))
        reports = self._judge.survey(roomy, self.factor, failures, f"{self._at}, with room everywhere")
        broken = [r for r in reports if r.broken]
        self._try(broken)
        mendable = [] if self._hopeless else broken
        binding = list({r.scenario: r for r in (*mendable, *self._binding(reports))}.values())
        self._judge.suspect([r.scenario.name for r in binding if r.scenario.things])
        usual = [r for r in binding if r.scenario.things and r.scenario.kind is not Kind.MEMBER]
        self._tell([reports[0], *usual[: USUAL - 1]])
        ample = self._shop.slim(roomy, Needs.most(r.used for r in reports))
        self.ports = dict(ample.ports)
        self._roomy[frozenset()] = {r.scenario.name: bool(r.broken) for r in reports}
        return ample

    def _binding(self, reports: Sequence[Report]) -> list[Report]:
        """States that need most of some circuit, those whose need is dearest first."""
        most, dear = Needs.most(r.used for r in reports).circuits, Counter[str]()
        for circuit in sellable(self.net, self.prices):
            capacity, price = most.get(circuit.name, 0), self.prices.of_member(circuit) or 0
            if capacity > circuit.capacity:
                who = next(r for r in reports if r.used.circuits.get(circuit.name) == capacity)
                dear[who.scenario.name] += price * -(-(capacity - circuit.capacity) // circuit.member)
        ranked = [r for r in reports if r.scenario.name in dear]
        return sorted(ranked, key=lambda r: (-dear[r.scenario.name], r.scenario.name))

    def _tell(self, reports: Sequence[Report]) -> None:
        """Let the program serve these states too."""
        for r in reports:
            self.cases[r.scenario.name] = replace(self._case(r.scenario), aimed=r.aimed)

    def _case(self, scenario: Scenario) -> Case:
        """A failure, before anything goes from anywhere; what is bought only is not in the network."""
        return self._after(scenario.name, frozenset(_failed(scenario)))

    def _after(self, name: str, failed: frozenset[str]) -> Case:
        there = sorted(thing for thing in failed if any(self.net.names(thing).values()))
        return Case(name, self.net.without(*there) if there else self.net, {}, failed)

    def _try(self, broken: Sequence[Report]) -> None:
        """Find out which of these states no set of candidates mends: they are broken without any.

        States for which many candidates matter are left to the proposals.
        """
        matter = {r.scenario: self._matter(r.scenario) for r in broken}
        self._bar(frozenset(), matter)
        self._hopeless = {scenario.name for scenario, among in matter.items() if not among}
        if self._hopeless:
            return
        few = {scenario: among for scenario, among in matter.items() if len(among) <= MATTER}
        few = dict(list(few.items())[:ENOUGH])
        tried = {scenario: {frozenset[str]()} for scenario in few}
        for chosen in _sets(list(few.values())):
            asked = [scenario for scenario in tried if chosen & few[scenario] not in tried[scenario]]
            known = self._with_room(chosen, asked) if asked else {}
            lost = [scenario for scenario in asked if known[scenario.name]]
            self._bar(chosen, {scenario: few[scenario] for scenario in lost})
            for scenario in lost:
                tried[scenario].add(chosen & few[scenario])
            tried = {scenario: sets for scenario, sets in tried.items() if scenario in lost or scenario not in asked}
        self._hopeless = {scenario.name for scenario in tried}

    def _with_room(self, chosen: frozenset[str], failures: Sequence[Scenario]) -> dict[str, bool]:
        """Whether failures break a promise with these candidates and room everywhere."""
        known = self._roomy.setdefault(chosen, {})
        fresh = [f for f in failures if f.name not in known]
        if fresh:
            plan, what = self._shop.roomy(self._grown, chosen), f"{self._at}, with room everywhere"
            found = self._judge.survey(plan, self.factor, [f for f in fresh if f.things], what)
            known |= {r.scenario.name: bool(r.broken) for r in found}
        return known

    def _bar(self, chosen: frozenset[str], matter: Mapping[Scenario, frozenset[str]]) -> None:
        """Let no proposal have just these candidates out of those that matter in a state: they do not mend it."""
        self.bars |= {Bar(chosen & among, among): None for among in matter.values() if among}

    def _learns(self, plan: Plan, reports: Sequence[Report]) -> bool:
        """Have the next proposal other candidates, where no room helps these, or what is reported lacking.

        False where nothing is to be had.
        """
        chosen = frozenset(plan.bill.candidates) - set(self.before.bill.candidates)
        known = self._with_room(chosen, [r.scenario for r in reports])
        lost = [r.scenario for r in reports if known[r.scenario.name]]
        self._bar(chosen, {scenario: self._matter(scenario) for scenario in lost})
        return bool(lost) or self._asks(plan, reports) or self._asks_for_room(plan, chosen)

    def _matter(self, scenario: Scenario) -> frozenset[str]:
        """Candidates that matter after a failure, or without which there is no such failure."""
        failed = frozenset(name.partition(":")[0] for name in _failed(scenario))  # more paths matter without the bundle
        case = self._after("", failed)
        matter = that_matter(case.net, self.prices, [c for c in self._could if case.stands(c)])
        if all(any(self.net.names(name).values()) for name in failed):
            return matter
        return matter | {c.name for c in self._could if failed & {c.name, *c.risks}}

    def _least_bad(self) -> Plan:
        """With those candidates that leave fewest states broken, as far as they were tried, and room everywhere."""
        chosen = min(self._roomy, key=lambda s: (sum(self._roomy[s].values()), len(s), sorted(s)))
        return self._ample_with(chosen)

    def _ample_with(self, chosen: frozenset[str]) -> Plan:
        """What it takes for everything to have room on its first way, with these candidates."""
        roomy, what = self._shop.roomy(self._grown, chosen), f"{self._at}, with room everywhere"
        every = self._judge.survey(roomy, self.factor, self._surviving(self._built(roomy)), what)
        return self._shop.slim(roomy, Needs.most(r.used for r in every))

    def _asks_for_room(self, plan: Plan, chosen: frozenset[str]) -> bool:
        """Let the next proposal have what it takes for all to have room; False where this one has it.

        What is full is not sold then, and is only because LSPs do not find room elsewhere.
        """
        there, ample = self._built(plan).circuit, self._ample_with(chosen)
        wanted = {c.name: c.capacity for c in self._built(ample).circuits if c.capacity > there[c.name].capacity}
        ports = {name: times for name, times in ample.ports.items() if times > plan.ports.get(name, 1)}
        self.floor |= {name: max(least, self.floor.get(name, 0)) for name, least in wanted.items()}
        self.ports |= ports
        return bool(wanted or ports)

    def _asks(self, plan: Plan, reports: Sequence[Report]) -> bool:
        """Let the next proposal have what is reported lacking; False where that is nothing that can be bought."""
        neediest = sorted(reports, key=lambda r: (-sum(r.lacks.circuits.values()), r.scenario.name))
        fresh = [r for r in neediest if r.scenario.name not in self.cases and r.scenario.kind is not Kind.MEMBER]
        fresh = fresh[: max(CASES - len(self.cases), 0)]
        self._tell(fresh)
        named = {r.scenario.name for r in fresh}  # the program has its chance first
        lacks = Needs.most(r.lacks for r in reports if r.scenario.name not in named)
        there = self._built(plan).circuit
        sold = {c.name for c in sellable(self.net, self.prices)}
        circuits = {n: least for n, least in lacks.circuits.items() if n in sold and least > there[n].capacity}
        ports = lacks.ports if self.prices.port is not None else {}
        more = {name: times for name, times in ports.items() if times > plan.ports.get(name, 1)}
        self.floor |= {name: max(least, self.floor.get(name, 0)) for name, least in circuits.items()}
        self.ports |= more
        return bool(fresh or circuits or more)

    def _ended(self, plan: Plan, number: int, judged: Judgement) -> Stage:
        """The stage whose last proposal is this one, without what lies idle; or with all that it does not keep."""
        states, left = judged.states, tuple[tuple[str, Broken], ...]()
        if judged.reports:
            failures = self._surviving(self._built(plan))
            every = self._judge.survey(plan, self.factor, failures, f"{self._at}, what is not kept")
            states, left = len(every), self._left([r for r in every if r.broken])
        else:
            plan, states = trimmed(self._shop, plan, judged, self._judged)
        fluid = propose(self.net, self.prices, self._shop.bounds.use, list(self.cases.values()), Terms())
        least = fluid.least if isinstance(fluid, Bill) else 0
        return Stage(self.quarter, self.factor, plan, number, states, least, left)

    def _left(self, broken: Sequence[Report]) -> tuple[tuple[str, Broken], ...]:
        """What no purchase keeps; where that is nothing for sure, what this one does not."""
        sure = [r for r in broken if r.scenario.name in self._hopeless]
        return tuple((r.scenario.name, b) for r in sure or broken for b in r.broken)


def _sets(several: Sequence[frozenset[str]]) -> Iterator[frozenset[str]]:
    """All candidates that matter in any of several states, then every set of those that matter in one, by size."""
    yield frozenset().union(*several)
    for among in several:
        for size in range(1, len(among) + 1):
            yield from map(frozenset, combinations(sorted(among), size))


def _failed(scenario: Scenario) -> tuple[str, ...]:
    """Names of what is down."""
    return (*scenario.things, *([scenario.during] if scenario.during else []))


def quarters(factor: int, number: int) -> list[int]:
    """Return the factor of each quarter, in hundredths: a geometric way to the last, each rounded up."""
    last = Decimal(factor) / ONE
    return [*(_up(last ** (Decimal(q) / number) * ONE) for q in range(1, number)), factor]


def _up(value: Decimal) -> int:
    return int(value.to_integral_value(ROUND_CEILING))


def stages_table(stages: Sequence[Stage], prices: Prices) -> Table:
    """The table `stages`: costs in thousandths of the unit."""
    rows = []
    for stage in stages:
        cost, factor = stage.plan.cost(prices), stage.factor * MILLION // ONE
        row = (stage.quarter, factor, not stage.left, cost, stage.plan.bill.cost, stage.least)
        rows.append((*row, stage.rounds, stage.states))
    return table(
        "quarter:int factor:int:ppm ok:bool cost:int circuits_cost:int fluid_least:int proposals:int states:int", rows
    )


def upgrades_table(stages: Sequence[Stage], net: Network, prices: Prices) -> Table:
    """The table `upgrades`: what is bought in each quarter, beyond the one before."""
    price = {c.name: prices.of_member(c) or 0 for c in sellable(net, prices)}
    whole = {c.circuit.name: c.price for c in prices.candidates}
    rows, before = [], NO_PLAN
    for stage in stages:
        plan = stage.plan
        for name in sorted(plan.bill.members):
            more = plan.bill.members[name] - before.bill.members.get(name, 0)
            rows += [(stage.quarter, "member", name, more, more * price[name])] if more else []
        built = sorted(set(plan.bill.candidates) - set(before.bill.candidates))
        rows += [(stage.quarter, "candidate", name, 1, whole[name]) for name in built]
        for name in sorted(plan.ports):
            more = plan.ports[name] - before.ports.get(name, 1)
            rows += [(stage.quarter, "port", name, more, more * (prices.port or 0))] if more else []
        before = plan
    return table("quarter:int kind name number:int cost:int", rows)


def left_table(stages: Sequence[Stage]) -> Table:
    """The table `unkept`: promises that no purchase keeps."""
    rows = [(s.quarter, failure, b.name, b.value, b.worst) for s in stages for failure, b in s.left]
    return table("quarter:int failure objective value worst", rows)
