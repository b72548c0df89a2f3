"""What is said of a router that is not yet what the network says: without daemons, which another test has."""

from __future__ import annotations

from functools import partial
from ipaddress import ip_network
from pathlib import Path
from typing import cast

import pytest
import typer

from lab.labs import EXAMPLES
from trunkline.cli import lab as cli
from trunkline.lab import events, lab, state
from trunkline.lab.health import Expected, Health, expect, look
from trunkline.lab.netlink import Kernel, NextHop, Route
from trunkline.lab.predict import Way
from trunkline.model.load import load
from trunkline.model.nouns import Family

HERE, SHARED, AWAY = (ip_network(f"10.0.{n}.0/24") for n in range(3))


class Held:
    """A kernel that holds what a test gives it."""

    def __init__(self, routes: dict[str, str]) -> None:
        self.found = [
            Route(ip_network(prefix), "bgp", tuple(NextHop(name) for name in hops.split()))
            for prefix, hops in routes.items()
        ]

    def routes(self) -> list[Route]:
        return self.found


def said(tmp_path: Path, routes: dict[str, str]) -> list[str]:
    fib = {
        HERE: Way(frozenset({"short"}), "", "b-dc"),
        SHARED: Way(frozenset({"short", "long"}), "", "c-dc"),
        AWAY: Way(frozenset(), "", "nowhere"),
    }
    health = look(tmp_path, cast(Kernel, Held(routes)), Expected({}, {}, fib, {}))
    return [line for line in health.wrong if "route" in line]


def test_routes_as_the_network_says_are_well(tmp_path: Path) -> None:
    assert said(tmp_path, {"10.0.0.0/24": "short", "10.0.1.0/24": "long short", "10.0.2.0/24": ""}) == []


def test_a_route_that_still_leads_elsewhere_lacks_or_should_not_be_there_is_named(tmp_path: Path) -> None:
    routes = {"10.0.0.0/24": "long", "10.0.1.0/24": "short", "10.0.3.0/24": "short"}
    assert said(tmp_path, routes) == [
        "route to 10.0.0.0/24 (b-dc): long, not short",
        "route to 10.0.1.0/24 (c-dc): short, not long short",
        "no route to 10.0.2.0/24 (nowhere)",
        "a route to 10.0.3.0/24, which it should not have",
    ]


MED_OSCILLATION = """
trunkline: 1
regions: [r]
sites: {s: {region: r}}
defaults: {circuits: {length: 10 km, capacity: 10G}, ports: {port: 10G}, routers: {site: s}}
routers: {a: {role: bb}, b: {role: pr}, c: {role: pr}, d: {role: bb}, e: {role: pr}}
circuits:
  - {name: ab, a: a, b: b, metric: 5}
  - {name: ac, a: a, b: c, metric: 4}
  - {name: ad, a: a, b: d, metric: 1}
  - {name: de, a: d, b: e, metric: 12}
prefix_groups: {net: {v4: 2}}
peers:
  xb: {kind: peering, asn: 10, at: [b], announces: [{group: net, med: 10}]}
  xc: {kind: peering, asn: 6, at: [c], announces: [{group: net, med: 1}]}
  xe: {kind: peering, asn: 6, at: [e], announces: [{group: net, med: 0}]}
ibgp:
  design: sessions
  sessions: [{a: a, b: b, client: b}, {a: a, b: c, client: c}, {a: d, b: e, client: e}, {a: a, b: d}]
"""


def test_what_bgp_never_settles_for_may_lead_anywhere_and_must_be_there(tmp_path: Path) -> None:
    """RFC 3345 2.1: d turns from e to b and back for ever, so that its way is now `de`, now `ad`."""
    file = tmp_path / "net.yaml"
    file.write_text(MED_OSCILLATION)
    found = lab.of("never", load(file).network, "")
    prefixes = [str(p) for p in found.net.group["net"].prefixes]
    d = expect(found.net, found.devices)["d"]
    loopbacks = {str(p): " ".join(d.fib[p].interfaces) for p in d.fib if str(p) not in prefixes}
    assert len(loopbacks) == 4 * len(Family)
    for way in ("ad", "de"):
        health = look(tmp_path, cast(Kernel, Held(loopbacks | dict.fromkeys(prefixes, way))), d)
        assert [line for line in health.wrong if "route" in line] == []
    health = look(tmp_path, cast(Kernel, Held(loopbacks)), d)
    assert [line for line in health.wrong if "route" in line] == [f"no route to {p} (net)" for p in prefixes]


@pytest.mark.parametrize("wrong", [(), ("route to 10.0.0.0/24 (b-dc): long, not short",)])
def test_what_is_wrong_comes_with_what_frr_is_known_to_do(
    wrong: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The two circuits of tiny are parallel with different metrics."""
    every = Health("a-bb1", (5, 5), (3, 3), (8, 8), (7, 7), (7, 7), wrong)
    monkeypatch.setattr(lab.Lab, "health", lambda *_: [every])
    monkeypatch.setattr(state, "read", lambda *_: state.State("", 1000))
    monkeypatch.setattr(events, "restore", lambda *_: None)
    tiny = EXAMPLES / "tiny.yaml"
    for command in (partial(cli.status, tiny), partial(cli.restore, tiny, ["long"], quiet=True)):
        with pytest.raises(typer.Exit) as ended:
            command()
        said = "at the metric of another (FRR issue 19470)" in capsys.readouterr().err
        assert (ended.value.exit_code, said) == (len(wrong), bool(wrong))
