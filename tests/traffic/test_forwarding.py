"""The walk through every router's own FIB, by hand."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from nets import GIG, circuit, network, router, v4_only
from traffic_nets import BULK, GOLD, complete, demand, loaded, lsp, outcome, peer, walked
from trunkline.demand.reason import Reason
from trunkline.model.network import Network
from trunkline.model.nouns import Ibgp, Igp, Kind, Te


def square(*demands: object, te: Te | None = None) -> Network:
    r"""a-b-d and a-c-d cost 20 each; data centres A at a and D at d."""
    net = network([circuit("a", "b"), circuit("b", "d"), circuit("a", "c"), circuit("c", "d")])
    net = complete(net, [], {"A": ["a"], "D": ["d"]}, list(demands))  # type: ignore[arg-type]
    return replace(net, te=te or Te())


def test_equal_cost_paths_share_evenly_and_the_remainder_goes_to_the_first_by_name() -> None:
    d = replace(demand("A", "D", 1), rate=11)
    loads = walked(square(d))
    rows = {str(r["arc"]): r["load"] for r in loads.tables()["circuits"].records() if r["load"]}
    # 11 = 6 + 5; a-b@a sorts before a-c@a
    assert rows == {"a-b@a": 6, "b-d@b": 6, "a-c@a": 5, "c-d@c": 5}
    got = outcome(loads, d.name)
    assert (got.delivered, got.latency_max, got.latency_mean) == (11, 2000, 2000)  # two circuits of 1 ms


def test_an_lsp_hides_what_it_crosses_and_its_load_is_counted_apart() -> None:
    net = square(demand("A", "D", 8))
    loads = walked(net, lsp(net, "a c d"))
    assert loaded(loads) == {"a-c@a": 8, "c-d@c": 8}
    assert (int(loads.igp.sum()), int(loads.lsp.sum())) == (0, 16 * GIG)
    got = outcome(loads, "A>D.gold")
    assert (got.on_lsp, got.off_shortest) == (8 * GIG, 0)
    assert got.paths == ("a =d.gold=> d",)
    assert loads.lsps == {"a/d.gold": 8 * GIG}


def test_a_longer_lsp_is_off_the_shortest_path_and_costs_its_own_latency() -> None:
    net = network([circuit("a", "d", 5), circuit("a", "c"), circuit("c", "d")])
    net = complete(net, [], {"A": ["a"], "D": ["d"]}, [demand("A", "D", 8)])
    got = outcome(walked(net, lsp(net, "a c d")), "A>D.gold")
    assert (got.off_shortest, got.latency_max) == (8 * GIG, 2000)
    assert outcome(walked(net), "A>D.gold").latency_max == 1000


def test_parallel_lsps_share_by_reserved_bandwidth_or_equally() -> None:
    for parallel, expected in (("bandwidth", {"a-b@a": 2, "a-c@a": 6}), ("equal", {"a-b@a": 4, "a-c@a": 4})):
        net = square(demand("A", "D", 8), te=Te(parallel=parallel))
        loads = walked(net, lsp(net, "a b d", gbps=10, name="x"), lsp(net, "a c d", gbps=30, name="y"))
        assert {arc: rate for arc, rate in loaded(loads).items() if arc.startswith("a")} == expected


def test_lsps_of_no_bandwidth_share_equally() -> None:
    net = square(demand("A", "D", 8))
    loads = walked(net, lsp(net, "a b d", gbps=0, name="x"), lsp(net, "a c d", gbps=0, name="y"))
    assert loads.lsps == {"a/x": 4 * GIG, "a/y": 4 * GIG}


def test_a_class_falls_back_to_another_classes_lsps_and_then_to_the_igp() -> None:
    net = square(demand("A", "D", 8, "gold"), demand("A", "D", 2, "bulk"))
    loads = walked(net, lsp(net, "a c d", "bulk"))
    assert outcome(loads, "A>D.gold").on_lsp == 8 * GIG  # gold's fallback is bulk
    assert outcome(walked(net), "A>D.gold").on_lsp == 0
    alone = walked(net, lsp(net, "a c d", "gold"))
    assert outcome(alone, "A>D.bulk").on_lsp == 0  # bulk has no fallback but the IGP


def test_a_class_that_ends_with_drop_is_dropped_where_no_lsp_is_up() -> None:
    net = replace(square(demand("A", "D", 8)), classes=(BULK, replace(GOLD, fallback=("bulk", "drop"))))
    got = outcome(walked(net), "A>D.gold")
    assert (got.delivered, got.lost) == (0, ((Reason.DROPPED, "a", 8 * GIG),))
    assert outcome(walked(net, lsp(net, "a c d", "bulk")), "A>D.gold").delivered == 8 * GIG


def test_v6_follows_the_igp_beside_the_lsps_unless_6pe_carries_it() -> None:
    d = demand("A", "D", 8, v6_ppm=250_000)  # 6 of IPv4, 2 of IPv6
    for mode, beside in (("off", 2), ("6pe", 0)):
        net = square(d, te=Te(v6_over_lsp=mode))
        loads = walked(net, lsp(net, "a c d"))
        assert outcome(loads, d.name, "v6").off_lsp == beside * GIG
        assert loads.lsps == {"a/d.gold": (8 - beside) * GIG}


def test_v6_shortcuts_take_the_lsp_to_the_nearest_tail_on_the_way() -> None:
    # a-b-c-d in a line; LSPs a->b and a->c; to d the tail c is nearer than b, then c-d by IGP
    net = network([circuit("a", "b"), circuit("b", "c"), circuit("c", "d")])
    net = complete(net, [], {"A": ["a"], "D": ["d"]}, [demand("A", "D", 2, v6_ppm=1_000_000)])
    net = replace(net, te=Te(v6_over_lsp="shortcuts"))
    loads = walked(net, lsp(net, "a b"), lsp(net, "a b c"))
    assert loads.lsps == {"a/c.gold": 2 * GIG}
    assert outcome(loads, "A>D.gold", "v6").paths == ("a =c.gold=> c -> d",)


def test_v4_and_v6_take_different_ways_where_a_circuit_lacks_v6() -> None:
    # the direct a-d costs 5 but carries IPv4 alone: IPv6 goes a-c-d, at 20
    net = network([v4_only(circuit("a", "d", 5)), circuit("a", "c"), circuit("c", "d")])
    net = complete(net, [], {"A": ["a"], "D": ["d"]}, [demand("A", "D", 8, v6_ppm=250_000)])
    net = replace(net, igp=Igp(multi_topology=True))
    assert loaded(walked(net)) == {"a-d@a": 6, "a-c@a": 2, "c-d@c": 2}


def test_in_a_single_topology_v6_is_lost_in_a_circuit_that_lacks_it() -> None:
    # the same network in one topology: IS-IS sends both families a-d, and a-d forwards IPv4 alone
    net = network([v4_only(circuit("a", "d", 5)), circuit("a", "c"), circuit("c", "d")])
    net = complete(net, [], {"A": ["a"], "D": ["d"]}, [demand("A", "D", 8, v6_ppm=250_000)])
    loads = walked(net)
    assert loaded(loads) == {"a-d@a": 6}
    assert outcome(loads, "A>D.gold").lost == ()
    six = outcome(loads, "A>D.gold", "v6")
    assert (six.delivered, six.latency_max) == (0, None)
    assert six.lost == ((Reason.NO_FAMILY, "a-d@a", 2 * GIG),)
    labelled = replace(net, te=Te(v6_over_lsp="6pe"))  # inside an LSP it is MPLS that crosses the circuit
    assert loaded(walked(labelled, lsp(net, "a d"))) == {"a-d@a": 8}


def test_parallel_lsps_with_and_without_a_reservation() -> None:
    # split by what they hold, 0 : 1 : 2 of 100 bit/s: 33 and 66, and the one left over is the first's that has any
    net = square(replace(demand("A", "D", 1), rate=100), te=Te(parallel="bandwidth"))
    none, one, two = (replace(lsp(net, p, "gold", 1, n), reserved=r) for p, n, r in
                      (("a b d", "l0", 0), ("a c d", "l1", 1), ("a c d", "l2", 2)))  # fmt: skip
    assert walked(net, none, one, two).lsps == {"a/l1": 34, "a/l2": 66}
    assert walked(net, none, replace(one, reserved=0)).lsps == {"a/l0": 50, "a/l1": 50}


def test_a_router_on_the_way_with_its_own_exit_deflects() -> None:
    """s-x-y: x's transit stays in x's region, so s of another region knows y alone; x, on the way there, knows x."""
    routers = [router("s", "west"), router("x", "mid"), router("y", "west")]
    net = network([circuit("s", "x"), circuit("x", "y")], routers)
    transit = [peer("t1", Kind.TRANSIT, ["x"], ["internet"]), peer("t2", Kind.TRANSIT, ["y"], ["internet"])]
    net = complete(net, transit, {"S": ["s"]}, [demand("S", "internet", 4)])
    loads = walked(net)
    (row,) = loads.tables()["deflections"].records()
    assert row == {
        "demand": "S>internet.gold", "family": "v4", "router": "x", "aimed": "y", "instead": "x", "rate": 4 * GIG,
    }  # fmt: skip
    got = outcome(loads, "S>internet.gold")
    assert (got.exits, got.off_shortest) == ((("t1@x", 4 * GIG),), 4 * GIG)
    # an LSP s -> y hides x, and the packet leaves where s said
    assert outcome(walked(net, lsp(net, "s x y")), "S>internet.gold").exits == (("t2@y", 4 * GIG),)


def test_two_routers_that_aim_through_each_other_loop() -> None:
    """West's w aims at its exit p beyond e; east's e aims at its exit q beyond w: w -> e -> w."""
    # p - e - w - q with p in west and q in east: transit stays in its region, so w knows p alone and e knows q alone.
    routers = [router("p", "west"), router("w", "west"), router("e", "east"), router("q", "east")]
    net = network([circuit("p", "e"), circuit("e", "w"), circuit("w", "q")], routers)
    transit = [peer("t1", Kind.TRANSIT, ["p"], ["internet"]), peer("t2", Kind.TRANSIT, ["q"], ["internet"])]
    net = complete(net, transit, {"W": ["w"]}, [demand("W", "internet", 4)])
    loads = walked(net)
    got = outcome(loads, "W>internet.gold")
    assert (got.delivered, got.lost) == (0, ((Reason.LOOP, "w", 4 * GIG),))
    assert [x.cycle for x in loads.loops] == [("w", "e", "w")]
    assert loaded(loads) == {"e-w@w": 4, "e-w@e": 4}  # counted up to where it closes
    assert got.paths == ("w -> e -> w (loop)",)


def test_an_edge_router_splits_over_its_own_ports() -> None:
    net = network([circuit("a", "b")])
    ports = peer("c", Kind.CUSTOMER, ["b"], ["shop"])
    two = replace(ports, ports=(ports.ports[0], replace(ports.ports[0], name="c@b#2")))
    net = complete(net, [two], {"A": ["a"]}, [demand("A", "shop", 4)])
    assert outcome(walked(net), "A>shop.gold").exits == (("c@b", 2 * GIG), ("c@b#2", 2 * GIG))


def test_a_dead_source_an_unannounced_target_and_no_route_say_so() -> None:
    net = network([circuit("a", "b"), circuit("a", "c")])
    peers = [peer("t", Kind.TRANSIT, ["b"], ["internet"]), peer("x", Kind.PEERING, ["b"], ["cdn"])]
    wanted = [demand("A", "cdn", 1), demand("x", "internet", 2), demand("B", "A", 3)]
    net = complete(net, peers, {"A": ["a"], "B": ["b"]}, wanted)
    loads = walked(net.without("a-b"))
    assert outcome(loads, "A>cdn.gold").lost == ((Reason.NO_ROUTE, "a", GIG),)
    assert outcome(loads, "x>internet.gold").lost == ((Reason.NOT_ANNOUNCED, "x", 2 * GIG),)
    dark = walked(net.without("b"))
    assert outcome(dark, "B>A.gold").lost == ((Reason.SOURCE_DOWN, "B", 3 * GIG),)
    assert outcome(dark, "A>cdn.gold").lost == ((Reason.TARGET_DOWN, "a", GIG),)  # nobody is left who would announce it
    assert outcome(dark, "A>cdn.gold").gone == 0  # the peer itself is up: that nothing leads there is ours
    assert outcome(walked(net.without("x")), "A>cdn.gold").gone == GIG


def test_nobody_sends_to_a_data_centre_that_has_failed_itself() -> None:
    """Where only its router has failed, the fallback default draws what goes to C to b, the transit's router."""
    net = network([circuit("a", "b"), circuit("b", "c")])
    net = complete(net, [peer("t", Kind.TRANSIT, ["b"], ["internet"])], {"A": ["a"], "C": ["c"]}, [demand("A", "C", 3)])
    net = replace(net, ibgp=Ibgp(fallback_default=True)).without("c")
    cut_off, dark = walked(net), walked(replace(net, dark=frozenset({"C"})))
    assert loaded(cut_off) == {"a-b@a": 3}
    assert (outcome(cut_off, "A>C.gold").gone, outcome(cut_off, "A>C.gold").charged) == (0, 3 * GIG)
    assert loaded(dark) == {}
    assert (outcome(dark, "A>C.gold").gone, outcome(dark, "A>C.gold").charged) == (3 * GIG, 0)
    assert outcome(dark, "A>C.gold").lost == ((Reason.TARGET_DOWN, "A", 3 * GIG),)


