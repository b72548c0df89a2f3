"""Route reflection and several paths a session, case by case: RFC 4456 6 to 9, RFC 7911, and what a failure leaves."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from nets import circuit, network, router
from traffic_nets import complete, peer
from trunkline.bgp.decision import Candidate, Learned, decide, held
from trunkline.bgp.design import Relation, sessions
from trunkline.bgp.solve import solve
from trunkline.igp import solve as igp
from trunkline.model.network import Network
from trunkline.model.nouns import AddPath, Family, Ibgp, IbgpSession, Kind, Peer
from trunkline.model.route import Route

Copy = tuple[str, str, str]
"""A path that a router holds: where it left the network, who told it (empty: nobody inside), through which clusters."""


def built(routers: str, pairs: str, peers: list[Peer], **ibgp: object) -> Network:
    """Routers a metric of 10 apart from each other, and sessions such as `ab` (peers) or `ka>` (a is k's client)."""
    net = network([circuit(x, y) for x, y in combinations(routers, 2)], [router(name) for name in routers])
    listed = tuple(
        IbgpSession(min(p[:2]), max(p[:2]), p[1] if p.endswith(">") else None) for p in sorted(pairs.split())
    )
    return replace(complete(net, peers, {}, []), ibgp=replace(Ibgp(design="sessions", sessions=listed), **ibgp))  # type: ignore[arg-type]


def copies(net: Network, at: str) -> set[Copy]:
    decision = solve(net, igp.solve(net)).best(at, "net", Family.V4)
    names = {int(r.loopback): r.name for r in net.routers}
    return {
        (c.route.port or "", c.sender, "".join(names[cluster] for cluster in c.clusters))
        for c in (held(decision) if decision else ())
    }


def best(net: Network, at: str) -> str:
    decision = solve(net, igp.solve(net)).best(at, "net", Family.V4)
    return decision.best.sender if decision else ""


def hears(*routers: str, asn: int = 65001, name: str = "p") -> Peer:
    return peer(name, Kind.PEERING, list(routers), ["net"], asn)


def test_a_clients_route_goes_to_everybody_and_a_peers_to_clients_alone() -> None:
    """RFC 4456 6: k has the client a and the non-clients b and c, which have no session with each other."""
    from_client = built("abck", "ka> kb kc", [hears("a")])
    assert [copies(from_client, at) for at in "bc"] == [{("p@a", "k", "k")}, {("p@a", "k", "k")}]
    from_peer = built("abck", "ka> kb kc", [hears("b")])
    assert copies(from_peer, "a") == {("p@b", "k", "k")}
    assert copies(from_peer, "c") == set()


def test_clients_that_mesh_need_no_reflection_between_them() -> None:
    """RFC 4456 10: what k has from the client a goes to its peer c and not to its client b."""
    net = built("abck", "ka> kb> kc", [hears("a")], client_to_client=False)
    assert (copies(net, "b"), copies(net, "c")) == (set(), {("p@a", "k", "k")})


def test_a_route_is_not_taken_back_by_who_brought_it() -> None:
    """RFC 4456 8: a's own ORIGINATOR_ID comes back from k and m, and a ignores it."""
    assert copies(built("akm", "ka> ma> km", [hears("a")]), "a") == {("p@a", "", "")}


def test_a_cluster_ignores_what_went_through_it() -> None:
    """RFC 4456 7 and 8: with a cluster each, k also holds m's copy; in one (that of k, the first) it does not."""
    own = built("akm", "ka> ma> km", [hears("a")])
    assert copies(own, "k") == {("p@a", "a", ""), ("p@a", "m", "m")}
    assert copies(replace(own, ibgp=replace(own.ibgp, shared_cluster=True)), "k") == {("p@a", "a", "")}


def test_copies_of_one_route_end_by_the_shorter_cluster_list_and_then_the_lower_address() -> None:
    """RFC 4456 9.  Addresses follow the alphabet.  In the chain a-k-c, b is a client of both reflectors: c has the
    lower address and the longer list (k, then c).  Where k and m reflect a itself, lists are equal and k is lower."""
    chain = built("abck", "ka> ck> cb> kb>", [hears("a")])
    assert copies(chain, "b") == {("p@a", "c", "kc"), ("p@a", "k", "k")}
    assert best(chain, "b") == "k"
    twins = built("abkm", "ka> ma> kb> mb> km", [hears("a")])
    assert copies(twins, "b") == {("p@a", "k", "k"), ("p@a", "m", "m")}
    assert best(twins, "b") == "k"


def test_the_router_id_is_the_originators_and_comes_before_the_cluster_list() -> None:
    """RFC 4456 9: a (lower id) came through two clusters, d through one; both 10 away from b, and a wins."""
    net = built("abcdk", "ka> ck> cb> cd>", [hears("a", "d")], add_path=AddPath("all", "all", "all"))
    assert copies(net, "b") == {("p@a", "c", "kc"), ("p@d", "c", "c")}
    decision = solve(net, igp.solve(net)).best("b", "net", Family.V4)
    assert decision
    assert decision.best.route.router == "a"


def test_add_path_tells_what_the_reflector_would_keep() -> None:
    """RFC 7911: k hears a and b (AS 1) and c (AS 2), all 10 away; it prefers a, the lowest router id, and tells d."""
    peers = [hears("a", "b", asn=1), hears("c", asn=2, name="q")]
    told = {
        mode: {port for port, _, _ in copies(built("abcdk", "ka> kb> kc> kd>", peers, add_path=AddPath(mode)), "d")}
        for mode in ("none", "per-as", "2", "all")
    }
    assert told == {
        "none": {"p@a"},
        "per-as": {"p@a", "q@c"},  # b is of a's AS
        "2": {"p@a", "p@b"},
        "all": {"p@a", "p@b", "q@c"},
    }


def test_each_direction_of_add_path_is_its_own() -> None:
    """a hears two routes of one AS.  To its reflector it tells both only if told so, whatever k tells its clients."""
    two = [hears("a", name="p"), hears("a", name="q")]
    net = built("abk", "ka> kb>", two, add_path=AddPath(to_clients="all"))
    assert {port for port, _, _ in copies(net, "b")} == {"p@a"}
    both = replace(net, ibgp=replace(net.ibgp, add_path=AddPath(to_clients="all", to_reflectors="all")))
    assert {port for port, _, _ in copies(both, "b")} == {"p@a", "q@a"}


def test_who_says_the_default_passes_no_others_on() -> None:
    """FRR's default-originate takes the place of every other default on a session, Add-Path or not (seen in a lab)."""
    transits = [peer("t", Kind.TRANSIT, ["a", "k"], ["net"])]
    net = built("abk", "ka> kb>", transits, fallback_default=True, add_path=AddPath("all", "all", "all"))
    decision = solve(net, igp.solve(net)).best("b", "default", Family.V4)
    assert decision
    assert {c.route.router for c in held(decision)} == {"k"}


def test_nobody_takes_the_place_of_a_reflector_that_failed() -> None:
    """Found by a lab: two BBs of three reflect, c does not; without a only b does, and no other router turns one."""
    net = built("abcx", "", [])
    net = replace(net, ibgp=Ibgp(design="route-reflector"))
    assert set(sessions(net).clients) == {"a", "b"}
    after = sessions(net.without("a"))
    assert dict(after.clients) == {"b": {"c", "x"}}
    assert after.relation("c", "b") is Relation.REFLECTOR
    none = sessions(net.without("a").without("b"))
    assert (none.neighbours("c"), none.reflects) == (set(), False)


def test_frr_fills_its_multipath_set_by_next_hop() -> None:
    """Seen in FRR 8.4: each next hop once, the lowest first, where RFC 4271 leaves it open and we go by router id."""

    def path(exit_: str, next_hop: int, router_id: int, sender: int) -> Candidate:
        route = Route("net", Family.V6, exit_, f"p@{exit_}", Kind.PEERING, "r1", 200, (1,))
        return Candidate(route, Learned.IBGP, 10, router_id, sender, str(sender), (sender,), next_hop)

    exits = [("x", 5, 1), ("y", 8, 2), ("w", 3, 3), ("z", 7, 4)]  # name, next hop, router id
    paths = [path(*exit_, sender) for exit_ in exits for sender in (1, 2)]

    def shares(profile: str, most: int) -> list[str]:
        return [c.route.router for c in decide(paths, Ibgp(profile=profile, multipath=most)).multipath]

    assert shares("frr", 2) == ["w", "x"]  # x is the best; the lowest next hop besides is that of w
    assert shares("frr", 3) == ["w", "x", "z"]
    assert shares("rfc", 2) == ["x", "y"]
    assert shares("rfc", 3) == ["w", "x", "y"]
