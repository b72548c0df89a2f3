"""Routers and circuits as a graph: GraphML, and the node-link JSON of NetworkX.

Undirected and with parallel edges; an edge's key is the circuit's name, `metric_ab` is the metric from its source.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from trunkline.model.network import Network

Value = str | int | float | bool | None
NODE = (
    ("site", "string", ""),
    ("region", "string", ""),
    ("role", "string", ""),
    ("overload", "boolean", ""),
    ("loopback", "string", ""),
    ("loopback6", "string", ""),
    ("latitude", "double", "degrees"),
    ("longitude", "double", "degrees"),
)
EDGE = (
    ("name", "string", ""),
    ("capacity", "long", "bit/s"),
    ("latency", "long", "us"),
    ("metric_ab", "long", ""),
    ("metric_ba", "long", ""),
    ("te_metric_ab", "long", ""),
    ("te_metric_ba", "long", ""),
    ("reservable", "long", "bit/s"),
    ("members", "long", ""),
    ("risks", "string", ""),
    ("groups", "string", ""),
    ("families", "string", ""),
)
"""Attributes: name, GraphML type, unit.  Lists are words with blanks between them."""


def nodes(net: Network) -> list[tuple[str, dict[str, Value]]]:
    """Return every router and its attributes; one that is unknown is left out."""
    sites = {site.name: site for site in net.sites}
    found = []
    for r in net.routers:
        site = sites[r.site]
        values = (r.site, r.region, str(r.role), r.overload, str(r.loopback), str(r.loopback6), site.lat, site.lon)
        found.append((r.name, _known(NODE, values)))
    return found


def edges(net: Network) -> list[tuple[str, str, dict[str, Value]]]:
    """Return every circuit: its ends and its attributes."""
    found = []
    for c in net.circuits:
        words = (" ".join(c.risks), " ".join(c.groups), " ".join(c.families))
        metrics = (c.metric_ab, c.metric_ba, c.te_metric_ab, c.te_metric_ba)
        values = (c.name, c.capacity, c.latency, *metrics, c.reservable, c.members, *words)
        found.append((c.a, c.b, _known(EDGE, values)))
    return found


def _known(spec: tuple[tuple[str, str, str], ...], values: Sequence[Value]) -> dict[str, Value]:
    return {name: v for (name, _, _), v in zip(spec, values, strict=True) if v not in (None, "")}


def node_link(net: Network, name: str) -> str:
    """Return the JSON that `networkx.node_link_graph(data, edges="edges")` reads."""
    units = {attribute: unit for attribute, _, unit in (*NODE, *EDGE) if unit}
    document = {
        "directed": False,
        "multigraph": True,
        "graph": {"name": name, "units": units},
        "nodes": [{"id": node, **values} for node, values in nodes(net)],
        "edges": [{"source": a, "target": b, "key": values["name"], **values} for a, b, values in edges(net)],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def graphml(net: Network, name: str) -> str:
    """Return GraphML 1.0 with typed keys; an edge's id is the circuit's name."""
    root = ET.Element("graphml", xmlns="http://graphml.graphdrawing.org/xmlns")
    for kind, spec in (("node", NODE), ("edge", EDGE)):
        for attribute, form, unit in spec:
            key = ET.SubElement(
                root, "key", {"id": f"{kind}-{attribute}", "for": kind, "attr.name": attribute, "attr.type": form}
            )
            if unit:
                ET.SubElement(key, "desc").text = unit
    graph = ET.SubElement(root, "graph", id=name, edgedefault="undirected")
    for node, values in nodes(net):
        _data(ET.SubElement(graph, "node", id=node), "node", values)
    for a, b, values in edges(net):
        _data(ET.SubElement(graph, "edge", id=str(values["name"]), source=a, target=b), "edge", values)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _data(parent: ET.Element, kind: str, values: dict[str, Value]) -> None:
    for name, value in values.items():
        text = str(value).lower() if isinstance(value, bool) else str(value)
        ET.SubElement(parent, "data", key=f"{kind}-{name}").text = text
