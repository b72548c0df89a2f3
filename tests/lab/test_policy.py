"""Rules of every kind on real daemons: what routers hold, what it carries, and what peers hear, is as predicted."""

from __future__ import annotations

import re
import subprocess
from ipaddress import ip_network
from pathlib import Path

import pytest

from lab.generated import ruled
from lab.labs import EXAMPLES, needs_a_lab, nobody
from trunkline.bgp.policy import heard
from trunkline.lab import drill, lab, predict
from trunkline.lab.vty import Vty
from trunkline.model.load import load
from trunkline.model.nouns import Family
from trunkline.model.route import VERSION, Route, prefixes_of

pytestmark = pytest.mark.lab
Carried = tuple[tuple[int, ...], int, set[str]]
"""AS path, MED, communities."""


def up(name: str, file: Path) -> lab.Lab:
    loaded = load(file)
    found = lab.of(name, loaded.network, loaded.sha256)
    assert [h.wrong for h in lab.up(found, 1000, nobody) if h.wrong] == []
    return found


def test_rules_of_every_kind_are_as_predicted(name: str) -> None:
    found = up(name, EXAMPLES / "policy.yaml")
    assert drill.now(found, True, nobody).differences == ()
    predicted = predict.predict(found.net, found.devices)
    for (router, group, family), decision in predicted.routes.decisions.items():
        for prefix in prefixes_of(found.net, group, family) if decision.best.sender or decision.best.route.port else ():
            assert marks(found, router, str(prefix)) == set(decision.best.route.communities), (router, prefix)
    for port in found.net.ports:
        says: dict[str, Carried] = {}
        for (router, group, family), decision in predicted.routes.decisions.items():
            told = heard(found.net, port, decision.best.route) if router == port.router else None
            from_here = decision.best.route.port == port.name  # what came from there is not said back
            if told is not None and not from_here:
                says |= {str(prefix): carried(told) for prefix in prefixes_of(found.net, group, family)}
        assert hears(found, port.name) == says
    (west,) = prefixes_of(found.net, "a-dc", Family.V4)
    assert hears(found, "exchange@b-pr1")[str(west)][0] == (64512,) * 4  # ours, and three times more


def carried(route: Route) -> Carried:
    return route.path, route.med, set(route.communities)


def marks(found: lab.Lab, router: str, prefix: str) -> set[str]:
    """The communities of a router's best path, but for those that routers mark routes with."""
    family = "ipv4" if ip_network(prefix).version == VERSION[Family.V4] else "ipv6"
    with Vty(found.router_home(router) / "bgpd.vty") as bgpd:
        paths = bgpd.json(f"show bgp {family} unicast {prefix} json")["paths"]
    (best,) = (path for path in paths if path.get("bestpath", {}).get("overall"))
    both = [best.get(key, {}).get("string", "").split() for key in ("community", "largeCommunity")]
    return {c for some in both for c in some if not re.match(f"{found.net.ibgp.asn}:[1-4]:", c)}


def hears(found: lab.Lab, port: str) -> dict[str, Carried]:
    """What the BIRD behind a port has heard over its sessions, by prefix."""
    control = next(found.home.rglob(f"{port}/bird.ctl"))
    command = ["birdc", "-s", str(control), "show", "route", "all"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told: dict[str, Carried] = {}
    for block in re.split(r"\n(?=\S+/\d+)", done.stdout):
        if " [us_v" in block:
            words = dict(re.findall(r"BGP\.(\w+): (.*)", block))
            both = words.get("community", "") + words.get("large_community", "")
            communities = {c.replace(",", ":") for c in re.findall(r"\(([\d, ]+)\)", both.replace(", ", ","))}
            path = tuple(map(int, words["as_path"].split()))
            told[block.split()[0]] = path, int(words.get("med", 0)), communities
    return told


@pytest.mark.parametrize("seed", [1, 4])
def test_a_generated_network_with_rules_is_as_predicted(seed: int, name: str, tmp_path: Path) -> None:
    needs_a_lab("gobgpd", "gobgp")
    (tmp_path / "net.yaml").write_text(ruled(seed))
    found = up(name, tmp_path / "net.yaml")
    assert drill.now(found, True, nobody).differences == ()
    thing = drill.circuits(found)[seed % len(drill.circuits(found))]
    assert [r.differences for r in drill.drill(found, thing, True, nobody)] == [(), ()]
