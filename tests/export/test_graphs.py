"""Graphs, read back by NetworkX: every router, circuit and figure, with types and parallel circuits."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import networkx as nx

from trunkline.export.graphs import graphml, node_link
from trunkline.model.load import load

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
NS = "{http://graphml.graphdrawing.org/xmlns}"
SHORT = {
    "name": "short", "capacity": 100 * 10**9, "latency": 1000, "metric_ab": 10, "metric_ba": 10, "te_metric_ab": 10,
    "te_metric_ba": 10, "reservable": 100 * 10**9, "members": 1, "risks": "north", "families": "v4 v6",
}  # fmt: skip
"""The circuit `short` of tiny.yaml: 100G, 1 ms, metric 10, risk north; the rest are the defaults of docs/file.md."""


def test_graphml_reads_back_with_types_and_parallel_circuits(tmp_path: Path) -> None:
    file = tmp_path / "tiny.graphml"
    file.write_text(graphml(load(EXAMPLES / "tiny.yaml").network, "tiny"))
    graph = nx.read_graphml(file)
    assert isinstance(graph, nx.MultiGraph)
    assert sorted(graph.nodes) == ["a-bb1", "a-dr1", "b-bb1", "b-dr1", "b-pr1"]
    assert sorted(graph["a-bb1"]["b-bb1"]) == ["long", "short"]
    assert {k: v for k, v in graph["a-bb1"]["b-bb1"]["short"].items() if k != "id"} == SHORT
    node = graph.nodes["b-pr1"]
    assert (node["site"], node["region"], node["role"], node["overload"]) == ("b", "east", "pr", False)


def test_node_link_reads_back(tmp_path: Path) -> None:
    net = load(EXAMPLES / "aurora.yaml").network
    data = json.loads(node_link(net, "aurora"))
    graph = nx.node_link_graph(data, edges="edges")
    assert graph.is_multigraph()
    assert not graph.is_directed()
    assert (len(graph), graph.number_of_edges()) == (40, 80)
    assert graph.nodes["lon-bb1"]["latitude"] == 51.51
    assert graph["lon-bb1"]["nyc-bb1"]["atl-mid-1"]["latency"] == 28910  # 5900 km at 4.9 us a km
    assert data["graph"] == {
        "name": "aurora",
        "units": {
            "capacity": "bit/s",
            "latency": "us",
            "reservable": "bit/s",
            "latitude": "degrees",
            "longitude": "degrees",
        },
    }


def test_metrics_of_two_directions_follow_source_and_target(tmp_path: Path) -> None:
    net = tmp_path / "net.yaml"
    net.write_text(
        "trunkline: 1\nregions: [r]\nsites: {s: {region: r}}\n"
        "routers: {x: {site: s, role: bb}, b: {site: s, role: bb}}\n"
        "circuits: [{a: x, b: b, capacity: 1G, metric: {ab: 1, ba: 2}}]\n"
    )
    (edge,) = json.loads(node_link(load(net).network, "n"))["edges"]
    assert (edge["source"], edge["target"], edge["metric_ab"], edge["metric_ba"]) == ("x", "b", 1, 2)


def test_every_graphml_key_is_declared_once_and_ids_are_unique() -> None:
    root = ET.fromstring(graphml(load(EXAMPLES / "aurora.yaml").network, "aurora"))  # noqa: S314  # our own text
    keys = [key.get("id") for key in root.iter(f"{NS}key")]
    assert len(keys) == len(set(keys))
    assert {data.get("key") for data in root.iter(f"{NS}data")} <= set(keys)
    edges = [edge.get("id") for edge in root.iter(f"{NS}edge")]
    assert len(edges) == len(set(edges)) == 80
