"""What a plan can do without, by hand: what serves is a rule of the test, and so is what is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import pytest

from nets import GIG, circuit, network
from trunkline.model.prices import Candidate, Prices
from trunkline.risk import trim
from trunkline.risk.examine import ENOUGH, Judgement, Report
from trunkline.risk.fluid import Bill, cost_of
from trunkline.risk.needs import Bounds, Needs
from trunkline.risk.plan import NO_PLAN, Plan, Shop
from trunkline.risk.promises import Broken
from trunkline.risk.replay import NOTHING
from trunkline.risk.trim import trimmed

NET = network([circuit("a", "b", 1, 100), circuit("a", "c", 1, 60)])
NEW = Candidate(circuit("a", "d", 1, 60, "new"), 5)
PRICES = Prices("kUSD", member=((60 * GIG, 7), (100 * GIG, 10)), port=1, candidates=(NEW,))
FULL = Needs({"a-b": 10_000 * GIG, "a-c": 10_000 * GIG, "new": 10_000 * GIG}, {"p": 9})
FAILS = Report(NOTHING, (Broken("loss", "", ""),), Needs({}, {}), Needs({}, {}), {})


def plan(members: Mapping[str, int], *built: str, ports: int = 1) -> Plan:
    some = {name: n for name, n in members.items() if n}
    return Plan(Bill(some, built, cost_of(NET, PRICES, some, built), 0), {"p": ports} if ports > 1 else {})


@dataclass
class Rule:
    """Whether a plan serves, what is used where nothing is said, and what was tried."""

    serves: Callable[[Plan], bool]
    busy: Needs = FULL
    tried: list[Plan] = field(default_factory=list)

    def judged(self, what: Plan, why: str, enough: int) -> Judgement:
        assert enough == (ENOUGH if why.startswith("without") else 1)
        self.tried.append(what)
        ok = self.serves(what)
        return Judgement(9 if ok else 1, () if ok else (FAILS,), self.busy)

    def trim(self, what: Plan, before: Plan = NO_PLAN) -> Plan:
        shop = Shop(NET, PRICES, before, Bounds(1_000_000, None))
        found, states = trimmed(shop, what, Judgement(5, (), self.busy), self.judged)
        assert states == (9 if found != what else 5)
        return found


def test_the_dearer_half_goes_first_and_what_is_needed_stays() -> None:
    """Of 32 members of a - b five are needed, and none of a - c: 16, 8 and 2 may go, 4 of the 8 left may not."""
    rule = Rule(lambda p: p.bill.members.get("a-b", 0) >= 5)
    assert rule.trim(plan({"a-b": 32, "a-c": 1})) == plan({"a-b": 5})
    tried = [(p.bill.members.get("a-b", 0), p.bill.members.get("a-c", 0)) for p in rule.tried]
    assert tried == [(16, 1), (8, 1), (4, 1), (6, 1), (5, 1), (5, 0)]
    assert rule.tried[0].bill.cost == 16 * 10 + 7


def test_where_nothing_can_go_each_is_tried_in_halves() -> None:
    rule = Rule(lambda _: False)
    assert rule.trim(plan({"a-b": 4, "a-c": 1})) == plan({"a-b": 4, "a-c": 1})
    tried = [(p.bill.members.get("a-b", 0), p.bill.members.get("a-c", 0)) for p in rule.tried]
    assert tried == [(2, 1), (3, 1), (4, 0)]


def test_what_was_built_goes_after_its_members() -> None:
    """Two members and the circuit are three things: two go, then the one."""
    rule = Rule(lambda _: True)
    assert rule.trim(plan({"new": 2}, "new")) == NO_PLAN
    assert rule.tried == [plan({}, "new"), NO_PLAN]


def test_what_was_bought_before_stays() -> None:
    before = plan({"a-b": 3, "new": 1}, "new", ports=2)
    rule = Rule(lambda _: True)
    assert rule.trim(plan({"a-b": 4, "new": 1}, "new", ports=2), before) == before
    assert len(rule.tried) == 1


def test_what_lies_idle_goes_at_once() -> None:
    """170G of a - b are used: one more member of 100G; nothing of the new circuit, and one port of three."""
    rule = Rule(lambda p: p.bill.members.get("a-b", 0) == 1, Needs({"a-b": 170 * GIG}, {}))
    assert rule.trim(plan({"a-b": 4, "new": 2}, "new", ports=3)) == plan({"a-b": 1})
    assert rule.tried == [plan({"a-b": 1}), NO_PLAN]


def test_what_is_lacking_without_what_lies_idle_is_kept() -> None:
    """250G are lacking then, and two members more of a - b are tried next."""
    lacking = replace(FAILS, lacks=Needs({"a-b": 250 * GIG}, {}))
    rule = Rule(lambda p: p.bill.members.get("a-b", 0) >= 2, Needs({"a-b": 170 * GIG}, {}))

    def judged(what: Plan, why: str, enough: int) -> Judgement:
        found = rule.judged(what, why, enough)
        return replace(found, reports=(lacking,) if found.reports else ())

    shop = Shop(NET, PRICES, NO_PLAN, Bounds(1_000_000, None))
    found, states = trimmed(shop, plan({"a-b": 4}), Judgement(5, (), rule.busy), judged)
    assert (found, states) == (plan({"a-b": 2}), 9)
    assert [p.bill.members["a-b"] for p in rule.tried] == [1, 2, 1]


def test_it_ends_after_so_many_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trim, "TRIES", 2)
    rule = Rule(lambda _: True)
    assert rule.trim(plan({"a-b": 32})) == plan({"a-b": 8})
