"""Plain CSV: nodes, links, LSPs and demands, each told by its header."""

from __future__ import annotations

from pathlib import Path

import pytest

from imported import imported, planned, source
from trunkline.model.problem import Problems

NODES = "# ours\nname,site,region,role,lat,lon\na,x,north,dr,1,2\nb,x,north,,,\nc,,,bb,,\n"
LINKS = """\
a,b,name,capacity,latency,length,metric,metric_back,risks
a,b,,400G,,,,,
b,c,wet,1.5 Tbps,8.5ms,,3,4,duct7;sea
a,c,dry,,,1000 km,,,duct7
"""
LSPS = "head,tail,name,bandwidth,setup,hold\na,c,gold,10G,3,2\n"
DEMANDS = "from,to,rate\na,c,40G\n"


def files(folder: Path) -> list[Path]:
    texts = {"d.csv": DEMANDS, "n.csv": NODES, "p.csv": LSPS, "l.csv": LINKS}
    return [source(folder, name, text) for name, text in texts.items()]


def test_four_files_in_any_order(tmp_path: Path) -> None:
    brought, net = imported(*files(tmp_path))
    assert [(r.name, r.site, r.region, r.role) for r in net.routers] == [
        ("a", "x", "north", "dr"),
        ("b", "x", "north", "bb"),
        ("c", "c-site", "main", "bb"),
    ]
    assert [(c.name, c.capacity, c.latency, c.metric_ab, c.metric_ba, c.risks) for c in net.circuits] == [
        ("a--b", 400 * 10**9, 10, 1, 1, ()),
        ("dry", 100 * 10**9, 4900, 490, 490, ("duct7",)),  # 1000 km x 4.9 us, and one of metric per 10 us
        ("wet", 1500 * 10**9, 8500, 3, 4, ("duct7", "sea")),
    ]
    assert [(row["name"], row["reserved"], row["path"]) for row in planned(net, "lsps")] == [
        ("gold", 10 * 10**9, "a--b@a wet@b")  # 1 + 3, against 490
    ]
    assert brought.applied["role-bb"] == ("b",)
    assert brought.notes == ()
    assert imported(*files(tmp_path)[::-1])[0].text == brought.text


def test_a_site_is_in_one_region(tmp_path: Path) -> None:
    nodes = source(tmp_path, "n.csv", "name,site,region\na,x,north\nb,x,south\n")
    with pytest.raises(Problems, match=r"n.csv:3:1: .* the site 'x' is in region 'south' here and 'north' before"):
        imported(nodes)


def test_a_link_is_long_or_late(tmp_path: Path) -> None:
    links = source(tmp_path, "l.csv", "a,b,latency,length\nx,y,1ms,200 km\n")
    with pytest.raises(Problems, match=r"l.csv:2:9: .* `latency` and `length` are both given; expected one of them"):
        imported(source(tmp_path, "n.csv", "name\nx\ny\n"), links)


def test_a_network_in_parts_is_said_to_be(tmp_path: Path) -> None:
    brought, _ = imported(source(tmp_path, "n.csv", "name,site\na,x\nb,y\n"))
    assert "the network is in 2 parts with no link between them" in brought.notes
