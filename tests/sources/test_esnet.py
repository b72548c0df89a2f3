"""ESnet's topology and LSPs: small by hand, and the real ones."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from imported import imported, planned, source
from trunkline.model.problem import Problems

TOPOLOGY: dict[str, Any] = {
    "devices": [
        {"urn": "a", "location": "HERE", "latitude": "0.0", "ports": [{"urn": "a:1", "reservableBw": 400000}]},
        {"urn": "b", "location": "HERE", "ports": [{"urn": "b:1", "reservableBw": 100000}]},
    ],
    "adjcies": [],
}


def adjacency(a: str, z: str, net: int, metric: int) -> dict[str, Any]:
    ends = {
        side: {"device": device, "port": f"{device}:1", "addr": f"192.0.2.{net + at}"}
        for at, (side, device) in enumerate([("a", a), ("z", z)])
    }
    return {**ends, "metrics": {"MPLS": metric}}


def lsp(name: str, head: str, tail: str, *hops: int) -> dict[str, Any]:
    primary: dict[str, Any] = {"path-type": "loose"}
    if hops:
        listed = [{"number": at, "ipv4": f"192.0.2.{hop}"} for at, hop in enumerate(hops, 1)]
        primary = {"path-type": "strict", "hop": listed[::-1], "setup-priority": 5, "hold-priority": 5}
    return {"name": name, "device": head, "target": {"device": tail}, "primary": primary, "metric": 7}


@pytest.mark.parametrize("number", ["zz", "1.5", "1e99", "-1"])
def test_a_hop_whose_number_is_none_is_refused_with_its_place(number: str, tmp_path: Path) -> None:
    topology = {**TOPOLOGY, "adjcies": [adjacency("a", "b", 0, 10)]}
    odd = lsp("odd", "a", "b", 1)
    odd["primary"]["hop"][0]["number"] = number
    first = source(tmp_path, "t.json", json.dumps(topology))
    second = source(tmp_path, "l.json", json.dumps({"esnet-lsp:lsp": [odd]}))
    with pytest.raises(Problems) as caught:
        imported(first, second)
    (problem,) = caught.value.problems
    assert (problem.line, problem.field) == (1, "esnet-lsp:lsp[0].primary.hop.number")


def test_a_hop_picks_the_circuit_of_its_address(tmp_path: Path) -> None:
    adjacencies = [adjacency("a", "b", 0, 10), adjacency("a", "b", 2, 20), adjacency("b", "c", 4, 5)]
    lsps = [
        lsp("same", "a", "c", 3, 5),  # 192.0.2.3 is b on the second adjacency, 192.0.2.5 is c
        lsp("same", "c", "a", 4, 0),  # the same name at another head; the addresses of b and a on the way back
        lsp("odd", "a", "c", 5),  # c is not next to a
        lsp("gone", "a", "c", 77),
        lsp("short", "a", "c", 1),
        lsp("free", "a", "b"),
    ]
    topology = source(tmp_path, "t.json", json.dumps({**TOPOLOGY, "adjcies": adjacencies}))
    files = topology, source(tmp_path, "l.json", json.dumps({"esnet-lsp:lsp": lsps}))
    brought, net = imported(*files)
    assert [(c.name, c.capacity, c.metric_ab, c.latency) for c in net.circuits] == [
        ("a--b-1", 10**11, 10, 10),
        ("a--b-2", 10**11, 20, 10),
        ("b--c", 10**11, 5, 1000),
    ]
    placed = {row["head"] + "/" + row["name"]: row["path"] for row in planned(net, "lsps")}
    assert placed == {"a/free": "a--b-1@a", "a/same": "a--b-2@a b--c@b", "c/same": "b--c@c a--b-1@b"}
    assert brought.applied["lsp-unresolved"] == (
        "a/odd: hop 1, 192.0.2.5, is c towards b, not adjacent to a",
        "a/gone: hop 1, 192.0.2.77, is no address of the topology",
        "a/short: its hops end at b, not at c",
    )
    assert brought.applied["node-implied"] == ("c",)
    assert brought.applied["left-out"] == ("metric of 6 LSPs",)
    assert imported(*files[::-1])[0].text == brought.text


def walked(topology: dict[str, Any], one: dict[str, Any]) -> list[tuple[str, int]] | None:
    """The router that each strict hop leaves and the adjacency it takes, read off the file; None where one fails."""
    here, path = one["device"], []
    for hop in sorted(one["primary"]["hop"], key=lambda h: h["number"]):
        for side, other in (("a", "z"), ("z", "a")):
            found = [x for x in topology["adjcies"] if x[side]["addr"] == hop["ipv4"] and x[other]["device"] == here]
            if found:
                path.append((here, topology["adjcies"].index(found[0])))
                here = found[0][side]["device"]
                break
        else:
            return None
    return path


@pytest.mark.oracle
def test_260_strict_lsps_place_hop_for_hop(shared_data: Path) -> None:
    folder = shared_data / "esnet"
    topology = json.loads((folder / "esnet-topology.json").read_text())
    lsps = json.loads((folder / "nso.esnet-lsp.json").read_text())["esnet-lsp:lsp"]
    brought, net = imported(folder / "esnet-topology.json", folder / "nso.esnet-lsp.json")
    rows = {(row["head"], row["name"]): row for row in planned(net, "lsps")}
    strict = [one for one in lsps if one["primary"]["path-type"] == "strict"]
    assert (len(lsps), len(strict)) == (814, 272)
    named = {text.partition(": ")[0] for text in brought.applied["lsp-unresolved"]}
    assert len(named) == 12
    assert sum("is no address" in text for text in brought.applied["lsp-unresolved"]) == 4
    assert sum("not adjacent" in text for text in brought.applied["lsp-unresolved"]) == 8
    circuits = circuit_names(topology)
    for one in strict:
        way = walked(topology, one)
        key = one["device"], one["name"]
        assert (way is None) == ("/".join(key) in named)
        if way is not None:
            assert rows[key]["path"] == " ".join(f"{circuits[index]}@{a}" for a, index in way)
            assert (rows[key]["state"], rows[key]["setup"], rows[key]["hold"]) == ("up", 5, 5)
    assert Counter(row["setup"] for row in rows.values()) == {5: 260, 4: 264, 7: 278}
    assert {row["state"] for row in rows.values()} == {"up"}


def circuit_names(topology: dict[str, Any]) -> list[str]:
    """The circuit of every adjacency: of parallel ones the n-th in the file is number n."""
    pairs = ["--".join(sorted((x["a"]["device"], x["z"]["device"]))) for x in topology["adjcies"]]
    return [
        f"{pair}-{pairs[: index + 1].count(pair)}" if pairs.count(pair) > 1 else pair
        for index, pair in enumerate(pairs)
    ]
