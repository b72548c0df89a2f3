"""What a loss strands and what the fallback then costs, by hand."""

from __future__ import annotations

from dataclasses import replace

from nets import circuit, network, router
from traffic_nets import complete, peer
from trunkline.bgp.stranded import Stranded, stranded
from trunkline.model.network import Network
from trunkline.model.nouns import Family, Kind, Role


def line(*transit: str) -> Network:
    """w1 - w2 - e1 - e2: 1 ms, 5 ms, 2 ms; a transit provider `t-ROUTER` at each router named."""
    routers = [router("w1", "west"), router("w2", "west"), router("e1", "east"), router("e2", "east", Role.PR)]
    long = replace(circuit("w2", "e1"), latency=5000)
    net = network([circuit("w1", "w2"), long, replace(circuit("e1", "e2"), latency=2000)], routers)
    peers = [peer(f"t-{at}", Kind.TRANSIT, [at], ["internet"], 65001 + i) for i, at in enumerate(transit)]
    return complete(net, peers, {}, [])


def four(found: tuple[Stranded, ...]) -> list[Stranded]:
    """IPv4's alone, having seen that IPv6's are the same."""
    six = [replace(s, family=Family.V4) for s in found if s.family is Family.V6]
    assert [s for s in found if s.family is Family.V4] == six
    return six


def test_a_lost_transit_strands_its_region_and_the_fallback_adds_the_way_to_the_other() -> None:
    """West's exit is w2: 1 ms from w1, 0 from w2.  By east's at e1 it is 6 ms and 5 ms: 5 ms more for each.

    East's exit is e1: 0 and 2 ms; by west's at w2 5 and 7 ms: again 5 ms more.
    """
    found = four(stranded(line("w2", "e1")))
    east = Stranded("", "east", Family.V4, True, 2, 5000, 5000, 5000)
    west = replace(east, region="west")
    by_name = {(s.lost, s.region): s for s in found}
    assert set(by_name) == {("t-w2", "west"), ("w2", "west"), ("t-e1", "east"), ("e1", "east")}
    assert by_name["t-w2", "west"] == replace(west, lost="t-w2")
    assert by_name["t-e1", "east"] == replace(east, lost="t-e1")


def test_a_lost_router_takes_its_circuits_too() -> None:
    """Without w2, w1 is cut off; without e1, e2 is: no fallback reaches them."""
    found = {s.lost: s for s in four(stranded(line("w2", "e1")))}
    assert found["w2"] == Stranded("w2", "west", Family.V4, False, 0)
    assert found["e1"] == Stranded("e1", "east", Family.V4, False, 0)


def test_a_region_with_a_second_way_is_not_stranded() -> None:
    """West has two exits; east's one is e2, whose loss costs e1 5 ms - 2 ms, and e2 itself (its transit lost) 7 ms."""
    found = {s.lost: s for s in four(stranded(line("w1", "w2", "e2")))}
    assert set(found) == {"t-e2", "e2"}
    assert found["t-e2"] == Stranded("t-e2", "east", Family.V4, True, 2, 3000, 3000, 7000)
    assert found["e2"] == Stranded("e2", "east", Family.V4, True, 1, 3000, 3000, 3000)


def test_what_has_no_way_as_it_is_cannot_lose_it() -> None:
    assert {(s.lost, s.region) for s in stranded(line("w2"))} == {("t-w2", "west"), ("w2", "west")}
    assert not any(s.rescued for s in stranded(line("w2")))
