"""Changes of design step by step, by hand on a line of four routers; and where packets go astray."""

from __future__ import annotations

from dataclasses import replace

from bgp_worlds import line
from nets import circuit, network
from trunkline.bgp.design import sessions
from trunkline.compare.designs import Design
from trunkline.compare.forwarding import Astray, astray
from trunkline.compare.migrate import Fault, Migration, Move, migrate
from trunkline.igp import solve as igp
from trunkline.model.network import Network
from trunkline.model.nouns import Family, Ibgp


def changed(net: Network, a: Ibgp, b: Ibgp, bound: int | None = None) -> Migration:
    return migrate(net, Design("a", a), Design("b", b), bound)


def pairs(net: Network) -> set[str]:
    """The sessions of a state, `a-b`, or `b>a` where a is b's client."""
    up = sessions(net)
    met = {f"{x}-{y}" for m in up.meshes for x in m for y in m if x < y}
    return met | {f"{r}>{c}" for r, clients in up.clients.items() for c in clients}


def test_from_a_reflector_to_a_mesh() -> None:
    net = line()
    a = Ibgp(design="route-reflector", reflectors=("b",))
    found = changed(net, a, Ibgp(design="full-mesh"))
    assert pairs(found.start) == {"b>a", "b>c", "b>d"}
    # a comes up alone; b makes its clients peers only when it gives up the old; c meets a; d meets a and c
    assert [s.move for s in found.steps] == [Move("add", r) for r in "abcd"] + [Move("remove", "b")]
    assert [pairs(s.net) for s in found.steps] == [
        {"b>a", "b>c", "b>d"},
        {"b>a", "b>c", "b>d"},
        {"b>a", "b>c", "b>d", "a-c"},
        {"b>a", "b>c", "b>d", "a-c", "a-d", "c-d"},
        {"a-b", "b-c", "b-d", "a-c", "a-d", "c-d"},
    ]
    assert [s.sessions_most for s in found.steps] == [6, 6, 6, 6, 6]  # three neighbours, two families
    assert found.failed is None


def test_a_bound_on_sessions_names_the_step_that_passes_it() -> None:
    """From reflector b to reflector c: each has three neighbours, so six sessions, and b had them before."""
    net = line()
    old, new = (Ibgp(design="route-reflector", reflectors=(r,)) for r in "bc")
    found = changed(net, old, new, bound=6)
    assert (found.failed, max(s.sessions_most for s in found.steps)) == (None, 6)
    found = changed(net, old, new, bound=5)
    # b is one over from the start, so nothing may be added before a, who has its own exit, has left it
    assert found.steps[0].move == Move("remove", "a")
    assert found.failed is not None
    assert found.failed.faults == (Fault("too many sessions", path=("c", "6")),)


def test_confining_where_a_region_has_no_transit_blackholes_it_unless_it_can_fall_back() -> None:
    """The east's own transit is gone: what it has of the Internet comes over from the west."""
    net = line().without("t@d")
    a, b = Ibgp(design="full-mesh"), Ibgp(design="regional")
    assert changed(net, a, b).failed is None  # the design itself takes the route away: no step's doing
    keeps = replace(b, fallback_default=True)
    found = changed(net, a, keeps)
    # the fallback comes first, and confining after it: the other way round there is a state without a route
    assert [s.move for s in found.steps] == [Move("set", "fallback_default"), Move("set", "confine")]


def test_reflectors_between_meshes_pass_clients_nothing_of_clients_from_one_step_on() -> None:
    """`regional-rr` turns reflection between clients off of itself (RFC 4456 10): no setting of the file says so."""
    net = line()
    a, b = (Ibgp(design=d, reflectors=("b", "c")) for d in ("full-mesh", "regional-rr"))
    found = changed(net, a, b)
    assert found.failed is None
    assert [s.net.ibgp.between_clients for s in found.steps if s.move == Move("set", "client_to_client")] == [False]
    last = found.steps[-1].net
    assert (pairs(last), last.ibgp.between_clients, last.ibgp.confines) == ({"b>a", "b-c", "c>d"}, False, True)
    back = changed(net, b, a)
    assert back.failed is None
    assert (len(pairs(back.steps[-1].net)), back.steps[-1].net.ibgp.between_clients) == (6, True)


def test_packets_go_round_where_two_routers_point_at_each_other() -> None:
    """b reaches a's exit by a, and a thinks that c's is nearer: a sends to b, b back to a."""
    net = network([circuit("a", "b"), circuit("b", "c"), circuit("c", "d")])
    reach = igp.solve(net)
    exits = {"a": (("c", "x"),), "b": (("a", "y"),), "c": (("c", "x"),), "d": ()}
    assert astray(reach, Family.V4, exits) == (Astray("loop", ("a", "b")),)
    # a aims at c, but b on the way knows no route at all
    exits = {"a": (("c", "x"),), "b": (), "c": (("c", "x"),), "d": (("c", "x"),)}
    assert astray(reach, Family.V4, exits) == (Astray("dead end", ("a", "b")),)
    exits = {"a": (("c", "x"),), "b": (("c", "x"),), "c": (("c", "x"),), "d": ()}
    assert astray(reach, Family.V4, exits) == ()
