"""ESnet's topology (devices, ports, adjacencies) and its LSPs, as OSCARS keeps them in JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from trunkline.model.document import List, Map, Place, Spot
from trunkline.sources.pairs import implied
from trunkline.sources.reading import MBIT, Reading, inside, items, word
from trunkline.sources.sketch import Link, Lsp, Node, Sketch

TITLE = "ESnet topology and LSPs"
_TOPOLOGY, _LSPS = "adjcies", "esnet-lsp:lsp"


@dataclass(frozen=True)
class End:
    """An interface address: whose it is, which device is across, and the position of the adjacency."""

    device: str
    across: str
    link: int


def told(text: str) -> bool:
    """Whether a text is one of the two files."""
    return f'"{_TOPOLOGY}"' in text or f'"{_LSPS}"' in text


def read(sources: Sequence[str], reading: Reading) -> Sketch:
    """Return the network of the topology file, with the LSPs of the other file if it is given; in any order."""
    trees = {source: reading.json(source) for source in sources}
    topologies = [source for source, tree in trees.items() if tree.get(_TOPOLOGY)]
    if len(topologies) != 1:
        reading.error(
            "sources",
            Spot(Place(sources[0], 1, 1)),
            f"{len(topologies) or 'no'} file has a topology",
            f"one with `{_TOPOLOGY}`, and the LSPs beside it",
        )
        reading.stop()
    file = topologies[0]
    nodes, speeds = _devices(trees[file], reading)
    links, ends = _adjacencies(trees[file], speeds, reading)
    nodes += implied(nodes, links, reading)
    lsps = [lsp for source in sources if source != file for lsp in _lsps(trees[source], links, ends, reading)]
    return Sketch(PurePath(file).stem, TITLE, file, nodes, links, tuple(lsps))


def _devices(tree: Map, reading: Reading) -> tuple[tuple[Node, ...], dict[str, int]]:
    nodes, speeds = [], {}
    for spot, device in items(tree, "devices", reading):
        lat, lon = (
            reading.number(word(device, key) or "0", inside(spot, device, key), key, None)
            for key in ("latitude", "longitude")
        )
        nodes.append(Node(word(device, "urn"), spot, site=word(device, "location"), lat=lat, lon=lon))
        for where, port in items(device, "ports", reading):
            speed = reading.bits(word(port, "reservableBw") or "0", inside(where, port, "reservableBw"), "speed", MBIT)
            if speed:
                speeds[word(port, "urn")] = speed
    return tuple(nodes), speeds


def _adjacencies(tree: Map, speeds: dict[str, int], reading: Reading) -> tuple[tuple[Link, ...], dict[str, list[End]]]:
    links: list[Link] = []
    ends: dict[str, list[End]] = {}
    for spot, entry in items(tree, _TOPOLOGY, reading):
        a, z, metrics = entry.get("a"), entry.get("z"), entry.get("metrics")
        if not (isinstance(a, Map) and isinstance(z, Map) and isinstance(metrics, Map)):
            reading.error("missing-key", spot, "`a`, `z` or `metrics` is missing", "an object each")
            continue
        name = f"{word(a, 'device')}-{word(z, 'device')}"
        ports = [word(a, "port"), word(z, "port")]
        known = [speeds[port] for port in ports if port in speeds]
        if len(set(known)) > 1:
            reading.ledger.apply("capacity-smaller", f"{name}: ports {' and '.join(ports)}")
        for one, other in ((a, z), (z, a)):
            end = End(word(one, "device"), word(other, "device"), len(links))
            ends.setdefault(word(one, "addr"), []).append(end)
        metric = reading.whole(word(metrics, "MPLS"), inside(spot, entry, "metrics"), "MPLS metric")
        links.append(Link(word(a, "device"), word(z, "device"), spot, capacity=min(known, default=None), metric=metric))
    return tuple(links), ends


def _lsps(tree: Map, links: Sequence[Link], ends: dict[str, list[End]], reading: Reading) -> list[Lsp]:
    found = []
    without: Counter[str] = Counter()
    for spot, entry in items(tree, _LSPS, reading):
        target, primary = entry.get("target"), entry.get("primary")
        head, name = word(entry, "device"), word(entry, "name")
        if not (isinstance(target, Map) and isinstance(primary, Map) and head and name):
            reading.error("missing-key", spot, "`name`, `device`, `target` or `primary` is missing", "all of them")
            continue
        tail = word(target, "device")
        without["metric"] += bool(word(entry, "metric"))
        hops = _hops(spot, primary, reading)
        if hops and word(primary, "path-type") != "strict":
            without["loose hops"] += 1
            hops = []
        path, trouble = resolve(head, tail, hops, ends) if hops else ((), "")
        if trouble:
            reading.ledger.apply("lsp-unresolved", f"{head}/{name}: {trouble}")
            continue
        setup, hold = (_priority(spot, primary, f"{which}-priority", reading) for which in ("setup", "hold"))
        found.append(Lsp(name, head, tail, spot, 0, setup, hold, path))
    if found:
        reading.ledger.apply("lsp-bandwidth-zero", f"{len(found)} LSPs")
    for what, number in sorted(without.items()):
        if number:
            reading.ledger.apply("left-out", f"{what} of {number} LSPs")
    return found


def _hops(spot: Spot, primary: Map, reading: Reading) -> list[str]:
    node = primary.get("hop")
    listed = [hop for hop in node.items if isinstance(hop, Map)] if isinstance(node, List) else []

    def number(hop: Map) -> int:
        where = Spot(hop.place, f"{spot.field}.primary.hop")
        return reading.whole(word(hop, "number") or "0", inside(where, hop, "number"), "hop number") or 0

    return [word(hop, "ipv4") for hop in sorted(listed, key=number)]


def _priority(spot: Spot, primary: Map, key: str, reading: Reading) -> int | None:
    written = word(primary, key)
    return reading.whole(written, inside(spot, primary, key), key) if written else None


def resolve(head: str, tail: str, hops: Sequence[str], ends: dict[str, list[End]]) -> tuple[tuple[int, ...], str]:
    """Return the adjacencies that strict hops take, or why they cannot be followed.

    A strict hop is the address at which the next router is entered (RFC 3209 4.3.3.1): it picks among parallel ones.
    """
    here, path = head, []
    for number, address in enumerate(hops, 1):
        if address not in ends:
            return (), f"hop {number}, {address}, is no address of the topology"
        entered = [end for end in ends[address] if end.across == here]
        if not entered:
            owner = ends[address][0]
            return (), f"hop {number}, {address}, is {owner.device} towards {owner.across}, not adjacent to {here}"
        here = entered[0].device
        path.append(entered[0].link)
    return (tuple(path), "") if here == tail else ((), f"its hops end at {here}, not at {tail}")
