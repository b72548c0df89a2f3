"""The moment after a failure: by hand, and share by share through random worlds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings

from nets import GIG, circuit, network
from traffic_nets import complete, demand, loaded, outcome, peer
from traffic_worlds import seeds, world
from trunkline.demand.flows import Flow
from trunkline.demand.reason import Reason
from trunkline.flow import State, settle
from trunkline.igp.solve import Arc
from trunkline.model.network import Network
from trunkline.model.nouns import MILLION, Condition, Kind, Lsp
from trunkline.model.protection import Guard, Protection
from trunkline.model.rates import Failures
from trunkline.risk.bypassed import Bypassed, bypassed
from trunkline.risk.impact import AFTER, BYPASSED
from trunkline.risk.scenario import EVERY, scenarios
from trunkline.risk.sweep import Sweep, chunks, sweep
from trunkline.traffic.fib import Way


def ladder(guard: Guard = Guard.LINK, standby: str = "none") -> Network:
    """a - b - c on top, d - e - f below, rungs between.  60G of gold ride an LSP over the top, A to C.

    10G of bulk go d - e - f without one.  d-e has 50G, everything else 100G.
    """
    top = [circuit("a", "b", 1), circuit("b", "c", 1)]
    below = [circuit("d", "e", 1, 50), circuit("e", "f", 1)]
    net = network([*top, *below, circuit("a", "d", 3), circuit("b", "e", 3), circuit("c", "f", 3)])
    homes = {"A": ["a"], "C": ["c"], "D": ["d"], "F": ["f"]}
    net = complete(net, [], homes, [demand("A", "C", 60), demand("D", "F", 10, "bulk")])
    lsp = Lsp("a", "x", "c", "gold", 3, 3, 60 * GIG, standby=standby)
    return replace(net, lsps=(lsp,), protection=Protection(guard))


def after(net: Network, *things: str) -> Bypassed:
    return bypassed(settle(net, Condition()), things)


def lost(state: State, name: str = "A>C.gold") -> list[tuple[str, str, int]]:
    return [(str(r.name), where, rate // GIG) for r, where, rate in outcome(state.loads, name).lost]


def test_a_bypass_of_no_bandwidth_overloads_a_circuit() -> None:
    """Around a-b: a d e b.  d-e has 50G for 60G of gold, which is strict, and 10G of bulk: 10 lost of each."""
    state = after(ladder(), "a-b")
    assert loaded(state.loads) == {"a-d@a": 60, "d-e@d": 70, "b-e@e": 50, "b-c@b": 50}
    assert lost(state) == [("CONGESTION", "d-e@d", 10)]
    assert lost(state, "D>F.bulk") == [("CONGESTION", "d-e@d", 10)]
    assert outcome(state.loads, "A>C.gold").latency_max == 4000, "a d e b c"
    ((_, now, what),) = state.cut()
    assert (what, [b.name for b in now.bypasses]) == ("on bypass", ["a-b@a>b.1"])


def test_without_protection_all_is_lost_until_it_is_signalled_again() -> None:
    state = after(ladder(Guard.NONE), "b-c")
    assert lost(state) == [("LSP_CUT", "b-c@b", 60)]
    assert loaded(state.loads) == {"a-b@a": 60, "d-e@d": 10, "e-f@e": 10}, "what is lost at b has come there"


def test_a_router_fails_under_a_link_bypass_and_under_a_node_bypass() -> None:
    assert lost(after(ladder(), "b")) == [("LSP_CUT", "a-b@a", 60)], "the bypass ends at the router that has failed"
    state = after(ladder(Guard.NODE), "b")
    assert lost(state) == [("CONGESTION", "d-e@d", 10)]
    assert loaded(state.loads)["c-f@f"] == 50, "a d e f c"


def test_no_bypass_saves_what_ends_or_begins_at_the_router() -> None:
    assert lost(after(ladder(Guard.NODE), "c")) == [("LSP_CUT", "b-c@b", 60)]
    assert lost(after(ladder(Guard.NODE), "a")) == [("START_DOWN", "a", 60)]


def test_what_was_lost_before_is_gone_with_the_router_that_it_goes_to() -> None:
    """Gold from router a to b has no LSP, and no other way it may take: once b has failed, nobody could serve it.

    All of it is lost to us before, none after.
    """
    net = complete(network([circuit("a", "b"), circuit("b", "c")]), [], {}, [demand("a", "b", 10)])
    net = replace(net, classes=tuple(replace(cls, fallback=("drop",)) for cls in net.classes))
    then, now = settle(net, Condition()), after(net, "b")
    assert [state.loads.charged.total() for state in (then, now)] == [10 * GIG, 0]
    assert outcome(now.loads, "a>b.gold").gone == 10 * GIG


def test_two_failures_two_bypasses_and_a_bypass_that_fails_too() -> None:
    """With 200G on d-e: a d e b, then b e f c; b-e is crossed both ways."""
    wide = ladder()
    wide = replace(
        wide, circuits=tuple(replace(c, capacity=200 * GIG) if c.name == "d-e" else c for c in wide.circuits)
    )
    state = after(wide, "a-b", "b-c")
    assert lost(state) == []
    assert {k: v for k, v in loaded(state.loads).items() if "b-e" in k} == {"b-e@e": 60, "b-e@b": 60}
    assert lost(after(wide, "a-b", "b-e")) == [("LSP_CUT", "a-b@a", 60)]


def test_a_standby_goes_before_a_bypass_while_it_is_whole() -> None:
    """b-c fails: the bypass would be b e f c, the standby is a d e f c from the head-end on."""
    state = after(ladder(standby="unreserved"), "b-c")
    assert loaded(state.loads) == {"a-d@a": 60, "d-e@d": 70, "e-f@e": 50, "c-f@f": 50}
    assert [what for _, _, what in state.cut()] == ["on standby"]
    state = after(ladder(standby="unreserved"), "b-c", "d-e")
    assert [what for _, _, what in state.cut()] == ["on bypass"]
    assert loaded(state.loads) == {"a-b@a": 60, "b-e@b": 60, "e-f@e": 60, "c-f@f": 60}


def square() -> Network:
    """a to d by b and by c, at the same cost; 60G of gold without LSPs."""
    net = network([circuit("a", "b"), circuit("a", "c"), circuit("b", "d"), circuit("c", "d")])
    return complete(net, [], {"A": ["a"], "D": ["d"]}, [demand("A", "D", 60)])


def test_a_router_leaves_out_next_hops_that_are_dead() -> None:
    """Next to the failure all 60G go by c; behind it b has no other next hop, and the 30G that a sends it are lost."""
    assert loaded(after(square(), "a-b").loads) == {"a-c@a": 60, "c-d@c": 60}
    assert loaded(after(square(), "b").loads) == {"a-c@a": 60, "c-d@c": 60}
    state = after(square(), "b-d")
    assert lost(state, "A>D.gold") == [("NEXT_HOP_DOWN", "b-d@b", 30)]
    assert loaded(state.loads) == {"a-b@a": 30, "a-c@a": 30, "c-d@c": 30}


def peered() -> Network:
    """A transit at b and at c, as far from a as each other; 60G out and 60G in."""
    net = network([circuit("a", "b"), circuit("a", "c")])
    transit = peer("t", Kind.TRANSIT, ["b", "c"], ["internet"])
    return complete(net, [transit], {"A": ["a"]}, [demand("A", "internet", 60), demand("internet", "A", 60)])


@pytest.mark.parametrize(("thing", "out"), [("t@b", "PORT_DOWN b"), ("b", "NEXT_HOP_DOWN a-b@a")])
def test_half_the_traffic_of_a_dead_port_or_pr_is_lost_until_bgp_knows(thing: str, out: str) -> None:
    reason, where = out.split()
    state = after(peered(), thing)
    assert lost(state, "A>internet.gold") == [(reason, where, 30)]
    assert lost(state, "internet>A.gold") == [("PORT_DOWN", "t@b", 30)]


def test_a_bundle_that_is_thinner_carries_less() -> None:
    """Two of four members of a-b are gone: 50G for 60G.  The LSP is not cut; RSVP-TE has not noticed yet."""
    net = ladder()
    net = replace(net, circuits=tuple(replace(c, members=4) if c.name == "a-b" else c for c in net.circuits))
    state = after(net, "a-b:2")
    assert lost(state) == [("CONGESTION", "a-b@a", 10)]
    assert not list(state.cut())


def test_a_sweep_has_the_state_and_names_what_each_lsp_does() -> None:
    net = ladder()
    wanted = scenarios(net, only=["a-b", "b"])
    tables = {name: t.records() for rows in sweep(net, chunks(wanted)) for name, t in rows.tables(net).items()}
    states = [(r["scenario"], r["state"], r["lost.gold"]) for r in tables["scenarios"]]
    assert states[:2] == [("a-b", BYPASSED, 10 * GIG), ("a-b", AFTER, 10 * GIG)]
    assert states[3:5] == [("b", BYPASSED, 60 * GIG), ("b", AFTER, 10 * GIG)]
    hits = [(r["lsp"], r["what"], r["by"], r["circuit"]) for r in tables["lsps_hit"] if r["state"] == BYPASSED]
    assert hits == [("a/x", "on bypass", "a-b@a>b.1", None), ("a/x", "lost", None, "a-b@a")]
    (path,) = [r["path"] for r in tables["lsps_hit"] if (r["scenario"], r["state"]) == ("a-b", BYPASSED)]
    assert path == "a-d@a d-e@d b-e@e b-c@b"


# ---- random worlds


def guarded_world(seed: int) -> Network:
    """A random world whose LSPs have bypasses or standbys, or some of them, and circuits share two ducts."""
    pick = random.Random(seed)  # noqa: S311
    net, placed = world(seed)
    lsps = [replace(p.lsp, standby=pick.choice(["none", "none", "unreserved", "reserved"])) for p in placed]
    circuits = tuple(replace(c, risks=tuple(pick.sample(["d1", "d2"], pick.choice([0, 0, 1])))) for c in net.circuits)
    plan = Protection(pick.choice(list(Guard)), pick.randint(1, 2), 0, pick.choice([0, 0, MILLION]))
    ordered = tuple(sorted(lsps, key=lambda p: (p.head, p.name)))
    return replace(net, lsps=ordered, circuits=circuits, protection=plan)


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_what_is_offered_is_delivered_or_lost_and_nothing_crosses_what_is_dead(seed: int) -> None:
    net = guarded_world(seed)
    net = replace(net, failures=Failures((), (net.circuits[0].name,)))
    here = Sweep(net)
    for scenario in scenarios(net, EVERY)[:: 1 + seed % 4]:
        before, states = here.states(scenario)
        state = dict(states)[BYPASSED]
        left = before.net.without(*scenario.things)
        for d in state.loads.deliveries:
            assert d.rate == d.delivered + sum(rate for _, _, rate in d.lost)
            assert all(arc.rpartition("@")[0] in left.circuit for arc, rate in d.arcs if rate)
        assert all(port in left.port for (_, port, _), rate in state.loads.ports.items() if rate)
        assert (state.routes, state.reach, state.placement) == (before.routes, before.reach, before.placement)


@dataclass
class Packets:
    """Shares of flows on every arc and at every end, packet by packet and label by label, without queues."""

    before: State
    left: Network
    arcs: Counter[str] = field(default_factory=Counter)
    ends: Counter[Reason | None] = field(default_factory=Counter)

    def send(self, flow: Flow) -> None:
        if flow.port is not None and flow.port not in self.left.port:
            self.end(Reason.PORT_DOWN, Fraction(flow.rate))
        else:
            self.visit(flow, flow.start, Fraction(flow.rate), ())

    def end(self, reason: Reason | None, part: Fraction) -> None:
        self.ends.update({reason: part})

    def alive(self, path: Iterable[Arc]) -> bool:
        return all(arc.circuit in self.left.circuit for arc in path)

    def cross(self, arc: Arc, part: Fraction) -> bool:
        if self.alive([arc]):
            self.arcs.update({arc.name: part})
        return self.alive([arc])

    def labelled(self, lsp: Lsp, path: list[Arc], part: Fraction) -> bool:
        """Hop by hop: at a dead next hop push the LSP's bypass there, follow it, and go on where it merges."""
        second = [s.path for s in self.before.repairs.standbys if s.lsp == lsp and self.alive(s.path)]
        todo = list(second[0]) if second and not self.alive(path) else list(path)
        while todo:
            arc = todo.pop(0)
            if self.cross(arc, part):
                continue
            mine = [b for b in self.before.repairs.bypasses if b.arc == arc and lsp in b.lsps]
            if not mine or not self.alive(mine[0].path):
                return False
            for over in mine[0].path:
                self.cross(over, part)
            while arc.head != mine[0].merge:
                arc = todo.pop(0)
        return True

    def visit(self, flow: Flow, at: str, part: Fraction, seen: tuple[str, ...]) -> None:
        assume(at not in seen)
        step = self.before.loads.fib.step(at, flow.group, flow.cls, flow.family)
        if at not in self.left.router:
            self.end(Reason.START_DOWN, part)
        elif step.reason or step.local:
            self.end(step.reason, part)
        elif step.ports:  # `world` gives a router one port of a peer at most
            self.end(None if step.ports[0] in self.left.port else Reason.PORT_DOWN, part)
        for turn in step.turns if at in self.left.router else ():
            ways = list(zip(turn.ways, turn.weights, strict=True))
            ways = [(w, n) for w, n in ways if w.lsp or w.lost or self.alive(w.arcs)] or ways
            total = sum(n for _, n in ways)
            for way, weight in ways:
                share = Fraction(weight, total) if total else Fraction(1, len(ways))
                self.go(flow, way, part / len(step.turns) * share, (*seen, at))

    def go(self, flow: Flow, way: Way, part: Fraction, seen: tuple[str, ...]) -> None:
        if way.lost:
            self.end(way.lost[0], part)
        elif way.lsp and not self.labelled(way.lsp, list(way.arcs), part):
            self.end(Reason.LSP_CUT, part)
        elif not way.lsp and not self.cross(way.arcs[0], part):
            self.end(Reason.NEXT_HOP_DOWN, part)
        else:
            self.visit(flow, way.head, part, seen)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_loads_are_what_packets_do_from_label_to_label(seed: int) -> None:
    """With room for everything: what each arc carries, and what is lost for which reason, but for rounding."""
    net = guarded_world(seed)
    wide = tuple(replace(c, capacity=10**15) for c in net.circuits)
    peers = tuple(replace(p, ports=tuple(replace(q, capacity=10**15) for q in p.ports)) for p in net.peers)
    net = replace(net, circuits=wide, peers=peers)
    before = settle(net, Condition())
    scenario = random.Random(seed).choice(scenarios(net, EVERY))  # noqa: S311
    state = bypassed(before, scenario.things)
    packets = Packets(before, net.without(*scenario.things))
    for flow in before.flows.flows:
        packets.send(flow)
    flows = {(f.demand, f.family) for f in before.flows.flows}
    found: Counter[Reason | None] = Counter()
    for d in state.loads.deliveries:
        if (d.demand.name, d.family) in flows:
            found[None] += d.delivered
            for why, _, rate in d.lost:
                found[why] += rate
    assert all(abs(found[reason] - packets.ends[reason]) < 1000 for reason in {*found, *packets.ends})
    rows = {str(r["arc"]): int(r["load"] or 0) for r in state.loads.tables()["circuits"].records()}
    assert {name: rate for name, rate in rows.items() if abs(rate - packets.arcs[name]) >= 1000} == {}
