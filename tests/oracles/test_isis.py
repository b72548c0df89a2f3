"""SPF and reverse SPF against FRR's own expected tables: metrics and next hops of every vertex, prefix and family."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from trunkline.engine import spf
from trunkline.engine.graph import build
from trunkline.igp.solve import Arc, Reach
from trunkline.model.nouns import Family

PREFIX_METRIC = 10
"""What FRR's test networks add for a prefix, except for the root's own (0)."""

COMMANDS = [*(("spf", n) for n in range(1, 14)), ("reverse-spf", 4), ("reverse-spf", 11)]


@dataclass(frozen=True)
class Row:
    """A vertex or prefix: metric and next hops, of which `-` are those that FRR leaves blank."""

    metric: int
    hops: frozenset[str]


def sections(text: str, command: str, topology: int) -> dict[Family, dict[str, Row]]:
    """The rows of the vertex tables of one command, by family; pseudonodes are left out where FRR prints no metric."""
    begin = text.index(f"test# test isis topology {topology} root rt1 {command}")
    body = text[begin + 1 : text.index("test# ", begin + 1)]
    found = {}
    for part in body.split("IS-IS paths to level-1 routers that speak ")[1:]:
        family = Family.V6 if part.startswith("IPv6") else Family.V4
        lines = part.split("\n\n")[0].splitlines()
        found[family] = rows(lines[1], lines[3:])
    return found


def rows(header: str, lines: list[str]) -> dict[str, Row]:
    names = ["Vertex", "Type", "Metric", "Next-Hop", "Interface"]
    edges = [header.index(name) for name in names]
    found: dict[str, Row] = {}
    name = ""
    for line in lines:
        vertex, kind, metric, hop = (line[a:b].strip() for a, b in pairwise(edges))
        if vertex:
            name = f"{vertex}.1" if kind.startswith("pseudo") else vertex
        if metric:
            found[name] = Row(int(metric), frozenset({hop or "-"}))
        elif not vertex and hop:
            found[name] = Row(found[name].metric, found[name].hops | {hop})
    return found


def reach(nodes: list[dict[str, Any]], reverse: bool) -> Reach:
    """FRR's test network as our result of SPF; a pseudonode is called `rt1.1`."""
    arcs, tails = [], []
    for i, node in enumerate(nodes):
        tails.append(name_of(node))
        for k, to in enumerate(node["adjacencies"]):
            ends = [name_of(node), name_of(to)]
            tail, head = reversed(ends) if reverse else ends
            arcs.append(Arc(f"{i:02}-{k:02}", tail, head, to["metric"]))
    names = tuple(sorted(tails))
    index = {name: i for i, name in enumerate(names)}
    arcs.sort()
    graph, place = build(len(names), [(index[a.tail], index[a.head], a.metric) for a in arcs])
    dist = spf.distances(graph, range(len(names)))[0]
    up = np.ones(len(arcs), np.bool_)
    ordered = tuple(arcs[i] for i in np.argsort(place))
    return Reach(names, ordered, graph, dict.fromkeys(Family, up), dict.fromkeys(Family, dist), index)


def name_of(node: dict[str, Any]) -> str:
    return f"{node['hostname']}.{node['pseudonode_id']}" if node.get("pseudonode_id") else str(node["hostname"])


def routers_next(found: Reach, family: Family, source: str, target: str) -> set[str]:
    """The next routers, looking through pseudonodes."""
    hops: set[str] = set()
    for arc in found.next_hops(family, source, target):
        beyond = "." in arc.head and arc.head != target
        hops |= routers_next(found, family, arc.head, target) if beyond else {arc.head}
    return hops


@pytest.mark.oracle
@pytest.mark.parametrize(("command", "topology"), COMMANDS)
def test_spf_is_what_frr_expects(command: str, topology: int, shared_data: Path) -> None:
    networks = json.loads((shared_data / "frr/derived/isis_test_topologies.json").read_text())["topologies"]
    nodes = next(t["nodes"] for t in networks if t["number"] == topology)
    expected = sections((shared_data / "frr/isisd/test_isis_spf.refout").read_text(), command, topology)
    ahead, turned = reach(nodes, reverse=False), reach(nodes, reverse=True)
    owner = {prefix: name_of(node) for node in nodes for prefix in node.get("networks", ())}
    assert list(expected) in ([Family.V4], [Family.V4, Family.V6])
    for family, table in expected.items():
        routers = {n for n in ahead.nodes if "." not in n and ahead.distance(family, "rt1", n) is not None}
        prefixes = {p for p, n in owner.items() if n in routers and (":" in p) == (family is Family.V6)}
        assert {v for v in table if not v.endswith(".1")} == prefixes | routers - {"rt1"}
        for vertex, row in table.items():
            at = owner.get(vertex, vertex)
            extra = PREFIX_METRIC if "/" in vertex and at != "rt1" else 0
            if vertex.endswith(".1"):
                assert row.metric == over_a_neighbour(ahead, family, vertex)
                continue
            # Both read the metrics away from rt1: on topology 4 FRR has rt5 at 10 + 10, although rt5-rt3 costs 200 the
            # other way.  So a reverse SPF is the distance to rt1 over the links turned round.
            plain = command == "spf"
            distance = ahead.distance(family, "rt1", at) if plain else turned.distance(family, at, "rt1")
            assert (vertex, distance is not None and distance + extra) == (vertex, row.metric)
            hops = routers_next(ahead, family, "rt1", at)
            if plain:
                assert (hops or {"-"}) == set(row.hops), vertex
            else:  # where a link is missing in one direction FRR leaves the next hop blank
                assert row.hops - {"-"} <= hops, vertex


def over_a_neighbour(found: Reach, family: Family, lan: str) -> int:
    """The cost of a LAN of the root's own as FRR prints it: its SPF starts from the root's neighbours on the LAN."""
    known = [(a.metric, found.distance(family, "rt1", a.tail)) for a in found.arcs if a.head == lan and a.tail != "rt1"]
    return min(metric + distance for metric, distance in known if distance is not None)
