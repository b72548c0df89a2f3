"""GraphML as the Topology Zoo writes it: places as nodes, links with a speed where the map had one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from trunkline.sources.reading import Reading
from trunkline.sources.sketch import Link, Node, Sketch
from trunkline.sources.xmltree import Element, parse

TITLE = "Topology Zoo GraphML"


def read(sources: Sequence[str], reading: Reading) -> Sketch:
    """Return the network of one GraphML file."""
    root = parse(reading.text(sources[0]), sources[0])
    names = {key.attribute("id"): key.attribute("attr.name") for key in root.all("key")}
    graph = root.one("graph")
    said = _data(graph, names)
    nodes = tuple(_node(element, names, reading) for element in graph.all("node"))
    links = tuple(_link(element, names, reading) for element in graph.all("edge"))
    hyper = sum(_data(n, names).get("hyperedge") == "1" for n in graph.all("node"))
    outside = sum(_data(n, names).get("Internal") == "0" for n in graph.all("node"))
    notes = []
    if hyper:
        notes.append(f"{_nodes(hyper, 'is a hyperedge', 'are hyperedges')} (where links meet); kept as routers")
    if outside:
        notes.append(f"{_nodes(outside, 'belongs', 'belong')} to other networks (Internal = 0); kept as routers")
    name = said.get("Network") or PurePath(sources[0]).stem
    return Sketch(name, TITLE, sources[0], nodes, links, notes=tuple(notes))


def _nodes(number: int, one: str, several: str) -> str:
    return f"{number} node {one}" if number == 1 else f"{number} nodes {several}"


def _data(element: Element, names: dict[str, str]) -> dict[str, str]:
    return {names.get(data.attribute("key"), ""): data.text.strip() for data in element.all("data")}


def _node(element: Element, names: dict[str, str], reading: Reading) -> Node:
    data = _data(element, names)
    spot = element.spot
    lat, lon = data.get("Latitude"), data.get("Longitude")
    return Node(
        element.attribute("id"),
        spot,
        name="" if data.get("label") == "None" else data.get("label", ""),  # what the Zoo calls a hyperedge
        region=data.get("Country", ""),
        lat=reading.number(lat, spot, "latitude", None) if lat and lon else None,
        lon=reading.number(lon, spot, "longitude", None) if lat and lon else None,
    )


def _link(element: Element, names: dict[str, str], reading: Reading) -> Link:
    data = _data(element, names)
    raw = data.get("LinkSpeedRaw")
    capacity = reading.bits(raw, element.spot, "link speed") if raw else None
    return Link(element.attribute("source"), element.attribute("target"), element.spot, capacity=capacity)


def told(text: str) -> bool:
    """Whether a text begins as GraphML does."""
    return "<graphml" in text[:4000]
