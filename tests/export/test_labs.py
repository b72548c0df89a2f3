"""Labs against the rules of the programs that boot them, as their documentation and schemas state them.

containerlab: nodes and the lab's name match its JSON schema (schemas/clab.schema.json), an interface is used once,
links have two `node:interface` ends.  netlab: identifiers of 16 characters at most (docs: nodes, groups), links are
maps with a list of two `interfaces`, `isis.cost` from 1 to 16777215, `bandwidth` in kbit/s, `tc.delay` in ms.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from nets import network, router
from trunkline.export.containerlab import containerlab, interface
from trunkline.export.names import CONTAINERLAB, NETLAB, fitted
from trunkline.export.netlab import netlab
from trunkline.model.load import load
from trunkline.model.network import Network
from trunkline.model.problem import Problems

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
ODD = """\
trunkline: 1
regions: [a-region-of-a-long-name, on]
sites: {s: {region: a-region-of-a-long-name}}
routers:
  1.router: {site: s, role: bb}
  "no": {site: s, role: bb, overload: yes}
  a-router-of-a-very-long-name: {site: s, role: dr, loopback: [192.0.2.1, "2001:db8::1"]}
  1e3: {site: s, role: pr}
circuits:
  - {name: up, a: 1.router, b: "no", capacity: 100G, metric: {ab: 10, ba: 20}, latency: 5.3ms}
  - {name: far, a: a-router-of-a-very-long-name, b: "no", capacity: 10G, metric: 16777214, families: [v4]}
  - {name: last, a: 1e3, b: "no", capacity: 10G}
