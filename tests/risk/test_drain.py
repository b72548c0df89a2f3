"""A drain's steps and states, by hand and against the network without the thing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from nets import GIG, circuit, network, router
from traffic_nets import complete, demand, loaded, peer
from traffic_worlds import seeds, world
from trunkline.flow import State, settle
from trunkline.model.event import Cut, Restore
from trunkline.model.network import Network
from trunkline.model.nouns import Condition, Hop, Kind, Lsp, Role
from trunkline.model.problem import Problems
from trunkline.model.tables import Cell
from trunkline.risk.drain import Drain, drain, thing
from trunkline.risk.exposure import exposed
from trunkline.risk.steps import Steps, left_on
from trunkline.risk.windows import windows


def square(gold: int = 40, bulk: int = 10, *, lsp: bool = True) -> Network:
    """The way a - b - d costs 2, the way a - c - d costs 10; 100G each; gold rides an LSP, bulk follows IS-IS."""
    net = network([circuit("a", "b", 1), circuit("b", "d", 1), circuit("a", "c", 5), circuit("c", "d", 5)])
    wanted = [demand("A", "D", gold), demand("A", "D", bulk, "bulk")]
    net = complete(net, [], {"A": ["a"], "D": ["d"]}, wanted)
    return replace(net, lsps=(Lsp("a", "x", "d", "gold", 3, 3, gold * GIG),) if lsp else ())


def border(*routers: str) -> Network:
    """A's router a is 1 from p and 5 from q; the transit t is at some of them, 30G go to it and 20G come from it."""
    net = network([circuit("a", "p", 1), circuit("a", "q", 5), circuit("p", "q", 9)])
    peers = [peer("t", Kind.TRANSIT, list(routers), ["internet"])]
    return complete(net, peers, {"A": ["a"]}, [demand("A", "internet", 30), demand("internet", "A", 20)])


def drained(net: Network, name: str, undo: bool = False) -> Drain:
    return drain(net, thing(net, name), undo)


