"""The cheapest purchase for which traffic would fit if it could be split at will: an integer program.

Whole members per circuit, whole candidates, more members on those that are built; per state a flow to every destination
that leaves no circuit fuller than its bound.  Routing does worse than that, so it is a lower bound, and the first
proposal that replays then judge.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import math
import os
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from trunkline.model.network import Network
from trunkline.model.nouns import MILLION, Circuit
from trunkline.model.prices import Prices
from trunkline.model.problem import Missing

GIG = 10**9
GAP = 0.05
"""How far from the optimum a proposal may be, relative."""
TOLERANCE = 100_000
"""Traffic, bit/s, that is taken for none: a hundred times what the program lets a constraint be missed by."""
_FEASIBLE = 2
"""HiGHS's kSolutionStatusFeasible."""


@dataclass(frozen=True)
class Case:
    """A state to be served: what is up, and what goes from which router to which, bit/s.

    `failed` are names of what has failed: candidates, and risks of candidates, may be among them.
    """

    name: str
    net: Network
    aimed: Mapping[tuple[str, str], int]
    failed: frozenset[str] = frozenset()

    def stands(self, circuit: Circuit) -> bool:
        """Return whether a candidate would be up if it were built."""
        ends = {circuit.a, circuit.b} <= self.net.router.keys()
        return ends and not self.failed & {circuit.name, *circuit.risks}


@dataclass(frozen=True)
class Bill:
    """What is bought: members by circuit, candidates by name; its cost, and the least that the program allows."""

    members: Mapping[str, int]
    candidates: tuple[str, ...]
    cost: int
    least: int


@dataclass(frozen=True)
class Unserved:
    """No purchase serves this: so much, bit/s, from one router to another in a case."""

    case: str
    source: str
    target: str
    rate: int


@dataclass(frozen=True)
class Bar:
    """Not with just these candidates `built` out of those `among` which it matters."""

    built: frozenset[str]
    among: frozenset[str]


@dataclass(frozen=True)
class Terms:
    """What a purchase has to keep to: `least` is in it, and no bar is met.

    `floor` is capacity, bit/s, that circuits must have, candidates where they are built.
    """

    least: Bill = Bill({}, (), 0, 0)
    floor: Mapping[str, int] = field(default_factory=dict)
    bars: tuple[Bar, ...] = ()


def cost_of(net: Network, prices: Prices, members: Mapping[str, int], candidates: Collection[str]) -> int:
    """Return what members and candidates cost, thousandths of the unit."""
    found = sum(c.price for c in prices.candidates if c.circuit.name in candidates)
    for circuit in sellable(net, prices):
        found += members.get(circuit.name, 0) * (prices.of_member(circuit) or 0)
    return found


def sellable(net: Network, prices: Prices) -> list[Circuit]:
    """Return the circuits of a network and those that could be built, of which members are sold."""
    every = (*net.circuits, *(c.circuit for c in prices.candidates))
    return [circuit for circuit in every if prices.of_member(circuit) is not None]


def propose(net: Network, prices: Prices, use: int, cases: Sequence[Case], terms: Terms) -> Bill | Unserved | None:
    """Return the cheapest purchase on these terms; None where it is only bars that leave none.

    `use` bounds the load of every circuit in every case, ppm of its capacity.  Raises Missing without HiGHS.
    """
    program = _Program(net, prices, use, terms)
    for case in cases:
        program.add(case)
    return program.solved()


