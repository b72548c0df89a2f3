"""The network that a lab runs: the file's, with a few prefixes for each group whose prefixes the file does not list.

It is what is rendered, run and predicted, so that all three speak of the same routes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from ipaddress import IPv4Network, IPv6Network, ip_network

from trunkline.model.network import Network
from trunkline.model.nouns import PrefixGroup
from trunkline.model.problem import Problem, Problems

PER_FAMILY = 2
"""How many prefixes stand for a group, in each family that it has."""
POOL4, LENGTH4 = IPv4Network("100.96.0.0/11"), 24
POOL6, LENGTH6 = IPv6Network("2001:db8::/32"), 48
"""Half of the shared address space (RFC 6598), and the documentation prefix (RFC 3849)."""

Prefix = IPv4Network | IPv6Network


def lab_network(net: Network) -> Network:
    """Return the network with every group's prefixes listed.

    A stand-in follows from its group's name; where that one is taken or overlaps a listed prefix, the next free one
    in address order is taken, groups in order of name.  Raises Problems where the listed prefixes leave none.
    """
    taken = {prefix for group in net.groups for prefix in group.prefixes}
    return replace(net, groups=tuple(_listed(group, taken) for group in net.groups))


def _listed(group: PrefixGroup, taken: set[Prefix]) -> PrefixGroup:
    if group.prefixes:
        return group
    found: list[Prefix] = []
    for pool, length, count in ((POOL4, LENGTH4, group.v4), (POOL6, LENGTH6, group.v6)):
        for number in range(min(count, PER_FAMILY)):
            free = next((p for p in _from(pool, length, f"{group.name} {number}") if _is_free(p, taken)), None)
            if free is None:
                message = f"no /{length} of {pool} is left to stand for '{group.name}'"
                raise Problems([Problem("", 0, 0, "no-standin", message, "", f"the prefixes of '{group.name}' listed")])
            taken.add(free)
            found.append(free)
    found.sort(key=lambda p: (p.version, int(p.network_address)))
    v4, v6 = (sum(p.version == version for p in found) for version in (4, 6))
    return replace(group, v4=v4, v6=v6, prefixes=tuple(found))


def _from(pool: Prefix, length: int, name: str) -> Iterator[Prefix]:
    """Every prefix of a length in a pool, the name's own first."""
    count = 2 ** (length - pool.prefixlen)
    first = int.from_bytes(sha256(name.encode()).digest(), "big")
    for step in range(count):
        at = int(pool.network_address) + ((first + step) % count << (pool.max_prefixlen - length))
        yield ip_network((at, length))


def _is_free(prefix: Prefix, taken: set[Prefix]) -> bool:
    """Whether no taken prefix is this one, in it or around it, defaults apart."""
    same = (p for p in taken if p.version == prefix.version and p.prefixlen)
    return not any(prefix.overlaps(p) for p in same)
