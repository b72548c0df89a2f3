"""Whether a sketch hangs together: ids that are there once, ends that exist, links between two nodes, one network."""

from __future__ import annotations

from collections.abc import Iterable

from trunkline.model.document import Place, Spot
from trunkline.model.keys.words import MAX_METRIC
from trunkline.model.schema import MAX_RATE, MAX_TIME
from trunkline.model.units import NANOSECONDS_PER_KM
from trunkline.sources.reading import Reading
from trunkline.sources.sketch import Link, Lsp, Node, Sketch

MOST_NODES = 20_000
MANY_DEMANDS = 100_000


def check(sketch: Sketch, reading: Reading, gravity: int | None = None) -> list[str]:
    """Return notes on what is odd.  Raises Problems with everything that is wrong."""
    ids = _ids(sketch.nodes, reading)
    if not ids:
        reading.error("empty", Spot(Place(sketch.file, 1, 1)), "there is no node in it", f"{sketch.origin} with nodes")
    for link in sketch.links:
        _ends(ids, link.spot, (link.a, link.b), reading)
        if link.a == link.b:
            reading.error("self-loop", link.spot, f"this link begins and ends at '{link.a}'", "two nodes")
        _ranges(link, reading)
    for lsp in sketch.lsps:
        _ends(ids, lsp.spot, (lsp.head, lsp.tail), reading)
        _priorities(lsp, reading)
        if lsp.head == lsp.tail:
            reading.error("self-loop", lsp.spot, f"the LSP '{lsp.name}' ends where it starts", "two nodes")
    for demand in sketch.demands:
        _ends(ids, demand.spot, (demand.source, demand.target), reading)
    _sites(sketch.nodes, reading)
    if reading.matrix is not None and not reading.matrices:
        reading.error("matrix", Spot(Place(sketch.file, 1, 1)), "there are no traffic matrices for --matrix to pick")
    if gravity is not None and (sketch.demands or len(ids) == 1):
        why = "the source has demands of its own" if sketch.demands else "there is one node"
        reading.error("gravity", Spot(Place(sketch.file, 1, 1)), f"{why}, and --gravity would add to them")
    total = sum(demand.rate for demand in sketch.demands) + sum(lsp.bandwidth or 0 for lsp in sketch.lsps)
    if total > MAX_RATE:
        reading.error("range", Spot(Place(sketch.file, 1, 1)), f"demands and LSPs of {total} bit/s", "at most 1000P")
    if len(ids) > MOST_NODES:
        reading.error("size", sketch.nodes[0].spot, f"{len(ids)} nodes", f"at most {MOST_NODES}")
    reading.stop()
    return _notes(sketch, gravity)


def _ids(nodes: Iterable[Node], reading: Reading) -> dict[str, Node]:
    seen: dict[str, Node] = {}
    for node in nodes:
        first = seen.setdefault(node.id, node)
        if first is not node:
            reading.error("name-twice", node.spot, f"the node '{node.id}' was given before, at {first.spot.place}")
    return seen


def _sites(nodes: Iterable[Node], reading: Reading) -> None:
    regions: dict[str, Node] = {}
    for node in nodes:
        if node.site and node.region:
            first = regions.setdefault(node.site, node)
            if first.region != node.region:
                message = f"the site '{node.site}' is in region '{node.region}' here and '{first.region}' before"
                reading.error("region", node.spot, message, "one region")


def _ends(ids: dict[str, Node], spot: Spot, names: tuple[str, str], reading: Reading) -> None:
    for name in names:
        if name not in ids:
            reading.unknown(spot, "node", name, list(ids))


def _ranges(link: Link, reading: Reading) -> None:
    """What the file could not hold is refused here, where the source's own line is known."""
    what = f"the link {link.a}-{link.b}"
    for name, rate, most in (("capacity", link.capacity, MAX_RATE), ("reservable", link.reservable, link.capacity)):
        if rate is not None and not 1 <= rate <= (most or MAX_RATE):
            reading.error("range", link.spot, f"{what} has {name} {rate} bit/s", f"1 to {most or MAX_RATE} bit/s")
    for metric in (link.metric, link.metric_back):
        if metric is not None and not 1 <= metric <= MAX_METRIC:
            reading.error("range", link.spot, f"{what} has a metric of {metric}", f"1 to {MAX_METRIC}")
    if (link.length or 0) * NANOSECONDS_PER_KM > MAX_TIME * 1000 or (link.latency or 0) > MAX_TIME:
        reading.error("range", link.spot, f"{what} is too long", f"at most {MAX_TIME // 10**6} s one way")


def _priorities(lsp: Lsp, reading: Reading) -> None:
    setup, hold = lsp.setup, lsp.hold
    given = [priority for priority in (setup, hold) if priority is not None]
    if any(not 0 <= priority <= 7 for priority in given) or len(given) == 1 or given != sorted(given, reverse=True):
        message = f"the LSP '{lsp.name}' has setup {setup} and hold {hold}"
        reading.error("priority", lsp.spot, message, "both or neither, 0 to 7, hold no worse than setup")


def _notes(sketch: Sketch, gravity: int | None) -> list[str]:
    notes = []
    parts = _parts(sketch)
    if parts > 1:
        notes.append(f"the network is in {parts} parts with no link between them")
    gravity_demands = len(sketch.nodes) * (len(sketch.nodes) - 1)
    if gravity is not None and gravity_demands > MANY_DEMANDS:
        notes.append(f"--gravity makes {gravity_demands:,} demands, and plan will take its time")
    if not sketch.demands and gravity is None:
        notes.append("the source has no demands, so nothing loads a circuit; --gravity 1T adds some")
    if not sketch.lsps:
        notes.append("the source has no LSPs: traffic takes the IGP")
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
