"""Which failures are replayed, in which order, and when that is enough; by hand."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from nets import GIG, circuit, network
from traffic_nets import complete, demand
from trunkline.jobs import Workers
from trunkline.model.network import Network
from trunkline.model.nouns import Measure, Objective
from trunkline.model.prices import Prices
from trunkline.risk.examine import ENOUGH, Examiner, Judge
from trunkline.risk.fluid import Bill
from trunkline.risk.grow import Scope
from trunkline.risk.plan import NO_PLAN, Plan
from trunkline.risk.scenario import Kind, scenarios

USE = Objective("utilisation", Measure.UTILISATION, None, 900_000)
PRICES = Prices("kUSD", member=((60 * GIG, 7),))
SERVES = Plan(Bill({"a-c": 1, "c-b": 1}, (), 14, 0), {})


def triangle() -> Network:
    """a - b costs 1 and is 100G wide, a - c - b costs 10 and is 60G wide; 40G of gold from A to B."""
    links = [circuit("a", "b", 1), circuit("a", "c", 5, 60), circuit("c", "b", 5, 60)]
    net = complete(network(links), [], {"A": ["a"], "B": ["b"]}, [demand("A", "B", 40)])
    return replace(net, objectives=(USE,))


def judged(judge: Judge, plan: Plan, factor: int, enough: int = ENOUGH) -> tuple[int, list[str]]:
    failures = scenarios(plan.built(triangle(), PRICES), [Kind.CIRCUIT])
    found = judge.judge(plan, factor, failures, "", enough)
    return found.states, [r.scenario.name for r in found.reports]


def test_what_broke_something_goes_first_and_what_holds_is_proved_in_every_state() -> None:
    """80G fit a - b, but not the way round of 60G, 54G of which may be used: a - b fails, and 134G have to be there.

    Asked first about a plan that is too small, all four states are in one part; then a - b alone goes before the rest.
    With everything in order 120G are 120 % of a - b, and nothing else is asked.
    """
    with Workers(partial(Examiner, triangle(), PRICES, {})) as crew:
        judge = Judge(crew, Scope(), lambda _: None)
        assert judged(judge, NO_PLAN, 200) == (4, ["a-b"])
        assert judged(judge, NO_PLAN, 200) == (2, ["a-b"])
        assert judged(judge, SERVES, 200) == (4, [])
        assert judged(judge, NO_PLAN, 300) == (1, [""])


def test_a_suspect_is_asked_first_and_is_no_more_than_that() -> None:
    with Workers(partial(Examiner, triangle(), PRICES, {})) as crew:
        judge = Judge(crew, Scope(), lambda _: None)
        judge.suspect(["c-b", "gone"])
        assert judged(judge, NO_PLAN, 200) == (4, ["a-b"])
        assert judge.suspects == ["a-b", "c-b", "gone"]


def test_a_single_state_may_be_enough() -> None:
    """a - b is asked before c - b, which is suspected too: 80G do not fit the way round."""
    with Workers(partial(Examiner, triangle(), PRICES, {})) as crew:
        judge = Judge(crew, Scope(), lambda _: None)
        judge.suspect(["a-b", "c-b"])
        assert judged(judge, NO_PLAN, 200) == (3, ["a-b"])
        assert judged(judge, NO_PLAN, 200, 1) == (2, ["a-b"])


def test_a_survey_reports_every_state_and_what_each_uses() -> None:
    """80G at 90 % use are 88.9G: of a - b, and of the way round where that fails.  Of 80G, 60G get over a - c."""
    with Workers(partial(Examiner, triangle(), PRICES, {})) as crew:
        failures = scenarios(triangle(), [Kind.CIRCUIT])
        found = Judge(crew, Scope(), lambda _: None).survey(NO_PLAN, 200, failures, "")
    use = -(-800 * GIG // 9)  # rounded up
    assert [r.scenario.name for r in found] == ["", "a-b", "a-c", "c-b"]
    assert [len(r.broken) for r in found] == [0, 1, 0, 0]
    assert [r.used.circuits["a-b"] for r in found if "a-b" in r.used.circuits] == [use] * 3
    assert found[1].lacks.circuits == {"a-c": use, "c-b": -(-600 * GIG // 9)}
    assert found[0].aimed == {("a", "b"): 80 * GIG}


def test_what_is_broken_today_is_not_reported() -> None:
    today = {"a-b": frozenset({"utilisation"})}
    with Workers(partial(Examiner, triangle(), PRICES, today)) as crew:
        assert judged(Judge(crew, Scope(), lambda _: None), NO_PLAN, 200) == (4, [])
