"""`lab test`: a lab of real FRR is what the solvers say, cut and mended; and every planted fault is found and named."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.labs import needs_a_lab, nobody
from trunkline.devices.policy import number
from trunkline.lab import drill, events, lab, namespaces
from trunkline.lab.compare import Difference
from trunkline.lab.predict import predict
from trunkline.lab.vty import Vty
from trunkline.model.load import load
from trunkline.model.problem import Problems

pytestmark = pytest.mark.lab

NET = """trunkline: 1
name: ladder
regions: [west, east]
sites: {w: {region: west}, e: {region: east}}
routers:
  a1: {site: w, role: dr}
  a2: {site: w, role: bb}
  a3: {site: w, role: pr}
  b1: {site: e, role: dr}
  b2: {site: e, role: bb}
  b3: {site: e, role: pr}
circuits:
  - {a: a1, b: a2, capacity: 10G, metric: 1}
  - {a: a2, b: a3, capacity: 10G, metric: 1}
  - {a: a1, b: b1, capacity: 10G, latency: 9ms, metric: 30}
  - {a: a2, b: b2, capacity: 10G, latency: 3ms, metric: 10}
  - {a: a3, b: b3, capacity: 10G, latency: 5ms, metric: 12}
  - {a: b1, b: b2, capacity: 10G, metric: 1}
  - {a: b2, b: b3, capacity: 10G, metric: 1}
ibgp: {design: regional, profile: frr, fallback_default: true}
prefix_groups:
  internet: {v4: 900000, v6: 200000}
  shop: {v4: [203.0.113.0/24], v6: ["2001:db8:77::/48"]}
  mate: {v4: [198.51.100.0/24]}
peers:
  carrier: {kind: transit, asn: 64496, at: [a3, b3], announces: [internet], port: 10G}
  shop: {kind: customer, asn: 64497, at: [a3], announces: [shop], port: 10G}
  mate: {kind: peering, asn: 64498, at: [{router: b2, announce_out: [east]}], announces: [mate], port: 10G}
