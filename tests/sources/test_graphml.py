"""GraphML as the Topology Zoo writes it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from imported import imported, source
from trunkline.flow import prove

ZOO = """\
<?xml version="1.0" encoding="utf-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="label" attr.type="string"/>
  <key id="d1" for="node" attr.name="Latitude" attr.type="double"/>
  <key id="d2" for="node" attr.name="Longitude" attr.type="double"/>
  <key id="d3" for="node" attr.name="Country" attr.type="string"/>
  <key id="d4" for="node" attr.name="Internal" attr.type="int"/>
  <key id="d5" for="edge" attr.name="LinkSpeedRaw" attr.type="double"/>
  <key id="d6" for="graph" attr.name="Network" attr.type="string"/>
  <graph edgedefault="undirected">
    <data key="d6">Tiny Zoo</data>
    <node id="0">
      <data key="d0">Zürich</data><data key="d1">0</data><data key="d2">10</data><data key="d3">CH</data>
    </node>
    <node id="1"><data key="d0">no</data><data key="d1">0</data><data key="d2">11</data><data key="d3">NO</data></node>
    <node id="2"><data key="d0">no</data><data key="d4">0</data></node>
    <edge source="0" target="1"><data key="d5">2488320000.0</data></edge>
    <edge source="1" target="2"/>
    <edge source="2" target="1"/>
  </graph>
</graphml>
"""


def test_what_it_says_and_what_it_lacks(tmp_path: Path) -> None:
    brought, net = imported(source(tmp_path, "zoo.graphml", ZOO))
    assert "name: Tiny-Zoo\n" in brought.text
    assert [(r.name, r.role, r.site) for r in net.routers] == [
        ("Zurich", "bb", "Zurich-site"),
        ("no", "bb", "no-site"),
        ("no-2", "bb", "no-2-site"),
    ]
    assert [site.region for site in net.sites] == ["CH", "main", "NO"]  # of Zurich-site, no-2-site, no-site
    # A degree of the equator is 6371.0088 km x pi / 180 = 111.195 km, to 100 m 111.2 km: 111.2 x 4.9 us = 544.88 us.
    assert [(c.name, c.a, c.b, c.capacity, c.latency) for c in net.circuits] == [
        ("Zurich--no", "Zurich", "no", 2_488_320_000, 545),
        ("no--no-2-1", "no", "no-2", 100 * 10**9, 1000),
        ("no--no-2-2", "no-2", "no", 100 * 10**9, 1000),
    ]
    assert brought.applied["name-parallel"] == ("no--no-2-1", "no--no-2-2")
    assert brought.applied["name-sanitised"] == ("'Zürich' is Zurich", "'Tiny Zoo' is Tiny-Zoo")
    assert brought.applied["name-suffix"] == ("another 'no' is no-2",)
    assert brought.notes[0] == "1 node belongs to other networks (Internal = 0); kept as routers"


@pytest.mark.oracle
def test_all_of_the_zoo_imports_and_plans(shared_data: Path) -> None:
    files = sorted((shared_data / "topology-zoo" / "graphml").glob("*.graphml"))
    assert len(files) == 29
    for file in files:
        text = file.read_text(encoding="utf-8")
        brought, net = imported(file)
        assert len(net.routers) == len(re.findall("<node ", text)), file.name
        assert len(net.circuits) == len(re.findall("<edge ", text)), file.name
        key = re.search('<key attr.name="LinkSpeedRaw"[^>]* id="(d[0-9]+)"', text)
        known = len(re.findall(f'<data key="{key[1]}">', text)) if key else 0
        assert len(net.circuits) - known == len(brought.applied.get("capacity-default", ())), file.name
        assert prove(net).ok, file.name
