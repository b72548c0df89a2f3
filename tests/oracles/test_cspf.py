"""CSPF against FRR's cspf_topo1: 20 by IS-IS metric, 35 by TE metric, 35000 by delay, from r1 to r4 over IPv4."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.test_cspf import ask, links, ranks
from trunkline import engine


def cost_of(edge: dict[str, Any], kind: str) -> int:
    return int(edge["metric"] if kind == "metric" else edge["edge-attributes"][kind])


@pytest.mark.oracle
@pytest.mark.parametrize(("kind", "cost"), [("metric", 20), ("te-metric", 35), ("delay", 35000)])
def test_cost_and_edges(kind: str, cost: int, shared_data: Path) -> None:
    folder = shared_data / "frr/topotests/cspf_topo1/reference"
    edges = json.loads((folder / "sharp-ted.json").read_text())["ted"]["edges"]
    edges = sorted((e for e in edges if ":" not in e["edge-id"]), key=lambda e: e["edge-id"])
    ends = [(e["local-vertex-id"], e["remote-vertex-id"], cost_of(e, kind)) for e in edges]
    _, path = ranks(links(ends), ask(1, 4), 1, engine.backend())
    said = (folder / f"cspf-ipv4-{kind}.txt").read_text()
    assert re.findall(r"Cost: (\d+)", said) == [str(cost)]
    assert sum(ends[i][2] for i in path) == cost
    expected = re.findall(r"Edges: (.+)", said)[0].split()
    assert [edges[i]["edge-attributes"]["remote-address"] for i in path] == expected
