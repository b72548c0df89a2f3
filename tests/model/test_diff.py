"""What differs between two networks and between two tables; every expected line is what was edited."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv4Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nets import GIG, circuit, network, router
from trunkline.model import policy
from trunkline.model.diff import Change, changes, rows_that_differ
from trunkline.model.network import Network
from trunkline.model.nouns import Announcement, Card, Hop, Kind, LinkNetwork, Lsp, Measure, Objective, Peer, Port
from trunkline.model.policy import PolicyRule, PrefixRange
from trunkline.model.protection import Guard, Protection
from trunkline.model.tables import table
from trunkline.model.units import duration, exact_rate, exact_share, exact_time, rate, share

NET = network([circuit("a", "b", gbps=400), circuit("b", "c")], [router("a"), router("b"), router("c")])


def test_a_network_does_not_differ_from_itself() -> None:
    assert changes(NET, NET) == ()


def test_a_field_is_named_with_exact_values() -> None:
    wider = replace(NET.circuit["a-b"], capacity=1600 * GIG, latency=8500, risks=("north", "south"))
    after = replace(NET, circuits=(wider, NET.circuit["b-c"]))
    got = {(c.kind, c.name, c.action, c.field): (c.before, c.after) for c in changes(NET, after)}
    was = exact_time(NET.circuit["a-b"].latency)
    assert got == {
        ("circuit", "a-b", "changed", "capacity"): ("400G", "1.6T"),
        ("circuit", "a-b", "changed", "latency"): (was, "8.5ms"),
        ("circuit", "a-b", "changed", "risks"): ("", "north south"),
    }


def test_what_one_side_lacks_is_added_or_removed_whole() -> None:
    less = NET.without("c")
    assert [(c.kind, c.name, c.action) for c in changes(NET, less)] == [
        ("router", "c", "removed"),
        ("circuit", "b-c", "removed"),
    ]
    added = {(c.kind, c.name, c.action): (c.before, c.after) for c in changes(less, NET)}
    assert added.keys() == {("router", "c", "added"), ("circuit", "b-c", "added")}
    before, after = added["circuit", "b-c", "added"]
    assert before == ""
    assert after.startswith("a b, b c, capacity 100G, latency ")


def test_cards_stand_on_their_own() -> None:
    def carded(*things: str) -> Network:
        return replace(NET, routers=(replace(NET.routers[0], cards=(Card("a/1", things),)), *NET.routers[1:]))

    assert changes(NET, carded("a-b")) == (Change("card", "a/1", "added", after="things a-b"),)
    assert changes(carded("a-b"), carded("a-b", "t@a")) == (
        Change("card", "a/1", "changed", "things", "a-b", "a-b t@a"),
    )


def test_a_peers_ports_stand_on_their_own() -> None:
    peer = Peer("t1", Kind.TRANSIT, 64496, (Port("t1@a", "t1", "a", 100 * GIG),), ())
    dearer = replace(peer, ports=(replace(peer.ports[0], commit=20 * GIG, local_pref=90),))
    got = changes(replace(NET, peers=(peer,)), replace(NET, peers=(dearer,)))
    assert got == (
        Change("port", "t1@a", "changed", "commit", "none", "20G"),
        Change("port", "t1@a", "changed", "local_pref", "none", "90"),
    )


def test_a_group_that_a_peer_announces_twice_is_compared_twice() -> None:
    said = (Announcement("internet", (64496,), med=5), Announcement("internet", (64496,), med=7))
    peer = Peer("t1", Kind.TRANSIT, 64496, (), said)
    other = replace(peer, announces=(replace(said[0], med=6), said[1]))
    got = changes(replace(NET, peers=(peer,)), replace(NET, peers=(other,)))
    assert got == (Change("announcement", "t1 internet", "changed", "med", "5", "6"),)
    other = replace(peer, announces=(said[0], replace(said[1], med=8)))
    got = changes(replace(NET, peers=(peer,)), replace(NET, peers=(other,)))
    assert got == (Change("announcement", "t1 internet#2", "changed", "med", "7", "8"),)


def test_a_pinned_link_network_is_intent() -> None:
    pins = [LinkNetwork("a-b", IPv4Network(f"192.0.2.{host}/31"), None) for host in (0, 2)]
    one, other = (replace(NET, links=(pin,)) for pin in pins)
    assert changes(one, other) == (Change("addresses", "a-b", "changed", "v4", "192.0.2.0/31", "192.0.2.2/31"),)
    assert changes(NET, one) == (Change("addresses", "a-b", "added", after="v4 192.0.2.0/31"),)


def test_rules_read_like_the_file() -> None:
    change = policy.Change(med=4, communities=("1:2",))
    rule = PolicyRule(None, group="g", prefixes=(PrefixRange.of("10.0.0.0/8 le 9"),), change=change)
    (found,) = changes(NET, replace(NET, ibgp=replace(NET.ibgp, rules=(rule,))))
    assert found.after == "{group: g, side: both, prefixes: 10.0.0.0/8 le 9, change: {med: 4, communities: 1:2}}"


def test_settings_rules_paths_and_bounds_read_like_the_file() -> None:
    lsp = Lsp("a", "gold", "c", "gold", 3, 3, GIG)
    pinned = replace(lsp, paths=((Hop("b"), Hop("c", loose=True)), ()))
    slow = Objective("latency", Measure.LATENCY, None, 120_000)
    before = replace(NET, lsps=(lsp,), objectives=(slow,))
    after = replace(
        NET,
        lsps=(pinned,),
        objectives=(replace(slow, limit=90_500),),
        ibgp=replace(NET.ibgp, rules=(PolicyRule(False, Kind.TRANSIT, source="r1"),)),
    )
    assert changes(before, after) == (
        Change("ibgp", "", "changed", "rules", "", "{cross: false, kind: transit, source: r1, side: both}"),
        Change("lsp", "a/gold", "changed", "paths", "dynamic", "b c (loose) dynamic"),
        Change("objective", "latency", "changed", "limit", "120ms", "90.5ms"),
    )


def test_protection_reads_like_the_file() -> None:
    net = network([circuit("a", "b")])
    other = replace(net, protection=Protection(Guard.NODE, share=500_000, classes=("gold",)))
    assert [(c.kind, c.field, c.before, c.after) for c in changes(net, other)] == [
        ("protection", "bypass", "none", "node"),
        ("protection", "share", "0%", "50%"),
        ("protection", "classes", "none", "gold"),
    ]


def test_rows_that_differ_stand_side_by_side() -> None:
    a = table("arc load:int:bit/s up:bool", [("x", 5, True), ("y", 7, True), ("z", 1, True)])
    b = table("arc load:int:bit/s load.gold:int:bit/s", [("w", 4, 4), ("x", 5, 0), ("y", 8, 8)])
    got = rows_that_differ(a, b, ("arc",))
    assert [c.name for c in got.columns] == [
        "arc", "change", "load.before", "load.after", "up.before", "up.after", "load.gold.before", "load.gold.after",
    ]  # fmt: skip
    assert got.columns[2].unit == "bit/s"
    assert got.rows == (
        ("w", "added", None, 4, None, None, None, 4),
        ("x", "changed", 5, 5, True, None, None, 0),
        ("y", "changed", 7, 8, True, None, None, 8),
        ("z", "removed", 1, None, True, None, None, None),
    )


@pytest.mark.parametrize(
    ("show", "value", "text"),
    [
        (exact_rate, 0, "0"),
        (exact_rate, 999, "999"),
        (exact_rate, 100 * GIG, "100G"),
        (exact_rate, 10_169_491_525, "10.169491525G"),
        (exact_time, 999, "999us"),
        (exact_time, 120_000, "120ms"),
        (exact_share, 1_000_000, "100%"),
        (exact_share, 999_999, "99.9999%"),
    ],
)
def test_exact_quantities(show, value: int, text: str) -> None:  # type: ignore[no-untyped-def]
    assert show(value) == text


@given(st.integers(0, 10**18))
def test_exact_quantities_read_back(value: int) -> None:
    assert rate(exact_rate(value)) == value
    assert duration(exact_time(value)) == value
    assert share(exact_share(value)) == value
