"""Regional policy over a full mesh, by hand: what crosses, what is hidden, what a region falls back on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nets import circuit, network, router, v4_only
from traffic_nets import complete, peer
from trunkline.bgp.solve import Confinement, Routes, explain, solve
from trunkline.igp import solve as igp
from trunkline.model.network import Network
from trunkline.model.nouns import Announcement, Family, Ibgp, Igp, Kind, Peer, PrefixGroup
from trunkline.model.policy import PolicyRule


def converged(net: Network) -> Routes:
    return solve(net, igp.solve(net))


def exits(routes: Routes, router_: str, group: str, family: Family = Family.V4) -> list[str]:
    decision = routes.lookup(router_, group, family)
    return [c.route.port or c.route.router for c in decision.multipath] if decision else []


def line(*peers: Peer, rules: tuple[PolicyRule, ...] = (), fallback: bool = False) -> Network:
    """a - b in the west, c - d in the east, in a line."""
    routers = [router(n, "west" if n in "ab" else "east") for n in "abcd"]
    net = network([circuit("a", "b"), circuit("b", "c"), circuit("c", "d")], routers)
    return replace(complete(net, list(peers), {"D": ["d"]}, []), ibgp=Ibgp(rules=rules, fallback_default=fallback))


TRANSIT = peer("t", Kind.TRANSIT, ["a"], ["internet"])


@pytest.mark.parametrize(("kind", "crosses"), [(Kind.TRANSIT, False), (Kind.PEERING, True), (Kind.CUSTOMER, True)])
def test_transit_stays_in_its_region_and_the_rest_crosses(kind: Kind, crosses: bool) -> None:
    routes = converged(line(peer("t", kind, ["a"], ["net"])))
    assert exits(routes, "b", "net") == ["t@a"]
    assert exits(routes, "d", "net") == (["t@a"] if crosses else [])
    assert exits(routes, "a", "D") == ["d"]  # the data centre's route crosses
    assert routes.confined == Confinement(True)


def test_customers_are_preferred_to_peers_and_peers_to_transit() -> None:
    peers = [peer(n, k, [at], ["net"], asn) for n, k, at, asn in (
        ("c", Kind.CUSTOMER, "d", 1), ("p", Kind.PEERING, "c", 2), ("t", Kind.TRANSIT, "a", 3))]  # fmt: skip
    assert exits(converged(line(*peers)), "a", "net") == ["c@d"]
    assert exits(converged(line(*peers[1:])), "a", "net") == ["p@c"]
    assert exits(converged(line(*peers[2:])), "a", "net") == ["t@a"]
    ours = replace(peers[2], ports=(replace(peers[2].ports[0], local_pref=400),))
    assert exits(converged(line(*peers[:2], ours)), "a", "net") == ["t@a"]  # the port's own preference overrides


def test_the_mesh_hides_the_route_of_a_border_router_that_prefers_anothers() -> None:
    """d's own AS path is longer than a's: d prefers a's over iBGP and tells nobody of its own (RFC 4271 9.2)."""
    long = peer("q", Kind.PEERING, ["d"], ["net"], 2)
    long = replace(long, announces=(Announcement("net", (2, 9)),))
    routes = converged(line(peer("p", Kind.PEERING, ["a"], ["net"], 1), long))
    assert exits(routes, "d", "net") == ["p@a"]
    assert [(r.router, r.port, r.family) for r in routes.hidden] == [("d", "q@d", f) for f in Family]
    heard = [c.route.port for c, _ in explain(routes, "c", "net", Family.V4)]
    assert heard == ["p@a"]  # c never hears of q
    assert [(c.route.port, why) for c, why in explain(routes, "d", "net", Family.V4)] == [
        ("p@a", "best"),
        ("q@d", "loses on AS path length"),
    ]


def test_a_leaky_rule_is_caught_with_its_session_path() -> None:
    proof = converged(line(TRANSIT, rules=(PolicyRule(True, Kind.TRANSIT, target="east"),))).confined
    assert proof == Confinement(False, "c", "internet", Family.V4, ("t@a", "a", "c"))


@pytest.mark.parametrize("side", ["export", "import"])
def test_one_sides_leak_stops_at_the_others_filter(side: str) -> None:
    assert converged(line(TRANSIT, rules=(PolicyRule(True, Kind.TRANSIT, side=side),))).confined.holds


def test_a_route_that_is_held_but_not_used_breaks_confinement() -> None:
    """East's own transit is nearer for d, yet it holds west's too."""
    net = line(TRANSIT, peer("u", Kind.TRANSIT, ["d"], ["internet"], 2), rules=(PolicyRule(True, peer="t"),))
    routes = converged(net)
    assert exits(routes, "d", "internet") == ["u@d"]
    assert routes.confined == Confinement(False, "c", "internet", Family.V4, ("t@a", "a", "c"))


