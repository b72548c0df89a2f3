"""Whether a sketch hangs together: ids that are there once, ends that exist, links between two nodes, one network."""

from __future__ import annotations

from collections.abc import Iterable

from trunkline.model.document import Place, Spot
from trunkline.sources.reading import Reading
from trunkline.sources.sketch import Node, Sketch

MOST_NODES = 20_000


def check(sketch: Sketch, reading: Reading) -> list[str]:
    """Return notes on what is odd.  Raises Problems with everything that is wrong."""
    ids = _ids(sketch.nodes, reading)
    if not ids:
        reading.error("empty", Spot(Place(sketch.file, 1, 1)), "there is no node in it", f"{sketch.origin} with nodes")
    for link in sketch.links:
        _ends(ids, link.spot, (link.a, link.b), reading)
        if link.a == link.b:
            reading.error("self-loop", link.spot, f"this link begins and ends at '{link.a}'", "two nodes")
        if link.capacity == 0:
            reading.error("range", link.spot, f"the link {link.a}-{link.b} has capacity 0", "more than 0")
    for lsp in sketch.lsps:
        _ends(ids, lsp.spot, (lsp.head, lsp.tail), reading)
        if lsp.head == lsp.tail:
            reading.error("self-loop", lsp.spot, f"the LSP '{lsp.name}' ends where it starts", "two nodes")
    for demand in sketch.demands:
        _ends(ids, demand.spot, (demand.start, demand.end), reading)
    if len(ids) > MOST_NODES:
        reading.error("size", sketch.nodes[0].spot, f"{len(ids)} nodes", f"at most {MOST_NODES}")
    reading.stop()
    return _notes(sketch)


def _ids(nodes: Iterable[Node], reading: Reading) -> dict[str, Node]:
    seen: dict[str, Node] = {}
    for node in nodes:
        first = seen.setdefault(node.id, node)
        if first is not node:
            reading.error("name-twice", node.spot, f"the node '{node.id}' was given before, at {first.spot.place}")
    return seen


def _ends(ids: dict[str, Node], spot: Spot, names: tuple[str, str], reading: Reading) -> None:
    for name in names:
        if name not in ids:
            reading.unknown(spot, "node", name, list(ids))


def _notes(sketch: Sketch) -> list[str]:
    notes = []
    parts = _parts(sketch)
    if parts > 1:
        notes.append(f"the network is in {parts} parts with no link between them")
    if not sketch.demands:
        notes.append("the source has no demands: plan shows paths, not loads; add `demands` (docs/file.md)")
    if not sketch.lsps:
        notes.append("the source has no LSPs: traffic takes the IGP; add `lsps` (docs/file.md)")
    return notes


def _parts(sketch: Sketch) -> int:
    root = {node.id: node.id for node in sketch.nodes}

    def find(name: str) -> str:
        while root[name] != name:
            root[name] = root[root[name]]
            name = root[name]
        return name

    for link in sketch.links:
        root[find(link.a)] = find(link.b)
    return sum(name == above for name, above in root.items())
