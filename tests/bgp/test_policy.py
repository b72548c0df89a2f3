"""What rules make of routes, by hand: what is set on them, who goes on to the next rule, and where they then lead."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nets import circuit, network, router
from traffic_nets import complete, peer
from trunkline.bgp.policy import crosses, heard
from trunkline.bgp.solve import Routes, solve
from trunkline.igp import solve as igp
from trunkline.model.network import Network
from trunkline.model.nouns import Announcement, Family, Ibgp, Kind, Peer
from trunkline.model.policy import Change, PeerRule, PolicyRule
from trunkline.model.route import Route

SAID = Announcement("net", (65001, 3356), med=5, communities=("65001:1",))


def line(*peers: Peer, rules: tuple[PolicyRule, ...] = ()) -> Network:
    """a - b in the west, c - d in the east, in a line; peering p at a, q at d, both of `net`."""
    routers = [router(n, "west" if n in "ab" else "east") for n in "abcd"]
    net = network([circuit("a", "b"), circuit("b", "c"), circuit("c", "d")], routers)
    return replace(complete(net, list(peers), {"D": ["b"]}, []), ibgp=Ibgp(rules=rules))


def asking(*rules: PeerRule, at: str = "a", name: str = "p") -> Peer:
    return replace(peer(name, Kind.PEERING, [at], ["net"]), announces=(SAID,), imports=rules)


def converged(net: Network) -> Routes:
    return solve(net, igp.solve(net))


def best(net: Network, at: str, group: str = "net") -> Route | None:
    decision = converged(net).best(at, group, Family.V4)
    return decision.best.route if decision else None


def test_import_rules_set_go_on_and_decide() -> None:
    """The second sees what the first has added, prepends, and ends; the third is not reached."""
    rules = (
        PeerRule(None, communities=("65001:1",), change=Change(local_pref=150, communities=("65001:2",))),
        PeerRule(True, communities=("65001:2",), change=Change(med=9, prepend=2)),
        PeerRule(False),
    )
    found = best(line(asking(*rules)), "d")
    assert found is not None
    assert (found.local_pref, found.med) == (150, 9)
    assert (found.path, found.communities) == ((65001, 65001, 65001, 3356), ("65001:1", "65001:2"))


def test_what_import_rejects_enters_nowhere_and_at_names_the_routers() -> None:
    both = replace(peer("p", Kind.PEERING, ["a", "d"], ["net"]), imports=(PeerRule(False, at=("a",)),))
    found = best(line(both), "a")
    assert found is not None
    assert found.port == "p@d"
    assert best(line(replace(both, imports=(PeerRule(False),))), "a") is None


def test_prepending_on_import_moves_the_choice() -> None:
    """p is nearer to b than q; twice its AS in front, and q's path is the shorter."""
    q = asking(at="d", name="q")
    assert best(line(asking(), q), "b") == best(line(asking(), q), "a")
    moved = best(line(asking(PeerRule(None, change=Change(prepend=1))), q), "b")
    assert moved is not None
    assert moved.port == "q@d"


def test_a_preference_set_between_regions_is_the_other_regions_alone() -> None:
    """East prefers its own by 201; west hears of q's at 200 still, and of nothing that was set for east."""
    rule = PolicyRule(None, target="east", as_path="^65001_", change=Change(local_pref=150))
    net = line(asking(), asking(at="d", name="q"), rules=(rule,))
    routes = converged(net)
    heard_at_c = {c.route.port: c.route.local_pref for c in _all(routes, "c")}
    heard_at_b = {c.route.port: c.route.local_pref for c in _all(routes, "b")}
    assert heard_at_c == {"p@a": 150, "q@d": 200}
    assert heard_at_b == {"p@a": 200, "q@d": 200}


def _all(routes: Routes, at: str) -> list:  # type: ignore[type-arg]
    decision = routes.best(at, "net", Family.V4)
    assert decision is not None
    return [decision.best, *(c for c, _ in decision.beaten)]


@pytest.mark.parametrize("side", ["export", "import", "both"])
def test_the_senders_side_comes_first_and_the_receivers_sees_what_it_set(side: str) -> None:
    rules = (
        PolicyRule(None, communities=("65001:1",), side=side, change=Change(med=1, communities=("65001:9",))),
        PolicyRule(None, communities=("65001:9",), side="import", change=Change(med=2)),
    )
    found = best(line(asking(), rules=rules), "d")
    assert found is not None
    assert found.med == 2


def test_a_route_whose_preference_is_set_is_not_hidden() -> None:
    """What a tells is not the route as it entered any more, and yet it is told."""
    rule = PolicyRule(None, change=Change(local_pref=201))
    assert converged(line(asking(), rules=(rule,))).hidden == ()


# ---- against a reading of the rules that shares nothing with the program

