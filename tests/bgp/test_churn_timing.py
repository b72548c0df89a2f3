"""Timers, queues and packing, each by hand.  Every circuit takes 1 ms; what is counted is of both families."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgp_worlds import line
from nets import circuit, network, router
from traffic_nets import complete, peer
from trunkline.bgp.churn import Without, churn
from trunkline.bgp.restless import PATIENCE, Restless
from trunkline.bgp.timing import SECOND, Timing
from trunkline.model.event import Cut, Restore
from trunkline.model.network import Network
from trunkline.model.nouns import AddPath, Announcement, Condition, Family, Ibgp, IbgpSession, Kind, Peer, Port

QUICK = Timing(processing=0, igp=50_000)


def reflected() -> Network:
    """a reflects between b (1 ms), z (1 ms) and c (2 ms, behind x); one AS at b and at c, where its MED is better."""
    net = network([circuit("a", "b"), circuit("a", "z"), circuit("a", "x"), circuit("c", "x")])
    peers = [
        Peer(f"p{at}", Kind.PEERING, 1, (Port(f"p{at}@{at}", f"p{at}", at, 10**9),), (Announcement("net", (1,), med),))
        for at, med in (("b", 5), ("c", 1))
    ]
    listed = tuple(IbgpSession("a", client, client) for client in "bcz")
    return replace(complete(net, peers, {}, []), ibgp=Ibgp("sessions", sessions=listed))


@pytest.mark.parametrize(
    ("mrai", "withdrawals_wait", "settled_at"),
    [(0, True, 4000), (5 * SECOND, True, 5_003_000), (5 * SECOND, False, 5_002_000)],
)
def test_the_mrai_timer(mrai: int, withdrawals_wait: bool, settled_at: int) -> None:
    """0: b and c tell a.  1 ms: a has b's, tells c and z.  2 ms: a has c's, tells b and z, takes b's back from c.

    3 ms: b has c's, uses it, takes its own back from a.  8 UPDATEs in each family.  Without a timer the last are read
    at 4 ms, at a (from b) and at c.  With 5 s: b told a at 0, a told c and z at 1 ms.  So z has c's route at 5.002 s;
    and if withdrawals wait too, a has b's at 5.001 s and c has a's at 5.003 s.
    """
    found = churn(reflected(), None, timing=Timing(processing=0, mrai=mrai, withdrawals_wait=withdrawals_wait))
    assert (found.messages, found.depth, found.settled_at) == (16, 3, settled_at)


def test_updates_wait_for_each_other_at_a_router() -> None:
    """t of one AS at a and d, of two groups with other paths: from cold, c has two UPDATEs of d at 1 ms.

    They take 2 x 0.7 ms, till 2.4 ms; the two of a, there at 2 ms, till 3.8 ms.  b likewise; a has those of d at 3 ms
    and is the last, as d is, at 4.4 ms.
    """
    net = line(design="full-mesh")
    (t,) = net.peers
    t = replace(t, announces=(Announcement("g", (1,)), Announcement("h", (1, 2))))
    found = churn(complete(net, [t], {}, []), None, timing=Timing(processing=700))
    assert (found.messages, found.group_updates, found.settled_at) == (24, 24, 4400)


def test_equal_attributes_share_an_update_and_so_do_withdrawals() -> None:
    """g and h of equal attributes, i of a longer path: two UPDATEs from a to each of three; one withdraws all."""
    net = line(design="full-mesh")
    t = peer("t", Kind.PEERING, ["a"], ["g", "h"])
    t = replace(t, announces=(*t.announces, Announcement("i", (65001, 7))))
    net = replace(complete(net, [t], {}, []), ibgp=net.ibgp)
    cold = churn(net, None, timing=QUICK)
    assert (cold.messages, cold.group_updates, cold.prefix_updates) == (2 * 2 * 3, 2 * 3 * 3, 15 * 3 * 3)
    lost = churn(net, Cut(("t@a",)), timing=QUICK)
    assert (lost.messages, lost.group_updates, lost.prefix_updates) == (2 * 3, 2 * 3 * 3, 15 * 3 * 3)


def test_what_was_sent_over_a_cut_circuit_waits_for_the_igp() -> None:
    """A ring a b c d, t at a and d; the port at d and the circuit c-d are lost.

    d's withdrawal is at a after 1 ms, at b by a after 2 ms (the first by name of two ways); to c it waits for the IGP,
    50 ms, and goes round, 3 ms.
    """
    ring = network([circuit("a", "b"), circuit("b", "c"), circuit("c", "d"), circuit("a", "d")])
    net = complete(ring, [peer("t", Kind.PEERING, ["a", "d"], ["g"])], {}, [])
    found = churn(replace(net, ibgp=Ibgp("full-mesh")), Cut(("c-d", "t@d")), timing=QUICK)
    assert (found.messages, found.settled_at) == (6, 53_000)


def test_a_lost_reflector_is_a_stale_path_until_the_hold_time_ends() -> None:
    """r and s reflect c's route to z, in clusters of their own; z prefers r's (the lower address).

    r is lost: its path stays at z, good as ever, until the session ends; then z has s's.  Nobody is told anything, and
    the route is the same one.
    """
    star = network([circuit(x, y) for x in "rs" for y in "cz"], [router(n) for n in "crsz"])
    listed = tuple(IbgpSession(x, y, y) for x in "rs" for y in "cz")
    net = complete(star, [peer("t", Kind.PEERING, ["c"], ["g"])], {}, [])
    net = replace(net, ibgp=Ibgp("sessions", sessions=listed))
    slow, fast = (churn(net, Cut(("r",)), timing=replace(QUICK, fast_convergence=on)) for on in (False, True))
    assert slow.messages == fast.messages == 0
    assert slow.without == fast.without == {}
    back = churn(net, Restore(("r",)), Condition(down=frozenset("r")), QUICK)
    # at 1.050 s c tells r; 1 ms later r tells z, and has nothing for c: two UPDATEs in each family
    assert (back.messages, back.depth, back.settled_at) == (4, 2, 1_052_000)


def test_a_default_stands_in() -> None:
    """The west's transit at a is lost; transit stays in its region.  b hears of it after 1 ms, and nobody else does.

    Without a default both are without from then on.  With one, a turns to d's default at once, b's packets go to a.
    """
    lost = Cut(("t@a",))
    bare = churn(line(), lost, timing=QUICK)
    assert bare.without == {(r, "internet", family): Without(1000, True) for r in "ab" for family in Family}
    assert churn(line(fallback_default=True), lost, timing=QUICK).without == {}


def test_what_is_no_time_or_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="mrai must not be negative, not -1"):
        Timing(mrai=-1)
    with pytest.raises(KeyError, match="nowhere"):
        churn(line(), Cut(("nowhere",)))
    with pytest.raises(KeyError, match="t@a"):
        churn(line(), Restore(("t@a",)))


def test_where_the_whole_state_never_comes_back_what_is_told_does() -> None:
    """A queue that grows for ever (the key), under a router that tells x and y by turns."""
    restless = Restless()
    states = [(("r", "xy"[n % 2]),) for n in range(PATIENCE + 1)]
    found = [restless.recurs(n, state) for n, state in enumerate(states)]
    assert found[:PATIENCE] == [()] * PATIENCE
    assert found[PATIENCE] == ((("r", "x"),), (("r", "y"),))


def test_a_dead_reflectors_path_misleads_until_its_session_ends() -> None:
    """r and s reflect c's route to z; r and the port at c are lost together.

    s takes the route back from z, but r cannot: z sends to c, who has no way out, until its session with r ends.
    """
    star = network([circuit(x, y) for x in "rs" for y in "cz"], [router(n) for n in "crsz"])
    listed = tuple(IbgpSession(x, y, y) for x in "rs" for y in "cz")
    net = complete(star, [peer("t", Kind.PEERING, ["c"], ["g"])], {}, [])
    net = replace(net, ibgp=Ibgp("sessions", sessions=listed))
    lost = Cut(("r", "t@c"))
    assert churn(net, lost, timing=QUICK).settled_at == 180 * SECOND
    # the way from c to z is by r, the first by name: s has the withdrawal at 1 ms and z, from s, at 2 ms
    assert churn(net, lost, timing=replace(QUICK, fast_convergence=True)).settled_at == 50_000


def test_an_exit_that_has_turned_to_another_serves_those_who_still_send_there() -> None:
    """r reflects between a, c (1 ms) and b (10 ms); c's own route is longer, so c tells nothing.  a loses its port.

    1 ms: r hears it, has nothing, tells b and c.  2 ms: c turns to its own and tells.  3 ms: r tells a and b.  4 ms: a
    has c's route; b, who has heard of nothing yet, is served by a again.  b has r's withdrawal at 11 ms and c's route
    at 13 ms.  So b is without for 4 + 2 ms, a for 4, r for 3, c for 2.
    """
    star = network([circuit("a", "r"), circuit("c", "r"), replace(circuit("b", "r"), latency=10_000)])
    t, u = peer("t", Kind.PEERING, ["a"], ["g"]), peer("u", Kind.PEERING, ["c"], ["g"])
    u = replace(u, announces=(Announcement("g", (65001, 7)),))
    listed = tuple(IbgpSession("r", client, client) for client in "abc")
    net = replace(complete(star, [t, u], {}, []), ibgp=Ibgp("sessions", sessions=listed))
    found = churn(net, Cut(("t@a",)), timing=QUICK)
    times = {"a": 4000, "b": 6000, "c": 2000, "r": 3000}
    assert found.without == {(r, "g", f): Without(time, False) for r, time in times.items() for f in Family}


def test_nothing_is_told_back_to_where_it_was_heard() -> None:
    """d is a's client, a is c's: d tells a, a tells c, and neither answers."""
    net = complete(network([circuit("a", "c"), circuit("a", "d")]), [peer("t", Kind.PEERING, ["d"], ["g"])], {}, [])
    listed = (IbgpSession("a", "d", "d"), IbgpSession("a", "c", "a"))
    assert churn(replace(net, ibgp=Ibgp("sessions", sessions=listed)), None, timing=QUICK).messages == 2 * 2


def test_two_paths_of_equal_attributes_share_an_update() -> None:
    """Two ports at a to one AS: with Add-Path one UPDATE of two paths to each of three."""
    net = line(design="full-mesh", add_path=AddPath(to_peers="all"))
    both = [peer(name, Kind.PEERING, ["a"], ["g"]) for name in ("t", "u")]
    found = churn(complete(net, both, {}, []), None, timing=QUICK)
    assert (found.messages, found.group_updates) == (2 * 3, 2 * 3 * 2)
