"""The lists of the worst, from rows made by hand."""

from __future__ import annotations

from dataclasses import replace

from nets import network, router
from traffic_nets import BULK, GOLD
from trunkline.model.network import Network
from trunkline.risk.impact import AFTER, BYPASSED, REOPTIMISED, Row, Rows
from trunkline.risk.worst import Worst


def net() -> Network:
    return replace(network([], [router("a")]), classes=(BULK, GOLD))


def scenario(name: str, kind: str, gold: int, bulk: int, use: int, state: str = AFTER) -> Row:
    """A row of `scenarios`: what breaks is the loss, where there is any."""
    lost = gold + bulk
    broken = "loss" if lost else ""
    return (
        name,
        state,
        kind,
        not lost,
        broken,
        lost,
        0,
        0,
        0,
        "x@a",
        use,
        None,
        0,
        "",
        "",
        True,
        None,
        0,
        0,
        None,
        bulk,
        gold,
    )


def test_scenarios_by_the_first_class_then_all_loss_then_the_hottest_circuit() -> None:
    """Gold is queued strictly, so its loss counts first: 1 of gold before 9 of bulk; then 9 before 2; then by heat."""
    worst = Worst(net())
    rows = [
        scenario("cool", "circuit", 0, 0, 10),
        scenario("hot", "circuit", 0, 0, 99),
        scenario("bulk-2", "circuit", 0, 2, 50),
        scenario("bulk-9", "risk", 0, 9, 50),
        scenario("gold-1", "pair", 1, 0, 50),
        scenario("gold-1", "pair", 0, 0, 50, REOPTIMISED),
    ]
    worst.add(Rows(tuple(rows), (), (), ()))
    found = worst.tables()
    assert [r["scenario"] for r in found["scenarios_worst"].records()] == ["gold-1", "bulk-9", "bulk-2", "hot", "cool"]
    assert found["classes_worst"].rows == (
        ("bulk", AFTER, 1, "bulk-9", 9),
        ("bulk", AFTER, 2, "bulk-2", 2),
        ("gold", AFTER, 1, "gold-1", 1),
    )
    assert (worst.first, worst.broken[AFTER], worst.broken[REOPTIMISED], worst.broken_singles) == ("gold", 3, 0, 2)


def test_ten_failures_of_a_circuit_whatever_the_chunks() -> None:
    """Of 25 failures the ten hottest, equal ones by name; rows that come in another order give the same list."""
    loads = [(f"f{n:02}", AFTER, "x@a", n // 2, n // 2) for n in range(25)]
    expected = ["f24", "f22", "f23", "f20", "f21", "f18", "f19", "f16", "f17", "f14"]
    for order in (loads, loads[::-1]):
        worst = Worst(net())
        for start in range(0, 25, 7):
            worst.add(Rows((), (), (), tuple(order[start : start + 7])))
        rows = worst.tables()["circuits_worst"].records()
        assert [r["scenario"] for r in rows] == expected
        assert [r["rank"] for r in rows] == list(range(1, 11))


def test_demands_by_loss_then_latency_and_only_what_hurts() -> None:
    def hit(name: str, lost: int, added: int | None) -> Row:
        return (name, AFTER, "d", "v4", "gold", lost, "congestion" if lost else None, None, 1, added, 0)

    worst = Worst(net())
    worst.add(Rows((), (hit("slow", 0, 7), hit("quick", 0, -7), hit("gone", 5, None), hit("both", 5, 1)), (), ()))
    assert [r["scenario"] for r in worst.tables()["demands_worst"].records()] == ["both", "gone", "slow"]


def test_what_is_lost_while_bypassed_has_lists_of_its_own() -> None:
    """Ranks are within a state; x loses 9 of bulk at once and 2 once settled, y 3 of gold and then nothing."""
    worst = Worst(net())
    x = scenario("x", "circuit", 0, 9, 10, BYPASSED), scenario("x", "circuit", 0, 2, 10)
    y = scenario("y", "circuit", 3, 0, 99, BYPASSED), scenario("y", "circuit", 0, 0, 50)
    loads = [("x", BYPASSED, "x@a", 7, 7), ("x", AFTER, "x@a", 5, 5), ("y", BYPASSED, "x@a", 8, 8)]
    demands = [(name, state, "d", "v4", "bulk", lost, None, None, 1, 0, 0) for name, state, lost in HIT]
    worst.add(Rows((*x, *y), tuple(demands), (), tuple(loads)))
    found = worst.tables()
    rows = found["scenarios_worst"].records()
    assert [(r["state"], r["rank"], r["scenario"], r["lost"], r["lost_after"]) for r in rows] == [
        (AFTER, 1, "x", 2, 2),
        (AFTER, 2, "y", 0, 0),
        (BYPASSED, 1, "y", 3, 0),
        (BYPASSED, 2, "x", 9, 2),
    ]
    assert found["classes_worst"].rows == (
        ("bulk", AFTER, 1, "x", 2),
        ("bulk", BYPASSED, 1, "x", 9),
        ("gold", BYPASSED, 1, "y", 3),
    )
    assert found["circuits_worst"].rows == (
        ("x@a", AFTER, 1, "x", 5, 5),
        ("x@a", BYPASSED, 1, "y", 8, 8),
        ("x@a", BYPASSED, 2, "x", 7, 7),
    )
    assert [row[3:7] for row in found["demands_worst"].rows] == [(AFTER, 1, "x", 2), (BYPASSED, 1, "x", 9)]
    assert (worst.kinds, worst.broken_singles) == ({"circuit": 2}, 1)


HIT = (("x", BYPASSED, 9), ("x", AFTER, 2), ("x", REOPTIMISED, 1))