def test_a_flow_larger_than_a_member_is_an_elephant() -> None:
    net = network([replace(circuit("a", "d", gbps=400), members=4)])  # members of 100G
    wanted = [replace(demand("A", "D", 200), largest_flow=101 * GIG), replace(demand("D", "A", 1), largest_flow=GIG)]
    net = complete(net, [], {"A": ["a"], "D": ["d"]}, wanted)
    (row,) = walked(net).tables()["elephants"].records()
    assert row == {"demand": "A>D.gold", "arc": "a-d@a", "flow": 101 * GIG, "member": 100 * GIG}


def test_a_meshed_loop_is_walked_in_buckets_and_near_what_whole_paths_make() -> None:
    """West's transit stands behind all of east and east's behind all of west: nothing ever reaches either.

    A packet is thrown from side to side, each time to one of n routers at random, until one comes again.  So before
    its 1st, 2nd, 3rd, 4th, 5th ... hop it has survived with 1, 1, (n-1)/n, (n-1)/n x (n-1)/n, x (n-2)/n ... and the sum
    of all these is the load of all arcs together, over the rate: 8! x 8! paths on their own for n = 8.
    """
    n = 8
    west, east = [f"w{i}" for i in range(n)], [f"e{i}" for i in range(n)]
    roads = [circuit(a, b) for a in west for b in east]
    roads += [circuit("p", b) for b in east] + [circuit("q", a) for a in west]
    routers = [router(r, "west") for r in (*west, "p")] + [router(r, "east") for r in (*east, "q")]
    transit = [peer("t1", Kind.TRANSIT, ["p"], ["internet"]), peer("t2", Kind.TRANSIT, ["q"], ["internet"])]
    net = complete(network(roads, routers), transit, {"W": ["w0"]}, [demand("W", "internet", 10)])
    got = outcome(walked(net), "W>internet.gold")
    survived, hops = Fraction(1), Fraction(0)
    for seen in (s for k in range(n + 1) for s in (k, k + 1)):  # of the side it is about to be thrown to
        hops += survived
        survived *= Fraction(max(n - seen, 0), n)
    rate = 10 * GIG
    assert (got.delivered, sum(x for _, _, x in got.lost)) == (0, rate)
    assert abs(sum(x for _, x in got.arcs) - hops * rate) < hops * rate / 50
