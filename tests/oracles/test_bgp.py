"""BGP against the routes that FRR's own test networks expect: a reflector, and views with many external peers."""

from __future__ import annotations

import json
from dataclasses import replace
from ipaddress import ip_interface
from pathlib import Path

import pytest

from nets import circuit, network
from trunkline.bgp.decision import Candidate, Learned, decide
from trunkline.bgp.solve import solve
from trunkline.igp import solve as igp
from trunkline.model.network import Network
from trunkline.model.nouns import Datacenter, Family, Ibgp, IbgpSession, Kind, PrefixGroup
from trunkline.model.route import Route

ROUTERS = ("spine1", "tor1", "tor2")


def addresses(folder: Path) -> dict[str, list[str]]:
    """What each router's interfaces are told, as `192.168.1.1/24`."""
    lines = {name: (folder / name / "zebra.conf").read_text().split("\n") for name in ROUTERS}
    return {name: [line.split()[2] for line in of if line.strip().startswith("ip addr ")] for name, of in lines.items()}


def reflected(connected: dict[str, list[str]]) -> Network:
    """spine1 reflects between its clients tor1 and tor2; every router originates what it is connected to."""
    homes: dict[str, list[str]] = {}
    for name, own in connected.items():
        for address in own:
            homes.setdefault(str(ip_interface(address).network).replace("/", "-"), []).append(name)
    sessions = (IbgpSession("spine1", "tor1", "tor1"), IbgpSession("spine1", "tor2", "tor2"))
    return replace(
        network([circuit("spine1", "tor1"), circuit("spine1", "tor2")]),
        groups=tuple(PrefixGroup(name, 1, 0) for name in sorted(homes)),
        datacenters=tuple(Datacenter(name, "", tuple(at)) for name, at in sorted(homes.items())),
        ibgp=Ibgp(design="sessions", profile="frr", sessions=sessions),
    )


@pytest.mark.oracle
def test_a_reflector_between_two_clients(shared_data: Path) -> None:
    """bgp_rr_ibgp: the first next hop of a route is BGP's: the router that it leaves by, whoever passed it on."""
    folder = shared_data / "frr/topotests/bgp_rr_ibgp"
    connected = addresses(folder)
    owner = {str(ip_interface(a).ip): name for name, own in connected.items() for a in own}
    net = reflected(connected)
    routes = solve(net, igp.solve(net))
    counted = 0
    for router in ROUTERS:
        expected = json.loads((folder / router / "show_ip_route.json_ref").read_text())
        held = {group for at, group, family in routes.decisions if (at, family) == (router, Family.V4)}
        assert held == {prefix.replace("/", "-") for prefix in expected}
        for prefix, (row,) in expected.items():
            decision = routes.best(router, prefix.replace("/", "-"), Family.V4)
            assert decision
            if row["protocol"] == "bgp":
                assert owner[row["nexthops"][0]["ip"]] == decision.best.route.router
                counted += 1
            else:
                assert decision.best.learned is Learned.LOCAL
    assert counted == 4 + 3 + 3  # what is not connected, of six networks


@pytest.mark.oracle
@pytest.mark.parametrize("view", [1, 2, 3])
def test_the_best_of_many_external_paths(view: int, shared_data: Path) -> None:
    """bgp_multiview_topo1 compares MEDs of all neighbours (`always-compare-med`): here all are given one first AS."""
    found = json.loads((shared_data / f"frr/topotests/bgp_multiview_topo1/r1/view_{view}.json").read_text())
    several = 0
    for rows in found["routes"].values():
        paths = [external(row) for row in rows if not row["weight"]]
        best = [row["peerId"] for row in rows if row.get("bestpath")]
        if len(paths) == len(rows):  # a network of the router's own has weight, which we give none
            assert [decide(paths, Ibgp(profile="frr")).best.route.port] == best
            several += len(paths) > 1
    assert several == 1  # 10.0.1.0/24, which every peer announces at a MED of its own


def external(row: dict[str, object]) -> Candidate:
    path = (1, *map(int, str(row["path"]).split()[1:]))
    med = int(str(row.get("metric", 0)))
    route = Route(
        "net", Family.V4, "r1", str(row["peerId"]), Kind.PEERING, "r", 100, path, med, str(row["origin"]).lower()
    )
    return Candidate(route, Learned.EBGP, 0, 1, str(row["peerId"]))
