"""The small examples, every figure by hand.

Tiny:   a-dr1 --1-- a-bb1 ==short 10, 1 ms== b-bb1 --1-- b-dr1      LSPs customer 60G (2/2), internal 50G (5/5)
                          ==long 30, 3 ms ==       --1-- b-pr1      short and long carry 100G each
"""

from __future__ import annotations

from pathlib import Path

import pytest

from trunkline.flow import State, prove
from trunkline.model.event import Cut, Event, Reoptimize, Restore
from trunkline.model.load import load, load_events
from trunkline.model.network import Network
from trunkline.model.nouns import Family, Kind
from trunkline.te.result import Action, Unplaced

EXAMPLES = Path(__file__).parent.parent / "examples"
G = 10**9


def example(name: str) -> Network:
    return load(EXAMPLES / name).network


def path(state: State, lsp: str) -> list[str] | None:
    placed = next(p for p in state.placement.placed if p.lsp.id == lsp)
    return None if placed.path is None else [arc.circuit for arc in placed.path]


def load_of(state: State, arc: str) -> int:
    return next(int(r["load"] or 0) for r in state.records["circuits"] if r["arc"] == arc)


def test_tiny_cold() -> None:
    state = prove(example("tiny.yaml")).settled
    # The customer LSP is first by setup priority and takes `short` (1 + 10 + 1 = 12); 40G are left there, so the
    # internal one needs `long` (1 + 30 + 1 = 32).
    assert path(state, "a-dr1/customer") == ["a-bb1--a-dr1", "short", "b-bb1--b-dr1"]
    assert path(state, "a-dr1/internal") == ["a-bb1--a-dr1", "long", "b-bb1--b-dr1"]
    costs = {p.lsp.name: (p.cost, p.shortest) for p in state.placement.placed}
    assert costs == {"customer": (12, 12), "internal": (32, 12)}
    assert (load_of(state, "short@a-bb1"), load_of(state, "long@a-bb1")) == (60 * G, 50 * G)
    assert load_of(state, "b-bb1--b-dr1@b-bb1") == (60 + 50 + 10) * G
    latency = {d.demand.cls: d.latency_max for d in state.loads.deliveries if d.demand.source == "a-dc"}
    assert latency == {"customer": 10 + 1000 + 10, "internal": 10 + 3000 + 10}


def test_tiny_through_a_cut_and_back() -> None:
    history: list[Event] = [Cut(("short",)), Restore(("short",)), Reoptimize()]
    cold, cut, back, tuned = prove(example("tiny.yaml"), history).states
    # Cut: the customer LSP finds 50G free on `long` and takes the rest from the internal one, which then has 40G.
    assert path(cut, "a-dr1/customer") == ["a-bb1--a-dr1", "long", "b-bb1--b-dr1"]
    assert path(cut, "a-dr1/internal") is None
    lines = [(x.action, x.lsp, x.by, x.circuit) for x in cut.placement.log[len(cold.placement.log) :]]
    assert lines == [
        (Action.DOWN, "a-dr1/customer", "", ""),
        (Action.PREEMPTED, "a-dr1/internal", "a-dr1/customer", "long@a-bb1"),
        (Action.PLACED, "a-dr1/customer", "", ""),
        (Action.UNPLACED, "a-dr1/internal", "", ""),
    ]
    reason = next(p.reason for p in cut.placement.placed if p.lsp.name == "internal")
    assert reason is Unplaced.BANDWIDTH
    # The internal traffic falls back to the IGP, which also has only `long` left: 110G on 100G. By weight 70 : 30,
    # customers need 60G of their 70G and get them; 40G of 50G is what is left for internal traffic.
    lost = {d.demand.name: d.rate - d.delivered for d in cut.loads.deliveries if d.rate}
    assert lost == {"customer.a-dc.b-dc": 0, "internal.a-dc.b-dc": 10 * G, "customer.internet.b-dc": 0}
    # Restore: who waits gets the way that came back; who is placed stays where it is, until re-optimised.
    assert path(back, "a-dr1/internal") == ["a-bb1--a-dr1", "short", "b-bb1--b-dr1"]
    assert path(back, "a-dr1/customer") == ["a-bb1--a-dr1", "long", "b-bb1--b-dr1"]
    # 50G of 100G are free on `short`: the customer LSP needs 60G, and may take what an LSP of hold 5 has.
    assert path(tuned, "a-dr1/customer") == ["a-bb1--a-dr1", "short", "b-bb1--b-dr1"]
    assert path(tuned, "a-dr1/internal") == ["a-bb1--a-dr1", "long", "b-bb1--b-dr1"]


