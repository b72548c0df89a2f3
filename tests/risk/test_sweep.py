"""A sweep says what `prove` says of the same events, and what can be computed by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from nets import GIG, circuit, network
from traffic_nets import complete, demand
from traffic_worlds import seeds, world
from trunkline.flow import State, settle
from trunkline.model.event import Cut, Event, Reoptimize, after
from trunkline.model.load import load
from trunkline.model.network import Network
from trunkline.model.nouns import Condition, Lsp, Measure, Objective
from trunkline.model.rates import Failures
from trunkline.model.tables import Cell
from trunkline.risk.impact import AFTER, REOPTIMISED, Rows
from trunkline.risk.scenario import Kind, Scenario, scenarios
from trunkline.risk.sweep import chunks, sweep
from trunkline.te.place import place

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
Row = Mapping[str, Cell]


def swept(net: Network, wanted: tuple[Scenario, ...], workers: int = 1) -> dict[str, list[dict[str, Cell]]]:
    """The records of a sweep, by table."""
    rows = Rows.joined(list(sweep(net, chunks(wanted), workers)))
    return {name: found.records() for name, found in rows.tables(net).items()}


def of(rows: list[dict[str, Cell]], scenario: str, state: str) -> list[dict[str, Cell]]:
    return [row for row in rows if (row["scenario"], row["state"]) == (scenario, state)]


def replay(net: Network, history: list[Event]) -> list[State]:
    """What `prove` says of a history, every stage of every state computed from nothing but RSVP-TE's own past."""
    states, condition = [settle(net, Condition())], Condition()
    for event in history:
        condition = after(condition, event)
        cold = settle(net, condition)
        placement = place(net, cold.net, cold.reach, cold.flows, event, states[-1].placement)
        states.append(State(event, cold.net, cold.reach, cold.routes, cold.flows, placement))
    return states


def check(net: Network, wanted: tuple[Scenario, ...]) -> None:
    """Hold every row of a sweep against the tables of a full replay of the same events."""
    found = swept(net, wanted)
    for scenario in wanted:
        out: list[Event] = [Cut((scenario.during,))] if scenario.during else []
        states = replay(net, [*out, Cut(scenario.things), Reoptimize()])
        for name, state in zip((AFTER, REOPTIMISED), states[-2:], strict=True):
            (row,) = of(found["scenarios"], scenario.name, name)
            _check_scenario(row, states[-3], state)
            loads = {(r["arc"], r["load"], r["utilisation"]) for r in of(found["loads"], scenario.name, name)}
            circuits = state.records["circuits"]
            assert loads == {(r["arc"], r["load"], r["utilisation"]) for r in circuits if r["load"]}
            _check_demands(of(found["demands_hit"], scenario.name, name), states[-3], state)
            _check_lsps(of(found["lsps_hit"], scenario.name, name), states[-3], state)


def _check_scenario(row: Row, before: State, state: State) -> None:
    lost = Counter[str]()
    for r in state.records["demands"]:
        lost[str(r["class"])] += int(r["lost"] or 0)
    assert row["lost"] == lost.total()
    assert {c.name: row[f"lost.{c.name}"] for c in state.net.classes} == {
        c.name: lost[c.name] for c in state.net.classes
    }
    assert row["ok"] == state.ok
    assert [w for w in str(row["broken"]).split() if w[0] != "("] == [
        v.objective.name for v in state.objectives if not v.met
    ]
    assert row["confined"] == (state.routes.confined.holds and state.loads.confined.holds)
    for what, table in (("circuit", "circuits"), ("port", "ports")):
        hottest = max((int(r["utilisation"] or 0) for r in state.records[table]), default=0)
        key = "arc" if what == "circuit" else "port"
        first = min((str(r[key]) for r in state.records[table] if r["utilisation"] == hottest), default=None)
        assert (row[what], row[f"{what}_utilisation"]) == (first if hottest else None, hottest)
    cut_off = sorted(set(state.routes.stranded) - set(before.routes.stranded))
    assert row["cut_off"] == " ".join(f"{region}/{family}" for region, family in cut_off)


