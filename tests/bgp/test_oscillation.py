"""The persistent oscillations of iBGP: RFC 3345's, DISAGREE and BAD GADGET, each with the cycle worked out by hand.

Every circuit takes 1 ms, and UPDATEs are read at once; a state is what each router tells, by the exits of one letter.
"""

from __future__ import annotations

from dataclasses import replace

from nets import circuit, network, router
from traffic_nets import complete
from trunkline.bgp.churn import Churn, churn
from trunkline.bgp.exchange import exchange
from trunkline.bgp.solve import solve
from trunkline.bgp.timing import SECOND, Timing
from trunkline.igp.solve import solve as converge
from trunkline.model.network import Network
from trunkline.model.nouns import AddPath, Announcement, Family, Ibgp, IbgpSession, Kind, Peer, Port

QUICK = Timing(processing=0)
Entry = tuple[str, int, int]
"""Where a route enters (the port is named after it), the neighbour AS, the MED."""


def backbone(metrics: dict[str, int], entries: list[Entry], sessions: str, **more: object) -> Network:
    """Circuits such as `ab` by metric; sessions such as `a-b` (peers) and `a>c` (c is a's client)."""
    names = sorted({end for pair in metrics for end in pair})
    net = network([circuit(pair[0], pair[1], metric) for pair, metric in metrics.items()], [router(n) for n in names])
    peers = [
        Peer(f"x{at}", Kind.PEERING, asn, (Port(at, f"x{at}", at, 10**9),), (Announcement("net", (asn, 100), med),))
        for at, asn, med in entries
    ]
    listed = tuple(IbgpSession(s[0], s[2], s[2] if s[1] == ">" else None) for s in sessions.split())
    ibgp = Ibgp("sessions", sessions=listed, **more)  # type: ignore[arg-type]
    return replace(complete(net, peers, {}, []), ibgp=ibgp)


def cold(net: Network, timing: Timing = QUICK) -> Churn:
    return churn(net, None, timing=timing)


def states(found: Churn) -> list[str]:
    """The cycle of IPv4, as text, from its first state by the alphabet."""
    (cycle,) = [u.cycle for u in found.unsettled if u.family is Family.V4]
    said = [" ".join(f"{router}={exits}" for router, exits in state) for state in cycle]
    first = said.index(min(said))
    return said[first:] + said[:first]


def exits(found: Churn, net: Network) -> dict[str, str | None]:
    """Where each router sends IPv4, when all is quiet."""
    assert found.unsettled == ()
    ((alike, family, told),) = [s for s in found.settled if s[1] is Family.V4]
    mesh = exchange(net, converge(net), family)
    chosen = {name: mesh.decide(name, alike.own, told) for name in net.router}
    return {name: decision.best.route.port if decision else None for name, decision in chosen.items()}


TYPE_1 = {"ab": 5, "ac": 4, "ad": 1, "de": 12}
TYPE_1_ENTRIES = [("b", 10, 10), ("c", 6, 1), ("e", 6, 0)]


def test_med_oscillation_of_one_tier() -> None:
    """RFC 3345 2.1: reflectors a (clients b, c) and d (client e); AS 10 at b, AS 6 at c (MED 1) and e (MED 0).

    a has b at 5, c at 4, e at 13; d has b at 6, c at 5, e at 12.  While d tells nothing of e, a
    finds c nearest; once d tells e, c loses to it on MED, and b is nearer than e.  While a tells c, that loses to e on
    MED; once a tells b, that is nearer than e, and d takes e back.  d tells its client what it uses, b or e.
    So, 1 ms apart: a tells c, d turns to e, a turns to b, d turns to b, and a tells c again.
    """
    found = cold(backbone(TYPE_1, TYPE_1_ENTRIES, "a>b a>c d>e a-d"))
    assert states(found) == [f"a={a} b=b c=c d={d} e=e" for a, d in ("bb", "cb", "ce", "be")]


TWO_TIERS = {"ab": 1, "bc": 1, "ad": 4, "ae": 3, "bf": 12}
"""a and b below c: their own clients d and e, and f."""


