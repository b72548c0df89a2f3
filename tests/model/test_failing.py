"""What fails on its own, and at which rate."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from nets import circuit, network, router
from trunkline.model.failing import Failing, failing_of
from trunkline.model.network import Network
from trunkline.model.nouns import Card
from trunkline.model.rates import DAY, DEFAULTS, Failures, OwnRate, Rates
from trunkline.risk.causes import Effects

KM = Fraction(1000, 4900)
"""Thousands of kilometres of 1 ms: 4.9 us a km."""
ONE = Fraction(1)


def found(net: Network, thing: str) -> list[tuple[str, Decimal, int, Fraction]]:
    """The kind, failures a year, repair and times of each cause of a thing."""
    return [(f.kind, f.rate.per_year, f.rate.repair, f.times) for f in failing_of(net) if f.thing == thing]


def with_rates(net: Network, rates: Rates) -> Network:
    return replace(net, failures=Failures(rates=rates))


def test_a_circuit_fails_by_its_fibre_and_by_its_ends() -> None:
    fibre, ends = DEFAULTS["fibre"], DEFAULTS["circuit"]
    assert found(network([circuit("a", "b")]), "a-b") == [
        ("fibre", fibre.per_year, fibre.repair, KM),
        ("circuit", ends.per_year, ends.repair, ONE),
    ]


def test_within_a_site_there_is_no_fibre() -> None:
    b = replace(router("b"), site="site-a")
    assert [kind for kind, *_ in found(network([circuit("a", "b")], [router("a"), b]), "a-b")] == ["circuit"]


def test_a_bundle_fails_by_its_fibre_and_by_each_member() -> None:
    net = network([replace(circuit("a", "b"), members=3)])
    assert [kind for kind, *_ in found(net, "a-b")] == ["fibre"]
    assert [kind for kind, *_ in found(net, "a-b:1")] == ["member"] * 3


def test_fibre_in_the_sea_by_a_risk() -> None:
    net = network([replace(circuit("a", "b"), risks=("cable",)), circuit("b", "c")])
    net = with_rates(net, Rates(submarine=frozenset({"cable"})))
    assert found(net, "a-b")[0] == ("submarine", Decimal("0.1"), 20 * DAY, KM)
    assert found(net, "b-c")[0][0] == "fibre"


def test_failures_of_a_named_circuit_are_all_of_it() -> None:
    net = with_rates(network([circuit("a", "b")]), Rates(named=(("a-b", OwnRate(Decimal(3))),)))
    assert found(net, "a-b") == [("fibre", Decimal(3), DEFAULTS["fibre"].repair, ONE)]


def test_a_repair_of_a_named_circuit_is_for_each_of_its_causes() -> None:
    net = with_rates(network([circuit("a", "b")]), Rates(named=(("a-b", OwnRate(repair=DAY)),)))
    assert [(kind, repair) for kind, _, repair, _ in found(net, "a-b")] == [("fibre", DAY), ("circuit", DAY)]


def test_regions_fail_only_where_the_file_says_so() -> None:
    net = network([circuit("a", "b")])
    assert found(net, "r1") == []
    net = with_rates(net, Rates(named=(("r1", OwnRate(Decimal("0.01"))),)))
    assert found(net, "r1") == [("region", Decimal("0.01"), DAY, ONE)]


def test_a_card_fails_by_itself() -> None:
    """Its only circuit is down with it, so as causes of what is down the two are one."""
    net = network([circuit("a", "b")], [replace(router("a"), cards=(Card("a/1", ("a-b",)),))])
    assert found(net, "a/1") == [("card", Decimal("0.1"), 4 * 3600, ONE)]
    assert [cause.name for cause in Effects(net).causes if cause.name in ("a-b", "a/1")] == ["a-b"]
    assert Effects(net).of("a/1") == Effects(net).of("a-b")


def test_odds() -> None:
    """0.2 failures a year of four hours: 0.8 hours down for 8,760 up."""
    assert Failing("router", "a", DEFAULTS["router"]).odds == Fraction("0.8") / 8760
