"""Hand-computed placements: preemption line by line, make before break, and what events leave alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nets import GIG, circuit, network, router
from te.telab import lsp, path, settle, told, with_lsps
from trunkline.demand.flows import Flow, Flows
from trunkline.model.event import Configure, Cut, Grow, Overload, Reoptimize, Restore, Setting
from trunkline.model.nouns import Family, Hop, Te
from trunkline.te.result import Unplaced
from trunkline.te.subject import race


def flows(**gbps: int) -> Flows:
    """`x=30` aims 30G of class gold from router x at router z."""
    return Flows(tuple(Flow(n, Family.V4, n, None, "z", "gold", g * GIG, ("z",)) for n, g in sorted(gbps.items())))


def test_a_victim_displaces_a_third() -> None:
    # All circuits 100G.  From cold, turn by turn (one LSP per head-end, heads in order a, b, c):
    #   a/low  (7, 80G) a-z.  b/mid (4, 80G) b-a-z: on a-z it needs 80 and finds 20 unreserved at 7, so low goes; low
    #   has a-y-z (metric 40) and moves there.  c/top (1, 80G) c-b-a-z: mid holds 80 of 100 on b-a, the first
    #   circuit that they share, so it is displaced there, on its whole path.  mid then takes b-y-z (metric
    #   60): y-z holds 80 for low, so low goes for a second time, and nothing is left for it.
    net = with_lsps(
        network(
            [
                circuit("a", "z", 10),
                circuit("a", "y", 20),
                circuit("y", "z", 20),
                circuit("b", "a", 10),
                circuit("b", "y", 40),
                circuit("c", "b", 10),
            ]
        ),
        lsp("a", "z", "low", 80, 7),
        lsp("b", "z", "mid", 80, 4),
        lsp("c", "z", "top", 80, 1),
    )
    placement = settle(net)
    assert told(placement.log) == [
        "placed low a-z@a",
        "preempted low by mid on a-z@a",
        "placed mid b-a@b a-z@a",
        "placed low a-y@a y-z@y",
        "preempted mid by top on b-a@b",
        "placed top c-b@c b-a@b a-z@a",
        "preempted low by mid on y-z@y",
        "placed mid b-y@b y-z@y",
        "unplaced low",
    ]
    assert [line.seq for line in placement.log] == list(range(9))
    assert {line.event for line in placement.log} == {"cold start"}
    (low,) = [p for p in placement.placed if p.lsp.name == "low"]
    assert (low.path, low.reserved, low.wanted, low.reason) == (None, 0, 80 * GIG, Unplaced.BANDWIDTH)
    assert (low.shortest, low.cost) == (10, None)


def test_needless_victims_are_spared() -> None:
    # a-z holds 10 + 30 + 60 at hold 7.  90G at priority 0 needs 90 freed: by least bandwidth 10, 30, 60 are taken
    # (10 + 30 = 40 is short); 100 are freed, so of the taken, last first: without 60 it is short, without 30 it is
    # short (70), without 10 it fits (90).  The 10G LSP is spared.
    net = with_lsps(
        network([circuit("a", "z"), circuit("b", "a")]),
        lsp("a", "z", "x10", 10, 7),
        lsp("a", "z", "x30", 30, 7),
        lsp("a", "z", "x60", 60, 7),
        replace(lsp("b", "z", "boss", 0, 0), bandwidth=None),
    )
    placement = settle(net, Grow(1), flows=(flows(b=0), flows(b=90)))
    assert told(placement.log)[4:] == [
        "preempted x30 by boss on a-z@a",
        "preempted x60 by boss on a-z@a",
        "resized boss b-a@b a-z@a",
        "unplaced x30",
        "unplaced x60",
    ]


def test_largest_hold_goes_first() -> None:
    # 50G each at hold 5 and 6; 50G at priority 0 takes the one of hold 6 although it is not first by name.
    net = with_lsps(
        network([circuit("a", "z"), circuit("b", "a")]),
        lsp("a", "z", "k5", 50, 5),
        lsp("a", "z", "k6", 50, 6),
        replace(lsp("b", "z", "boss", 0, 0), bandwidth=None),
    )
    placement = settle(net, Grow(1), flows=(flows(b=0), flows(b=50)))
    assert told(placement.log)[3] == "preempted k6 by boss on a-z@a"


def test_equal_setup_and_hold_of_seven_and_zero_never_preempt() -> None:
    # The priority trap: Junos' 7/0 neither preempts nor is preempted, so the later one stays out.
    net = with_lsps(
        network([circuit("a", "z"), circuit("b", "a")]),
        lsp("a", "z", "bulk", 80, (7, 0)),
        lsp("b", "z", "gold", 80, (7, 0)),
    )
    assert told(settle(net).log) == ["placed bulk a-z@a", "unplaced gold"]


def test_own_reservation_is_credited() -> None:
    # 60 of 100 held; 90 fits only because its own 60 count as free.  110 does not: the old path and size stay.
    net = with_lsps(network([circuit("x", "z")]), replace(lsp("x", "z", "auto", 0), bandwidth=None))
    placement = settle(net, Grow(1), Grow(1), flows=(flows(x=60), flows(x=90), flows(x=110)))
    assert told(placement.log) == ["placed auto x-z@x", "resized auto x-z@x", "kept auto x-z@x"]
    (auto,) = placement.placed
    assert (auto.reserved, auto.wanted, auto.reason) == (90 * GIG, 110 * GIG, Unplaced.BANDWIDTH)
    assert placement.reservations[0].held == (0, 0, 0, 0, 90 * GIG, 0, 0, 0)


def test_a_failed_resize_succeeds_when_room_is_released() -> None:
    # x wants 80 but y holds 60 on m-z; when y shrinks to 10, x is tried again without being asked.
    auto = [replace(lsp(h, "z", f"l{h}", 0), bandwidth=None) for h in "xy"]
    net = with_lsps(network([circuit("x", "m"), circuit("y", "m"), circuit("m", "z")]), *auto)
    placement = settle(net, Grow(1), Grow(1), flows=(flows(x=40, y=60), flows(x=80, y=60), flows(x=80, y=10)))
    assert told(placement.log)[2:] == [
        "kept lx x-m@x m-z@m",
        "resized ly y-m@y m-z@m",
        "resized lx x-m@x m-z@m",
    ]


def test_restore_moves_nothing_and_reoptimisation_does() -> None:
    net = with_lsps(
        network([circuit("a", "z", 10), circuit("a", "y", 10), circuit("y", "z", 10)]), lsp("a", "z", "one", 10)
    )
    assert path(settle(net, Cut(("a-z",))), "one") == "a y z"
    restored = settle(net, Cut(("a-z",)), Restore(("a-z",)))
    assert path(restored, "one") == "a y z"
    assert (restored.placed[0].cost, restored.placed[0].shortest) == (20, 10)  # what comes back makes it longer
    placement = settle(net, Cut(("a-z",)), Restore(("a-z",)), Reoptimize())
    assert told(placement.log) == ["placed one a-z@a", "down one", "placed one a-y@a y-z@y", "moved one a-z@a"]
    assert [line.event for line in placement.log] == ["cold start", "cut a-z", "cut a-z", "re-optimise"]


def test_the_shortest_path_is_that_of_the_first_option_that_an_empty_network_has() -> None:
    # By x it costs 20, by w 30, by y 20; x and w are too thin, so it goes by y, as cheap as by x.  Without x the first
    # option that there is is the one by w, though the LSP and what it costs stay what they were.
    thin = [circuit("a", "x", 10, 1), circuit("x", "z", 10, 1), circuit("a", "w", 15, 1), circuit("w", "z", 15, 1)]
    by = tuple((Hop(name),) for name in "xwy")
    one = replace(lsp("a", "z", "one", 10), paths=by)
    net = with_lsps(network([*thin, circuit("a", "y"), circuit("y", "z")]), one)
    before, after = settle(net), settle(net, Cut(("a-x",)))
    assert [(path(p, "one"), p.placed[0].shortest) for p in (before, after)] == [("a y z", 20), ("a y z", 30)]
    assert list(after.changed(before)) == [0]


def test_the_shortest_path_may_go_though_an_lsp_is_not_on_it() -> None:
    # 10G do not fit a-z, so it goes by y for 20; without a-z that is the shortest.
    net = with_lsps(network([circuit("a", "z", 10, 1), circuit("a", "y"), circuit("y", "z")]), lsp("a", "z", "one", 10))
    found = [settle(net).placed[0], settle(net, Cut(("a-z",))).placed[0]]
    assert [(p.cost, p.shortest) for p in found] == [(20, 10), (20, 20)]


def test_restore_takes_in_those_that_wait() -> None:
    net = with_lsps(network([circuit("a", "z")]), lsp("a", "z", "one", 10))
    assert told(settle(net, Cut(("a-z",)), Restore(("a-z",))).log) == [
        "placed one a-z@a",
        "down one",
        "unplaced one",
        "placed one a-z@a",
    ]


def test_overload_is_avoided_by_new_paths_and_left_by_reoptimisation() -> None:
    # Through y costs 20, round by w costs 40.  Overload on y moves nothing; re-optimisation leaves y although it costs
    # more, since CSPF would not choose y any more.
    net = with_lsps(
        network([circuit("a", "y"), circuit("y", "z"), circuit("a", "w", 20), circuit("w", "z", 20)]),
        lsp("a", "z", "one", 10),
    )
    assert path(settle(net, Overload(("y",))), "one") == "a y z"
    assert path(settle(net, Overload(("y",)), Reoptimize()), "one") == "a w z"


def test_a_path_through_an_overloaded_router_is_never_the_shortest() -> None:
    # By w and by y it costs 20; the LSP stays by w, the first by name, when w sets the overload bit, and the shortest
    # goes by y.  Without y no path is left that an LSP might take.
    net = with_lsps(
        network([circuit("a", "y"), circuit("y", "z"), circuit("a", "w"), circuit("w", "z")]), lsp("a", "z", "one", 10)
    )
    stays, alone = settle(net, Overload(("w",))), settle(net, Overload(("w",)), Cut(("a-y",)))
    assert [path(p, "one") for p in (stays, alone)] == ["a w z", "a w z"]
    assert [p.placed[0].shortest for p in (stays, alone)] == [20, None]


def test_reasons() -> None:
    islands = [router("i")]
    base = network([circuit("a", "m", gbps=100), circuit("m", "z", gbps=100)], islands)
    one = lsp("a", "z", "x", 10)
    cases = {
        Unplaced.NO_PATH: replace(one, tail="i"),
        Unplaced.AFFINITY: replace(one, include_any=("sea",)),
        Unplaced.HOP_LIMIT: replace(one, hop_limit=1),
        Unplaced.BANDWIDTH: replace(one, bandwidth=101 * GIG),
    }
    for reason, broken in cases.items():
        assert settle(with_lsps(base, broken)).placed[0].reason is reason
    down = settle(with_lsps(base, one), Cut(("z",)))
    assert down.placed[0].reason is Unplaced.ENDPOINT_DOWN
    assert told(down.log) == ["placed x a-m@a m-z@m", "down x", "unplaced x"]


def test_race_is_round_robin_by_head_then_setup_then_name() -> None:
    net = with_lsps(
        network([circuit("a", "b")]),
        lsp("a", "b", "p", 1, 7),
        lsp("a", "b", "q", 1, 0),
        lsp("b", "a", "r", 1, 3),
        lsp("b", "a", "s", 1, 3),
        lsp("b", "a", "t", 1, 1),
    )
    ids = [net.lsps[i].name for i in race(net, ("a", "b"))]
    assert ids == ["q", "t", "p", "r", "s"]


@pytest.mark.parametrize(("mode", "expected"), [("off", [51, 50]), ("shortcuts", [56, 55])])
def test_bandwidth_from_demands_is_split_over_parallel_lsps(mode: str, expected: list[int]) -> None:
    # 101 bit/s of IPv4 and 10 of IPv6 aimed at z; l3 has a bandwidth of its own and takes no part.
    aims = [(Family.V4, 101), (Family.V6, 10)]
    aimed = Flows(tuple(Flow("d", f, "x", None, "z", "gold", r, ("z",)) for f, r in aims))
    auto = [replace(lsp("x", "z", name, 0), bandwidth=None) for name in ("l1", "l2")]
    net = with_lsps(network([circuit("x", "z")]), *auto, lsp("x", "z", "l3", 7))
    placement = settle(replace(net, te=Te(v6_over_lsp=mode)), flows=(aimed,))
    assert [p.wanted for p in placement.placed] == [*expected, 7 * GIG]


def test_tables() -> None:
    net = with_lsps(network([circuit("a", "z")]), lsp("a", "z", "one", 10, (5, 3)))
    tables = settle(net).tables()
    assert tables["lsps"].records() == [
        {
            "head": "a",
            "name": "one",
            "tail": "z",
            "class": "gold",
            "setup": 5,
            "hold": 3,
            "wanted": 10 * GIG,
            "reserved": 10 * GIG,
            "state": "up",
            "path": "a-z@a",
            "cost": 10,
            "shortest": 10,
            "latency": 1000,
            "reason": None,
        }
    ]
    assert tables["reservations"].rows[0] == ("a-z@a", 100 * GIG, 0, 0, 0, 10 * GIG, 0, 0, 0, 0)
    assert tables["displacements"].rows == ((0, "cold start", "placed", "a/one", 10 * GIG, "", "", "a-z@a"),)


def test_the_shortest_path_is_that_of_the_lsp_s_own_constraints() -> None:
    # a-z (group fast) costs 10, a-y-z (group slow) 20 + 20, a-x-z (groups fast and slow) 30 + 30.
    net = network(
        [
            replace(circuit("a", "z", 10), groups=("fast",)),
            *(replace(circuit(a, b, 20), groups=("slow",)) for a, b in (("a", "y"), ("y", "z"))),
            *(replace(circuit(a, b, 30), groups=("fast", "slow")) for a, b in (("a", "x"), ("x", "z"))),
        ]
    )
    free = lsp("a", "z", "free", 1)
    placement = settle(
        with_lsps(
            net,
            free,
            replace(free, name="all", include_all=("fast", "slow")),
            replace(free, name="any", include_any=("slow",)),
            replace(free, name="beside", head="y"),  # y-z
            replace(free, name="excluding", exclude=("fast",)),
            replace(free, name="explicit", paths=((Hop("x"),),)),
            replace(free, name="limited", exclude=("fast",), hop_limit=1),
            replace(free, name="near", tail="y"),  # a-y
            replace(free, name="other", cls="silver", setup=7, hold=7, bandwidth=None),
        )
    )
    assert {p.lsp.name: p.shortest for p in placement.placed} == {
        "free": 10,
        "all": 60,
        "any": 40,
        "beside": 20,
        "excluding": 40,
        "explicit": 60,
        "limited": None,
        "near": 20,
        "other": 10,
    }


def test_only_the_lsps_that_are_named_reoptimise() -> None:
    """Both went round by y while a-z was down; two may return, one is asked to."""
    net = with_lsps(
        network([circuit("a", "z", 10), circuit("a", "y", 10), circuit("y", "z", 10)]),
        lsp("a", "z", "one", 10),
        lsp("a", "z", "two", 10),
    )
    placement = settle(net, Cut(("a-z",)), Restore(("a-z",)), Reoptimize(("a/two",)))
    assert (path(placement, "one"), path(placement, "two")) == ("a y z", "a z")
    assert placement.log[-1].event == "re-optimise a/two"


def test_the_highest_te_metric_moves_nothing_until_somebody_re_optimises() -> None:
    net = with_lsps(
        network([circuit("a", "z", 10), circuit("a", "y", 10), circuit("y", "z", 10)]), lsp("a", "z", "one", 10)
    )
    raised = Configure(Setting.TE_METRIC, ("a-z",))
    (one,) = settle(net, raised).placed
    assert (one.cost, one.shortest, len(one.path or ())) == (16_777_214, 20, 1)
    assert path(settle(net, raised, Reoptimize()), "one") == "a y z"
    lowered = replace(raised, on=False)
    assert path(settle(net, raised, Reoptimize(), lowered, Reoptimize()), "one") == "a z"