class _Program:
    """Rates in Gbit/s, prices as they are."""

    def __init__(self, net: Network, prices: Prices, use: int, terms: Terms) -> None:
        self.highspy = _highspy()
        self.net, self.prices, self.use, self.terms = net, prices, use / MILLION, terms
        with _silence():
            self.model = self.highspy.Highs()
        for option, value in (("output_flag", False), ("mip_rel_gap", GAP), ("threads", 1)):
            self.model.setOptionValue(option, value)
        self.built = {
            c.circuit.name: self.model.addVariable(
                int(c.circuit.name in terms.least.candidates), 1, c.price, self.highspy.HighsVarType.kInteger
            )
            for c in prices.candidates
        }
        self.members: dict[str, Any] = {}
        for circuit in sellable(net, prices):
            low = terms.least.members.get(circuit.name, 0)
            low = low if circuit.name in self.built else max(low, self._lacking(circuit))
            price = prices.of_member(circuit)
            self.members[circuit.name] = self.model.addIntegral(low, self.highspy.kHighsInf, price)
        self.unserved: dict[tuple[str, str, str], Any] = {}
        self.most = 0
        """The most traffic of any case, bit/s."""
        self.bars = [self._barred(bar) for bar in terms.bars]

    def _lacking(self, circuit: Circuit) -> int:
        """Members that its floor asks for on top."""
        return -(-max(self.terms.floor.get(circuit.name, 0) - circuit.capacity, 0) // circuit.member)

    def _barred(self, bar: Bar) -> Any:
        """One of those built is not, or another one is."""
        terms = [self.built[name] * (-1 if name in bar.built else 1) for name in sorted(bar.among)]
        return self.model.addConstr(self.highspy.Highs.qsum(terms) >= 1 - len(bar.built))

    def add(self, case: Case) -> None:
        """Add a state's flows."""
        self.most = max(self.most, sum(case.aimed.values()))
        circuits = [
            *case.net.circuits,
            *(c.circuit for c in self.prices.candidates if case.stands(c.circuit)),
        ]
        arcs = [(c, *ends) for c in circuits for ends in ((c.a, c.b), (c.b, c.a))]
        loads = [[] for _ in arcs]  # type: list[list[Any]]
        towards: dict[str, dict[str, int]] = defaultdict(dict)
        for (source, target), rate in sorted(case.aimed.items()):
            if source != target and rate:
                towards[target][source] = rate
        for target, sources in towards.items():
            flows = [self.model.addVariable(0) for _ in arcs]
            balance: dict[str, list[Any]] = defaultdict(list)
            for (_, tail, head), flow, load in zip(arcs, flows, loads, strict=True):
                balance[tail].append(flow)
                balance[head].append(-1 * flow)
                load.append(flow)
            for router in case.net.router:
                if router != target:
                    self._balanced(case, router, target, (balance[router], sources.get(router, 0)))
        for (circuit, _, _), load in zip(arcs, loads, strict=True):
            if load:
                self._fits(circuit, case, self.highspy.Highs.qsum(load))

    def _balanced(self, case: Case, router: str, target: str, what: tuple[list[Any], int]) -> None:
        terms, rate = what
        if rate:
            self.unserved[case.name, router, target] = left = self.model.addVariable(0, 0)
            terms = [*terms, left]
        if terms:
            self.model.addConstr(self.highspy.Highs.qsum(terms) == rate / GIG)

    def _fits(self, circuit: Circuit, case: Case, load: Any) -> None:
        capacity, member = self.use * circuit.capacity / GIG, self.use * circuit.member / GIG
        bought = [capacity * self.built[circuit.name]] if circuit.name in self.built else []
        bought += [member * self.members[circuit.name]] if circuit.name in self.members else []
        there = 0 if circuit.name in self.built else capacity
        self.model.addConstr(load - self.highspy.Highs.qsum(bought) <= there if bought else load <= there)

    def _grows(self, circuit: Circuit) -> None:
        """A candidate has its floor where it is built, and no members where it is not."""
        members, built, lacking = self.members[circuit.name], self.built[circuit.name], self._lacking(circuit)
        enough = math.ceil(self.most / (self.use * circuit.member))
        most = max(enough, lacking, self.terms.least.members.get(circuit.name, 0))
        self.model.addConstr(members - lacking * built >= 0)
        self.model.addConstr(members - most * built <= 0)

    def solved(self) -> Bill | Unserved | None:
        """Solve it; where there is no solution, the one that leaves least unserved says what cannot be."""
        if not self.model.getNumCol():  # nothing is to be served and nothing is sold: no program to solve
            return Bill({}, (), 0, 0)
        for candidate in self.prices.candidates:
            if candidate.circuit.name in self.members:
                self._grows(candidate.circuit)
        self.model.run()
        if self.model.getInfo().primal_solution_status != _FEASIBLE:
            return self._short()
        value = self.model.val
        built = tuple(name for name, v in self.built.items() if round(value(v)))
        members = {
            name: n
            for name, v in self.members.items()
            if (n := round(value(v))) and name in {*self.net.circuit, *built}
        }
        cost = cost_of(self.net, self.prices, members, built)
        bound = self.model.getInfo().mip_dual_bound
        return Bill(members, built, cost, min(cost, math.ceil(bound - 1e-6)) if self.members or self.built else 0)

    def _short(self) -> Unserved | None:
        for bar in self.bars:
            self.model.changeRowBounds(bar.index, -self.highspy.kHighsInf, self.highspy.kHighsInf)
        for variable in (*self.members.values(), *self.built.values()):
            self.model.changeColCost(variable.index, 0)
        for variable in self.unserved.values():
            self.model.changeColBounds(variable.index, 0, self.highspy.kHighsInf)
            self.model.changeColCost(variable.index, 1)
        self.model.run()
        left = [(-round(self.model.val(v) * GIG), key) for key, v in self.unserved.items()]
        rate, key = min(left, default=(0, ("", "", "")))
        if self.bars and -rate <= TOLERANCE:
            return None
        return Unserved(*key, -rate)


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Send what C code prints to standard output nowhere: HiGHS has a banner that no option takes away."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        ctypes.CDLL(None).fflush(None)
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def _highspy() -> ModuleType:
    try:
        return importlib.import_module("highspy")
    except ModuleNotFoundError:
        raise Missing("this needs highspy: pip install 'trunkline[lp]'") from None
