"""Reads a network file: `load` returns the network, or raises every problem of the run at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from trunkline.model import check, demands, edge, policy, topology, tunnels
from trunkline.model.document import Document, Files
from trunkline.model.draft import Draft, with_defaults
from trunkline.model.network import Network
from trunkline.model.problem import Problem, Problems
from trunkline.model.schema import NETWORK, RESERVED
from trunkline.model.tree import Map
from trunkline.model.typed import Reader, Row


@dataclass(frozen=True)
class Loaded:
    """A network as read, with what deserves a warning; `sha256` is over the content of all files read."""

    network: Network
    warnings: tuple[Problem, ...]
    sha256: str
    document: Document


def load(path: Path | str) -> Loaded:
    """Read a network file and all that it includes.  Raises Problems: all errors of the run, sorted by place."""
    files = Files()
    tree = files.tree(str(path))
    reader = Reader()
    tree = with_defaults(_without_reserved(tree, reader))
    root = reader.read(tree, NETWORK, "")
    document = Document(tuple(files.names), files.sha256, tree, reader.places)
    draft = Draft(document, root if isinstance(root, Row) else Row(""), reader.problems)
    network = _expand(draft)
    if draft.problems:
        raise Problems(_distinct(draft.problems))
    check.warn(draft, network)
    return Loaded(network, tuple(sorted(set(draft.warnings))), document.sha256, document)


def _without_reserved(tree: Map, reader: Reader) -> Map:
    for key, _ in tree.entries:
        if key.text in RESERVED:
            what = f"'{key.text}' is reserved: this version does not read it yet"
            reader.report(key, key.text, "reserved", what)
    return Map(tuple(entry for entry in tree.entries if entry[0].text not in RESERVED), tree.place)


def _expand(draft: Draft) -> Network:
    lines = topology.build(draft)
    around = edge.build(draft, lines)
    classes = policy.classes(draft)
    network = Network(
        regions=lines.regions,
        sites=tuple(lines.sites[name] for name in sorted(lines.sites)),
        routers=tuple(lines.routers[name] for name in sorted(lines.routers)),
        circuits=tuple(lines.circuits[name] for name in sorted(lines.circuits)),
        groups=around.groups,
        peers=around.peers,
        datacenters=around.datacenters,
        classes=classes,
        lsps=tunnels.build(draft, lines, classes),
        demands=demands.build(draft, lines, around),
        objectives=policy.objectives(draft, draft.section("classes")),
        igp=policy.igp(draft),
        ibgp=policy.ibgp(draft, lines),
        te=policy.te(draft),
    )
    check.names(draft, lines, around)
    return network


def _distinct(problems: Iterable[Problem]) -> list[Problem]:
    """Keep one of the problems that say the same of one place: a default is wrong once, however often it is used."""
    found: dict[tuple[str, int, int, str, str], Problem] = {}
    for problem in sorted(problems, key=lambda p: (not p.field.startswith("defaults"), p)):
        found.setdefault((problem.file, problem.line, problem.column, problem.code, problem.message), problem)
    return list(found.values())
