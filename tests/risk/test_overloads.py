"""What repairs would overload, by hand."""

from __future__ import annotations

from dataclasses import replace

from nets import GIG, circuit, network
from traffic_nets import complete, demand
from trunkline.flow import State, settle
from trunkline.model.network import Network
from trunkline.model.nouns import Circuit, Condition, Lsp
from trunkline.model.protection import Guard, Protection
from trunkline.risk.overloads import overloads, unlabelled


def settled(standby: str = "none", guard: Guard = Guard.NODE) -> State:
    """a - b - c carries 80G of gold in an LSP and 5G of bulk without one; a - d - e - c, 90G, carries 30G of bulk."""
    net = network([circuit("a", "b", 1), circuit("b", "c", 1), circuit("b", "d", 9), *_below()])
    wanted = [demand("A", "C", 80), demand("A", "C", 5, "bulk"), demand("D", "E", 30, "bulk")]
    net = complete(net, [], {"A": ["a"], "C": ["c"], "D": ["d"], "E": ["e"]}, wanted)
    lsp = Lsp("a", "x", "c", "gold", 3, 3, 80 * GIG, standby=standby)
    return settle(_protected(net, lsp, guard), Condition())


def _below() -> list[Circuit]:
    return [circuit("a", "d", 5, 90), circuit("d", "e", 5, 90), circuit("e", "c", 5, 90)]


def _protected(net: Network, lsp: Lsp, guard: Guard) -> Network:
    return replace(net, lsps=(lsp,), protection=Protection(guard))


def rows(state: State, only: str | None = None) -> list[tuple[object, ...]]:
    keys = ("failed", "kind", "arc", "before", "load", "lost", "bypasses", "standbys")
    return [tuple(_gig(r[k]) for k in keys) for r in overloads(state, only).records()]


def _gig(cell: object) -> object:
    return cell // GIG if isinstance(cell, int) and cell > 1000 else cell


def test_each_failure_and_the_arc_that_it_overloads() -> None:
    """All ways round lead over d-e, where 80G meet 30G of bulk on 90G.

    a-b or b fails: a d e c; the bulk of A has lost its next hop.  b-c fails: b has the bypass b d e c.
    """
    state = settled()
    assert rows(state) == [
        ("a-b", "link", "d-e@d", 30, 110, 20, "a-b@a>c.1", 0),
        ("b", "node", "d-e@d", 30, 110, 20, "a-b@a>c.1", 0),
        ("b-c", "link", "d-e@d", 30, 110, 20, "b-c@b>c.1", 0),
    ]
    assert overloads(state).records()[0]["utilisation"] == 1_222_223, "110/90, rounded up"
    assert rows(state, "b") == rows(state)[1:2]
    assert rows(state, "d-e") == []


def test_standbys_are_counted() -> None:
    assert rows(settled("unreserved", Guard.NONE)) == [
        (failed, kind, "d-e@d", 30, 110, 20, "", 1)
        for failed, kind in (("a-b", "link"), ("b", "node"), ("b-c", "link"))
    ]


def test_what_reserves_bandwidth_overloads_nothing_by_itself() -> None:
    """90G are reservable below, 80G fit; the 30G of bulk, which nobody reserved for, still make it 110G."""
    state = settled("reserved", Guard.NONE)
    assert state.repairs.standbys[0].bandwidth == 80 * GIG
    assert len(rows(state)) == 3


def test_unlabelled_traffic_is_named_where_it_is() -> None:
    found = [(r["arc"], _gig(r["load"]), _gig(r["unlabelled"])) for r in unlabelled(settled()).records()]
    assert found == [("a-b@a", 85, 5), ("b-c@b", 85, 5), ("d-e@d", 30, 30)]
    assert [r["arc"] for r in unlabelled(settled(), ["b-c@b"]).records()] == ["b-c@b"]