def rows(found: Drain, *keys: str) -> list[tuple[Cell, ...]]:
    """Cells of `drain_steps`, rates in Gbit/s."""
    table = Steps(found).tables()["drain_steps"].records()
    return [tuple(v // GIG if isinstance(v := row[key], int) and v >= GIG else v for key in keys) for row in table]


def test_a_circuit_step_by_step() -> None:
    """The LSP's 40G leave first, bulk's 10G with the metric; a-b and b-d carry 50G, then a-c and c-d do."""
    found = drained(square(), "b-d")
    assert rows(found, "action", "what", "moved", "on_it", "lsps_on_it", "arc", "utilisation", "lost") == [
        ("start", "", 0, 50, 1, "a-b@a", 500_000, 0),
        ("set TE metric 16777214", "b-d", 0, 50, 1, "a-b@a", 500_000, 0),
        ("re-optimise", "a", 1, 10, 0, "a-c@a", 400_000, 0),
        ("set IS-IS metric 16777214", "b-d", 0, 0, 0, "a-c@a", 500_000, 0),
        ("take down", "b-d", 0, 0, 0, "a-c@a", 500_000, 0),
    ]
    assert Steps(found).failed is None
    lsps = Steps(found).tables()["drain_lsps"].records()
    assert [(r["step"], r["lsp"], r["action"], r["path"]) for r in lsps] == [(2, "a/x", "moved", "a-c@a c-d@c")]


def test_the_cost_of_an_lsp_that_stays_is_the_metric_that_it_now_has() -> None:
    found = drained(square(), "b-d")
    assert [s.state.placement.placed[0].cost for s in found.steps] == [1 + 16_777_214, 10, 10, 10]
    assert [s.state.placement.placed[0].shortest for s in found.steps] == [10] * 4


def test_the_undo_is_the_same_steps_backwards_and_ends_where_the_drain_began() -> None:
    found = drained(square(), "b-d", undo=True)
    assert rows(found, "action", "on_it", "lost") == [
        ("start", 0, 0),
        ("bring up", 0, 0),
        ("restore IS-IS metric", 10, 0),
        ("restore TE metric", 10, 0),
        ("re-optimise", 50, 0),
    ]
    assert found.condition == Condition()
    assert loaded(found.steps[-1].state.loads) == {"a-b@a": 50, "b-d@b": 50}


def test_an_lsp_that_cannot_move_stays_on_it_and_is_lost_with_it() -> None:
    """A strict path over b is the only one that it may take; bulk leaves, gold's 40G go when b-d does."""
    net = square()
    strict = replace(net.lsps[0], paths=((Hop("b"), Hop("d")),))
    gold = replace(net.cls["gold"], fallback=("drop",))
    net = replace(net, lsps=(strict,), classes=(net.cls["bulk"], gold))
    found = drained(net, "b-d")
    assert rows(found, "action", "on_it", "lsps_on_it", "lost.gold", "lost") == [
        ("start", 50, 1, 0, 0),
        ("set TE metric 16777214", 50, 1, 0, 0),
        ("set IS-IS metric 16777214", 40, 1, 0, 0),
        ("take down", 0, 0, 40, 40),
    ]
    assert Steps(found).failed == 3
    (lost,) = Steps(found).tables()["drain_losses"].records()
    assert (lost["step"], lost["demand"], lost["lost"]) == (3, "A>D.gold", 40 * GIG)


def test_what_is_alone_is_lost_where_it_is_taken_down() -> None:
    net = complete(network([circuit("a", "b")]), [], {"A": ["a"], "B": ["b"]}, [demand("A", "B", 7)])
    found = drained(net, "a-b")
    assert rows(found, "action", "on_it", "lost") == [
        ("start", 7, 0),
        ("set IS-IS metric 16777214", 7, 0),
        ("take down", 0, 7),
    ]
    assert Steps(found).failed == 2


def test_a_border_router_hands_over_before_it_goes() -> None:
    """On p: 30G out and half of 20G in, on a-p and again on the port; all of it is q's once p's sessions are shut."""
    found = drained(border("p", "q"), "p")
    assert rows(found, "action", "what", "on_it", "lost") == [
        ("start", "", 80, 0),
        ("set overload bit", "p", 80, 0),
        ("start graceful shutdown", "p", 0, 0),
        ("take down", "p", 0, 0),
    ]
    assert loaded(found.steps[1].state.loads) == {"a-q@a": 30, "a-q@q": 20}


def test_a_border_router_that_has_the_only_session_is_used_until_it_goes() -> None:
    found = drained(border("p"), "p")
    assert rows(found, "action", "on_it", "lost") == [
        ("start", 100, 0),
        ("set overload bit", 100, 0),
        ("start graceful shutdown", 100, 0),
        ("take down", 0, 50),
    ]


def test_a_transit_router_leaves_lsps_that_end_in_it_alone() -> None:
    """b heads an LSP of its own: it is not crossed by it, and the LSP is gone, not lost, when b goes."""
    net = square()
    net = replace(net, lsps=(*net.lsps, Lsp("b", "own", "d", "gold", 3, 3, GIG)))
    found = drained(net, "b")
    assert rows(found, "action", "what", "lsps_on_it", "unplaced") == [
        ("start", "", 1, 0),
        ("set TE metric 16777214", "a-b b-d", 1, 0),
        ("re-optimise", "a", 0, 0),
        ("set overload bit", "b", 0, 0),
        ("take down", "b", 0, 0),
    ]


def test_a_site_stops_its_data_centres_and_goes_edge_first() -> None:
    """Hub: b carries others' traffic, e is its data-centre router, p its peering router."""
    hub = [replace(router(n, role=r), site="hub") for n, r in (("b", Role.BB), ("e", Role.DR), ("p", Role.PR))]
    ways = [circuit("a", "b", 1), circuit("b", "d", 1), circuit("a", "c", 5), circuit("c", "d", 5)]
    net = network([*ways, circuit("b", "e", 1), circuit("b", "p", 1)], hub)
    peers = [peer("t", Kind.TRANSIT, ["d", "p"], ["internet"])]
    homes, wanted = {"A": ["a"], "E": ["e"]}, [demand("A", "E", 9), demand("A", "internet", 20)]
    net = complete(net, peers, homes, wanted)
    net = replace(net, datacenters=tuple(replace(d, site="hub") if d.name == "E" else d for d in net.datacenters))
    found = drained(net, "hub")
    assert rows(found, "action", "what", "lost", "gone") == [
        ("start", "", 0, 0),
        ("stop traffic", "E", 0, 0),
        ("set overload bit", "p", 0, 0),
        ("start graceful shutdown", "p", 0, 0),
        ("set overload bit", "e", 0, 0),
        ("start graceful shutdown", "e", 0, 0),
        ("set overload bit", "b", 0, 0),
        ("take down", "hub", 0, 0),
    ]
    assert loaded(found.steps[-1].state.loads) == {"a-c@a": 20, "c-d@c": 20}
    back = drained(net, "hub", undo=True)
    assert isinstance(back.steps[0].event, Restore)
    assert loaded(back.steps[-1].state.loads) == loaded(found.start.loads)


def test_what_cannot_be_drained_is_said() -> None:
    net = square()
    for name, message, near in (
        ("b-e", "no circuit, router or site is named 'b-e'", "b-d"),
        ("r1", "no circuit, router or site is named 'r1'", ""),
    ):
        with pytest.raises(Problems) as found:
            thing(net, name)
        assert (found.value.problems[0].message, found.value.problems[0].nearest) == (message, near)
    ducts = tuple(replace(c, risks=("duct",)) if c.a == "a" else c for c in net.circuits)
    with pytest.raises(Problems, match="named 'duct': it is what a-b, a-c share; drain those one by one"):
        thing(replace(net, circuits=ducts), "duct")
    every = replace(net, routers=tuple(replace(r, site="site-a") for r in net.routers))
    with pytest.raises(Problems, match="every router there is"):
        thing(every, "site-a")


def test_safe_windows() -> None:
    """The way round has 100G: 50G fit twice, 2.5 times loses 25G; a factor of bulk alone is 40G and 25G."""
    net = square(lsp=False)
    day = {
        "00:00": (("bulk", 1_000_000), ("gold", 1_000_000)),
        "08:00": (("bulk", 2_000_000), ("gold", 2_000_000)),
        "16:00": (("bulk", 2_500_000), ("gold", 2_500_000)),
        "20:00": (("bulk", 2_500_000),),
    }
    found = windows(net, thing(net, "b-d"), day)
    assert [(w.time, w.step, w.lost // GIG) for w in found] == [
        ("00:00", None, 0),
        ("08:00", None, 0),
        ("16:00", None, 0),
        ("20:00", None, 0),
    ], "the way over b is as narrow: what is lost before is not the drain's doing"
    wide = replace(net, circuits=tuple(replace(c, capacity=200 * GIG) if "b" in c.name else c for c in net.circuits))
    found = windows(wide, thing(wide, "b-d"), day)
    assert [(w.time, w.step, w.lost // GIG) for w in found][2:] == [("16:00", 1, 25), ("20:00", None, 0)]


def test_failures_that_hurt_only_while_it_is_down() -> None:
    """With b-d down the way over c is the only one: its circuits, and c, now take 50G along; a and d did before."""
    found = exposed(drained(square(), "b-d"))
    assert [(e.scenario.name, e.lost // GIG, e.lost_in_order) for e in found] == [
        ("a-c", 50, 0),
        ("c", 50, 0),
        ("c-d", 50, 0),
        ("site-c", 50, 0),
    ], "equal ones are in order of name"


def _loads(state: State) -> dict[str, Cell]:
    return {str(r["arc"]): r["load"] for r in state.records["circuits"] if r["load"]}


@settings(max_examples=40, deadline=None)
@given(seeds)
def test_the_network_is_then_as_if_it_were_not_there(seed: int) -> None:
    """Once it is down; and before that, wherever nothing is left on it."""
    net, _ = world(seed)
    for name in (net.circuits[seed % len(net.circuits)].name, net.routers[seed % len(net.routers)].name):
        found = drained(net, name)
        assert found.steps[-1].event == Cut((name,))
        without = _loads(settle(net.without(name), Condition()))
        assert _loads(found.steps[-1].state) == without
        ready = found.steps[-2].state
        if left_on(found.thing, ready) == (0, 0) and Steps(found).failed is None:
            assert _loads(ready) == without