datacenters: {a-dc: {site: w}, b-dc: {site: e}}
"""


@pytest.fixture(scope="module")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[lab.Lab]:
    """Six routers in two regions, up and well."""
    needs_a_lab("gobgpd", "gobgp")
    file = tmp_path_factory.mktemp("net") / "ladder.yaml"
    file.write_text(NET)
    loaded = load(file)
    found = lab.of(f"ladder{os.getpid()}", loaded.network, loaded.sha256)
    try:
        health = lab.up(found, 1000, nobody)
        assert [h.wrong for h in health if h.wrong] == []
        yield found
    finally:
        lab.down(found.name)


def look(ladder: lab.Lab, packets: bool = False) -> list[Difference]:
    return drill.look(ladder, predict(ladder.net, ladder.devices), packets)


def whole(ladder: lab.Lab) -> bool:
    """Wait until all is as predicted again."""
    return drill.now(ladder, True, nobody).differences == ()


def configure(ladder: lab.Lab, router: str, daemon: str, *lines: str) -> None:
    with Vty(ladder.home / router / f"{daemon}.vty") as vty:
        vty.configure(lines)


def until(ladder: lab.Lab, packets: bool = False) -> list[Difference]:
    """The differences once there are some, and no more come."""
    before: list[Difference] = []
    for _ in range(60):
        found = look(ladder, packets)
        if found and found == before:
            return found
        before = found
        time.sleep(0.5)
    raise AssertionError("the planted fault was not found")


def test_routes_choices_distances_and_packets_are_as_predicted(ladder: lab.Lab) -> None:
    assert whole(ladder)


@pytest.mark.parametrize("thing", ["a2--b2", "a3", "carrier@b3", "e"])
def test_a_cut_and_its_repair_are_as_predicted_and_sealed_before(ladder: lab.Lab, thing: str, tmp_path: Path) -> None:
    cut, mended = drill.drill(ladder, thing, True, nobody, tmp_path)
    assert (cut.differences, mended.differences) == ((), ())
    assert cut.settled_s is not None
    sealed = (tmp_path / f"{thing}.json").read_bytes()
    assert hashlib.sha256(sealed).hexdigest() == cut.sha256


def test_a_repair_takes_as_long_as_packets_are_lost(ladder: lab.Lab) -> None:
    cut, _ = drill.drill(ladder, "a2--b2", True, nobody)
    assert {flow.split(" (")[0] for flow in cut.repairs} <= {"a-dc to b-dc", "b-dc to a-dc"}
    assert all(0 < gap <= (cut.settled_s or 0) * 1000 + 1000 for gap in cut.repairs.values())


def test_what_is_cut_already_is_not_cut_again(ladder: lab.Lab) -> None:
    events.cut(ladder, ["a1--b1"])
    with pytest.raises(Problems, match="'a1--b1' is cut already"):
        drill.drill(ladder, "a1--b1", False, nobody)
    events.restore(ladder, ["a1--b1"])
    with pytest.raises(Problems, match="'nowhere' is not there"):
        drill.drill(ladder, "nowhere", False, nobody)
    assert whole(ladder)


def interrupted(*_: object) -> float | None:
    time.sleep(2)  # zebra 8.4 loses BGP's routes for good where a link goes and comes within tenths of a second
    raise KeyboardInterrupt


def test_a_drill_that_is_interrupted_brings_back_what_it_cut(ladder: lab.Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(drill, "_settle", interrupted)
        with pytest.raises(KeyboardInterrupt):
            drill.drill(ladder, "a1--b1", False, nobody)
    assert ladder.state.condition.down == frozenset()
    assert whole(ladder)


def test_a_tour_goes_straight_from_one_failure_to_the_next(ladder: lab.Lab, tmp_path: Path) -> None:
    things = ["a2--b2", "a3", "carrier@b3"]
    rounds = drill.drills(ladder, things, False, nobody, tmp_path)
    assert [(r.what, r.differences) for r in rounds] == [
        ("cut a2--b2", ()),
        ("restore a2--b2, cut a3", ()),
        ("restore a3, cut carrier@b3", ()),
        ("restore carrier@b3", ()),
    ]
    sealed = [hashlib.sha256((tmp_path / f"{thing}.json").read_bytes()).hexdigest() for thing in things]
    whole_again = predict(ladder.net, ladder.devices).sha256
    assert [r.sha256 for r in rounds] == [*sealed, whole_again]
    assert len({*sealed, whole_again}) == 4
    assert ladder.state.condition.down == frozenset()


def test_a_tour_that_is_interrupted_brings_back_what_it_cut(ladder: lab.Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    events.cut(ladder, ["a3"])  # by somebody else: it stays cut
    with monkeypatch.context() as patched:
        patched.setattr(drill, "_settle", interrupted)
        with pytest.raises(KeyboardInterrupt):
            drill.tour(ladder, ["a1--b1"], nobody)
    assert ladder.state.condition.down == frozenset({"a3"})
    with pytest.raises(Problems, match="'a3' is cut already"):
        drill.tour(ladder, ["a1--b1", "a3"], nobody)
    with pytest.raises(Problems, match="'nowhere' is not there"):
        drill.tour(ladder, ["nowhere"], nobody)
    events.restore(ladder, ["a3"])
    assert whole(ladder)


def test_a_wrong_metric_is_found(ladder: lab.Lab) -> None:
    configure(ladder, "b2", "isisd", "interface to-a2", "isis metric 11")
    found = until(ladder)
    assert Difference("b2", "distance", "a2 (v4)", "10", "11") in found
    assert {d.router for d in found if d.what == "distance"} == {"b1", "b2", "b3"}  # those who send over it that way
    configure(ladder, "b2", "isisd", "interface to-a2", "isis metric 10")
    assert whole(ladder)


def test_a_missing_session_is_found(ladder: lab.Lab) -> None:
    far = ladder.net.router["b1"].loopback
    configure(ladder, "a1", "bgpd", "router bgp 64512", f"neighbor {far} shutdown")
    found = until(ladder)
    prefix = next(p for p in ladder.net.group["b-dc"].prefixes if p.version == 4)
    assert [(d.router, d.subject, d.seen) for d in found if d.what == "bgp" and d.router == "a1"][:1] == [
        ("a1", str(prefix), "no path")
    ]
    configure(ladder, "a1", "bgpd", "router bgp 64512", f"no neighbor {far} shutdown")
    assert whole(ladder)


def test_a_swapped_community_leaks_transit_and_is_found_where_it_is_held(ladder: lab.Lab) -> None:
    region = f"64512:2:{number('east')}"
    entry = "route-map carrier@b3-in permit 10"
    with Vty(ladder.home / "b3" / "bgpd.vty") as vty:
        before = next(
            line.strip()
            for line in vty("show running-config").split(entry)[1].splitlines()
            if line.strip().startswith("set large-community")
        )
    configure(ladder, "b3", "bgpd", entry, f"set large-community 64512:1:2 {region}")  # peering, which may cross
    found = until(ladder)
    sender = str(ladder.net.router["b3"].loopback)
    prefix = next(p for p in ladder.net.group["internet"].prefixes if p.version == 4)
    leaks = {d.router for d in found if d.subject == f"{prefix} from {sender}" and d.seen == "held"}
    assert leaks == {"a1", "a2", "a3"}  # nothing uses it: their own transit is nearer
    configure(ladder, "b3", "bgpd", entry, before)
    assert whole(ladder)


def test_a_filter_off_by_one_is_found(ladder: lab.Lab) -> None:
    right, wrong = "203.0.113.0/24", "203.0.112.0/24"
    name = "ip prefix-list group-shop-v4 seq 5 permit"
    configure(ladder, "a3", "bgpd", f"{name} {wrong}")
    found = until(ladder)
    assert {d.router for d in found if d.what == "bgp" and d.subject == right and d.seen == "no path"} == set(
        ladder.net.router
    )
    configure(ladder, "a3", "bgpd", f"{name} {right}")
    assert whole(ladder)


def test_a_leak_to_a_peer_is_found_where_it_is_heard(ladder: lab.Lab) -> None:
    """The export filter off: a peer hears what we have from our transit (RFC 7908), and the other data centre."""
    configure(ladder, "b2", "bgpd", "route-map mate@b2-out permit 1", "set large-community none")
    found = until(ladder)
    assert {(d.router, d.what, d.predicted, d.seen) for d in found} == {("b2", "told", "not told", "heard")}
    group = ladder.net.group
    leaked = [*group["internet"].prefixes, *group["a-dc"].prefixes, "0.0.0.0/0", "::/0"]
    assert {d.subject for d in found} == {f"{prefix} to mate@b2" for prefix in leaked}
    assert any("carrier@b3" in d.why_predicted for d in found)
    configure(ladder, "b2", "bgpd", "no route-map mate@b2-out permit 1")
    assert whole(ladder)


def test_what_a_customer_no_longer_hears_is_found(ladder: lab.Lab) -> None:
    configure(ladder, "a3", "bgpd", "route-map shop@a3-out deny 1")
    found = until(ladder)
    told = ["internet", "mate", "a-dc", "b-dc"]  # a customer hears all but its own; GoBGP's side of a session
    assert {(d.subject, d.seen) for d in found} == {
        (f"{prefix} to shop@a3", "not heard") for name in told for prefix in ladder.net.group[name].prefixes
    }
    configure(ladder, "a3", "bgpd", "no route-map shop@a3-out deny 1")
    assert whole(ladder)


def test_a_peer_whose_speaker_died_is_named(ladder: lab.Lab) -> None:
    predicted = predict(ladder.net, ladder.devices)
    (mate,) = ladder.devices["b2"].externals
    (ladder.home / "mate@b2" / "bird.ctl").rename(ladder.home / "bird.ctl")
    try:
        assert [(d.router, d.what, d.seen) for d in drill.told(ladder, predicted, mate)] == [
            ("mate@b2", "daemon", "it does not")
        ]
    finally:
        (ladder.home / "bird.ctl").rename(ladder.home / "mate@b2" / "bird.ctl")


def test_an_mtu_that_is_too_small_is_found(ladder: lab.Lab) -> None:
    here = namespaces.full(ladder.name, "a2")
    namespaces.batch("ip", ["link set dev to-b2 mtu 1400"], here)
    found = until(ladder, packets=True)
    assert {(d.router, d.subject) for d in found if d.what == "circuit"} >= {
        ("a2", "a2--b2 (v4)"),
        ("a2", "a2--b2 (v6)"),
    }
    namespaces.batch("ip", ["link set dev to-b2 mtu 1600"], here)
    assert whole(ladder)


def test_a_circuit_that_works_one_way_is_found(ladder: lab.Lab) -> None:
    here = namespaces.full(ladder.name, "a2")
    namespaces.batch("tc", ["qdisc replace dev to-b2 root handle 7: tbf rate 1kbit burst 10 limit 10"], here)
    found = until(ladder, packets=True)
    assert ("a2", "a2--b2 (v4)") in {(d.router, d.subject) for d in found if d.what == "circuit"}
    namespaces.batch("tc", ["qdisc del dev to-b2 root"], here)
    assert whole(ladder)
