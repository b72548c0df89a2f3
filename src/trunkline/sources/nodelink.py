"""Node-link JSON as NetworkX writes it (Teal's networks, topohub's), and Teal's traffic matrices as CSV.

Read of a node: `id`, `name` or `label`, `pos` ([longitude, latitude]).  Of a link: `source`, `target`, `capacity`,
`metric`, `dist` (km).  Of the graph: `name`, `demands` (start -> end -> rate).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import PurePath

from trunkline.model.document import List, Map, Spot, Text
from trunkline.sources.distance import on_globe
from trunkline.sources.matrix import demands
from trunkline.sources.pairs import Way, pair
from trunkline.sources.reading import MBIT, Reading, inside, items, word
from trunkline.sources.sketch import Demand, Link, Node, Sketch

TITLE = "node-link JSON"


def read(sources: Sequence[str], reading: Reading) -> Sketch:
    """Return the network of a JSON file, with the demands of a matrix file beside it if there is one."""
    sketch = sketched(reading.json(sources[0]), sources[0], reading)
    if len(sources) == 1:
        return sketch
    return replace(sketch, demands=demands(sources[1], [node.id for node in sketch.nodes], reading))


def told(text: str) -> bool:
    """Whether a text begins as node-link JSON does."""
    return text.lstrip().startswith("{") and '"nodes"' in text and '"source"' in text


def sketched(tree: Map, file: str, reading: Reading, title: str = TITLE) -> Sketch:
    """Return the network of a tree of node-link JSON."""
    nodes = tuple(_node(spot, entry, reading) for spot, entry in items(tree, "nodes", reading))
    key = "edges" if tree.get("edges") else "links"
    entries = items(tree, key, reading)
    if word(tree, "directed") == "true":
        links = pair([_way(spot, entry, reading) for spot, entry in entries], reading)
    else:
        links = tuple(_link(spot, entry, reading) for spot, entry in entries)
    drawn = any(n.lat is not None and n.lon is not None and not on_globe((n.lat, n.lon)) for n in nodes)
    if drawn and any(link.length is not None for link in links):
        reading.ledger.apply("length-drawn", f"all {len(links)}")
        links = tuple(replace(link, length=None) for link in links)
    graph = tree.get("graph")
    name = word(graph, "name") if isinstance(graph, Map) else ""
    traffic = _demands(graph, reading) if isinstance(graph, Map) else ()
    if traffic or any(link.capacity is not None for link in links):
        reading.ledger.apply("unit-assumed", "demands" if traffic else "capacities")
    return Sketch(name or PurePath(file).stem, title, file, nodes, links, demands=traffic)


def _node(spot: Spot, entry: Map, reading: Reading) -> Node:
    id_ = _required(spot, entry, "id", reading)
    pos = entry.get("pos")
    lat = lon = None
    if isinstance(pos, List) and len(pos.items) == 2:
        lon, lat = (_coordinate(value, inside(spot, entry, "pos"), reading) for value in pos.items)
    elif pos is not None:
        reading.error("type", inside(spot, entry, "pos"), "this is no position", "[longitude, latitude]")
    return Node(id_, spot, name=word(entry, "name") or word(entry, "label"), lat=lat, lon=lon)


def _coordinate(value: object, spot: Spot, reading: Reading) -> Decimal | None:
    return reading.number(value.value if isinstance(value, Text) else "", spot, "coordinate", None)


def _required(spot: Spot, entry: Map, key: str, reading: Reading) -> str:
    found = word(entry, key)
    if not found:
        reading.error("missing-key", spot, f"`{key}` is missing", f'"{key}": ...')
    return found


def _way(spot: Spot, entry: Map, reading: Reading) -> Way:
    a, b = (_required(spot, entry, key, reading) for key in ("source", "target"))
    return Way(a, b, spot, capacity=_capacity(spot, entry, reading), metric=_metric(spot, entry, reading))


def _link(spot: Spot, entry: Map, reading: Reading) -> Link:
    a, b = (_required(spot, entry, key, reading) for key in ("source", "target"))
    dist = word(entry, "dist")
    return Link(
        a,
        b,
        spot,
        capacity=_capacity(spot, entry, reading),
        metric=_metric(spot, entry, reading),
        length=reading.number(dist, inside(spot, entry, "dist"), "length") if dist else None,
    )


def _capacity(spot: Spot, entry: Map, reading: Reading) -> int | None:
    written = word(entry, "capacity")
    return reading.bits(written, inside(spot, entry, "capacity"), "capacity", MBIT) if written else None


def _metric(spot: Spot, entry: Map, reading: Reading) -> int | None:
    written = word(entry, "metric")
    return reading.whole(written, inside(spot, entry, "metric"), "metric") if written else None


def _demands(graph: Map, reading: Reading) -> tuple[Demand, ...]:
    found = []
    rows = graph.get("demands")
    for start, ends in rows.entries if isinstance(rows, Map) else ():
        for end, rate in ends.entries if isinstance(ends, Map) else ():
            spot = Spot(rate.place, f"graph.demands.{start.value}.{end.value}")
            bits = reading.bits(rate.value if isinstance(rate, Text) else "", spot, "rate", MBIT)
            if bits:
                found.append(Demand(start.value, end.value, bits, spot))
    return tuple(found)
