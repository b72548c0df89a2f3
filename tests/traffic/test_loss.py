"""Loss where circuits and ports are full, by hand: strict first, then by weight, and thinned load downstream."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nets import GIG, circuit, network
from traffic_nets import BULK, GOLD, complete, demand, loaded, outcome, peer, walked
from trunkline.demand.reason import Reason
from trunkline.model.nouns import Kind, TrafficClass
from trunkline.traffic.queue import serve

WEB = TrafficClass("web", 18, 2, 3, 4, 4)
MAIL = TrafficClass("mail", 10, 1, 1, 5, 5)
VOICE = TrafficClass("voice", 46, 6, None, 0, 0)


@pytest.mark.parametrize(
    ("offered", "expected"),
    [
        # nothing is full
        ({"gold": 40, "web": 30, "mail": 30}, {"gold": 40, "web": 30, "mail": 30}),
        # strict in order of tc: voice 60 of 100, gold the other 40 of its 50, nothing for the rest
        ({"gold": 50, "voice": 60, "web": 9}, {"gold": 40, "voice": 60, "web": 0}),
        # after gold's 20, 80 by 3:1 are 60 and 20
        ({"gold": 20, "web": 90, "mail": 90}, {"gold": 20, "web": 60, "mail": 20}),
        # 100 by 3:1 would be 75 and 25; web needs 30 alone, so mail gets the other 70: work-conserving
        ({"web": 30, "mail": 90}, {"web": 30, "mail": 70}),
    ],
)
def test_queues(offered: dict[str, int], expected: dict[str, int]) -> None:
    assert serve(100, offered, [GOLD, VOICE, WEB, MAIL]) == expected


def test_the_remainder_of_the_last_division_goes_to_the_first_by_name() -> None:
    # 11 by 1:3 rounds down to mail 2 and web 8; the one left over is mail's
    assert serve(11, {"web": 50, "mail": 50}, [WEB, MAIL]) == {"web": 8, "mail": 3}


def test_strict_traffic_passes_and_the_rest_takes_the_loss() -> None:
    net = network([circuit("a", "d", gbps=100)])
    net = complete(net, [], {"A": ["a"], "D": ["d"]}, [demand("A", "D", 80, "gold"), demand("A", "D", 50, "bulk")])
    loads = walked(net)
    assert outcome(loads, "A>D.gold").lost == ()
    # 100 - 80 leaves bulk 20 of its 50
    assert outcome(loads, "A>D.bulk").lost == ((Reason.CONGESTION, "a-d@a", 30 * GIG),)
    (row,) = [r for r in loads.tables()["circuits"].records() if r["arc"] == "a-d@a"]
    assert (row["load"], row["utilisation"], row["lost"]) == (130 * GIG, 1_300_000, 30 * GIG)
    assert loads.residual == 0


def test_thinned_traffic_makes_room_downstream() -> None:
    # a-b holds 100, b-c holds 120.  A>C offers 200 and is thinned to 100 on a-b; then on b-c it meets B>C's 100:
    # 200 offered to 120, one class, each passes 120/200 of its 100: 60.  Unthinned, A>C would have taken 2/3 of b-c.
    net = network([circuit("a", "b", gbps=100), circuit("b", "c", gbps=120)])
    wanted = [demand("A", "C", 200, "bulk"), demand("B", "C", 100, "bulk")]
    net = complete(net, [], {"A": ["a"], "B": ["b"], "C": ["c"]}, wanted)
    loads = walked(net)
    assert outcome(loads, "A>C.bulk").delivered == outcome(loads, "B>C.bulk").delivered == 60 * GIG
    assert outcome(loads, "A>C.bulk").lost == (
        (Reason.CONGESTION, "a-b@a", 100 * GIG),
        (Reason.CONGESTION, "b-c@b", 40 * GIG),
    )
    assert loaded(loads) == {"a-b@a": 200, "b-c@b": 200}


def test_the_slowest_share_is_one_that_arrives() -> None:
    # bulk splits evenly over a-b-d (2 ms) and a-c-d (10 ms); gold, strict, fills c-d whole, so no bulk arrives by c
    far = replace(circuit("c", "d", gbps=10), latency=9000)
    net = network([circuit("a", "b"), circuit("b", "d"), circuit("a", "c"), far])
    wanted = [demand("A", "D", 8, "bulk"), demand("C", "D", 10, "gold")]
    net = complete(net, [], {"A": ["a"], "C": ["c"], "D": ["d"]}, wanted)
    bulk = outcome(walked(net), "A>D.bulk")
    assert bulk.lost == ((Reason.CONGESTION, "c-d@c", 4 * GIG),)
    assert (bulk.latency_max, bulk.latency_mean) == (2000, 2000)


def test_peer_ports_are_full_both_ways() -> None:
    net = network([circuit("a", "b", gbps=400)])
    shop = peer("shop", Kind.CUSTOMER, ["b"], ["shop"], gbps=10)
    net = complete(net, [shop], {"A": ["a"]}, [demand("A", "shop", 40), demand("shop", "A", 30)])
    loads = walked(net)
    assert outcome(loads, "A>shop.gold").lost == ((Reason.PORT_FULL, "shop@b", 30 * GIG),)
    assert outcome(loads, "shop>A.gold").lost == ((Reason.PORT_FULL, "shop@b", 20 * GIG),)
    assert loaded(loads) == {"a-b@a": 40, "a-b@b": 10}
    (row,) = loads.tables()["ports"].records()
    assert (row["in"], row["out"], row["utilisation"]) == (30 * GIG, 40 * GIG, 4_000_000)


def test_loss_that_feeds_back_settles_or_states_its_residual() -> None:
    # a triangle one way round, each demand crossing two circuits: what one loses decides what the next one meets
    ring = [circuit("a", "b", 1, back=9), circuit("b", "c", 1, back=9), circuit("c", "a", 1, back=9)]
    wanted = [demand("A", "C", 90, "bulk"), demand("B", "A", 90, "bulk"), demand("C", "B", 90, "bulk")]
    net = complete(network(ring), [], {"A": ["a"], "B": ["b"], "C": ["c"]}, wanted)
    loads = walked(net)
    # by symmetry a first hop offers x = 90 and passes 90 p, the second offers 90 p: p = 100 / (90 + 90 p), so
    # 9 p^2 + 9 p - 10 = 0 and p = (-9 + sqrt(441)) / 18 = 2/3: delivered 90 x 2/3 x 2/3 = 40
    for name in ("A>C.bulk", "B>A.bulk", "C>B.bulk"):
        assert abs(outcome(loads, name).delivered - 40 * GIG) <= 10
    assert loads.residual <= 10


def test_a_class_without_traffic_waits_for_nothing() -> None:
    assert serve(10, {"bulk": 3}, [BULK, GOLD]) == {"bulk": 3}


def test_weight_is_shared_only_by_classes_that_wait() -> None:
    heavy = replace(WEB, weight=100)
    assert serve(10, {"mail": 20}, [heavy, MAIL]) == {"mail": 10}
