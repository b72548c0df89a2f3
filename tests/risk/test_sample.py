"""The sample is drawn from what is left and nothing else, and bounds are those of the inequality they come from."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import exp, log, prod

import pytest

from nets import circuit, network
from odds import failing
from trunkline.model.network import Network
from trunkline.risk.causes import Effects
from trunkline.risk.likely import by_falling_odds, joint, likely
from trunkline.risk.sample import CONFIDENCE, bounds, sample


def chain() -> Network:
    """Five circuits in a row, each with odds of its own."""
    net = network([circuit(a, b) for a, b in ("ab", "bc", "cd", "de", "ef")])
    return failing(net, ("a-b", "0.3"), ("b-c", "0.2"), ("c-d", "0.15"), ("d-e", "0.1"), ("e-f", "0.05"))


@pytest.mark.parametrize("budget", [1, 4, 9, 17])
def test_draws_have_the_probabilities_of_what_is_left(budget: int) -> None:
    """4,000 draws: each of the other effects within five standard deviations of its share of the remainder."""
    effects, number = Effects(chain()), 4000
    found = likely(effects, budget)
    drawn = sample(effects, found, number)
    counted = {effect for effect, _ in found.effects}
    left: dict[int, Fraction] = {}
    for subset in by_falling_odds(effects.causes):  # here every set of causes has an effect of its own
        if (effect := joint(effects, subset)) not in counted:
            left[effect] = prod((effects.causes[i].odds for i in subset), start=Fraction(1))
    assert len(left) == 32 - budget
    assert set(drawn) <= set(left)
    assert drawn.total() == number
    for effect, odds in left.items():
        share = float(odds / sum(left.values()))
        assert abs(drawn[effect] - number * share) <= 5 * (number * share * (1 - share)) ** 0.5 + 1


def test_where_nothing_is_left_nothing_is_drawn() -> None:
    effects = Effects(chain())
    assert sample(effects, likely(effects, 32), 10).total() == 0
    certain = Effects(failing(replace(chain(), circuits=())))
    assert sample(certain, likely(certain, 1), 10).total() == 0


@pytest.mark.parametrize(("number", "figures"), [(100, 1), (3000, 600)])
def test_bounds_of_a_sample_that_has_seen_nothing(number: int, figures: int) -> None:
    """The chance of n draws all without loss is (1 - q)^n: q is the largest for which that is no less than allowed."""
    low, high = bounds(0.0, number, figures)
    allowed = (1 - CONFIDENCE) / (2 * figures)
    assert low == 0
    assert high == pytest.approx(1 - exp(log(allowed) / number), rel=1e-9)
    assert bounds(1.0, number, figures)[0] == pytest.approx(1 - high, rel=1e-9)


def test_bounds_of_a_sample_in_between() -> None:
    """n (m ln(m/q) + (1-m) ln((1-m)/(1-q))) is ln(2 figures / 0.01) at both bounds."""
    for bound in bounds(0.2, 500, 3):
        entropy = 0.2 * log(0.2 / bound) + 0.8 * log(0.8 / (1 - bound))
        assert 500 * entropy == pytest.approx(log(600), rel=1e-9)


def test_no_sample_says_nothing() -> None:
    assert bounds(0.0, 0, 5) == (0.0, 1.0)