def test_the_first_rule_that_matches_decides() -> None:
    rules = (PolicyRule(False, group="net", target="west"), PolicyRule(True, kind=Kind.PEERING))
    routes = converged(line(peer("p", Kind.PEERING, ["d"], ["net", "other"]), rules=rules))
    assert (exits(routes, "a", "net"), exits(routes, "a", "other")) == ([], ["p@d"])


def test_a_region_that_loses_its_transit_has_no_internet_unless_it_falls_back() -> None:
    both = line(TRANSIT, peer("u", Kind.TRANSIT, ["d"], ["internet"], 2))
    assert converged(both).stranded == ()
    lost = converged(both.without("u"))
    assert exits(lost, "d", "internet") == []
    assert lost.stranded == (("east", Family.V4), ("east", Family.V6))
    kept = converged(line(TRANSIT, peer("u", Kind.TRANSIT, ["d"], ["internet"], 2), fallback=True).without("u"))
    assert exits(kept, "d", "internet") == ["a"]  # the default that a originates
    found = kept.lookup("d", "internet", Family.V4)
    assert found is not None
    assert (found.best.route.group, found.best.route.local_pref, found.best.route.kind) == ("default", 50, Kind.DEFAULT)
    assert kept.stranded == ()
    assert kept.confined.holds


def test_a_family_that_transit_does_not_announce_has_no_default() -> None:
    net = line(TRANSIT, fallback=True)
    net = replace(net, groups=tuple(replace(g, v6=0) if g.name == "internet" else g for g in net.groups))
    routes = converged(net)
    assert exits(routes, "d", "internet") == ["a"]
    assert routes.lookup("d", "internet", Family.V6) is None


def test_families_choose_by_their_own_metrics_in_multi_topology() -> None:
    """s is 1 from p and 5 from q, but the circuit to p carries no IPv6: by q it is, and p is 6 away."""
    net = network([v4_only(circuit("s", "p", 1)), circuit("s", "q", 5), circuit("p", "q", 1)])
    net = complete(net, [peer("x", Kind.PEERING, ["p", "q"], ["net"])], {}, [])
    routes = converged(replace(net, igp=Igp(multi_topology=True)))
    assert exits(routes, "s", "net", Family.V4) == ["x@p"]
    assert exits(routes, "s", "net", Family.V6) == ["x@q"]


def test_a_session_needs_both_ends_reachable() -> None:
    routes = converged(line(peer("p", Kind.PEERING, ["d"], ["net"])).without("b-c"))
    assert (exits(routes, "c", "net"), exits(routes, "a", "net")) == (["p@d"], [])


def test_an_announcement_at_some_ports_only() -> None:
    net = line(peer("p", Kind.PEERING, ["a", "d"], ["net"]))
    only = replace(net.peers[0], announces=(Announcement("net", (65001,), at=("p@d",)),))
    assert exits(converged(replace(net, peers=(only,))), "a", "net") == ["p@d"]


def test_held_counts_prefixes_after_import() -> None:
    """internet has 10 + 5 prefixes from two transits, D 10 + 5: c holds u's and D's; a holds t's and D's."""
    routes = converged(line(TRANSIT, peer("u", Kind.TRANSIT, ["d"], ["internet"], 2)))
    held = {row["router"]: row for row in routes.tables()["held"].records()}
    assert held["c"] == {"router": "c", "held_v4": 20, "used_v4": 20, "held_v6": 10, "used_v6": 10}
    crossing = converged(line(TRANSIT, peer("u", Kind.TRANSIT, ["d"], ["internet"], 2), rules=(PolicyRule(True),)))
    held = {row["router"]: row for row in crossing.tables()["held"].records()}
    assert (held["c"]["held_v4"], held["c"]["used_v4"]) == (30, 20)


def test_the_order_of_input_changes_nothing() -> None:
    peers = [TRANSIT, peer("u", Kind.TRANSIT, ["d"], ["internet"], 2), peer("p", Kind.PEERING, ["a", "c"], ["net"], 3)]
    one = line(*peers, fallback=True)
    two = replace(one, peers=one.peers[::-1], groups=one.groups[::-1])
    assert converged(one).tables() == converged(two).tables()


def test_routes_table() -> None:
    marked = replace(TRANSIT, announces=(Announcement("internet", (65001,), communities=("1:1", "1:2:3")),))
    rows = [r for r in converged(line(marked)).tables()["routes"].records() if r["group"] == "internet"]
    assert {"router": "b", "group": "internet", "family": "v4", "exit": "a", "port": "t@a", "kind": "transit",
            "local_pref": 100, "as_path": "65001", "med": 0, "communities": "1:1 1:2:3",
            "learned": "ibgp", "multipath": "a"} in rows  # fmt: skip
    assert [r["router"] for r in rows if r["family"] == "v4"] == ["a", "b"]


def test_a_group_with_one_family_is_routed_in_that_one() -> None:
    net = line(TRANSIT)
    net = replace(net, groups=(PrefixGroup("D", 0, 4), *(g for g in net.groups if g.name != "D")))
    routes = converged(net)
    assert routes.best("a", "D", Family.V4) is None
    assert exits(routes, "a", "D", Family.V6) == ["d"]
