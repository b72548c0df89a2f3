"""RFC 8326: what leaves is preferred to nothing, by us and by those we tell; it is used where there is nothing else."""

from __future__ import annotations

from dataclasses import replace

from nets import circuit, network, router
from traffic_nets import complete, demand, peer
from trunkline.bgp.solve import Routes
from trunkline.bgp.solve import solve as converge
from trunkline.demand.aim import aim
from trunkline.igp.solve import solve
from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Family, Ibgp, Kind
from trunkline.model.policy import Change, PeerRule


def line(*peers_at: str) -> Network:
    """p - a - q, p nearer to a; the transit t is at p and, if told, at q; the data centre A is at p and q."""
    net = network([circuit("a", "p", 1), circuit("a", "q", 5)])
    net = complete(net, [peer("t", Kind.TRANSIT, list(peers_at), ["internet"])], {"A": ["p", "q"]}, [])
    return replace(net, demands=(demand("A", "internet", 8), demand("a", "A", 6), demand("internet", "A", 4)))


def routes(net: Network) -> Routes:
    return converge(net, solve(net))


def exits(net: Network, group: str) -> dict[str, tuple[str, ...]]:
    found = routes(net)
    return {r.name: d.exits for r in net.routers if (d := found.best(r.name, group, Family.V4)) is not None}


def starts(net: Network) -> set[tuple[str, str, str | None]]:
    reach = solve(net)
    return {(f.demand, f.start, f.port) for f in aim(net, reach, converge(net, reach)).flows}


def test_every_router_takes_the_other_exit_the_leaving_one_too() -> None:
    net = line("p", "q")
    assert exits(net, "internet") == {"a": ("p",), "p": ("p",), "q": ("q",)}
    leaving = net.with_graceful_shutdown("p")
    assert exits(leaving, "internet") == {"a": ("q",), "p": ("q",), "q": ("q",)}
    assert exits(leaving, "A") == {"a": ("q",), "p": ("q",), "q": ("q",)}


def test_where_there_is_no_other_it_is_used_at_preference_0_and_marked() -> None:
    net = line("p").with_graceful_shutdown("p")
    assert exits(net, "internet") == {"a": ("p",), "p": ("p",), "q": ("p",)}
    decision = routes(net).best("a", "internet", Family.V4)
    assert decision is not None
    assert (decision.best.route.local_pref, decision.best.route.communities) == (0, ("65535:0",))


def test_it_stands_above_what_import_rules_set() -> None:
    """The daemon lowers the preference behind the session's route map."""
    net = line("p", "q")
    loved = tuple(replace(p, imports=(PeerRule(True, at=("p",), change=Change(local_pref=900)),)) for p in net.peers)
    net = replace(net, peers=loved)
    assert exits(net, "internet")["a"] == ("p",)
    assert exits(net.with_graceful_shutdown("p"), "internet")["a"] == ("q",)


def test_the_default_that_it_originates_goes_last_too() -> None:
    net = replace(line("p", "q"), ibgp=Ibgp(fallback_default=True))
    assert exits(net, DEFAULT_GROUP)["a"] == ("p",)
    assert exits(net.with_graceful_shutdown("p"), DEFAULT_GROUP)["a"] == ("q",)


def test_traffic_comes_in_elsewhere_where_there_is_an_elsewhere() -> None:
    net = line("p", "q")
    into = {("A>internet.gold", "p", None), ("internet>A.gold", "p", "t@p")}
    assert into <= starts(net)
    assert starts(net.with_graceful_shutdown("p")) == {
        ("A>internet.gold", "q", None),
        ("a>A.gold", "a", None),
        ("internet>A.gold", "q", "t@q"),
    }
    assert starts(net.with_graceful_shutdown("p", "q")) == starts(net)


def test_a_peer_heeds_it_before_prepending() -> None:
    """At q our AS stands four times in front; t comes in at p until p leaves."""
    net = line("p", "q")
    (t,) = net.peers
    ports = tuple(replace(p, prepend_out=3 if p.router == "q" else 0) for p in t.ports)
    net = replace(net, peers=(replace(t, ports=ports),))
    assert ("internet>A.gold", "p", "t@p") in starts(net)
    assert ("internet>A.gold", "q", "t@q") not in starts(net)
    assert ("internet>A.gold", "q", "t@q") in starts(net.with_graceful_shutdown("p"))


def test_regions_still_confine_what_leaves() -> None:
    """q's transit route does not cross into the west, so p's is used there to the end, preferred to nothing or not."""
    routers = [router("a", "west"), router("p", "west"), router("q", "east")]
    net = network([circuit("a", "p", 1), circuit("a", "q", 5)], routers)
    net = complete(net, [peer("t", Kind.TRANSIT, ["p", "q"], ["internet"])], {}, [])
    assert exits(net.with_graceful_shutdown("p"), "internet") == {"a": ("p",), "p": ("p",), "q": ("q",)}
