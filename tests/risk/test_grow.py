"""How far traffic grows before a promise breaks, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nets import GIG, circuit, network, router
from traffic_nets import complete, demand
from trunkline.model.network import Network
from trunkline.model.nouns import MILLION, Circuit, Demand, Measure, Objective
from trunkline.model.rates import Failures
from trunkline.risk import grow
from trunkline.risk.grow import First, Scope, growth
from trunkline.risk.scenario import Kind, scenarios

USE = Objective("utilisation", Measure.UTILISATION, None, 900_000)
LOSS = Objective("loss", Measure.LOSS, None, 0)


def triangle(*objectives: Objective) -> Network:
    """a - b costs 1 and is 100G wide, a - c - b costs 10 and is 60G wide; 30G of gold and 10G of bulk from A to B."""
    links = [circuit("a", "b", 1), circuit("a", "c", 5, 60), circuit("c", "b", 5, 60)]
    wanted = [demand("A", "B", 30), demand("A", "B", 10, "bulk"), demand("C", "B", 6)]
    net = network(links, [router("c", "west")])
    homes = {"A": ["a"], "B": ["b"], "C": ["c"]}
    return replace(complete(net, [], homes, wanted), objectives=objectives)


def said(first: First | None) -> tuple[int, int | None, str | None, str | None]:
    assert first is not None
    return first.factor, first.beyond, first.failure, first.promise.name if first.promise else None


def test_without_failures_and_with_them() -> None:
    """In order, a - b has 40G: 90G are 2.25 times that.  Without it, c - b has 46G of 60G: 54G are 1.173 times that."""
    net = triangle(USE)
    found = growth(net, Scope(), scenarios(net, [Kind.CIRCUIT]), 1000)
    assert said(found.calm) == (225, 226, "", "utilisation")
    assert said(found.failing) == (117, 118, "a-b", "utilisation")
    assert (found.calm.states, found.failing and found.failing.states, found.broken_today) == (1, 4, 0)


def test_a_class_and_a_region() -> None:
    """Gold alone: 30x + 10 <= 90 in order; without a - b, 36x + 10 <= 54.  West is c: 40 + 6x <= 54 without a - b."""
    net = triangle(USE)
    failures = scenarios(net, [Kind.CIRCUIT])
    gold = growth(net, Scope("gold"), failures, 1000)
    assert (said(gold.calm)[:2], said(gold.failing)[:2]) == ((266, 267), (122, 123))
    west = growth(net, Scope(region="west"), failures, 1000)
    assert (said(west.calm)[:2], said(west.failing)[:2]) == ((900, 901), (233, 234))


def test_a_promise_that_is_broken_today_counts_for_nothing() -> None:
    """Without a - b, 46G of 60G break 70 % already; loss begins at 1.304.  In order, 70G are 1.75 times 40G."""
    net = triangle(replace(USE, limit=700_000), LOSS)
    found = growth(net, Scope(), scenarios(net, [Kind.CIRCUIT]), 1000)
    assert found.broken_today == 1
    assert said(found.calm) == (175, 176, "", "utilisation")
    assert said(found.failing) == (130, 131, "a-b", "loss")


def test_a_failure_during_maintenance_finds_less_left() -> None:
    """Three circuits of 60G share 40G: 120G where one has failed, 60G, 1.5 times that, where another one is out."""
    net = complete(
        network([circuit("a", "b", gbps=60, name=name) for name in "pqr"]),
        *([], {"A": ["a"], "B": ["b"]}, [demand("A", "B", 40)]),
    )
    net = replace(net, objectives=(LOSS,), failures=Failures(maintenance=("r",)))
    failures = scenarios(net, [Kind.CIRCUIT, Kind.MAINTENANCE])
    assert said(growth(net, Scope(), failures[:3], 1000).failing) == (300, 301, "p", "loss")
    assert said(growth(net, Scope(), failures, 1000).failing) == (150, 151, "r+p", "loss")


def test_nothing_breaks_up_to_the_bound() -> None:
    net = triangle(USE)
    found = growth(net, Scope(), (), 200)
    assert (said(found.calm), found.failing) == ((200, None, None, None), None)


def test_a_failure_that_is_not_hot_today_is_found_by_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two failures alone are asked while the factor is looked for, and two others are hotter than x - y.

    Each d_i - e_i carries 50G of 100G and has a spare way of 100G; x - y carries 10G and has one of 12G.
    """
    monkeypatch.setattr(grow, "SUSPECTS", 2)
    links, wanted, homes = list[Circuit](), list[Demand](), dict[str, list[str]]()
    for i in range(3):
        a, b, over = f"d{i:02}", f"e{i:02}", f"f{i:02}"
        links += [circuit(a, b, 1), circuit(a, over, 5), circuit(over, b, 5)]
        homes |= {a.upper(): [a], b.upper(): [b]}
        wanted.append(demand(a.upper(), b.upper(), 50))
    links += [circuit("x", "y", 1), circuit("x", "z", 5, 12), circuit("z", "y", 5, 12)]
    homes |= {"X": ["x"], "Y": ["y"]}
    net = replace(complete(network(links), [], homes, [*wanted, demand("X", "Y", 5)]), objectives=(USE,))
    found = growth(net, Scope(), [s for s in scenarios(net, [Kind.CIRCUIT]) if "f" not in s.name], 1000)
    assert said(found.calm) == (180, 181, "", "utilisation"), "50G of 100G"
    assert said(found.failing)[:2] == (180, 181), "12G is 2.4 times 5G: not before"
    tighter = replace(net, circuits=tuple(replace(c, capacity=8 * GIG) if c.name == "x-z" else c for c in net.circuits))
    found = growth(tighter, Scope(), [s for s in scenarios(net, [Kind.CIRCUIT]) if "f" not in s.name], 1000)
    assert said(found.failing) == (144, 145, "x-y", "utilisation"), "90 % of 8G are 7.2G"


def test_rates_are_rounded_half_up() -> None:
    net = triangle()
    one = replace(net, demands=(replace(net.demands[0], rate=3),))
    assert [d.rate for d in Scope().grown(one, 1_500_000).demands] == [5], "4.5"
    assert Scope("nobody").grown(one, 2 * MILLION) == one


def test_workers_change_nothing() -> None:
    net = triangle(USE, LOSS)
    failures = scenarios(net)
    assert growth(net, Scope(), failures, 1000, 2) == growth(net, Scope(), failures, 1000)
