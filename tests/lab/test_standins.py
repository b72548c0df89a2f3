"""The network that a lab runs: prefixes for groups that list none, from the name, and never one that is taken."""

from __future__ import annotations

from hashlib import sha256
from ipaddress import IPv4Network, ip_network

import pytest

from trunkline.lab.standins import lab_network
from trunkline.model.network import Network
from trunkline.model.nouns import PrefixGroup
from trunkline.model.problem import Problems


def own(name: str) -> IPv4Network:
    """The /24 of 100.96.0.0/11 that a name's hash says: 2^13 of them."""
    number = int(sha256(name.encode()).hexdigest(), 16) % 2**13
    return IPv4Network(f"100.{96 + number // 256}.{number % 256}.0/24")


def test_two_stand_for_many_and_none_for_none() -> None:
    listed = PrefixGroup("listed", 1, 0, (ip_network("192.0.2.0/24"),))
    found = lab_network(Network(groups=(PrefixGroup("many", 900_000, 0), PrefixGroup("one", 0, 1), listed))).group
    assert found["many"].prefixes == tuple(sorted((own("many 0"), own("many 1"))))
    assert (found["many"].v4, found["many"].v6) == (2, 0)
    assert [p.version for p in found["one"].prefixes] == [6]
    assert found["listed"] == listed


def test_a_taken_one_makes_way() -> None:
    half = next(own("many 0").subnets(new_prefix=25))  # it lies in the stand-in, and the file lists it
    found = lab_network(Network(groups=(PrefixGroup("listed", 1, 0, (half,)), PrefixGroup("many", 1, 0)))).group
    following = int(own("many 0").network_address) + 256
    assert found["many"].prefixes == (IPv4Network((following, 24)),)


def test_none_left_is_said() -> None:
    all_of_them = PrefixGroup("listed", 0, 1, (ip_network("2001:db8::/32"),))
    with pytest.raises(Problems, match=r"no /48 of 2001:db8::/32 is left to stand for 'one'"):
        lab_network(Network(groups=(all_of_them, PrefixGroup("one", 0, 1))))
