"""The decision process step by step (RFC 4271 9.1.2.2), by hand: what wins, and on which step the others lose."""

from __future__ import annotations

import pytest

from trunkline.bgp.decision import Candidate, Decision, Learned, decide
from trunkline.model.nouns import Family, Ibgp, Kind
from trunkline.model.route import Route


def external(port: str, path: tuple[int, ...] = (1,), med: int = 0, pref: int = 100, origin: str = "igp") -> Candidate:
    route = Route("net", Family.V4, "me", port, Kind.PEERING, "r1", pref, path, med, origin)
    return Candidate(route, Learned.EBGP, 0, 10, port)


def internal(
    router: str, path: tuple[int, ...] = (1,), med: int = 0, metric: int = 10, rid: int = 20, pref: int = 100
) -> Candidate:
    route = Route("net", Family.V4, router, f"x@{router}", Kind.PEERING, "r1", pref, path, med)
    return Candidate(route, Learned.IBGP, metric, rid, rid)


def own(pref: int = 100) -> Candidate:
    return Candidate(Route("net", Family.V4, "me", None, Kind.DATACENTER, "r1", pref), Learned.LOCAL, 0, 10, "")


def names(decision: Decision) -> list[str]:
    return [c.route.port or "own" for c in decision.multipath]


@pytest.mark.parametrize(
    ("winner", "loser", "step"),
    [
        (external("a", (1, 2, 3), pref=200), external("b", (1,), pref=100), "local preference"),
        (own(), external("a", ()), "locally originated"),
        (external("a", pref=200), own(pref=100), "local preference"),  # before "locally originated"
        (
            external("a", (1, 2), med=99),
            external("b", (1, 2, 3), med=0),
            "AS path length",
        ),  # MED never saves a longer path
        (external("a", (1, 2)), external("b", (1, 2), origin="incomplete"), "origin"),
        (external("a", (1, 2), med=5), external("b", (1, 3), med=6), "MED"),
        (external("a", (1,)), internal("x", (1,), metric=0), "eBGP over iBGP"),
        (internal("x", (1,), med=1), external("a", (1,), med=2), "MED"),  # before eBGP over iBGP
        (internal("x", metric=5, rid=99), internal("y", metric=6, rid=1), "IGP metric"),
        (internal("x", rid=1), internal("y", rid=2), "router id"),
        (external("a"), external("b"), "peer address"),  # two sessions of this router: by port name
    ],
)
@pytest.mark.parametrize("profile", ["rfc", "frr"])
def test_one_beats_another_on_its_step(winner: Candidate, loser: Candidate, step: str, profile: str) -> None:
    for order in ([winner, loser], [loser, winner]):
        decision = decide(order, Ibgp(profile=profile))
        assert decision.best == winner
        assert decision.beaten == ((loser, step),)


@pytest.mark.parametrize("profile", ["rfc", "frr"])
def test_med_eliminates_within_a_neighbour_as_and_never_across(profile: str) -> None:
    """The textbook three: a (AS 1, MED 10, metric 5), b (AS 1, MED 5, metric 9), c (AS 2, MED 20, metric 7).

    Pairwise it is a circle: b beats a on MED, a beats c and c beats b on the metric.  By elimination b removes a, and
    then c's metric 7 beats b's 9.
    """
    a, b, c = internal("a", (1,), 10, 5), internal("b", (1,), 5, 9), internal("c", (2,), 20, 7)
    for order in ([a, b, c], [b, c, a], [c, a, b], [c, b, a]):
        decision = decide(order, Ibgp(profile=profile))
        assert decision.best == c
        assert {k.route.router: step for k, step in decision.beaten} == {"a": "MED", "b": "IGP metric"}


def test_a_missing_med_is_zero() -> None:
    assert decide([external("a", med=1), external("b")], Ibgp()).best == external("b")


def test_multipath_is_what_is_equal_after_the_metric_with_the_same_path() -> None:
    x, y, z = internal("x", (1, 7), rid=3), internal("y", (1, 7), rid=2), internal("z", (1, 8), rid=1)
    far = internal("w", (1, 7), metric=11)
    assert names(decide([x, y, z, far], Ibgp())) == ["x@z"]  # z is best by router id; the others' paths differ
    assert names(decide([x, y, far], Ibgp())) == ["x@x", "x@y"]
    assert names(decide([x, y, z, far], Ibgp(as_path_relax=True))) == ["x@x", "x@y", "x@z"]
    assert names(decide([x, y, z], Ibgp(as_path_relax=True, multipath=2))) == ["x@y", "x@z"]  # best, then router id
    assert names(decide([x, y, external("e", (1, 7))], Ibgp(as_path_relax=True))) == ["e"]  # never mixed


def test_frr_shares_over_ebgp_paths_of_one_neighbour_as_whatever_follows_it() -> None:
    """bgpd/bgp_route.c, "Maximum path check": an eBGP pair needs the same remote AS, an iBGP pair the same AS_PATH."""
    e, f, g = external("e", (1, 7)), external("f", (1, 8)), external("g", (2, 7))
    assert names(decide([e, f, g], Ibgp(profile="rfc"))) == ["e"]
    assert names(decide([e, f, g], Ibgp(profile="frr"))) == ["e", "f"]
    x, y = internal("x", (1, 7)), internal("y", (1, 8), rid=21)
    assert names(decide([x, y], Ibgp(profile="frr"))) == ["x@x"]


def test_frr_compares_each_path_with_the_best_alone_so_a_med_loser_of_another_as_shares() -> None:
    """e (AS 1); f (AS 2, MED 0) and g (AS 2, MED 9), relaxed.  f eliminates g from the decision (RFC), but e is best.

    FRR marks a path equal by comparing it with the best, and MEDs of AS 1 and AS 2 are not compared: g shares too.
    """
    e, f, g = external("e", (1,)), external("f", (2,), 0), external("g", (2,), 9)
    assert names(decide([g, f, e], Ibgp(profile="rfc", as_path_relax=True))) == ["e", "f"]
    assert names(decide([g, f, e], Ibgp(profile="frr", as_path_relax=True))) == ["e", "f", "g"]
    worse = external("h", (1,), 3)  # same AS as the best, larger MED: out in both
    assert names(decide([e, worse], Ibgp(profile="frr", as_path_relax=True))) == ["e"]
