"""The networks that the file pins for circuits and peer ports."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network

from trunkline.model.address import is_routers
from trunkline.model.document import Faults
from trunkline.model.nouns import LinkNetwork
from trunkline.model.read import Entry, Items, Word

LENGTHS = {4: (30, 31), 6: (126, 127)}
"""Prefix lengths of a link with two ends (RFC 3021, RFC 6164)."""


def links_of(root: Entry, faults: Faults) -> list[LinkNetwork]:
    """Return what is pinned, by name."""
    found = []
    for key, value in root.rows("addresses"):
        words = value.items if isinstance(value, Items) else (value,)
        nets: dict[int, IPv4Network | IPv6Network] = {}
        for word in words:
            if not isinstance(word, Word) or not isinstance(word.data, IPv4Network | IPv6Network):
                continue
            net = word.data
            if net.prefixlen not in LENGTHS[net.version]:
                expected = " or ".join(f"/{n}" for n in LENGTHS[net.version])
                faults.error("link-network", word.spot, f"{net} is no network of a link with two ends", expected)
            elif not is_routers(net.network_address):
                faults.error("address", word.spot, f"no router may have an address of {net}", "one for hosts")
            elif net.version in nets:
                faults.error("address", word.spot, f"a second network of one family: {net}", "one of each family")
            nets.setdefault(net.version, net)
        four, six = nets.get(4), nets.get(6)
        pinned = four if isinstance(four, IPv4Network) else None, six if isinstance(six, IPv6Network) else None
        found.append(LinkNetwork(str(key.data), *pinned))
    return sorted(found, key=lambda link: link.name)
