"""iBGP designs on real FRR: each what the solver says, from one to the other, and along the steps of a migration."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import typer

from lab.generated import network
from lab.labs import nobody
from test_cli import trunkline
from trunkline.bgp.design import sessions
from trunkline.cli import lab as cli
from trunkline.lab import apply, drill, lab
from trunkline.lab.vty import Vty
from trunkline.model.load import load
from trunkline.model.network import Network
from trunkline.model.nouns import AddPath
from trunkline.model.problem import Problems

pytestmark = pytest.mark.lab


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is applied is heard of within a second: no filter changes here without a session."""
    monkeypatch.setattr(drill, "STEADY_S", 1.0)


def loaded(tmp_path: Path, text: str) -> Network:
    (tmp_path / "net.yaml").write_text(text)
    return load(tmp_path / "net.yaml").network


def test_one_design_after_the_other(name: str, tmp_path: Path) -> None:
    """A generated network of eight routers that nobody drew, and four more designs applied to it in turn."""
    net = loaded(tmp_path, network(68, "design: route-reflector, add_path: all"))
    assert len(net.routers) == 8
    first = lab.of(name, net, "")
    assert not any(h.wrong for h in lab.up(first, 1000, nobody))
    assert drill.now(first, False, nobody).differences == ()
    few, many = AddPath(), AddPath("all", "all", "all")
    for design, shared, paths in [
        ("route-reflector", True, few),
        ("regional-rr", False, AddPath("per-as", "per-as", "per-as")),
        ("full-mesh", False, few),
        ("regional-rr", True, many),
    ]:
        ibgp = replace(net.ibgp, design=design, shared_cluster=shared, add_path=paths)
        what = f"{design} {shared} {paths}"
        found = drill.change(lab.of(name, replace(net, ibgp=ibgp), what), what, False, nobody)
        assert (what, found.differences) == (what, ())


CHAIN = """
trunkline: 1
name: chain
regions: [west, east]
sites: {w: {region: west}, e: {region: east}}
routers:
  top: {site: w, role: bb, overload: true}
  mid1: {site: w, role: bb}
  mid2: {site: e, role: bb}
  low1: {site: w, role: pr}
  low2: {site: e, role: pr}
  low3: {site: e, role: pr}
circuits:
  - {a: top, b: mid1, capacity: 10G, latency: 1ms, metric: 1}
  - {a: top, b: mid2, capacity: 10G, latency: 1ms, metric: 1}
  - {a: mid1, b: mid2, capacity: 10G, latency: 1ms, metric: 10}
  - {a: mid1, b: low1, capacity: 10G, latency: 1ms, metric: 5}
  - {a: mid2, b: low2, capacity: 10G, latency: 1ms, metric: 5}
  - {a: mid2, b: low3, capacity: 10G, latency: 1ms, metric: 5}
  - {a: mid1, b: low3, capacity: 10G, latency: 1ms, metric: 5}
ibgp:
  design: sessions
  profile: frr
  confine: false
  fallback_default: true
  sessions:
    - {a: top, b: mid1, client: mid1}
    - {a: top, b: mid2, client: mid2}
    - {a: mid1, b: low1, client: low1}
    - {a: mid1, b: low3, client: low3}
    - {a: mid2, b: low2, client: low2}
    - {a: mid2, b: low3, client: low3}
prefix_groups: {net: {v4: [203.0.113.0/24], v6: ["2001:db8:1::/48"]}}
peers:
  t: {kind: transit, asn: 64601, at: [low1, low2, low3], port: 10G, announces: [net]}
datacenters: {a-dc: {site: w, attach: [low1]}, b-dc: {site: e, attach: [low2]}}
"""


def test_a_chain_of_reflectors_whose_top_is_off_the_path(name: str, tmp_path: Path) -> None:
    net = loaded(tmp_path, CHAIN)
    found = lab.of(name, net, "")
    assert not any(h.wrong for h in lab.up(found, 1000, nobody))
    assert drill.now(found, True, nobody).differences == ()
    with Vty(found.home / "low2" / "bgpd.vty") as bgpd:  # by hand: a-dc came low1 - mid1 - top - mid2 - low2
        paths = bgpd.json(f"show bgp ipv4 unicast {found.net.group['a-dc'].prefixes[0]} json")["paths"]
    clusters = [str(net.router[r].loopback) for r in ("mid2", "top", "mid1")]
    assert [path["clusterList"]["list"] for path in paths] == [clusters]
    assert [path["originatorId"] for path in paths] == [str(net.router["low1"].loopback)]


