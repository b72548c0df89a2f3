"""What routers are told of iBGP designs: peer groups by relation and region, and no more than FRR has."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from devices.frr import DAEMONS, needs_frr, refused
from test_cli import ROOT
from trunkline.devices.device import devices
from trunkline.devices.fleet import cautions, configurations
from trunkline.devices.frr.commands import commands
from trunkline.devices.frr.render import environment, render
from trunkline.lab.vty import Vty
from trunkline.model.load import load
from trunkline.model.network import Network
from trunkline.model.nouns import AddPath, Announcement
from trunkline.model.problem import Problems

MANY = AddPath("all", "all", "all")


def tiny(**ibgp: object) -> Network:
    """Tiny: in the west a-bb1 and a-dr1, in the east b-bb1, b-dr1 and b-pr1; each BB reflects."""
    net = load(ROOT / "examples" / "tiny.yaml").network
    return replace(net, ibgp=replace(net.ibgp, **ibgp))  # type: ignore[arg-type]


DESIGNS = {
    "regional": tiny(),
    "full-mesh": tiny(design="full-mesh"),
    "reflectors": tiny(design="route-reflector"),
    "shared": tiny(
        design="route-reflector", shared_cluster=True, reflectors=("a-bb1", "b-bb1", "b-dr1"), add_path=MANY
    ),
    "regional-rr": tiny(design="regional-rr", add_path=AddPath("per-as", "per-as", "none")),
}


def of(net: Network, router: str) -> list[str]:
    return [line.strip() for line in configurations(net)[router].splitlines()]


def test_a_reflector_has_clients_and_peers_and_a_client_has_reflectors() -> None:
    reflector, client = of(DESIGNS["reflectors"], "b-bb1"), of(DESIGNS["reflectors"], "b-dr1")
    net = DESIGNS["reflectors"].router
    assert f"neighbor {net['a-bb1'].loopback} peer-group west-v4" in reflector
    assert f"neighbor {net['b-dr1'].loopback} peer-group east+clients-v4" in reflector
    assert "neighbor east+clients-v4 route-reflector-client" in reflector
    assert "neighbor west-v4 route-reflector-client" not in reflector
    assert f"neighbor {net['b-bb1'].loopback} peer-group east+reflectors-v4" in client
    assert [line for line in client if line.endswith(("-client", "reflection")) or "cluster-id" in line] == []
    assert f"neighbor {net['b-pr1'].loopback} peer-group east-v4" not in client  # clients have no mesh


def test_a_cluster_is_said_only_where_it_is_not_the_router_id() -> None:
    shared = DESIGNS["shared"]
    assert f"bgp cluster-id {shared.router['b-bb1'].loopback}" in of(shared, "b-dr1")  # the first of the region's two
    assert not any("cluster-id" in line for line in of(shared, "b-bb1"))


def test_clients_that_mesh_are_not_reflected_to_each_other() -> None:
    assert "no bgp client-to-client reflection" in of(DESIGNS["regional-rr"], "b-bb1")
    assert "no bgp client-to-client reflection" not in of(DESIGNS["reflectors"], "b-bb1")


def test_paths_by_relation() -> None:
    told = [line for line in of(DESIGNS["regional-rr"], "b-dr1") if "addpath" in line]
    assert told == [f"neighbor east+reflectors-v{v} addpath-tx-bestpath-per-AS" for v in (4, 6)]
    told = [line for line in of(DESIGNS["shared"], "b-bb1") if "addpath" in line]
    assert told == [f"neighbor {g}-v{v} addpath-tx-all-paths" for v in (4, 6) for g in ("east+clients", "east", "west")]


def test_transit_is_stopped_between_regions_only_where_the_design_confines() -> None:
    assert "route-map mesh-to-west deny 10" in of(DESIGNS["regional-rr"], "b-bb1")
    assert "route-map mesh-to-west permit 10" in of(DESIGNS["full-mesh"], "b-bb1")


@pytest.mark.parametrize(
    ("ibgp", "key"),
    [
        ({"best_external": True}, "ibgp.best_external"),
        ({"optimal": True, "design": "route-reflector"}, "ibgp.optimal"),
        ({"add_path": AddPath("2")}, "ibgp.add_path"),
    ],
)
def test_what_frr_has_not_is_refused_with_what_it_has(ibgp: dict[str, object], key: str) -> None:
    with pytest.raises(Problems) as caught:
        configurations(tiny(**ibgp))
    (problem,) = caught.value.problems
    assert (problem.code, problem.field) == ("frr-lacks", key)
    assert "all" in problem.message


def test_paths_of_one_router_that_nothing_tells_apart_are_warned_of() -> None:
    """Two peers of b-pr1 say one group at one length: by Add-Path both reach others, which prefer the first to come."""
    net = DESIGNS["shared"]
    (upstream,) = net.peers
    twin = replace(
        upstream, name="twin", asn=64999, ports=(replace(upstream.ports[0], name="twin@b-pr1", peer="twin"),),
        announces=(Announcement(upstream.announces[0].group, (64999, *upstream.announces[0].path[1:])),),
    )  # fmt: skip
    both = replace(net, peers=(twin, upstream))
    assert [c for c in cautions(both) if "twin@b-pr1" in c and upstream.ports[0].name in c]
    quiet = replace(both, ibgp=replace(both.ibgp, add_path=AddPath()))
    assert not [c for c in cautions(quiet) if "twin" in c]


@needs_frr
@pytest.mark.parametrize("design", sorted(DESIGNS))
def test_real_frr_takes_every_line(design: str) -> None:
    for device in devices(DESIGNS[design]).values():
        assert refused("bgpd", render(device, environment())["bgpd"]) == []


@needs_frr
def test_real_frr_takes_a_drained_router() -> None:
    net = DESIGNS["shared"].with_graceful_shutdown("b-pr1").with_overload("b-pr1")
    net = net.with_metric(*net.circuit).with_te_metric(*net.circuit)
    told = render(devices(net)["b-pr1"], environment())
    assert [line.strip() for line in told["bgpd"].splitlines()].count("bgp graceful-shutdown") == 1
    assert {daemon: refused(daemon, text) for daemon, text in told.items() if daemon in ("bgpd", "isisd")} == {
        "bgpd": [], "isisd": []
    }  # fmt: skip


@contextmanager
def bgpd(text: str) -> Iterator[Vty]:
    """Real bgpd alone, told this."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        home.chmod(0o777)
        (home / "bgpd.conf").write_text(text)
        command = [str(DAEMONS / "bgpd"), "-f", f"{home}/bgpd.conf", "--vty_socket", folder, "-i", f"{home}/pid"]
        command += ["-P", "0", "-p", "0", "-z", f"{home}/zserv", "-S", "-n", "--log", f"file:{home}/log"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            with _answer(home / "bgpd.vty", process) as vty:
                yield vty
        finally:
            process.terminate()
            process.wait()


def _answer(path: Path, process: subprocess.Popen[bytes]) -> Vty:
    while process.poll() is None:
        try:
            return Vty(path)
        except OSError:
            continue
    raise AssertionError("bgpd ended")


def running(vty: Vty) -> list[str]:
    return sorted(line for line in vty("show running-config").splitlines() if not line.startswith("!"))


@needs_frr
@pytest.mark.parametrize("router", ["b-bb1", "b-dr1"])
def test_a_running_bgpd_ends_as_one_that_started_with_the_new_file(router: str) -> None:
    texts = {name: render(devices(net)[router], environment())["bgpd"] for name, net in DESIGNS.items()}
    fresh = {}
    for name, text in texts.items():
        with bgpd(text) as vty:
            fresh[name] = running(vty)
    for old, new in permutations(DESIGNS, 2):
        with bgpd(texts[old]) as vty:
            vty.configure(commands(texts[old], texts[new]))
            assert (old, new, running(vty)) == (old, new, fresh[new])
