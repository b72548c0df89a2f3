"""What is lost before the network has settled again, by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from nets import GIG, circuit, network
from odds import failing
from traffic_nets import complete, demand
from trunkline.model.network import Network
from trunkline.model.nouns import Family
from trunkline.risk.availability import Tally
from trunkline.risk.causes import Effects
from trunkline.risk.impact import AFTER, BYPASSED, Rows
from trunkline.risk.sweep import Sweep
from trunkline.risk.transient import Bypassed, Transient, transients

SECOND = 10**6
A_TO_B = ("demand", "A>B.gold", "v4")
PART = ("A>B.gold", Family.V4)


def parallel(members: int = 1) -> Network:
    """60G over two equal circuits, half on each; a failure is detected in 0.1 s and over 0.4 s later."""
    x, y = (replace(circuit("a", "b", name=name), members=members) for name in "xy")
    return complete(network([x, y]), [], {"A": ["a"], "B": ["b"]}, [demand("A", "B", 60)])


def lost(net: Network, bypassed: Bypassed) -> Transient:
    return transients(Effects(net), Sweep(net).before("")[1], bypassed)[A_TO_B]


def test_what_a_circuit_carried_is_lost_until_the_network_has_settled() -> None:
    """Each fails 876 times a year, and takes 30G for 0.5 s."""
    found = lost(failing(parallel(), circuit="0.1"), {})
    assert found == Transient(Fraction(2 * 876), Fraction(2 * 876 * SECOND // 2 * 30 * GIG))


def test_on_bypass_only_what_the_rows_say_is_lost() -> None:
    """x: 30G for 0.1 s, then 6G for 0.4 s on bypass; y: 30G for 0.5 s, having no such row."""
    found = lost(failing(parallel(), circuit="0.1"), {("x",): {PART: 6 * GIG}})
    of_x, of_y = 3 * GIG * SECOND + 6 * GIG * SECOND * 4 // 10, 15 * GIG * SECOND
    assert found == Transient(Fraction(2 * 876), Fraction(876 * (of_x + of_y)))


def test_a_member_has_its_share_of_the_bundle() -> None:
    """Four members of two bundles each, 7.5G on each of the eight."""
    found = lost(failing(parallel(4), member="0.1"), {})
    assert found == Transient(Fraction(8 * 876), Fraction(8 * 876 * SECOND // 2 * 7500 * (GIG // 1000)))


def test_a_router_takes_all_that_goes_through_it_once() -> None:
    """All 60G start at a and end at b; nothing counts twice though it crosses two circuits there."""
    found = lost(failing(parallel(), router="0.1"), {})
    assert found == Transient(Fraction(2 * 876), Fraction(2 * 876 * SECOND // 2 * 60 * GIG))


def test_rows_on_bypass_are_kept_of_what_one_cause_does() -> None:
    """Of x+y, which two causes do, no such row is needed; a state without rows of demands loses nothing."""
    tally = Tally(parallel(), {"x": 3, "y": 3, "x+y": 1}, {"x": ("x",), "y": ("y",)})
    scenarios = tuple((name, state, "set") for name in ("x", "y", "x+y") for state in (BYPASSED, AFTER))
    row = (*PART, "gold", 6 * GIG, "congestion", "y@a", None, None)
    tally.add(Rows(scenarios, (("x", BYPASSED, *row), ("x+y", BYPASSED, *row), ("x+y", AFTER, *row)), (), ()))
    assert tally.bypassed == {("x",): {PART: 6 * GIG}, ("y",): {}}
    assert (tally.costs[A_TO_B].down, tally.costs[A_TO_B].lost) == (1, 6 * GIG)