def test_tiny_reaches_the_internet_by_the_fallback_default_only() -> None:
    state = prove(example("tiny.yaml")).settled
    assert state.routes.best("a-dr1", "internet", Family.V4) is None
    found = state.routes.lookup("a-dr1", "internet", Family.V4)
    assert found is not None
    assert (found.best.route.kind, found.best.route.router) == (Kind.DEFAULT, "b-pr1")


def test_trap_a_path_through_another_region_leaks() -> None:
    # a-bb1 hears transit from a-pr1 alone; the way there costs 50 directly and 10 + 10 by b-pr1 of the other region.
    state = prove(example("traps/fib-leak.yaml")).settled
    assert state.routes.confined.holds
    leak = state.loads.confined
    assert not leak.holds
    assert (leak.router, leak.group, leak.path) == ("a-bb1", "internet", ("a-bb1", "b-pr1", "beta-transit@b-pr1"))
    assert [(x.router, x.aimed, x.instead) for x in state.loads.deflections] == [("b-pr1", "a-pr1", "b-pr1")]


def test_trap_seven_zero_priorities_do_nothing() -> None:
    found = load(EXAMPLES / "traps/seven-zero.yaml")
    assert [w.code for w in found.warnings] == ["priority-trap", "priority-trap"]
    state = prove(found.network).settled
    # a-dr1 is first in the race and its internal LSP takes `short`; 40G are left, and nothing may be preempted.
    assert path(state, "a-dr1/internal") == ["a-bb1--a-dr1", "short", "b-bb1--b-dr1"]
    assert path(state, "a-dr2/customer") == ["a-bb1--a-dr2", "long", "b-bb1--b-dr1"]
    assert not any(line.action is Action.PREEMPTED for line in state.placement.log)
    assert not prove(found.network).ok


@pytest.mark.parametrize(("fallback", "delivered"), [(False, 0), (True, 10 * G)])
def test_trap_a_region_that_loses_its_transit(fallback: bool, delivered: int, tmp_path: Path) -> None:
    text = (EXAMPLES / "traps/lost-transit.yaml").read_text()
    net_file = tmp_path / "net.yaml"
    net_file.write_text(text.replace("fallback_default: no", f"fallback_default: {'yes' if fallback else 'no'}"))
    net = load(net_file).network
    before, after = prove(net, load_events(EXAMPLES / "traps/lost-transit-cut.yaml", net)).states
    assert sum(d.delivered for d in before.loads.deliveries) == 10 * G
    assert sum(d.delivered for d in after.loads.deliveries) == delivered
    assert after.routes.stranded == (() if fallback else (("alpha", Family.V4), ("alpha", Family.V6)))
    if fallback:
        # The long way: a-dr1 to b-pr1 is one circuit of 8 ms.
        assert [d.latency_max for d in after.loads.deliveries if d.rate] == [8000]


def test_tenfold_breaks_the_promises_of_capacity_and_keeps_confinement() -> None:
    proof = prove(example("tenfold.yaml"))
    broken = {v.objective.name for v in proof.settled.objectives if not v.met}
    assert broken == {"commit", "loss", "placed", "shortest.customer", "utilisation"}
    one = prove(example("aurora.yaml")).settled
    offered = [sum(d.rate for d in state.loads.deliveries) for state in (one, proof.settled)]
    assert offered[1] == 10 * offered[0]
    # Customers lose a smaller part than internal traffic does: their weight is 70 of 100, and they are placed first.
    part = {
        cls: sum(d.rate - d.delivered for d in proof.settled.loads.deliveries if d.demand.cls == cls)
        / sum(d.rate for d in proof.settled.loads.deliveries if d.demand.cls == cls)
        for cls in ("customer", "internal")
    }
    assert part["customer"] < part["internal"] / 1.5
