"""Node-link JSON: Teal's networks and matrices, and topohub's networks."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from imported import imported, network, planned, source
from trunkline.flow import prove
from trunkline.model.problem import Problems
from trunkline.sources.bring import bring

topohub = pytest.importorskip("topohub", reason="topohub is not installed")
DATA = Path(topohub.__file__).parent / "data"
SNDLIB = sorted((DATA / "sndlib").glob("*.json"))

DIRECTED = """\
{"directed": true, "graph": {"name": "ring"}, "nodes": [{"id": 0}, {"id": "x-1"}, {"id": 2}],
 "links": [{"source": 0, "target": "x-1", "capacity": 1000, "metric": 3},
           {"source": "x-1", "target": 0, "capacity": 500.5, "metric": 4},
           {"source": 2, "target": 0, "capacity": 10}]}
"""
MATRICES = "index,0-x-1,x-1-0,2-0,0-0\n0,1.5,2,0,9\n1,0,0,7,0\n"


def test_two_ways_are_one_circuit(tmp_path: Path) -> None:
    brought, net = imported(source(tmp_path, "ring.json", DIRECTED))
    first, second = net.circuits
    assert (first.name, first.a, first.capacity, first.metric_ab, first.metric_ba) == ("0--2", "2", 10**7, 100, 100)
    assert (second.name, second.capacity, second.metric_ab, second.metric_ba) == ("0--x-1", 500_500_000, 3, 4)
    assert brought.applied["one-way"] == ("2 to 0",)
    assert brought.applied["capacity-smaller"] == ("capacity of 0-x-1: 1G and 500.5M",)


def test_json_may_escape_any_character(tmp_path: Path) -> None:
    names = ["𠮷野 x", "\\ud83d\\ude00", "é"]  # beyond U+FFFF, what only looks like an escape, below
    tree = {
        "nodes": [{"id": number, "name": name} for number, name in enumerate(names)],
        "links": [{"source": 0, "target": 1}, {"source": 1, "target": 2}],
    }
    written = json.dumps(tree)
    assert '"\\ud842\\udfb7\\u91ce x"' in written
    brought, net = imported(source(tmp_path, "ring.json", written))
    assert brought.applied["name-sanitised"] == tuple(
        f"'{name}' is {clean}" for name, clean in zip(names, ("x", "ud83d-ude00", "e"), strict=True)
    )
    assert [r.name for r in net.routers] == ["e", "ud83d-ude00", "x"]


def test_a_matrix_is_picked(tmp_path: Path) -> None:
    files = source(tmp_path, "ring.json", DIRECTED), source(tmp_path, "tm.csv", MATRICES)
    brought, net = imported(*files)
    assert [(d.source, d.target, d.rate) for d in net.demands] == [("0", "x-1", 1_500_000), ("x-1", "0", 2_000_000)]
    assert brought.applied["matrix-one"] == ("0 of 2",)
    assert brought.applied["demand-to-itself"] == ("0",)
    assert [(d.source, d.rate) for d in imported(*files, matrix=1)[1].demands] == [("2", 7_000_000)]
    with pytest.raises(Problems, match="there is no matrix 2; expected 0 to 1"):
        imported(*files, matrix=2)
    with pytest.raises(Problems, match="there are no traffic matrices for --matrix to pick"):
        imported(files[0], matrix=0)


@pytest.mark.oracle
def test_b4_with_its_real_matrices(shared_data: Path) -> None:
    table = shared_data / "teal" / "B4_real_tms.csv"
    row = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))[35]
    _, net = imported(shared_data / "teal" / "topologies" / "B4.json", table, matrix=35)
    assert (len(net.routers), len(net.circuits)) == (12, 19)
    assert {f"{d.source}-{d.target}": d.rate for d in net.demands} == {
        pair: round(float(rate) * 10**6) for pair, rate in row.items() if pair != "index" and float(rate)
    }
    assert len(planned(net, "circuits")) == 38


@pytest.mark.oracle
def test_kdl_has_754_nodes(shared_data: Path) -> None:
    file = shared_data / "teal" / "topologies" / "Kdl.json"
    ways = {(link["source"], link["target"]): link["capacity"] for link in json.loads(file.read_text())["links"]}
    _, net = imported(file)
    assert len(net.routers) == 754
    assert len(net.circuits) == 895
    for c in net.circuits:
        assert c.capacity == 10**6 * min(ways[int(c.a), int(c.b)], ways[int(c.b), int(c.a)])
    assert prove(net).ok


@pytest.mark.parametrize("file", SNDLIB, ids=lambda file: file.stem)
def test_sndlib_of_topohub(file: Path) -> None:
    topo = json.loads(file.read_text())
    brought, net = imported(f"topohub:sndlib/{file.stem}")
    stats = topo["graph"]["stats"]
    traffic = sum(rate > 0 for ends in topo["graph"]["demands"].values() for rate in ends.values())
    assert (len(net.routers), len(net.circuits), len(net.demands)) == (stats["nodes"], stats["links"], traffic)
    off_globe = any(not (-180 <= x <= 180 and -90 <= y <= 90) for x, y in (node["pos"] for node in topo["nodes"]))
    assert ("length-drawn" in brought.applied) == off_globe
    lengths = [round(edge["dist"] * 4.9) for edge in topo["edges"]]  # 4.9 us a km
    latencies = sorted(c.latency for c in net.circuits)
    assert latencies == [1000] * len(lengths) if off_globe else latencies == pytest.approx(sorted(lengths), abs=1)


@pytest.mark.parametrize("name", ["abilene", "polska", "nobel-us"])
def test_loads_are_topohubs(name: str) -> None:
    """`ecmp_fwd.org`: percent of the busiest link under hop-count ECMP, every demand both ways (two decimals)."""
    topo = json.loads((DATA / "sndlib" / f"{name}.json").read_text())
    net = network(bring([f"topohub:sndlib/{name}"]))
    there = tuple(replace(d, name=f"{d.name}.there") for d in net.demands)
    back = tuple(replace(d, name=f"{d.name}.back", source=d.target, target=d.source) for d in net.demands)
    hops = tuple(replace(c, metric_ab=1, metric_ba=1, capacity=10**15) for c in net.circuits)
    both = replace(net, circuits=hops, demands=tuple(sorted(there + back, key=lambda d: d.name)))
    rows = planned(both, "circuits")
    most = max(row["load"] for row in rows)
    names = {node["id"]: node["name"] for node in topo["nodes"]}
    expected: dict[tuple[str, str], float] = {}
    for edge in topo["edges"]:
        a, b = names[edge["source"]], names[edge["target"]]
        expected |= {(a, b): edge["ecmp_fwd"]["org"], (b, a): edge["ecmp_bwd"]["org"]}
    assert {(row["from"], row["to"]): row["load"] * 100 / most for row in rows} == pytest.approx(expected, abs=0.0051)


def test_an_unknown_network_has_a_nearest() -> None:
    with pytest.raises(Problems, match="did you mean 'sndlib/polska'"):
        bring(["topohub:sndlib/polka"])
