"""Names that look alike in a configuration, or like something else: what routers are told does not depend on them."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from pathlib import Path

import pytest

from devices.frr import needs_frr, refused
from trunkline.devices.device import devices
from trunkline.devices.fleet import configurations
from trunkline.devices.frr.render import DAEMONS, environment, render
from trunkline.model.load import load
from trunkline.model.network import Network

ALIKE = """trunkline: 1
regions: [r1, r2-in, a.b, "10", "no", _x]
sites:
  {s1: {region: r1}, s2: {region: r2-in}, s3: {region: a.b}, s4: {region: "10"}, s5: {region: "no"}, s6: {region: _x}}
routers:
  "2": {site: s1, role: pr}
  r2: {site: s2, role: pr}
  -: {site: s3, role: dr}
  "10.0.0.1": {site: s4, role: bb}
  "true": {site: s2, role: bb}
  LONG: {site: s6, role: bb}
circuits:
  - {a: "2", b: r2, capacity: 1bps, metric: 1, latency: 1ms}
  - {a: r2, b: "-", capacity: 1000P, metric: 16777214, latency: 1ms, families: [v6]}
  - {a: "-", b: "10.0.0.1", capacity: 1G, latency: 1ms, families: [v4]}
  - {name: "0", a: "10.0.0.1", b: "true", capacity: 1G, latency: 1ms}
  - {a: "true", b: LONG, capacity: 1G, latency: 1ms}
igp: {topology: multi, authentication: "0"}
ibgp:
  asn: 4294967295
  fallback_default: yes
  policy:
    - {cross: yes, peer: p, group: own}
    - {cross: no, peer: p-group-own}
    - {cross: no, kind: default, group: default}
prefix_groups:
  own: {v4: [198.51.100.0/24], v6: ["2001:db8::/32"]}
  much: {v4: 1000000000, v6: 1000000000}
  more: {v4: 1000000000, v6: 1000000000}
  most: {v4: 1000000000, v6: 1000000000}
  rest: {v4: 1000000000, v6: 1000000000}
peers:
  mesh-to: {kind: transit, asn: 64496, at: [r2, r2], announces: [much, more, most, rest], port: 100G, password: "1"}
  p:
    kind: customer
    asn: 64497
    at: ["2", {router: "2", med: 4294967295, med_out: 0, prepend_out: 20, announce_out: []}]
    announces: [own]
    port: 100G
  p-1: {kind: peering, asn: 64498, at: ["2"], announces: [{group: own}], port: 100G}
  p-group-own: {kind: peering, asn: 64499, at: ["-"], announces: [own], port: 100G}
datacenters:
  dc: {site: s3}
""".replace("LONG", "x" * 100)


@pytest.fixture
def alike(tmp_path: Path) -> Network:
    """Names that become one where characters are replaced or joined, and names that look like something else."""
    (tmp_path / "alike.yaml").write_text(ALIKE)
    return load(tmp_path / "alike.yaml").network


@needs_frr
def test_real_frr_takes_every_line(alike: Network) -> None:
    env = environment()
    for device in devices(alike).values():
        parts = render(device, env)
        assert {daemon: refused(daemon, parts[daemon]) for daemon in DAEMONS} == {daemon: [] for daemon in DAEMONS}


def test_an_entry_of_a_route_map_is_written_once(alike: Network) -> None:
    for config in configurations(alike).values():
        heads = Counter(re.findall(r"^route-map (\S+) \w+ (\d+)$", config, re.MULTILINE))
        assert [head for head, times in heads.items() if times > 1] == []
        used = set(re.findall(r" route-map (\S+) (?:in|out)$", config, re.MULTILINE))
        assert used <= {name for name, _ in heads}


def test_a_rule_of_a_peer_and_a_group_is_not_that_of_a_peer_called_so(alike: Network) -> None:
    config = configurations(alike)["2"]
    lists = re.findall(r"^bgp large-community-list standard (\S+) seq 5 permit (.*)$", config, re.MULTILINE)
    assert [len(carries.split()) for name, carries in lists if name.startswith("peer-p")] == [2, 1]


def test_a_limit_of_prefixes_is_what_a_router_can_count(alike: Network) -> None:
    for config in configurations(alike).values():
        limits = [int(n) for n in re.findall(r"maximum-prefix (\d+)", config)]
        assert all(limit < 2**32 for limit in limits)


@pytest.mark.parametrize("name", ["lo", "all", "default"])
@pytest.mark.parametrize("what", ["circuit", "peer"])
def test_what_linux_reserves_is_no_interfaces_name(what: str, name: str, tmp_path: Path) -> None:
    """The loopback is `lo`; /proc/sys/net/ipv4/conf has `all` and `default` beside the interfaces."""
    old, new = {"circuit": ('name: "0"', f"name: {name}"), "peer": ("  p-1:", f"  {name}:")}[what]
    (tmp_path / "net.yaml").write_text(ALIKE.replace(old, new))
    found = devices(load(tmp_path / "net.yaml").network).values()
    used = {i.name for d in found for i in d.interfaces} | {e.interface for d in found for e in d.externals}
    assert not used & {"lo", "all", "default"}
    thing = {"circuit": name, "peer": f"{name}@2"}[what]
    assert f"if-{hashlib.sha256(thing.encode()).hexdigest()[:8]}" in used
