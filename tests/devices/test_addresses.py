"""Link networks follow from names alone, pins win, and what collides is said with the pin that helps."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv4Interface, IPv4Network, IPv6Network
from pathlib import Path

import pytest

from nets import circuit, network, router
from trunkline.devices.addresses import links, listed
from trunkline.devices.device import devices
from trunkline.model.load import load
from trunkline.model.nouns import LinkNetwork, PrefixGroup
from trunkline.model.problem import Problems

NET = network([circuit("a", "b"), circuit("b", "c")], [router(name) for name in "abc"])


def test_an_end_is_an_address_of_a_network_of_two() -> None:
    ends = links(NET)["a-b"]
    low, high = ends.v4
    assert low.network == high.network
    assert (low.network.prefixlen, int(high.ip) - int(low.ip)) == (31, 1)
    assert low.network.subnet_of(IPv4Network("10.128.0.0/9"))
    assert (ends.v6[0].network.prefixlen, int(ends.v6[1].ip) - int(ends.v6[0].ip)) == (127, 1)
    assert ends.v6[0].network.subnet_of(IPv6Network("fd74:6c6e:0:1::/64"))


def test_a_new_circuit_renumbers_no_other() -> None:
    grown = replace(NET, circuits=(circuit("a", "c"), *NET.circuits))
    before, after = links(NET), links(grown)
    assert {name: after[name] for name in before} == before


def test_a_pin_wins_and_a_larger_network_is_used_in_its_middle() -> None:
    pin = LinkNetwork("a-b", IPv4Network("192.0.2.4/30"), None)
    pinned = links(replace(NET, links=(pin,)))
    assert pinned["a-b"].v4 == (IPv4Interface("192.0.2.5/30"), IPv4Interface("192.0.2.6/30"))
    assert pinned["a-b"].v6 == links(NET)["a-b"].v6


def test_a_collision_says_which_and_offers_the_next_network() -> None:
    taken = links(NET)["b-c"].v4[0].network
    with pytest.raises(Problems) as caught:
        links(replace(NET, links=(LinkNetwork("a-b", taken, None),)))
    (problem,) = caught.value.problems
    following = IPv4Network((int(taken.network_address) + 2, 31))
    assert problem.message == f"{taken} of 'b-c' overlaps {taken} of 'a-b'"
    assert problem.expected == f"`addresses: {{b-c: [{following}]}}`"


@pytest.mark.parametrize(
    ("pins", "free"),
    [
        ({"a-b": "255.255.255.254/31", "b-c": "255.255.255.254/31"}, "b-c: [255.255.255.252/31]"),
        ({"a-b": "192.0.2.0/31", "b-c": "192.0.2.0/30"}, "a-b: [192.0.2.4/31]"),  # 192.0.2.2/31 is in the /30
    ],
)
def test_what_is_offered_is_free(pins: dict[str, str], free: str) -> None:
    pinned = tuple(LinkNetwork(name, IPv4Network(net), None) for name, net in pins.items())
    with pytest.raises(Problems) as caught:
        links(replace(NET, links=pinned))
    assert [p.expected for p in caught.value.problems] == [f"`addresses: {{{free}}}`"]


def test_a_link_over_a_loopback_moves() -> None:
    here = IPv4Network((int(NET.router["c"].loopback) & ~1, 31))
    with pytest.raises(
        Problems, match=f"{here} of 'a-b' has the loopback of '[abc]' in it; expected `addresses: {{a-b:"
    ):
        links(replace(NET, links=(LinkNetwork("a-b", here, None),)))


def test_prefixes_stand_for_those_that_no_file_lists() -> None:
    some = listed(PrefixGroup("fra-dc", 2, 1))
    assert [p.prefixlen for p in some.prefixes] == [24, 24, 48]
    assert all(p.subnet_of(IPv4Network("100.64.0.0/10")) for p in some.prefixes if isinstance(p, IPv4Network))
    given = PrefixGroup("fra-dc", 1, 0, (IPv4Network("198.51.100.0/24"),))
    assert listed(given) == given


def test_a_loopback_is_no_groups_prefix(tmp_path: Path) -> None:
    """IS-IS would carry the one, BGP the other, and each router takes what it trusts more."""
    (tmp_path / "net.yaml").write_text(
        "trunkline: 1\nregions: [r]\nsites: {s: {region: r}}\n"
        "routers: {a: {site: s, role: dr, loopback: [192.0.2.1]}}\n"
        "datacenters: {dc: {site: s, prefixes: [192.0.2.1/32]}}\n"
    )
    with pytest.raises(Problems, match=r"192.0.2.1/32 of 'dc' is the loopback of 'a'"):
        devices(load(tmp_path / "net.yaml").network)