def _check_demands(rows: list[dict[str, Cell]], before: State, state: State) -> None:
    key = ("demand", "family")
    was = {tuple(r[k] for k in key): r["latency_max"] for r in before.records["demands"]}
    expected = {
        (*(r[k] for k in key), r["lost"], r["reason"], r["where"], r["latency_max"], r["gone"])
        for r in state.records["demands"]
        if r["lost"] or r["gone"] or r["latency_max"] != was[tuple(r[k] for k in key)]
    }
    assert {tuple(r[k] for k in (*key, "lost", "reason", "where", "latency", "gone")) for r in rows} == expected


def _check_lsps(rows: list[dict[str, Cell]], before: State, state: State) -> None:
    was = {(r["head"], r["name"]): r["path"] for r in before.records["lsps"]}
    expected: set[tuple[Cell, ...]] = {
        (f"{r['head']}/{r['name']}", "moved" if r["state"] == "up" else "unplaced", r["path"])
        for r in state.records["lsps"]
        if r["path"] != was[r["head"], r["name"]] and r["state"] != "gone"
    }
    expected |= {
        (r["lsp"], "displaced", None)
        for r in state.records["displacements"][len(before.records["displacements"]) :]
        if r["action"] == "preempted"
    }
    assert {(r["lsp"], r["what"], r["path"]) for r in rows} == expected


@given(seeds)
@settings(max_examples=25)
def test_every_failure_of_random_worlds_is_what_a_full_replay_says(seed: int) -> None:
    net, placed = world(seed)
    lsps = tuple(sorted((replace(p.lsp, bandwidth=None) for p in placed), key=lambda p: (p.head, p.name)))
    goals = (Objective("loss", Measure.LOSS, None, 0), Objective("placed", Measure.PLACED, None, 10**6))
    bundles = tuple(replace(c, members=2) for c in net.circuits)
    net = replace(net, lsps=lsps, objectives=goals, circuits=bundles, failures=Failures((), (net.circuits[0].name,)))
    check(net, scenarios(net, pairs=Kind.CIRCUIT)[:: 1 + seed % 5])


@pytest.mark.parametrize("name", ["tiny", "policy"])
def test_every_failure_of_the_examples_is_what_a_full_replay_says(name: str) -> None:
    net = load(EXAMPLES / f"{name}.yaml").network
    check(net, scenarios(net))


def test_some_failures_of_aurora_are_what_a_full_replay_says() -> None:
    net = load(EXAMPLES / "aurora.yaml").network
    check(net, scenarios(net, only=["atlantic-north", "nyc-bb1", "uk", "meridian"]))


def ring() -> Network:
    """A triangle a, b, c of 10 Gbit/s; 8 Gbit/s of gold from A (at a) to B (at b) ride one LSP over a-b."""
    net = network([circuit("a", "b", gbps=10), circuit("a", "c", gbps=10), circuit("b", "c", gbps=10)])
    net = complete(net, [], {"A": ["a"], "B": ["b"]}, [demand("A", "B", 8)])
    lsp = Lsp("a", "one", "b", "gold", 3, 3, None)
    return replace(net, lsps=(lsp,), objectives=(Objective("loss", Measure.LOSS, None, 0),))


def test_a_cut_circuit_by_hand() -> None:
    """Without a-b the LSP goes by c: 8 of 10 Gbit/s there, and 2 ms instead of 1 ms."""
    found = swept(ring(), scenarios(ring(), (Kind.CIRCUIT,)))
    (row,) = of(found["scenarios"], "a-b", AFTER)
    assert (row["ok"], row["lost"], row["moved"], row["circuit"]) == (True, 0, 1, "a-c@a")
    assert (row["circuit_utilisation"], row["slowed"], row["slowed_by"]) == (800_000, "A>B.gold/v4", 1000)
    (lsp,) = of(found["lsps_hit"], "a-b", AFTER)
    assert (lsp["lsp"], lsp["what"], lsp["path"]) == ("a/one", "moved", "a-c@a b-c@c")