igp: {topology: multi}
prefix_groups: {web: {v4: [203.0.113.0/24], v6: ["2001:db8:1::/48"]}}
ibgp: {asn: 64513}
peers: {near: {kind: peering, asn: 64512, at: [1e3, 1e3], port: 10G, announces: [web]}}
datacenters: {dc: {site: s, prefixes: {v4: [198.51.100.0/24]}}}
"""


@pytest.fixture
def odd(tmp_path: Path) -> Network:
    (tmp_path / "odd.yaml").write_text(ODD)
    return load(tmp_path / "odd.yaml").network


def aurora() -> Network:
    return load(EXAMPLES / "aurora.yaml").network


@pytest.mark.parametrize("kind", ["linux", "ceos", "cisco_xrd"])
def test_containerlab_wires_each_interface_once(kind: str) -> None:
    lab = yaml.safe_load(containerlab(aurora(), "aurora", kind, "image:1"))
    nodes = lab["topology"]["nodes"]
    assert lab["topology"]["kinds"] == {kind: {"image": "image:1"}}
    assert all(re.fullmatch(r"[a-zA-Z0-9][a-zA-Z0-9._-]*", name) for name in [lab["name"], *nodes])
    assert len(nodes) == 40 + 10
    ends = [end for link in lab["topology"]["links"] for end in link["endpoints"]]
    assert len(ends) == len(set(ends)) == 2 * (80 + 31)
    assert {end.partition(":")[0] for end in ends} == set(nodes)
    form = {"linux": r"eth[1-9]\d*", "ceos": r"eth[1-9]\d*", "cisco_xrd": r"Gi0-0-0-\d+"}[kind]
    assert all(re.fullmatch(form, end.partition(":")[2]) for end in ends)


def test_containerlab_numbers_links_from_the_first_without_gaps(odd: Network) -> None:
    # by name: far, last, up; then the peer's sessions
    assert [link["endpoints"] for link in yaml.safe_load(containerlab(odd, "odd"))["topology"]["links"]] == [
        ["a-router-of-a-very-long-name:eth1", "no:eth1"],
        ["1e3:eth1", "no:eth2"],
        ["1.router:eth1", "no:eth3"],
        ["1e3:eth2", "near:eth1"],
        ["1e3:eth3", "near:eth2"],
    ]


def test_interfaces_begin_where_the_kind_does() -> None:
    first = [interface(kind, 1) for kind in ("ceos", "nokia_srlinux", "cisco_xrd", "juniper_cjunosevolved")]
    assert first == ["eth1", "e1-1", "Gi0-0-0-0", "eth4"]
    assert interface("nokia_srlinux", 12) == "e1-12"


def test_names_stay_text_for_yaml(odd: Network) -> None:
    for text in (containerlab(odd, "no"), netlab(odd, "no")):
        lab = yaml.safe_load(text)
        assert lab["name"] == "no"
        nodes = lab.get("topology", lab)["nodes"]
        assert all(isinstance(name, str) for name in nodes)
        assert "no" in nodes


def test_netlab_has_our_metrics_rates_and_delays(odd: Network) -> None:
    far, last, up, first, second = yaml.safe_load(netlab(odd, "odd"))["links"]
    ends = [{"node": "n1-router", "isis": {"cost": 10}}, {"node": "no", "isis": {"cost": 20}}]
    assert up == {"interfaces": ends, "bandwidth": 100 * 10**6, "tc": {"delay": 5.3}}
    assert far == {
        "interfaces": [{"node": "a-router-of-248d"}, {"node": "no"}],
        "bandwidth": 10 * 10**6, "tc": {"delay": 0.01}, "isis": {"cost": 16777214}, "prefix": {"ipv4": True},
    }  # fmt: skip
    assert last["isis"] == {"cost": 1}
    assert first == second == {"interfaces": [{"node": "n1e3"}, {"node": "near"}], "bandwidth": 10 * 10**6}


def test_netlab_has_an_as_of_our_own_and_each_peers(odd: Network) -> None:
    lab = yaml.safe_load(netlab(odd, "odd", "eos", "ceos:1"))
    assert lab["bgp"] == {"as": 64513}
    assert lab["nodes"]["near"] == {"module": ["bgp"], "bgp": {"as": 64512, "originate": ["203.0.113.0/24"]}}
    assert lab["nodes"]["a-router-of-248d"] == {
        "loopback": {"ipv4": "192.0.2.1/32", "ipv6": "2001:db8::1/128"},
        "bgp": {"originate": ["198.51.100.0/24"]},
    }
    assert (lab["provider"], lab["module"]) == ("clab", ["isis", "bgp"])
    assert lab["defaults"] == {"device": "eos", "devices": {"eos": {"clab": {"image": "ceos:1"}}}}


def test_netlab_names_are_identifiers_and_the_changed_ones_are_said(odd: Network) -> None:
    text = netlab(odd, "odd")
    lab = yaml.safe_load(text)
    groups = lab["groups"]
    for name in [*lab["nodes"], *groups]:
        assert re.fullmatch(r"[a-zA-Z_][a-zA-Z0-9_-]{0,15}", name), name
    comments = [line[2:].partition(" is ") for line in text.splitlines() if line.startswith("# ")]
    said = {name: new for new, _, name in comments}
    assert said == {
        "1.router": "n1-router",
        "1e3": "n1e3",
        "a-router-of-a-very-long-name": "a-router-of-248d",
        "a-region-of-a-long-name": next(g for g in groups if g.startswith("a-region")),
    }
    assert sorted(m for group in groups.values() for m in group["members"]) == sorted(lab["nodes"])


def test_netlab_is_told_of_more_than_150_nodes() -> None:
    assert "const" not in netlab(aurora(), "aurora")
    many = network([], [router(f"r{i:03}") for i in range(151)])
    assert yaml.safe_load(netlab(many, "n"))["defaults"]["const"] == {"MAX_NODE_ID": 151}


def test_two_names_that_become_one_are_an_error() -> None:
    with pytest.raises(Problems, match=r"'a-b' and 'a\.b' would both be 'a-b' in netlab"):
        fitted(["a.b", "a-b", "c"], NETLAB)
    assert fitted(["a.b", "a-b", "-c"], CONTAINERLAB) == {"a.b": "a.b", "a-b": "a-b", "-c": "n-c"}
    long = ["x" * 17, "x" * 18]
    assert len(set(fitted(long, NETLAB).values())) == 2


def test_a_router_called_like_a_group_of_netlab_is_renamed() -> None:
    lab = yaml.safe_load(netlab(network([], [router("peers", region="all")]), "n"))
    assert list(lab["nodes"]) == ["npeers"]
    assert lab["groups"] == {"nall": {"members": ["npeers"]}}


def test_the_same_network_is_the_same_bytes_whatever_its_order(odd: Network, tmp_path: Path) -> None:
    head, rows = ODD.split("circuits:\n")
    lines = rows.splitlines(keepends=True)
    (tmp_path / "other.yaml").write_text(head + "circuits:\n" + "".join([*lines[:3][::-1], *lines[3:]]))
    other = load(tmp_path / "other.yaml").network
    assert netlab(other, "n") == netlab(odd, "n")
    assert containerlab(other, "n") == containerlab(odd, "n")