BASE = """
trunkline: 1
name: base
regions: [west, east]
sites: {w: {region: west}, e: {region: east}}
routers: {w1: {site: w, role: bb}, w2: {site: w, role: pr}, w3: {site: w, role: pr},
          e1: {site: e, role: bb}, e2: {site: e, role: pr}, e3: {site: e, role: pr}}
circuits:
  - {a: w1, b: w2, capacity: 10G, latency: 1ms, metric: 5}
  - {a: w1, b: w3, capacity: 10G, latency: 1ms, metric: 5}
  - {a: e1, b: e2, capacity: 10G, latency: 1ms, metric: 5}
  - {a: e1, b: e3, capacity: 10G, latency: 1ms, metric: 5}
  - {a: w1, b: e1, capacity: 10G, latency: 1ms, metric: 20}
  - {a: w3, b: e3, capacity: 10G, latency: 1ms, metric: 30}
prefix_groups: {net: {v4: [203.0.113.0/24], v6: ["2001:db8:1::/48"]}}
peers:
  t: {kind: transit, asn: 64601, at: [w2, e2], port: 10G, announces: [net]}
datacenters: {a-dc: {site: w, attach: [w3]}, b-dc: {site: e, attach: [e3]}}
"""
OLD = {"w1 w2": "w2", "w1 w3": "w3", "e1 e2": "e2", "e1 e3": "e3", "e1 w1": ""}
"""The reflectors' sessions, and the client of each."""
REST = ("w2 w3", "e2 e3", "e1 w2", "e1 w3", "e2 w1", "e3 w1", "e2 w2", "e2 w3", "e3 w2", "e3 w3")


def step(pairs: dict[str, str], confine: bool) -> str:
    rows = [f"{{a: {p[:2]}, b: {p[3:]}{f', client: {c}' if c else ''}}}" for p, c in pairs.items()]
    how = f"design: sessions, confine: {str(confine).lower()}, sessions: [{', '.join(rows)}]"
    return f"include: [base.yml]\ntrunkline: 1\nibgp: {{profile: frr, fallback_default: true, {how}}}\n"


def test_a_migration_from_reflectors_to_a_regional_mesh(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "base.yml").write_text(BASE)
    both = OLD | dict.fromkeys(REST, "")
    files = [step(OLD, False), step(both, False), step(both, True), step(dict.fromkeys(both, ""), True)]
    (tmp_path / "net.yaml").write_text(files[0])
    steps = tmp_path / "steps"
    steps.mkdir()
    for number, text in enumerate(files[1:], 1):
        (steps / f"{number:03}.yaml").write_text(text.replace("base.yml", "../base.yml"))
    net = str(tmp_path / "net.yaml")
    assert trunkline("lab", "up", net, "--name", name, "-q").returncode == 0
    with pytest.raises(typer.Exit) as ended:
        cli.walk(tmp_path / "net.yaml", steps, name=name, as_json=True, quiet=True)
    rounds = json.loads(capsys.readouterr().out)["rounds"]
    assert [(r["what"], r["differences"]) for r in rounds] == [(f"{n:03}.yaml", []) for n in (1, 2, 3)]
    assert ended.value.exit_code == 0
    back = trunkline("lab", "apply", net, "--name", name)
    assert (back.returncode, back.stdout.splitlines()[-1]) == (0, "all is as the network says")
    assert back.stderr.startswith("trunkline: changed: e1, e2, e3, w1, w2, w3\n")  # one region after the other

    monkeypatch.setattr(drill, "LIMIT_S", 2.0)
    (steps / "004.yaml").write_text((steps / "003.yaml").read_text())
    with Vty(Path(f"/run/trunkline-lab/{name}/w1/isisd.vty")) as isisd:
        isisd.configure(["interface to-e1", "isis metric 21"])
    with pytest.raises(typer.Exit) as ended:
        cli.walk(tmp_path / "net.yaml", steps, packets=False, name=name, quiet=True)
    assert ended.value.exit_code == 1
    assert "\n".join(capsys.readouterr().out.splitlines()[:1]).startswith("001.yaml: ")
    _refuses_what_is_not_configuration(name, tmp_path)


def _refuses_what_is_not_configuration(name: str, tmp_path: Path) -> None:
    more = BASE.replace("e3: {site: e, role: pr}}", "e3: {site: e, role: pr}, e4: {site: e, role: pr}}").replace(
        "  - {a: w3, b: e3", "  - {a: e3, b: e4, capacity: 10G, latency: 1ms}\n  - {a: w3, b: e3"
    )
    for text, said in [
        (more, "router 'e4' is not in the lab"),
        (BASE.replace("  - {a: w3, b: e3, capacity: 10G, latency: 1ms, metric: 30}\n", ""), "cable 'e3--w3' would be"),
        (BASE.replace("203.0.113.0", "203.0.112.0"), "peer port 't@e2' differs"),
        (BASE.replace("capacity: 10G", "capacity: 20G", 1), "cable 'w1--w2' differs"),
    ]:
        with pytest.raises(Problems, match=said):
            apply.apply(lab.of(name, loaded(tmp_path, text + "ibgp: {profile: frr}\n"), ""))


def test_the_sessions_of_the_steps_are_those_meant(tmp_path: Path) -> None:
    (tmp_path / "base.yml").write_text(BASE)
    last = loaded(tmp_path, step(dict.fromkeys(OLD | dict.fromkeys(REST, ""), ""), True))
    assert all(len(sessions(last).neighbours(r)) == 5 for r in last.router)
