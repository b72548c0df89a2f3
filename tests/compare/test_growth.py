"""The same network with more routers, and where a design passes a bound, by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bgp_worlds import line
from nets import circuit, network, router
from traffic_nets import complete, peer
from trunkline.compare.compare import even, share
from trunkline.compare.designs import design
from trunkline.compare.grown import grown
from trunkline.compare.growth import grow, sizes
from trunkline.compare.measure import Tally
from trunkline.compare.memory import router_memory
from trunkline.igp import solve as igp
from trunkline.model.load import load
from trunkline.model.nouns import Announcement, Family, IbgpSession, Kind
from trunkline.model.problem import Problems


def test_sites_are_copied_by_name_and_round_after_round() -> None:
    net = grown(line(), 7)
    assert [r.name for r in net.routers] == ["a", "a.2", "b", "b.2", "c", "c.2", "d"]
    assert net.router["c.2"].region == "east"
    # a copy is joined where its original was: to the original of the other site
    ends = {(c.a, c.b) for c in net.circuits}
    assert ends == {
        ("a", "b"),
        ("b", "c"),
        ("c", "d"),
        ("a.2", "b"),
        ("a", "b.2"),
        ("b.2", "c"),
        ("b", "c.2"),
        ("c.2", "d"),
    }
    assert [p.name for p in net.ports] == ["t@a", "t@a.2", "t@d"]
    assert igp.solve(net).distance(Family.V4, "a.2", "c.2") == 20
    assert len(grown(line(), 4).routers) == 4
    assert [r.name for r in grown(line(), 9).routers][:3] == ["a", "a.2", "a.3"]


def test_a_copy_never_takes_a_name_that_is_there() -> None:
    """A router of the file is called a.2: no copy has that number, nor a circuit's that ends in `.3.a`."""
    net = line()
    named = replace(router("a.2", "west"), site="site-a")
    net = replace(net, routers=(net.routers[0], named, *net.routers[1:]))
    net = replace(net, circuits=(*net.circuits, circuit("a.2", "b", name="x.3.a")))
    assert [r.name for r in grown(net, 7).routers] == ["a", "a.2", "a.2.4", "a.4", "b", "c", "d"]


def test_what_cannot_grow_says_why() -> None:
    alone = network([circuit("a", "b")], [replace(router(n), site="site-a") for n in "ab"])
    for net, why in ((network([]), "no router"), (alone, "one site")):
        with pytest.raises(Problems, match=why):
            grow(net, [design(net, "regional")], 4, {})
    net = line(design="sessions", sessions=(IbgpSession("a", "b"),))
    with pytest.raises(Problems, match="the design file lists its sessions"):
        grow(net, [design(net, "regional"), design(net, "file")], 8, {})


def test_data_centres_and_what_is_announced_at_some_ports_only_are_copied_along() -> None:
    net = line()
    transit = replace(peer("t", Kind.TRANSIT, ["a", "d"], []), announces=(Announcement("internet", (1,), at=("t@a",)),))
    net = grown(complete(net, [transit], {"D": ["a"]}, []), 5)
    assert [(d.name, d.attach) for d in net.datacenters] == [("D", ("a",)), ("D.2", ("a.2",))]
    assert [(g.name, g.v4) for g in net.groups] == [("D", 10), ("D.2", 10), ("internet", 10)]
    assert net.peers[0].announces[0].at == ("t@a", "t@a.2")


def test_growth_starts_where_it_is_asked_to() -> None:
    net = line()
    found = grow(net, [design(net, "full-mesh")], 8, {}, least=8)
    assert [p.routers for p in found.points] == [8]


def test_sizes_grow_by_one_factor() -> None:
    assert sizes(10, 1280) == [10, 20, 40, 80, 160, 320, 640, 1280]
    assert sizes(40, 40) == sizes(41, 40) == [40]


def test_where_a_mesh_passes_a_bound() -> None:
    """n routers have n - 1 sessions each, over IPv4 and IPv6; reflectors b and c have the others of their side."""
    net = line()
    mesh, reflectors = design(net, "full-mesh"), design(net, "route-reflector+reflectors=b,c")
    found = grow(net, [mesh, reflectors], 8, {"sessions": 8})
    by_size = {(p.design, p.routers): p.figures["sessions"] for p in found.points}
    assert [by_size["full-mesh", n] for n in (4, 5, 6, 7, 8)] == [6, 8, 10, 12, 14]
    # at 8: b, b.2 and so on; b has a, a.2 and b.2 as clients and c as its peer
    assert by_size[reflectors.name, 8] == 8
    passes = found.tables["passes"].rows
    assert passes == ((mesh.name, "sessions", 8, 5, 6), (reflectors.name, "sessions", 8, 8, None))


def test_sizes_that_come_to_the_same_are_measured_once() -> None:
    """Sites of two and of three routers, copied whole: 5, 7, 10, 12 for what 5, 6, 7, 8, 9, 11 and 12 ask for."""
    net = load(Path(__file__).parent.parent.parent / "examples" / "tiny.yaml").network
    assert sizes(5, 12) == [5, 6, 7, 8, 9, 11, 12]
    assert [p.routers for p in grow(net, [design(net, "full-mesh")], 12, {}).points] == [5, 7, 10, 12]


def test_memory_is_what_the_fit_says() -> None:
    """13,808,576 bytes, 699,476 a session, 455 a prefix, 136 a path, 731 for six paths, 203 a route told."""
    four = Tally(ibgp_sessions=2, ebgp_sessions=1, used=100, held=600, told=10)
    six = Tally(ibgp_sessions=2)
    assert router_memory([four, six]) == 13_808_576 + 5 * 699_476 + 100 * 455 + 600 * 136 + 100 * 731 + 10 * 203


def test_evenness_is_jains_index() -> None:
    assert even([5, 5, 5, 5]) == 1_000_000
    assert even([1, 0, 0, 0]) == 250_000
    assert even([3, 1]) == 800_000  # 16 / (2 x 10)
    assert even([0, 0]) is None
    assert share(1, 3) == 333_333
