"""Where demands start and which exits they aim at, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nets import GIG, circuit, network, router
from traffic_nets import complete, demand, peer
from trunkline.bgp import solve as bgp
from trunkline.demand.aim import aim
from trunkline.demand.flows import Flow, split, split_by_weight
from trunkline.igp import solve as igp
from trunkline.model.network import Network
from trunkline.model.nouns import Demand, Family, Ibgp, Kind, Peer, Port, PrefixGroup
from trunkline.model.policy import Change, PeerRule


def flows(net: Network) -> tuple[Flow, ...]:
    reach = igp.solve(net)
    return aim(net, reach, bgp.solve(net, reach)).flows


def line(*peers: Peer, wanted: list[Demand]) -> Network:
    """a - b - c; a and b in the west, c in the east; data centres W at a and b, E at c."""
    routers = [router("a", "west"), router("b", "west"), router("c", "east")]
    net = network([circuit("a", "b"), circuit("b", "c")], routers)
    return complete(net, list(peers), {"W": ["a", "b"], "E": ["c"]}, wanted)


def starts(net: Network) -> dict[str, int]:
    """Rate by the port (or router) where it starts."""
    return {f.port or f.start: f.rate for f in flows(net)}


def test_a_data_centre_starts_evenly_at_its_attach_routers_and_those_that_are_up() -> None:
    net = line(wanted=[replace(demand("W", "E", 1), rate=7)])
    assert starts(net) == {"a": 4, "b": 3}
    assert starts(net.without("a")) == {"b": 7}


def test_families_part_first_and_the_remainder_is_v4s() -> None:
    net = line(wanted=[replace(demand("c", "W", 1, v6_ppm=500_000), rate=7)])
    assert [(f.family, f.rate) for f in flows(net)] == [(Family.V4, 4), (Family.V6, 3)]


def test_exits_are_the_starts_own_multipath_set() -> None:
    net = line(peer("x", Kind.PEERING, ["a", "c"], ["net"]), wanted=[demand("b", "net", 1), demand("a", "net", 1)])
    assert {f.start: f.exits for f in flows(net)} == {"b": ("a", "c"), "a": ("a",)}


def test_a_router_is_its_own_exit() -> None:
    net = line(wanted=[demand("a", "c", 1), demand("c", "a", 1)])
    assert {f.start: f.exits for f in flows(net)} == {"a": ("c",), "c": ("a",)}
    assert {f.start: f.exits for f in flows(net.without("b-c"))} == {"a": (), "c": ()}


def shaped(**shape: dict[str, object]) -> Peer:
    """A peer with ports at a, b and c, each with what `shape` says of it."""
    ports = tuple(replace(Port(f"x@{r}", "x", r, 10 * GIG), **shape.get(r, {})) for r in "abc")  # type: ignore[arg-type]
    return replace(peer("x", Kind.PEERING, ["a"], ["net"]), ports=ports)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ({}, {"x@a": 4, "x@b": 3, "x@c": 3}),  # 10 = 3 + 3 + 3, one over, to the first
        ({"a": {"announce_out": ("east",)}}, {"x@b": 5, "x@c": 5}),  # W is in the west: not announced at a
        ({"a": {"prepend_out": 2}, "c": {"prepend_out": 1}}, {"x@b": 10}),
        ({"a": {"prepend_out": 1, "med_out": 0}, "b": {"med_out": 9}, "c": {"med_out": 9}}, {"x@b": 5, "x@c": 5}),
        ({"a": {"med_out": 1}, "b": {"med_out": 0}}, {"x@b": 5, "x@c": 5}),  # no MED counts as 0
        ({"a": {"weight": 3}, "b": {"weight": 1}, "c": {"weight": 0}}, {"x@a": 8, "x@b": 2, "x@c": 0}),  # 7.5 and 2.5
    ],
)
def test_inbound_traffic_picks_its_ports(shape: dict[str, dict[str, object]], expected: dict[str, int]) -> None:
    net = line(shaped(**shape), wanted=[replace(demand("x", "W", 1), rate=10)])
    assert starts(net) == expected


def test_meds_are_compared_within_a_peer_and_prepending_across_peers() -> None:
    one = Peer(
        "x", Kind.PEERING, 1, (Port("x@a", "x", "a", GIG, med_out=5),), peer("x", Kind.PEERING, [], ["net"]).announces
    )
    two = Peer("y", Kind.PEERING, 2, (Port("y@c", "y", "c", GIG),), peer("y", Kind.PEERING, [], ["net"]).announces)
    wanted = [replace(demand("net", "W", 1), rate=10)]
    assert starts(line(one, two, wanted=wanted)) == {"x@a": 5, "y@c": 5}
    longer = replace(one, ports=(replace(one.ports[0], prepend_out=1),))
    assert starts(line(longer, two, wanted=wanted)) == {"y@c": 10}


@pytest.mark.parametrize(
    ("sender", "owner", "heard"),
    [
        (Kind.PEERING, Kind.CUSTOMER, True),
        (Kind.TRANSIT, Kind.CUSTOMER, True),
        (Kind.CUSTOMER, Kind.TRANSIT, True),
        (Kind.CUSTOMER, Kind.PEERING, True),
        (Kind.PEERING, Kind.PEERING, False),
        (Kind.PEERING, Kind.TRANSIT, False),
        (Kind.TRANSIT, Kind.PEERING, False),
    ],
)
def test_we_carry_only_for_customers_between_neighbours(sender: Kind, owner: Kind, heard: bool) -> None:
    net = line(
        peer("s", sender, ["a"], ["mine"]),
        peer("o", owner, ["a", "c"], ["theirs"], 2),
        wanted=[demand("s", "theirs", 1)],
    )
    assert [f.port for f in flows(net)] == (["s@a"] if heard else [])


def test_a_customers_prefixes_are_no_longer_announced_once_only_transit_leads_to_them() -> None:
    """x hears of net, a customer's, at a.  With the customer's port down a still reaches net, by transit: not for x."""
    net = line(
        peer("x", Kind.PEERING, ["a"], ["mine"]),
        peer("c", Kind.CUSTOMER, ["b"], ["net"], 2),
        peer("t", Kind.TRANSIT, ["a"], ["net"], 3),
        wanted=[demand("x", "net", 1), demand("a", "net", 1)],
    )
    assert {f.start: f.exits for f in flows(net)} == {"a": ("b",)}
    assert starts(net) == {"x@a": GIG, "a": GIG}
    assert [(f.demand, f.exits) for f in flows(net.without("c@b"))] == [("a>net.gold", ("a",))]


def test_a_port_announces_only_what_its_router_has_a_route_to() -> None:
    """Transit in the east stays there: the customer hears of internet at c alone, unless a default crosses to a."""
    net = line(
        peer("k", Kind.CUSTOMER, ["a", "c"], ["mine"]),
        peer("t", Kind.TRANSIT, ["c"], ["internet"], 2),
        wanted=[demand("k", "internet", 2)],
    )
    assert starts(net) == {"k@c": 2 * GIG}
    assert starts(replace(net, ibgp=Ibgp(fallback_default=True))) == {"k@a": GIG, "k@c": GIG}


def test_a_part_that_is_cut_off_does_not_announce_what_is_beyond() -> None:
    net = line(peer("x", Kind.PEERING, ["a", "c"], ["net"]), wanted=[demand("x", "E", 2), demand("x", "c", 2)])
    assert {(f.group, f.port): f.rate for f in flows(net)} == dict.fromkeys(
        [("E", "x@a"), ("E", "x@c"), ("c", "x@a"), ("c", "x@c")], GIG
    )
    assert {(f.group, f.port): f.rate for f in flows(net.without("b-c"))} == dict.fromkeys(
        [("E", "x@c"), ("c", "x@c")], 2 * GIG
    )


def test_rates_split_whole() -> None:
    assert split(10, 3) == [4, 3, 3]
    assert split_by_weight(10, [1, 2, 4]) == [3, 2, 5]  # 1.4, 2.8, 5.7 rounded down are 1, 2, 5; two over
    assert split_by_weight(100, [0, 1, 2]) == [0, 34, 66]  # what has no weight gets no remainder either
    assert split_by_weight(10, [0, 1, 2]) == [0, 4, 6]  # 3.3, 6.7; one over, to the first that has a weight
    assert split_by_weight(5, [0, 0]) == [3, 2]


def test_what_is_aimed_adds_up_by_start_exit_and_class() -> None:
    net = line(
        peer("x", Kind.PEERING, ["a", "c"], ["net"]),
        wanted=[replace(demand("b", "net", 1), rate=5), demand("b", "E", 2)],
    )
    reach = igp.solve(net)
    aimed = aim(net, reach, bgp.solve(net, reach)).aimed
    assert aimed == {(Family.V4, "b", "a", "gold"): 3, (Family.V4, "b", "c", "gold"): 2 + 2 * GIG}


def test_the_order_of_demands_changes_nothing() -> None:
    wanted = [demand("W", "E", 1), demand("c", "W", 2, v6_ppm=10), demand("x", "E", 3)]
    net = line(shaped(), wanted=wanted)
    assert flows(net) == flows(replace(net, demands=net.demands[::-1]))


def ruled(*rules: PeerRule) -> Network:
    """A peering with ports at a, b and c whose 6 Gbit/s to W come in by all three, but for rules on what it hears."""
    return line(replace(shaped(), exports=rules), wanted=[demand("x", "W", 6)])


@pytest.mark.parametrize(
    ("rules", "by"),
    [
        ((), {"x@a": 2, "x@b": 2, "x@c": 2}),
        ((PeerRule(False, at=("a",)),), {"x@b": 3, "x@c": 3}),
        ((PeerRule(None, at=("a", "c"), change=Change(prepend=1)),), {"x@b": 6}),
        ((PeerRule(None, at=("b",), change=Change(med=4)),), {"x@a": 3, "x@c": 3}),
        ((PeerRule(True, at=("b",)), PeerRule(None, group="W", change=Change(prepend=2))), {"x@b": 6}),
        ((PeerRule(False, region="east"), PeerRule(False, kind=Kind.CUSTOMER)), {"x@a": 2, "x@b": 2, "x@c": 2}),
        ((PeerRule(False, kind=Kind.DATACENTER, region="west"),), {}),
    ],
)
def test_rules_on_what_a_peer_hears_move_what_it_sends(rules: tuple[PeerRule, ...], by: dict[str, int]) -> None:
    assert starts(ruled(*rules)) == {port: gbps * GIG for port, gbps in by.items()}


def test_what_follows_from_nothing_that_changed_is_the_same_object() -> None:
    """Whatever fails: the flows are those from cold, and those of demands whose start and exits stay are not made anew.

    a - b - c: with the port at c down, b aims what was split over a and c at a alone; W to E has nothing to do with it.
    """
    wanted = [demand("b", "net", 2), demand("W", "E", 1), demand("x", "W", 3), demand("b", "c", 1)]
    net = line(peer("x", Kind.PEERING, ["a", "c"], ["net"]), wanted=wanted)
    reach = igp.solve(net)
    routes = bgp.solve(net, reach)
    before = aim(net, reach, routes)
    for lost, moved in (("x@c", {"b>net.gold", "x>W.gold"}), ("x", {"b>net.gold", "x>W.gold"}), ("c", None)):
        now = net.without(lost)
        there = igp.solve(now)
        found = aim(now, there, bgp.solve(now, there, routes), before)
        assert found.flows == flows(now), lost
        same = {name for (name, _), part in found.parts.items() if part is before.parts.get((name, Family.V4))}
        assert moved is None or {d.name for d in wanted} - same == moved


def test_flows_that_nothing_changed_are_the_answer_again_however_many_states_later() -> None:
    net = line(wanted=[demand("a", "W", 1), demand("b", "c", 1)])
    ring = replace(net, circuits=(*net.circuits, circuit("a", "c", 50)))
    states = [ring, ring.with_metric("a-c"), ring.with_te_metric("a-b"), ring.without("a-c")]
    routes, before = None, None
    for now in states:
        reach = igp.solve(now)
        routes = bgp.solve(now, reach, routes)
        found = aim(now, reach, routes, before)
        assert before is None or found is before
        before = found
    assert before is not None
    assert before.flows == flows(states[-1])
    down = ring.without("a-c", "b-c")
    reach = igp.solve(down)
    assert aim(down, reach, bgp.solve(down, reach, routes), before).flows == flows(down) != before.flows


def test_a_router_that_nothing_starts_at_while_it_is_drained_is_where_it_starts_afterwards() -> None:
    net = line(wanted=[demand("W", "E", 2)])
    drained = net.with_graceful_shutdown("b")
    reach = igp.solve(drained)
    routes = bgp.solve(drained, reach)
    before = aim(drained, reach, routes)
    assert [f.start for f in before.flows] == ["a"]
    assert [f.start for f in aim(net, reach, bgp.solve(net, reach, routes), before).flows] == ["a", "b"]


def test_an_exit_that_is_farther_than_it_was_moves_what_leads_there_by_its_own_route_or_by_the_default() -> None:
    """b has net, and the default for what nobody announces, at a and c, as near; then a is farther."""
    net = line(
        peer("x", Kind.PEERING, ["a", "c"], ["net"]),
        peer("t", Kind.TRANSIT, ["a", "c"], ["internet"], 2),
        wanted=[demand("b", "net", 2), demand("b", "nowhere", 2)],
    )
    groups = tuple(sorted((*net.groups, PrefixGroup("nowhere", 1, 1)), key=lambda g: g.name))
    net = replace(net, groups=groups, ibgp=Ibgp(fallback_default=True))
    reach = igp.solve(net)
    routes = bgp.solve(net, reach)
    before = aim(net, reach, routes)
    assert [f.exits for f in before.flows] == [("a", "c"), ("a", "c")]
    far = net.with_metric("a-b")
    reach = igp.solve(far)
    assert [f.exits for f in aim(far, reach, bgp.solve(far, reach, routes), before).flows] == [("c",), ("c",)]
