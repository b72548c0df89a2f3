"""What additions gain, by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from nets import circuit, network, router
from odds import failing
from traffic_nets import complete, demand, peer
from trunkline.model.failing import failing_of
from trunkline.model.network import Network
from trunkline.model.nouns import Announcement, Circuit, Kind, Measure, Objective, Role
from trunkline.model.rates import Rates
from trunkline.risk.additions import additions, with_port, with_router
from trunkline.risk.availability import Interval, Work, available
from trunkline.risk.gain import Gain, gains

ALL = Work(100_000)
UP = Fraction(10, 11)
"""Odds of 0.1."""


def joined(*circuits: Circuit) -> Network:
    last = max(c.b for c in circuits)
    return complete(network(list(circuits)), [], {"A": ["a"], "B": [last]}, [demand("A", "B", 60)])


def gained(net: Network) -> dict[tuple[str, str], Gain]:
    return {(g.what, g.thing): g for g in gains(available(net, ALL), ALL)}


def test_another_circuit_in_series() -> None:
    """a-b and b-c must both be up: with two of the one, it is as two in parallel and one in series."""
    found = gained(failing(joined(circuit("a", "b"), circuit("b", "c")), circuit="0.1"))
    assert set(found) == {("circuit", "a-b"), ("circuit", "b-c")}
    after = UP * (1 - (1 - UP) ** 2)
    assert found["circuit", "a-b"] == Gain("circuit", "a-b", Interval(after, after), after - UP**2)


def test_a_risk_that_is_shared_no_more() -> None:
    """x stays in the duct (4/5), y leaves it: lost only while both are down."""
    x, y = (replace(circuit("a", "b", name=name), risks=("duct",)) for name in "xy")
    found = gained(failing(joined(x, y), ("duct", "0.25"), circuit="0.1"))
    after = 1 - (1 - Fraction(4, 5) * UP) * (1 - UP)
    assert found["diversity", "duct"].served == Interval(after, after)
    assert found["diversity", "duct"].gained == after - Fraction(4, 5) * (1 - (1 - UP) ** 2)


def test_another_router_on_the_only_way() -> None:
    """Only b between a and c fails: with one more beside it, both must be down."""
    found = gained(failing(joined(circuit("a", "b"), circuit("b", "c")), ("b", "0.1")))
    assert set(found) == {("router", "b")}
    after = 1 - (1 - UP) ** 2
    assert found["router", "b"] == Gain("router", "b", Interval(after, after), after - UP)


def test_only_what_an_objective_is_about_counts() -> None:
    """Gold goes A to B, bulk A to C; the objective is gold's, which another b-c does nothing for."""
    net = complete(
        network([circuit("a", "b"), circuit("b", "c")]),
        [],
        {"A": ["a"], "B": ["b"], "C": ["c"]},
        [demand("A", "B", 1), demand("A", "C", 1, "bulk")],
    )
    net = replace(net, objectives=(Objective("nines", Measure.AVAILABILITY, "gold", 10**9),))
    found = gained(failing(net, circuit="0.1"))
    assert found["circuit", "a-b"].gained == UP * (1 - UP)  # from UP to 1 - (1 - UP)^2
    assert found["circuit", "b-c"].gained == 0


def test_nothing_hurts_nothing_is_tried() -> None:
    assert gains(available(failing(joined(circuit("a", "b"))), ALL), ALL) == ()


def pops() -> Network:
    """Two PRs of one region; a transit has a port at the one, and announces there alone."""
    routers = [router("p", role=Role.PR), router("q", role=Role.PR)]
    isp = peer("isp", Kind.TRANSIT, ["p"], ["internet"])
    isp = replace(isp, announces=(Announcement("internet", (65001,), at=("isp@p",)),))
    return complete(network([circuit("p", "q")], routers), [isp], {"A": ["p"]}, [])


def test_another_port_is_at_another_router_first() -> None:
    net = with_port(pops(), pops().ports[0])
    assert [(p.name, p.router) for p in net.ports] == [("isp@p", "p"), ("isp@q", "q")]
    assert net.peers[0].announces[0].at == ("isp@p", "isp@q")
    again = with_port(net, net.ports[0])
    assert [p.name for p in again.ports] == ["isp@p", "isp@p#2", "isp@q"]


def test_another_router_has_all_that_the_one_has() -> None:
    net = with_router(pops(), "p")
    assert [(c.name, c.a, c.b) for c in net.circuits] == [("p-q", "p", "q"), ("p-q-new", "p-new", "q")]
    assert [p.name for p in net.ports] == ["isp@p", "isp@p-new"]
    assert net.datacenters[0].attach == ("p", "p-new")
    assert net.router["p-new"].loopback != net.router["p"].loopback


def test_a_name_that_is_taken_is_not_taken_again() -> None:
    taken = joined(circuit("a", "b"), circuit("a", "b", name="a-b-new"))
    (first, *_) = additions(taken, [("a-b",)])
    assert [c.name for c in first.net.circuits] == ["a-b", "a-b-new", "a-b-new-new"]


@pytest.mark.parametrize("wet", ["a-b", "cable"])
def test_beside_what_lies_in_the_sea_lies_more_of_it(wet: str) -> None:
    net = joined(replace(circuit("a", "b"), risks=("cable",)), replace(circuit("b", "c"), risks=("cable",)))
    net = replace(net, failures=replace(net.failures, rates=Rates(submarine=frozenset({wet}))))
    beside, apart = (a.net for a in additions(net, [("a-b",)]))
    assert [f.kind for f in failing_of(beside) if f.thing == "a-b-new"] == ["submarine", "circuit"]
    assert beside.circuit["a-b-new"].risks == ()
    laid = {f.thing: f.kind for f in failing_of(apart) if f.kind in ("fibre", "submarine")}
    assert laid == {"a-b": "submarine", "b-c": "submarine" if wet == "cable" else "fibre"}
    assert [c.risks for c in apart.circuits] == [("cable",), ()]