def test_a_lost_member_by_hand() -> None:
    """A bundle of two has room for 5 of the 8 Gbit/s with one: the LSP is signalled again, by c."""
    net = ring()
    net = replace(net, circuits=tuple(replace(c, members=2) if c.name == "a-b" else c for c in net.circuits))
    found = swept(net, scenarios(net, (Kind.MEMBER,)))
    (row,) = of(found["scenarios"], "a-b:1", AFTER)
    assert (row["ok"], row["lost"], row["moved"], row["circuit"]) == (True, 0, 1, "a-c@a")
    (lsp,) = of(found["lsps_hit"], "a-b:1", AFTER)
    assert (lsp["what"], lsp["path"]) == ("moved", "a-c@a b-c@c")


def test_a_lost_member_of_an_igp_circuit_by_hand() -> None:
    """Without LSPs the 8 Gbit/s stay on a-b, the shortest way, whose one member carries 5: 3 are lost."""
    net = replace(ring(), lsps=())
    net = replace(net, circuits=tuple(replace(c, members=2) if c.name == "a-b" else c for c in net.circuits))
    (row,) = of(swept(net, scenarios(net, (Kind.MEMBER,)))["scenarios"], "a-b:1", AFTER)
    assert (row["ok"], row["broken"], row["lost"], row["moved"]) == (False, "loss", 3 * GIG, 0)
    assert (row["circuit"], row["circuit_utilisation"]) == ("a-b@a", 1_600_000)


def test_a_failure_during_maintenance_by_hand() -> None:
    """With a-c out for maintenance, the loss of a-b leaves no way: all 8 Gbit/s are lost and the LSP has no path."""
    net = replace(ring(), failures=Failures((), ("a-c",)))
    found = swept(net, scenarios(net, (Kind.CIRCUIT, Kind.MAINTENANCE)))
    (row,) = of(found["scenarios"], "a-c+a-b", AFTER)
    assert (row["lost"], row["unplaced"], row["moved"]) == (8 * GIG, 1, 0)
    (row,) = of(found["scenarios"], "a-c+b-c", AFTER)
    assert (row["lost"], row["unplaced"], row["moved"]) == (0, 0, 0)


def test_workers_change_nothing() -> None:
    net = load(EXAMPLES / "tiny.yaml").network
    wanted = scenarios(net, pairs=Kind.CIRCUIT)
    wanted = tuple(wanted[i % len(wanted)] for i in range(40))
    assert list(sweep(net, chunks(wanted), 1)) == list(sweep(net, chunks(wanted), 2))


def test_whoever_a_smaller_bundle_has_no_room_for_goes_by_hand() -> None:
    """Of 10 Gbit/s held on a-b (3 at hold 2, 4 and 3 at hold 5) 5 are left: 5 must go, the worst hold first.

    3 and 4 Gbit/s of hold 5 go, neither alone is enough; 3 of hold 2 stays.  Both find 10 Gbit/s by c.
    """
    net = ring()
    lsps = tuple(
        Lsp("a", name, "b", "gold", hold, hold, size * GIG)
        for name, hold, size in (("x", 2, 3), ("y", 5, 4), ("z", 5, 3))
    )
    circuits = tuple(replace(c, members=2) if c.name == "a-b" else c for c in net.circuits)
    net = replace(net, lsps=lsps, circuits=circuits)
    rows = of(swept(net, scenarios(net, (Kind.MEMBER,)))["lsps_hit"], "a-b:1", AFTER)
    assert [(r["lsp"], r["what"], r["path"]) for r in rows] == [
        ("a/y", "moved", "a-c@a b-c@c"),
        ("a/z", "moved", "a-c@a b-c@c"),
    ]