CHANGES = st.builds(
    Change,
    local_pref=st.sampled_from([None, 90, 210]),
    med=st.sampled_from([None, 0, 7]),
    communities=st.sampled_from([(), ("1:1",), ("1:2", "9:9:9")]),
)
RULES = st.builds(
    PolicyRule,
    cross=st.sampled_from([True, False, None]),
    kind=st.sampled_from([None, Kind.PEERING, Kind.TRANSIT]),
    source=st.sampled_from([None, "west", "east"]),
    target=st.sampled_from([None, "west", "east"]),
    peer=st.sampled_from([None, "p", "q"]),
    group=st.sampled_from([None, "net", "D"]),
    side=st.sampled_from(["both", "export", "import"]),
    as_path=st.sampled_from([None, "_3356_", "^65001$"]),
    communities=st.sampled_from([(), ("1:1",), ("1:1", "1:2"), ("65001:1",)]),
    change=CHANGES,
)


def read_by_hand(rules: list[PolicyRule], has: dict[str, object], source: str, target: str) -> dict[str, object] | None:
    """The rules as an engineer reads them off the page."""
    for side in ("export", "import"):
        decided = False
        for rule in rules:
            asked = {"kind": rule.kind, "peer": rule.peer, "group": rule.group}
            path = " " + " ".join(map(str, has["path"])) + " "  # type: ignore[call-overload]
            in_path = {None: True, "_3356_": " 3356 " in path, "^65001$": path == " 65001 "}[rule.as_path]
            if rule.side not in ("both", side) or {rule.source, rule.target} - {None} - {source, target}:
                continue
            if rule.source == target or rule.target == source or not in_path:
                continue
            if any(want not in (None, has[what]) for what, want in asked.items()):
                continue
            if not set(rule.communities) <= has["communities"]:  # type: ignore[operator]
                continue
            new = {"local_pref": rule.change.local_pref, "med": rule.change.med}
            has = has | {what: value for what, value in new.items() if value is not None}
            has["communities"] = has["communities"] | set(rule.change.communities)  # type: ignore[operator]
            if rule.cross is False:
                return None
            if rule.cross:
                decided = True
                break
        if not decided and has["kind"] is Kind.TRANSIT:
            return None
    return has


@given(st.lists(RULES, max_size=5), st.sampled_from(list(Kind)[:2]))
def test_rules_between_regions_are_read_like_the_page(rules: list[PolicyRule], kind: Kind) -> None:
    net = line(replace(asking(), kind=kind), replace(asking(at="d", name="q"), kind=kind), rules=tuple(rules))
    for (name, at, source), path in product((("p", "a", "west"), ("q", "d", "east")), ((65001,), (65001, 3356))):
        target = "east" if source == "west" else "west"
        route = Route("net", Family.V4, at, f"{name}@{at}", kind, source, 100, path, 3, communities=("65001:1",))
        has: dict[str, object] = {
            "kind": kind, "peer": name, "group": "net", "path": path, "local_pref": 100, "med": 3,
            "communities": {"65001:1"},
        }  # fmt: skip
        want, got = read_by_hand(rules, has, source, target), crosses(net, route, source, target)
        assert (got is None) == (want is None)
        if got is not None and want is not None:
            assert (got.local_pref, got.med) == (want["local_pref"], want["med"])
            assert set(got.communities) == want["communities"]


# ---- what peers hear


def test_what_a_peer_hears_is_ours_and_rules_hold_back_or_change_it() -> None:
    rules = (
        PeerRule(None, kind=Kind.DATACENTER, region="west", change=Change(med=4, prepend=2, communities=("65002:80",))),
        PeerRule(False, group="own"),
    )
    q = replace(peer("q", Kind.TRANSIT, ["d"], []), exports=rules)
    q = replace(q, ports=(replace(q.ports[0], prepend_out=1, med_out=3),))
    net = line(q)
    ours = Route("D", Family.V4, "b", None, Kind.DATACENTER, "west", 100)
    told = heard(net, q.ports[0], ours)
    assert told is not None
    assert (told.path, told.med, told.communities) == ((64512,) * 4, 4, ("65002:80",))
    assert heard(net, q.ports[0], replace(ours, group="own")) is None
    east = heard(net, q.ports[0], replace(ours, region="east"))
    assert east is not None
    assert (east.path, east.med) == ((64512,) * 2, 3)


def test_a_rule_that_accepts_lets_nothing_out_that_would_not_go() -> None:
    """A peering route is for customers (RFC 7908): accepting it does not make it a transit's to hear."""
    q = replace(peer("q", Kind.TRANSIT, ["d"], []), exports=(PeerRule(True),))
    theirs = Route("net", Family.V4, "a", "p@a", Kind.PEERING, "west", 200, (65001,))
    net = line(asking(), q)
    assert heard(net, q.ports[0], theirs) is None
    assert heard(net, replace(q, kind=Kind.CUSTOMER).ports[0], replace(theirs, kind=Kind.CUSTOMER)) is not None
