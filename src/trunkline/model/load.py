"""One file in, one Network out: gather the files, read them by the schema, write everything out, check, freeze."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from trunkline.model import checks, demands, routing, topology, traffic
from trunkline.model.cards import cards_of
from trunkline.model.dead import check_rules
from trunkline.model.document import Document, Faults, Map, Place, Spot
from trunkline.model.event import Cut, Event, Grow, Overload, Reoptimize, Restore, after
from trunkline.model.failures import check_failures, failures_of
from trunkline.model.gather import Files, gather
from trunkline.model.keys.events import EVENTS_FILE
from trunkline.model.keys.file import NETWORK, RESERVED
from trunkline.model.keys.topology import SITE
from trunkline.model.links import links_of
from trunkline.model.names import Names
from trunkline.model.network import Network
from trunkline.model.nouns import Condition
from trunkline.model.pricing import prices_of
from trunkline.model.problem import Problem
from trunkline.model.protecting import protection_of
from trunkline.model.read import Entry, Items, Reader, Value, Word
from trunkline.model.schema import MAX_RATE
from trunkline.model.units import show_rate

_NOWHERE = Place("", 0, 0)


@dataclass(frozen=True)
class Loaded:
    """A network as it was read: warnings of the file itself, the digest of all that was read, and the document.

    `name` is what the file calls the network, empty where it does not.
    """

    name: str
    network: Network
    warnings: tuple[Problem, ...]
    sha256: str
    document: Document


def load(path: Path | str, edited: Mapping[str, bytes] | None = None) -> Loaded:
    """Return the network of a file.  Raises Problems with every error of the run, sorted by place.

    `edited` holds bytes to read in place of files, by the path that each is opened by.
    """
    faults = Faults()
    files = Files(faults, edited or {})
    tree, root, names, network = _read(str(path), files)
    network = _scaled(network, root, faults)
    faults.stop()
    check_rules(network, root, faults)
    check_failures(network, root, faults)
    faults.stop()
    checks.warn(network, root, names)
    return Loaded(
        root.word("name", str) or "",
        network,
        faults.warnings,
        files.sha256,
        Document(tuple(files.names), tree, names.spots),
    )


def outline(path: Path | str, edited: Mapping[str, bytes] | None = None) -> Document:
    """Return the document of files that may have faults yet.  Raises Problems where the first cannot be parsed."""
    files = Files(Faults(), edited or {})
    tree, _, names, _ = _read(str(path), files)
    return Document(tuple(files.names), tree, names.spots)


def _read(path: str, files: Files) -> tuple[Map, Entry, Names, Network]:
    tree = gather(path, files)
    if tree is None:
        files.faults.stop()
        raise RuntimeError("no tree, and no fault that says why")
    reader = Reader(files.faults)
    root = _root(tree, reader)
    names = Names(files.faults)
    return tree, root, names, _network(root, reader, names, files)


def _root(tree: Map, reader: Reader) -> Entry:
    kept = []
    for key, value in tree.entries:
        if key.value in RESERVED:
            message = f"this version does not read `{key.value}` yet"
            reader.faults.error("reserved", Spot(key.place, key.value), message, "the key left out")
        else:
            kept.append((key, value))
    reader.defaults = _defaults(tree, reader)
    root = reader.read(replace(tree, entries=tuple(kept)), NETWORK, "")
    if not isinstance(root, Entry):
        raise TypeError("a map read as a record is an entry")
    return root


def _defaults(tree: Map, reader: Reader) -> dict[str, Entry]:
    """The entries of `defaults` by key; that of `wiring` completes every site too."""
    node, row = tree.get("defaults"), NETWORK.key("defaults")
    found = reader.read(node, row.type, "defaults") if node is not None and row is not None else None
    given = {k: v for k, v in found.values.items() if isinstance(v, Entry)} if isinstance(found, Entry) else {}
    if "wiring" in given:
        wiring = given["wiring"]
        sites = given.get("sites") or Entry(SITE, wiring.spot, {})
        given["sites"] = replace(sites, values={**sites.values, "wiring": wiring})
    return given


def _network(root: Entry, reader: Reader, names: Names, files: Files) -> Network:
    for key, _ in root.rows("regions"):
        names.define("region", str(key.data), key.spot)
    sites = topology.sites_of(root, names)
    routers = topology.routers_of(root, sites, names)
    circuits = topology.circuits_of(root, routers, names)
    groups = routing.groups_of(root, names, files)
    datacenters = routing.datacenters_of(root, routers, names)
    peers = routing.peers_of(root, routers, names)
    routers = cards_of(root, routers, circuits, peers, names)
    classes = traffic.classes_of(root, names)
    lsps = traffic.lsps_of(root, routers, {c.name: c for c in classes}, names)
    flows, mentions = demands.demands_of(root, names, files)
    objectives = traffic.objectives_of(root, names)
    failures = failures_of(root, names)
    prices = prices_of(root, routers, names)
    if not files.incomplete:
        names.check(reader.mentions + mentions)
    igp, ibgp, te = routing.settings_of(root, names)
    return Network(
        tuple(sorted(str(key.data) for key, _ in root.rows("regions"))),
        tuple(sites[name] for name in sorted(sites)),
        tuple(routers[name] for name in sorted(routers)),
        tuple(sorted(circuits, key=lambda c: c.name)),
        tuple(sorted(groups, key=lambda g: g.name)),
        tuple(sorted(peers, key=lambda p: p.name)),
        tuple(sorted(datacenters, key=lambda d: d.name)),
        tuple(sorted(classes, key=lambda c: c.name)),
        tuple(sorted(lsps, key=lambda p: (p.head, p.name))),
        tuple(sorted(flows, key=lambda d: d.name)),
        tuple(sorted(objectives, key=lambda o: o.name)),
        igp,
        ibgp,
        te,
        tuple(links_of(root, names.faults)),
        failures,
        protection_of(root),
        prices,
    )


def _scaled(network: Network, root: Entry, faults: Faults) -> Network:
    factor = root.word("scale", int)
    scaled = network if factor is None else network.scaled(factor)
    _bounded(scaled, root.at("demands" if factor is None else "scale"), faults)
    return scaled


def _bounded(network: Network, spot: Spot, faults: Faults) -> bool:
    """Whether all demands and LSPs together are small enough for sums of them to stay exact (noted if not)."""
    total = sum(d.rate for d in network.demands) + sum(p.bandwidth or 0 for p in network.lsps)
    if total > MAX_RATE:
        message = f"demands and LSPs of {show_rate(total)} in all"
        faults.error("range", spot, message, f"at most {show_rate(MAX_RATE)}, so that sums stay exact")
    return total <= MAX_RATE


def load_events(path: Path | str, net: Network, condition: Condition | None = None) -> tuple[Event, ...]:
    """Return the events of a file, its names checked against a network.  Raises Problems like `load`.

    `condition` is what earlier files leave behind: a restore brings back only what is down.
    """
    faults = Faults()
    tree = Files(faults).tree(str(path))
    reader = Reader(faults)
    value = reader.read(tree, EVENTS_FILE, "") if tree is not None else None
    if isinstance(value, Entry):
        value = value.values.get("events")
    _named(net, faults).check(reader.mentions)
    before = condition or Condition()
    down = set(before.down)
    items = value.items if isinstance(value, Items) else ()
    events = [(_event(item, down, faults), item.spot) for item in items]
    faults.stop()
    _check_growth(net.under(Condition(growth=before.growth)), events, faults)
    faults.stop()
    return tuple(event for event, _ in events if event is not None)


def _check_growth(net: Network, events: Iterable[tuple[Event | None, Spot]], faults: Faults) -> None:
    for event, spot in events:
        if isinstance(event, Grow):
            net = net.under(after(Condition(), event))
            if not _bounded(net, spot, faults):
                return


def _named(net: Network, faults: Faults) -> Names:
    """What events may name."""
    names = Names(faults)
    for kind, things in (
        ("circuit", [c.name for c in net.circuits]),
        ("card", [card.name for r in net.routers for card in r.cards]),
        ("router", [r.name for r in net.routers]),
        ("port", [p.name for p in net.ports]),
        ("peer", [p.name for p in net.peers]),
        ("site", [s.name for s in net.sites]),
        ("region", list(net.regions)),
        ("risk", sorted({risk for c in net.circuits for risk in c.risks})),
        ("class", [c.name for c in net.classes]),
        ("data centre", [d.name for d in net.datacenters]),
        ("prefix group", [g.name for g in net.groups]),
    ):
        names.by_kind[kind] = things
        names.spots.update({(kind, thing): Spot(_NOWHERE) for thing in things})
    return names


def _event(item: Value, down: set[str], faults: Faults) -> Event | None:
    if isinstance(item, Word):
        return Reoptimize()
    if not isinstance(item, Entry):
        return None
    if not item.values and not item.broken:
        faults.error(
            "missing-key", item.spot, "an event needs a verb", "one of cut, restore, grow, overload, or `reoptimize`"
        )
    if item.has("cut"):
        down.update(item.strings("cut"))
        return Cut(item.strings("cut"))
    if item.has("restore"):
        for word in item.words("restore"):
            if str(word.data) not in down:
                faults.error("restore", word.spot, f"'{word.data}' is not down here", "what an event above has cut")
        down.difference_update(item.strings("restore"))
        return Restore(item.strings("restore"))
    grow = item.entry("grow")
    if grow is not None:
        factor = grow.word("factor", int)
        return Grow(factor, grow.word("class", str), grow.word("from", str), grow.word("to", str)) if factor else None
    return Overload(item.strings("overload")) if item.has("overload") else None
