"""ECMP loads against topohub's figures for the 26 SNDlib networks (PyPI `topohub`).

`ecmp_fwd.org` and `ecmp_bwd.org` are the load of each link, percent of the busiest one, under hop-count ECMP with every
demand in both directions, printed with two decimals.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from trunkline.engine import spf
from trunkline.engine.graph import build

topohub = pytest.importorskip("topohub", reason="topohub is not installed")
FILES = sorted((Path(topohub.__file__).parent / "data" / "sndlib").glob("*.json"))
SCALE = 10**9
"""Demands as integers: a split loses less than one part in a thousand million."""


def test_there_are_26() -> None:
    assert len(FILES) == 26


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_ecmp_loads(file: Path) -> None:
    topo = json.loads(file.read_text())
    ends, expected = [], []
    for edge in topo["edges"]:
        ends += [(edge["source"], edge["target"], 1), (edge["target"], edge["source"], 1)]
        expected += [edge["ecmp_fwd"]["org"], edge["ecmp_bwd"]["org"]]
    graph, place = build(len(topo["nodes"]), ends)
    rates = np.zeros((graph.nodes, graph.nodes))
    for source, targets in topo["graph"]["demands"].items():
        for target, rate in targets.items():
            rates[int(source), int(target)] += rate
    demand = np.rint((rates + rates.T) * (SCALE / rates.max())).astype(np.int64)
    np.fill_diagonal(demand, 0)
    loads, lost = spf.loads(graph, demand)
    percent = loads[0][place] * 100 / loads.max()
    assert lost[0] == 0
    assert np.abs(percent - expected).max() <= 0.005 + 1e-5
