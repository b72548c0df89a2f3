"""Objectives: each measure on rows written by hand, its worst case and its bound."""

from __future__ import annotations

import pytest

from trunkline.model.network import Network
from trunkline.model.nouns import Measure, Objective
from trunkline.model.tables import Cell, Column, Table
from trunkline.verdict import Records, Verdict, judge, warnings

ROWS: Records = {
    "circuits": [
        {"arc": "x@a", "capacity": 100, "load": 81, "load.gold": 50},
        {"arc": "y@b", "capacity": 3, "load": 2, "load.gold": 2},
    ],
    "demands": [
        {"demand": "d1", "class": "gold", "rate": 1_000_000, "lost": 0, "gone": 0, "latency_max": 9000},
        {"demand": "d2", "class": "bulk", "rate": 500_000, "lost": 1, "gone": 0, "latency_max": 30000},
        {"demand": "d3", "class": "bulk", "rate": 0, "lost": 0, "gone": 0, "latency_max": None},
    ],
    "lsps": [
        {
            "head": "a",
            "name": "1",
            "class": "gold",
            "state": "up",
            "wanted": 5,
            "reserved": 5,
            "cost": 7,
            "shortest": 7,
        },
        {
            "head": "a",
            "name": "2",
            "class": "bulk",
            "state": "up",
            "wanted": 9,
            "reserved": 5,
            "cost": 8,
            "shortest": 7,
        },
        {
            "head": "b",
            "name": "1",
            "class": "bulk",
            "state": "down",
            "wanted": 0,
            "reserved": 0,
            "cost": None,
            "shortest": 7,
        },
        {  # its head or tail is down: it counts for nothing
            "head": "c",
            "name": "1",
            "class": "gold",
            "state": "gone",
            "wanted": 5,
            "reserved": 0,
            "cost": None,
            "shortest": None,
        },
    ],
    "ports": [
        {"port": "p@a", "commit": 10, "in": 4, "out": 11},
        {"port": "q@a", "commit": None, "in": 400, "out": 0},
    ],
}


def tables(rows: Records) -> dict[str, Table]:
    """The same rows as tables."""
    columns = {name: tuple(Column(column, "") for column in found[0]) for name, found in rows.items()}
    return {name: Table(columns[name], tuple(tuple(row.values()) for row in found)) for name, found in rows.items()}


@pytest.mark.parametrize(
    ("measure", "cls", "limit", "value", "worst", "met"),
    [
        (Measure.UTILISATION, None, 810_000, 810_000, "x@a", True),  # 81 / 100
        (Measure.UTILISATION, "gold", 600_000, 666_667, "y@b", False),  # 2 / 3, rounded up
        (Measure.LOSS, None, 0, 1, "d2", False),  # 1 of 1,500,000: a loss is never rounded away
        (Measure.LOSS, "gold", 0, 0, "", True),
        (Measure.LATENCY, None, 30_000, 30_000, "d2", True),
        (Measure.LATENCY, "gold", 8_999, 9_000, "d1", False),
        (Measure.PLACED, None, 1_000_000, 333_333, "a/2", False),  # a/2 is smaller than it wants, b/1 is down
        (Measure.SHORTEST, "gold", 1_000_000, 1_000_000, "", True),
        (Measure.SHORTEST, "bulk", 1, 0, "a/2", False),
        (Measure.COMMIT, None, 1_000_000, 1_100_000, "p@a", False),  # the busier direction: 11 / 10
        (Measure.UTILISATION, None, 809_999, 810_000, "x@a", False),
        (Measure.LATENCY, "absent", 1, None, "", True),  # nothing to measure breaks nothing
    ],
)
def test_each_measure(measure: Measure, cls: str | None, limit: int, value: int | None, worst: str, met: bool) -> None:
    (verdict,) = judge([Objective("o", measure, cls, limit)], tables(ROWS), [])
    assert (verdict.value, verdict.worst, verdict.met) == (value, worst, met)


@pytest.mark.parametrize(
    ("measure", "limit", "value", "met", "text"),
    [
        (Measure.PLACED, 1_000_000, 999_999, False, "99.9999 % (at least 100.0000 %)"),
        (Measure.LOSS, 0, 1, False, "0.0001 % (at most 0.0000 %)"),
        (Measure.LATENCY, 120_000, 120_001, False, "120001 us (at most 120000 us)"),
        (Measure.LATENCY, 120_000, 119_999, True, "120 ms (at most 120 ms)"),
        (Measure.UTILISATION, 900_000, 1_234_567, False, "123.5 % (at most 90.0 %)"),
    ],
)
def test_what_breaks_a_bound_is_never_shown_as_the_bound(
    measure: Measure, limit: int, value: int, met: bool, text: str
) -> None:
    assert Verdict(Objective("o", measure, None, limit), value, "", met).text == text


def test_latency_of_what_does_not_arrive_is_nothing_to_measure() -> None:
    lost: Records = {
        "demands": [{"demand": "d", "class": "gold", "rate": 5, "lost": 5, "gone": 0, "latency_max": None}]
    }
    (verdict,) = judge([Objective("o", Measure.LATENCY, None, 9)], tables(lost), [])
    assert (verdict.value, verdict.worst, verdict.met) == (None, "", True)


def test_a_demand_with_an_end_down_is_no_loss_of_the_network() -> None:
    rows: Records = {
        "demands": [
            {"demand": "d1", "class": "gold", "rate": 600, "lost": 0, "gone": 600},
            {"demand": "d2", "class": "gold", "rate": 400, "lost": 100, "gone": 0},
        ]
    }
    (verdict,) = judge([Objective("o", Measure.LOSS, None, 0)], tables(rows), [])
    assert (verdict.value, verdict.worst) == (250_000, "d2")  # 100 of the 400 that any network could carry


def test_confinement_names_the_proof_that_is_broken() -> None:
    confined = Objective("c", Measure.CONFINED, None, 1_000_000)
    (broken,) = judge([confined], tables(ROWS), [("over the routes", True), ("over the FIBs", False)])
    assert (broken.met, broken.worst, broken.text) == (False, "over the FIBs", "does not hold")
    (holds,) = judge([confined], tables(ROWS), [("over the routes", True), ("over the FIBs", True)])
    assert holds.met
    assert holds.text == "holds"


def test_an_lsp_that_carries_more_than_it_reserves_is_named() -> None:
    # Of two parallel LSPs of 50G one is down and the other carries both shares; one bit is the remainder of a split.
    lsps: list[dict[str, Cell]] = [
        {"head": "a", "name": "1", "reserved": 50 * 10**9},
        {"head": "a", "name": "2", "reserved": 0},
        {"head": "b", "name": "1", "reserved": 7 * 10**9},
    ]
    loads: list[dict[str, Cell]] = [{"lsp": "a/1", "load": 83 * 10**9}, {"lsp": "b/1", "load": 7 * 10**9 + 1}]
    nothing: Records = {name: [] for name in ("demands", "elephants", "loops", "fallback", "settling", "deflections")}
    (said,) = warnings(Network(), {**nothing, "lsps": lsps, "lsp_loads": loads})
    assert (said.code, said.message) == (
        "overrun",
        "1 LSP carries more than reserved, 33G in all; most of all a/1 carries 83G and reserves 50G",
    )


def test_availability_is_not_to_be_told_from_one_state() -> None:
    (verdict,) = judge([Objective("nines", Measure.AVAILABILITY, None, 999_990_000)], tables(ROWS), [])
    assert (verdict.met, verdict.word, verdict.value) == (True, "-", None)
    assert verdict.text == "judged by `trunkline availability`"
