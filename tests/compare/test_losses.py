"""What losses cost, by hand: on a line of four routers, and on a network that never settles."""

from __future__ import annotations

from dataclasses import replace

from bgp_worlds import line
from nets import circuit, network
from traffic_nets import complete
from trunkline.compare.designs import Design, design
from trunkline.compare.losses import Loss, losses
from trunkline.compare.migrate import Fault
from trunkline.model.nouns import Announcement, Ibgp, Kind, Peer, Port


def test_a_mesh_withdraws_at_once_and_misses_a_lost_router_by_the_igp() -> None:
    net = line()
    found = losses(net, [design(net, "full-mesh")])
    assert [(row.lost, row.kind) for row in found.rows] == [
        ("t", "peer"), *((router, "bb") for router in "abcd"), ("east", "region"), ("west", "region"),
    ]  # fmt: skip
    rows = {row.lost: row for row in found.rows}
    # a and d each withdraw from three neighbours, in two families; the farthest is 3 ms away and reads for 100 us
    assert rows["t"] == Loss("full-mesh", "t", "peer", 12, 6 * 15, 1, 3100, 0, 0, 4 * 15, 0)
    # b alone leaves by a: it knows when IS-IS has converged, and turns to d without a word
    assert rows["a"] == Loss("full-mesh", "a", "bb", 0, 0, 0, 1_000_000, 15, 1_000_000, 0, 0)
    # without b the line falls apart, and each side has its exit
    assert rows["b"] == Loss("full-mesh", "b", "bb", 0, 0, 0, 0, 0, 0, 0, 0)


def test_behind_a_reflector_the_withdrawal_takes_a_second_session() -> None:
    """b tells c of a's exit.  When a is gone it turns to d, withdraws from d what it told it, and tells c: 1 ms on."""
    net = line()
    name = "route-reflector+reflectors=b"
    rows = {row.lost: row for row in losses(net, [design(net, name)]).rows}
    # one UPDATE to c and one to d in each family; d reads 2 ms and 100 us after IS-IS, c after 1 ms and 100 us
    assert rows["a"] == Loss(name, "a", "bb", 4, 4 * 15 // 2, 1, 1_002_100, 2 * 15, 1_001_100, 0, 0)
    assert (rows["b"].kind, rows["b"].after) == ("reflector", 15)  # c hears of nobody else


def test_what_never_settles_is_said() -> None:
    """RFC 3345 2.1: reflectors k (clients a, b) and l (c); losing e, which has no part in it, changes nothing."""
    net = network(
        [circuit("k", "l", 1), circuit("k", "a", 5), circuit("k", "b", 4), circuit("l", "c", 12), circuit("l", "e", 1)]
    )
    east = tuple(replace(r, region="r2") if r.name in "lce" else r for r in net.routers)
    net = replace(net, routers=east, regions=("r1", "r2"))
    said = (("a", 10, 0), ("b", 6, 1), ("c", 6, 0))
    peers = [
        Peer(f"x{at}", Kind.PEERING, asn, (Port(at, f"x{at}", at, 10**9),), (Announcement("net", (asn, 100), med),))
        for at, asn, med in said
    ]
    net = complete(net, peers, {}, [])
    plain = Design("plain", Ibgp("route-reflector", reflectors=("k", "l"), profile="rfc"))
    every = Design("every", replace(plain.ibgp, best_external=False, design="full-mesh"))
    found = {(row.design, row.lost): row.unsettled for row in losses(net, [plain, every]).rows}
    assert (found["plain", "e"], found["every", "e"]) == (2, 0)  # IPv4 and IPv6
    assert found["plain", "xa"] == 0  # two exits of one AS are left, and MEDs order them


def test_a_fault_without_a_place_is_said_without_one() -> None:
    assert str(Fault("unsettled", "net", "v4")) == "unsettled to net (v4)"
    assert str(Fault("loop", "net", "v4", ("a", "b"))) == "loop to net (v4): a b"


def rows_of(text: str, workers: int = 1) -> dict[str, Loss]:
    net = line()
    return {row.lost: row for row in losses(net, [design(net, text)], workers=workers).rows}


def test_what_is_lost_is_named_by_what_it_is() -> None:
    """The line has no PRs, one peer, four BBs of which reflectors are called so, and two regions."""
    kinds = {lost: row.kind for lost, row in rows_of("route-reflector+reflectors=b").items()}
    assert kinds == {"t": "peer", "a": "bb", "b": "reflector", "c": "bb", "d": "bb", "east": "region", "west": "region"}
    assert rows_of("full-mesh")["b"].kind == "bb"


def test_confined_the_region_alone_loses() -> None:
    """d goes: with transit confined, c has no other exit and none comes; a and b do not notice."""
    lost = rows_of("regional")["d"]
    assert (lost.after, lost.messages) == (15, 0)


def test_workers_change_nothing() -> None:
    assert rows_of("full-mesh", 2) == rows_of("full-mesh", 1)
