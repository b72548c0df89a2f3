"""The likeliest joint failures and their probabilities: by hand, and by going through every set of causes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nets import circuit, network
from odds import failing
from traffic_worlds import seeds, world
from trunkline.model.failing import failing_of
from trunkline.model.network import Network
from trunkline.risk.scenario import Kind, Scenario, scenarios

Left = tuple[tuple[str, ...], ...]


def ring() -> Network:
    """a, b, c in a ring; each circuit has odds of 0.1, router a 0.01; so 1.1^3 x 1.01 is everything."""
    net = network([circuit("a", "b"), circuit("b", "c"), circuit("a", "c")])
    return failing(net, ("a", "0.01"), circuit="0.1")


def test_by_hand() -> None:
    """Everything weighs 1.1^3 x 1.01 = 1.34431.

    Two circuits weigh 0.1^2, all three 0.1^3; a with b-c weighs 0.01 x 0.1 x 1.1^2 (a's own two circuits either way).
    a-b weighs 0.1, and a alone 0.01 x 1.1^2.  A second circuit of a's with a is a alone, and no joint failure.
    """
    found = {s.name: s for s in scenarios(ring(), (Kind.CIRCUIT, Kind.ROUTER), likeliest=9)}
    joint = {name: s.probability for name, s in found.items() if s.kind is Kind.LIKELY}
    everything = Fraction("1.34431")
    assert joint == {
        **dict.fromkeys(("a-b,a-c", "a-b,b-c", "a-c,b-c"), round(10**9 * Fraction("0.01") / everything)),
        "a-b,a-c,b-c": round(10**9 * Fraction("0.001") / everything),
        "a,b-c": round(10**9 * Fraction("0.00121") / everything),
    }
    assert found["a-b"].probability == round(10**9 * Fraction("0.1") / everything)
    assert found["a"].probability == round(10**9 * Fraction("0.0121") / everything)
    assert found["b"].probability is None  # nothing lets b fail


def test_no_more_than_asked_and_a_pair_among_them_is_one_of_them() -> None:
    found = scenarios(ring(), (), Kind.CIRCUIT, likeliest=2)
    assert [(s.name, s.kind) for s in found] == [
        ("a-c,b-c", Kind.PAIR), ("a-b,a-c", Kind.LIKELY), ("a-b,b-c", Kind.LIKELY)
    ]  # fmt: skip
    assert scenarios(ring(), (), only=["a,b-c"], likeliest=9) == (Scenario("a,b-c", Kind.LIKELY, ("a", "b-c")),)


def left(net: Network, things: Iterable[str]) -> Left:
    """What is up: a bundle's name with its members."""
    now = net.without(*set(things))
    up = (f"{c.name} {c.members}" for c in now.circuits)
    return tuple(r.name for r in now.routers), tuple(up), tuple(p.name for p in now.ports)


def brute(net: Network) -> tuple[dict[Left, Fraction], set[Left]]:
    """The probability of each thing that can be left, over every set of causes; and what at most one cause leaves."""
    causes = failing_of(net)
    found, alone = defaultdict[Left, Fraction](Fraction), set()
    for size in range(len(causes) + 1):
        for down in combinations(causes, size):
            now = left(net, (cause.thing for cause in down))
            found[now] += prod((cause.odds for cause in down), start=Fraction(1))
            alone |= {now} if size < 2 else set()
    everything = prod((1 + cause.odds for cause in causes), start=Fraction(1))
    return {now: weight / everything for now, weight in found.items()}, alone


@given(seeds, st.integers(1, 12))
def test_the_likeliest_are_those_of_every_set_of_causes(seed: int, most: int) -> None:
    net, _ = world(seed)
    first, second, *others = net.circuits
    duct = {c.name: replace(c, risks=("duct",)) for c in (first, second)}
    net = replace(net, circuits=tuple(duct.get(c.name, c) for c in net.circuits))
    names = (net.ports[0].name, "duct", others[0].name, first.name, net.routers[0].name, net.routers[1].name)
    net = failing(net, *zip(names, ("0.05", "0.01", "0.02", "0.03", "0.001", "0.0005"), strict=True))
    truth, alone = brute(net)
    several = {now: share for now, share in truth.items() if now not in alone and now[0]}
    found = [s for s in scenarios(net, (), likeliest=most) if s.kind is Kind.LIKELY]
    assert len(found) == min(most, len(several))
    ppb = [s.probability or 0 for s in found]
    assert ppb == [round(several[left(net, s.things)] * 10**9) for s in found]
    best = sorted((round(share * 10**9) for share in several.values()), reverse=True)
    assert sorted(ppb, reverse=True) == best[: len(ppb)]


@pytest.mark.parametrize("members", [2, 3])
def test_members_of_a_bundle_that_fail_one_by_one(members: int) -> None:
    """Two of n members down: n (n - 1) / 2 x 0.1^2 of 1.1^n; one down is a member alone, and no joint failure."""
    net = failing(network([replace(circuit("a", "b"), members=members)]), member="0.1")
    (found,) = scenarios(net, (), likeliest=1)
    weight = Fraction(members * (members - 1), 200) / Fraction("1.1") ** members
    assert found.things == (("a-b:2",) if members > 2 else ("a-b",))
    assert found.probability == round(weight * 10**9)