def test_med_oscillation_of_two_tiers() -> None:
    """An oscillation over two tiers, RFC 3345's type II; the network is ours.  a (clients d, e) and b (f) are c's.

    AS 10 at d, AS 6 at e (MED 1) and f (MED 0).  a has d at 4, e at 3, f at 13; b has d at 5, e at 4, f at 12; c has d
    at 5, e at 4, f at 13.  Where f is known, e loses to it on MED, and d is nearer than f.  a uses e till c tells it f,
    then d.  b uses what c tells it if that is d (nearer than f), else f, and tells c of f only while it uses it.  c
    uses e, or f once it has e and f, or d once it has d, and never tells a router what it has from there.
    b and c are 1 ms apart, a and c 2 ms.  From b=d, c=e: at 1 ms b has e and turns to f; 2: c turns to f; 4: a has f
    and turns to d; 6: c turns to d, which takes f back from a; 7: b turns to d, which takes f back from c, who stays
    with d; 8: a is rid of f and turns to e; 10: c turns to e, and so on.
    """
    found = cold(backbone(TWO_TIERS, [("d", 10, 10), ("e", 6, 1), ("f", 6, 0)], "a>d a>e b>f c>a c>b"))
    turns = ("ddd", "edd", "ede", "efe", "eff", "dff", "dfd")
    assert states(found) == [f"a={a} b={b} c={c} d=d e=e f=f" for a, b, c in map(tuple, turns)]


def test_what_rfc_3345_advises_settles_it() -> None:
    """Full mesh: c loses to e on MED everywhere, so b or e by distance.  Reflectors that tell each other all: the same.

    MEDs that are equal: c and e are equal, a uses c (4), d too (5).
    """
    sessions = "a>b a>c d>e a-d"
    mesh = replace(backbone(TYPE_1, TYPE_1_ENTRIES, ""), ibgp=Ibgp("full-mesh"))
    expected = {"a": "b", "b": "b", "d": "b", "e": "e"}
    assert {r: e for r, e in exits(cold(mesh), mesh).items() if r != "c"} == expected
    several = backbone(TYPE_1, TYPE_1_ENTRIES, sessions, add_path=AddPath(to_peers="all"))
    assert {r: e for r, e in exits(cold(several), several).items() if r != "c"} == expected
    equal = backbone(TYPE_1, [(at, asn, 0) for at, asn, _ in TYPE_1_ENTRIES], sessions)
    assert exits(cold(equal), equal) == {"a": "c", "b": "b", "c": "c", "d": "c", "e": "e"}


def test_disagree_settles_or_not_as_the_timing_has_it() -> None:
    """Reflectors a and b, clients c and d: a is nearer to b's client d, b to a's client c.

    a has c at 10, d at 5 (a circuit of its own); b has d at 10, c at 5.  Two states are stable: both use c, or both d.
    Told of at once, both turn at once: a tells c and b tells d, then each uses the other's and withdraws its own
    client's, so each turns back, for ever.  With c at 4 ms from a, d is told first: b has it at 1 ms, a at 2 ms, and a
    does not tell c any more.  The other way round likewise.
    """
    metrics = {"ac": 10, "ad": 5, "bd": 10, "bc": 5, "ab": 12}
    net = backbone(metrics, [("c", 1, 0), ("d", 2, 0)], "a>c b>d a-b")
    assert states(cold(net)) == ["a=c b=d c=c d=d", "a=d b=c c=c d=d"]
    assert solve(net, converge(net)).unsettled == ()
    for name, wins in (("a-c", "d"), ("b-d", "c")):
        slow = tuple(replace(c, latency=4000) if c.name == name else c for c in net.circuits)
        one = replace(net, circuits=slow)
        assert exits(cold(one), one) == {"a": wins, "b": wins, "c": "c", "d": "d"}


def test_bad_gadget_has_no_stable_state() -> None:
    """Reflectors a, b, c in a ring of preferences, each nearer to the next one's client than to its own.

    a has its client x at 10 and b's y at 5; b has y at 10 and c's z at 5; c has z at 10 and a's x at 5; what is left is
    further.  A reflector tells its client's route while it uses it, that is while the next one does not tell its own:
    with three of them no state fits.  Cold, all tell their own, at once; all turn to the next one's and withdraw
    theirs; all turn back.
    """
    metrics = {"ax": 10, "by": 10, "cz": 10, "ay": 5, "bz": 5, "cx": 5, "ab": 20, "bc": 20, "ac": 20}
    net = backbone(metrics, [("x", 1, 0), ("y", 2, 0), ("z", 3, 0)], "a>x b>y c>z a-b b-c a-c")
    own, other = "a=x b=y c=z x=x y=y z=z", "a=y b=z c=x x=x y=y z=z"
    assert states(cold(net)) == [own, other]
    assert {u.family for u in solve(net, converge(net)).unsettled} == set(Family)


def test_a_timer_slows_an_oscillation_and_does_not_end_it() -> None:
    net = backbone(TYPE_1, TYPE_1_ENTRIES, "a>b a>c d>e a-d")
    found = cold(net, Timing(processing=0, mrai=5 * SECOND))
    assert found.settled_at > 5 * SECOND
    assert set(states(found)) <= {f"a={a} b=b c=c d={d} e=e" for a in "bc" for d in "be"}
    assert len(states(found)) > 1
