"""Aurora tells the story it was written for: customers keep the short way, internal traffic yields, by priority."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from trunkline.flow import Proof, State, prove
from trunkline.model.load import load, load_events
from trunkline.model.network import Network
from trunkline.model.nouns import Kind
from trunkline.te.result import Action, Placed

EXAMPLES = Path(__file__).parent.parent / "examples"
EVENTS = ("aurora-cut.yaml", "aurora-surge.yaml")


@cache
def aurora() -> Network:
    return load(EXAMPLES / "aurora.yaml").network


@cache
def after(events: str) -> Proof:
    return prove(aurora(), load_events(EXAMPLES / events, aurora()))


def by_class(state: State, cls: str) -> dict[str, Placed]:
    return {p.lsp.id: p for p in state.placement.placed if p.lsp.cls == cls}


def sites(placed: Placed) -> list[str]:
    """The sites a path visits, each once: planes and parallel circuits between two sites count as one way."""
    routers = [placed.lsp.head, *(arc.head for arc in placed.path or ())]
    return list(dict.fromkeys(aurora().router[r].site for r in routers))


def displaced(proof: Proof) -> set[str]:
    lines = proof.settled.placement.log[len(proof.states[-2].placement.log) :]
    return {line.lsp for line in lines if line.action is Action.PREEMPTED}


def test_its_size_is_what_it_says() -> None:
    net = aurora()
    edge = {s.name for s in net.sites} - {d.site for d in net.datacenters}
    counts = len(net.regions), len(net.routers), edge, [p.kind for p in net.peers].count(Kind.TRANSIT)
    assert counts == (6, 40, {"nyc", "ams"}, 3)
    assert [p.kind for p in net.peers].count(Kind.PEERING) == 6
    assert {c.capacity for c in net.circuits if c.risks} <= {n * 10**9 for n in (100, 200, 400, 800)}


def test_it_plans_cleanly() -> None:
    proof = prove(aurora())
    assert proof.ok
    state = proof.settled
    assert state.warnings == ()
    assert [p.lsp.id for p in state.placement.placed if p.path is None or p.reserved != p.wanted] == []
    assert all(d.delivered == d.rate for d in state.loads.deliveries)


@pytest.mark.parametrize("events", EVENTS)
def test_an_event_displaces_internal_lsps_only(events: str) -> None:
    gone = displaced(after(events))
    assert gone
    assert {aurora_class(name) for name in gone} == {"internal"}


def aurora_class(lsp: str) -> str:
    return next(x.cls for x in aurora().lsps if x.id == lsp)


@pytest.mark.parametrize("events", EVENTS)
def test_customer_traffic_moves_nowhere(events: str) -> None:
    proof = after(events)
    before, now = by_class(proof.states[-2], "customer"), by_class(proof.settled, "customer")
    assert [name for name in now if sites(now[name]) != sites(before[name])] == []
    assert [name for name in now if now[name].cost != now[name].shortest] == []
    late = [{(d.demand.name, d.family): d.latency_max for d in s.loads.deliveries if d.demand.cls == "customer"}
            for s in (proof.states[-2], proof.settled)]  # fmt: skip
    assert late[0] == late[1]
    assert all(d.delivered == d.rate for d in proof.settled.loads.deliveries if d.demand.cls == "customer")


def test_a_surge_re_sizes_customer_lsps_where_they_are() -> None:
    proof = after("aurora-surge.yaml")
    before, now = by_class(proof.states[-2], "customer"), by_class(proof.settled, "customer")
    assert {n: p.cost for n, p in now.items()} == {n: p.cost for n, p in before.items()}
    was, is_ = (sum(p.reserved for p in lsps.values()) for lsps in (before, now))
    assert 1.59 < is_ / was < 1.61  # the surge is 1.6; each demand rounds on its own


@pytest.mark.parametrize("events", EVENTS)
def test_internal_traffic_moves_to_longer_paths(events: str) -> None:
    proof = after(events)
    before, now = by_class(proof.states[-2], "internal"), by_class(proof.settled, "internal")
    longer = [n for n in displaced(proof) if (now[n].cost or 0) > (before[n].cost or 0)]
    assert longer
    assert sum(p.cost or 0 for p in now.values()) > sum(p.cost or 0 for p in before.values())


def test_without_priorities_customers_suffer_too() -> None:
    flat = replace(aurora(), lsps=tuple(replace(x, setup=4, hold=4) for x in aurora().lsps))
    events = load_events(EXAMPLES / "aurora-cut.yaml", aurora())
    with_, without = after("aurora-cut.yaml").settled, prove(flat, events).settled

    def off(state: State, cls: str) -> int:
        return sum(p.cost != p.shortest for p in by_class(state, cls).values())

    assert off(with_, "customer") == 0 < off(without, "customer")
    assert off(with_, "internal") > off(without, "internal")
    assert not any(line.action is Action.PREEMPTED for line in without.placement.log)
