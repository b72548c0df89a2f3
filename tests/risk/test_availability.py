"""Availability of systems that are reckoned by hand, and of small networks by going through every set of failures."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nets import circuit, network
from odds import failing
from traffic_nets import complete, demand
from traffic_worlds import seeds, world
from trunkline.flow import settle
from trunkline.model.failing import failing_of
from trunkline.model.network import Network
from trunkline.model.nouns import Circuit, Condition, Measure, Objective
from trunkline.risk.availability import Availability, Interval, Verdict, Work, available, here
from trunkline.risk.causes import Effects
from trunkline.risk.likely import by_falling_odds, likely

EVERYTHING = Work(100_000)
UP = Fraction(10, 11)
"""Odds of 0.1: up for 10 of 11 hours."""


def joined(*circuits: Circuit, gbps: int = 60) -> Network:
    """Data centres A at a and B at the last router by name, and a demand of A to B of so much."""
    last = max(c.b for c in circuits)
    return complete(network(list(circuits)), [], {"A": ["a"], "B": [last]}, [demand("A", "B", gbps)])


def served(found: Availability) -> Interval:
    return found.served(("demand", "A>B.gold", "v4"))


def exactly(value: Fraction) -> Interval:
    return Interval(value, value)


def test_one_circuit_in_series_with_two_in_parallel() -> None:
    """b-c must be up, and one of the two a-b: each carries all of it."""
    net = joined(circuit("a", "b", name="x"), circuit("a", "b", name="y"), circuit("b", "c"))
    found = available(failing(net, circuit="0.1"), EVERYTHING)
    assert found.remainder == 0
    assert served(found) == exactly(UP * (1 - (1 - UP) ** 2))


def test_half_of_it_through_one_of_two() -> None:
    """Two circuits of 40G for 60G: served in full while both are up (100/121), 40 of 60 through one (20/121)."""
    net = joined(circuit("a", "b", gbps=40, name="x"), circuit("a", "b", gbps=40, name="y"))
    found = available(failing(net, circuit="0.1"), EVERYTHING)
    assert served(found) == exactly(Fraction(100, 121))
    whole = Fraction(100, 121) + Fraction(20, 121) * Fraction(2, 3)
    assert found.delivered(("demand", "A>B.gold", "v4"), 60 * 10**9) == exactly(whole)


def test_a_shared_risk_is_a_cause_of_its_own() -> None:
    """Both circuits are in one duct: the duct is up, and one of the two is."""
    x, y = (replace(circuit("a", "b", name=name), risks=("duct",)) for name in "xy")
    found = available(failing(joined(x, y), ("duct", "0.25"), circuit="0.1"), EVERYTHING)
    assert served(found) == exactly(Fraction(4, 5) * (1 - (1 - UP) ** 2))


def test_a_bundle_needs_enough_of_its_members() -> None:
    """Three members of 20G each, 40G wanted: two of the three must be up."""
    bundle = replace(circuit("a", "b", gbps=60), members=3)
    found = available(failing(joined(bundle, gbps=40), member="0.1"), EVERYTHING)
    assert served(found) == exactly(UP**3 + 3 * UP**2 * (1 - UP))
    assert list(found.tally.weights) == ["(nothing)", "a-b:1", "a-b:2", "a-b"]


def test_what_has_the_same_effect_is_looked_at_once() -> None:
    """At each of two sites there is one router: site and router are one cause, and the circuit goes with either."""
    net = failing(joined(circuit("a", "b")), circuit="0.1", router="0.1", site="0.1")
    found = available(net, EVERYTHING)
    assert len(Effects(net).causes) == 3
    assert sorted(found.tally.weights) == ["(nothing)", "a", "a,b", "a-b", "b"]
    assert served(found) == exactly(UP**5)


def test_the_odds_are_rate_times_repair() -> None:
    """A circuit of 1 ms is 1,000,000 / 4,900 km long; 2.73 cuts a year of 12 h per 1,000 km; its ends 0.266 of 2 h."""
    (fibre, ends) = (one for one in failing_of(joined(circuit("a", "b"))) if one.thing == "a-b")
    assert fibre.odds == Fraction("2.73") * Fraction(1000, 4900) * 12 / 8760
    assert ends.odds == Fraction("0.266") * 2 / 8760


def brute(net: Network) -> dict[tuple[str, str], Fraction]:
    """The probability that each part of a demand is served in full, over every set of things that fail, from cold."""
    causes = failing_of(net)
    total: dict[tuple[str, str], Fraction] = {}
    for size in range(len(causes) + 1):
        for down in combinations(range(len(causes)), size):
            share = prod(
                (c.odds if i in down else Fraction(1)) / (1 + c.odds) for i, c in enumerate(causes)
            )  # fmt: skip
            state = settle(net, Condition(down=frozenset(causes[i].thing for i in down)))
            for d in state.loads.deliveries:
                key = d.demand.name, str(d.family)
                total[key] = total.get(key, Fraction(0)) + (share if not d.missing else 0)
    return total


def hit(seed: int, most: int = 6) -> Network:
    """A small network in which some circuits, a router, a port and a duct of two circuits fail."""
    net, _ = world(seed)
    first, second, *others = net.circuits
    duct = {c.name: replace(c, risks=("duct",)) for c in (first, second)}
    net = replace(net, circuits=tuple(duct.get(c.name, c) for c in net.circuits))
    names = [net.ports[0].name, "duct", others[0].name, first.name, net.routers[0].name, net.routers[1].name]
    odds = ("0.05", "0.01", "0.02", "0.03", "0.001", "0.0005")
    return failing(net, *zip(names[:most], odds, strict=False))


@settings(max_examples=12)
@given(seeds)
def test_everything_looked_at_is_brute_force(seed: int) -> None:
    net = hit(seed)
    found, truth = available(net, EVERYTHING), brute(net)
    assert found.remainder == 0
    assert {g[1:]: found.served(g) for g, _ in found.groups("demand")} == {
        key: exactly(share) for key, share in truth.items()
    }


@settings(max_examples=8)
@given(seeds, st.integers(1, 20))
def test_the_truth_is_in_the_interval_of_any_budget(seed: int, budget: int) -> None:
    net = hit(seed)
    truth, widths = brute(net), []
    for work in (Work(budget), Work(budget + 5), Work(budget, 20)):
        found = available(net, work)
        for group, _ in found.groups("demand"):
            interval = found.served(group)
            assert interval.low <= truth[group[1], group[2]] <= interval.high
        widths.append(found.remainder)
    assert widths[0] >= widths[1]


def test_sets_come_in_order_of_probability_each_once() -> None:
    causes = Effects(hit(3)).causes
    odds = [prod((causes[i].odds for i in subset), start=Fraction(1)) for subset in by_falling_odds(causes)]
    assert odds == sorted(odds, reverse=True)
    assert len(set(by_falling_odds(causes))) == 2 ** len(causes) == len(odds)


def test_weights_add_up_to_everything() -> None:
    found = likely(Effects(hit(5)), 10_000)
    assert sum(weight for _, weight in found.effects) == found.total
    few = likely(Effects(hit(5)), 3)
    assert few.effects == found.effects[:3]
    assert few.more(few.remainder - found.effects[3][1]) == 1
    assert few.more(few.remainder - found.effects[3][1] - 1) == 2


def objective(net: Network, limit: int) -> Network:
    return replace(net, objectives=(Objective("nines", Measure.AVAILABILITY, "gold", limit),))


@pytest.mark.parametrize(
    ("limit", "budget", "verdict"),
    [
        (900_000_000, 3, Verdict.MET),  # 0.9917 by hand, of which 120/121 is there with nothing down or one circuit
        (995_000_000, 4, Verdict.BROKEN),
        (991_735_538, 1, Verdict.UNDECIDED),
    ],
)
def test_verdicts(limit: int, budget: int, verdict: Verdict) -> None:
    """Two circuits in parallel, up 10 of 11 hours each: 120 / 121 = 0.99173553..."""
    net = objective(joined(circuit("a", "b", name="x"), circuit("a", "b", name="y")), limit)
    (judged,) = available(failing(net, circuit="0.1"), Work(budget)).verdicts
    assert (judged.verdict, judged.worst) == (verdict, "A>B.gold v4")


def test_how_many_more_would_decide() -> None:
    """With nothing down 100/121 is sure; each circuit alone is 10/121; 0.9 needs one more, 0.98 two."""
    parallel = joined(circuit("a", "b", name="x"), circuit("a", "b", name="y"))
    for limit, more in ((900_000_000, 1), (980_000_000, 2)):
        (judged,) = available(failing(objective(parallel, limit), circuit="0.1"), Work(1)).verdicts
        assert (judged.verdict, judged.more) == (Verdict.UNDECIDED, more)


def test_nothing_to_measure_is_met() -> None:
    net = replace(objective(joined(circuit("a", "b")), 10**9), demands=())
    (judged,) = available(failing(net, circuit="0.1"), EVERYTHING).verdicts
    assert (judged.verdict, judged.found) == (Verdict.MET, None)


def test_workers_and_samples_change_nothing() -> None:
    net = hit(7)
    one, two = (available(net, Work(12, 10, here(workers))) for workers in (1, 2))
    for group, rate in one.groups("demand"):
        assert one.served(group) == two.served(group)
        assert one.delivered(group, rate) == two.delivered(group, rate)
    assert one.tally.hurt == two.tally.hurt


def test_weights_of_many_causes_are_rounded_towards_the_remainder() -> None:
    """A chain of 60 bundles of two: more bits than are kept.  Up with nothing down: the product of 1 / (1 + odds)."""
    net = joined(*(replace(circuit(f"n{i:02}", f"n{i + 1:02}"), members=2) for i in range(60)), gbps=60)
    net = failing(replace(net, datacenters=(), demands=()), member="0.0123456789", router="0.0001234567")
    found, causes = likely(Effects(net), 50), Effects(net).causes
    assert found.total.bit_length() <= 1025 < prod(c.odds.denominator for c in causes).bit_length()
    exact = prod((1 / (1 + c.odds) for c in causes), start=Fraction(1))
    kept = Fraction(dict(found.effects)[0], found.total)
    assert exact * (1 - Fraction(1, 2**900)) < kept <= exact
