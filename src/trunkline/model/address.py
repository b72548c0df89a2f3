"""Addresses that follow from a thing's name alone, so that adding a router never renumbers another."""

from __future__ import annotations

import hashlib
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

_V4 = int(IPv4Address("10.0.0.0"))
_V4_BITS = 23
_V6 = int(IPv6Address("fd74:6c6e::"))
_V6_BITS = 64


def _digest(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest(), "big")


def loopback(name: str) -> IPv4Address:
    """Return an address of 10.0.0.0/9, never its first or last one."""
    return IPv4Address(_V4 + 1 + _digest(name) % (2**_V4_BITS - 2))


def loopback6(name: str) -> IPv6Address:
    """Return an address of fd74:6c6e::/64 (unique local, RFC 4193), never its first one."""
    return IPv6Address(_V6 + 1 + _digest(name) % (2**_V6_BITS - 1))


def link(name: str) -> tuple[IPv4Network, IPv6Network]:
    """Return a /31 of 10.128.0.0/9 and a /127 of fd74:6c6e:0:1::/64 for a circuit or a peer port.

    The last 64 bits of the IPv6 addresses differ from link to link: IS-IS TE databases are keyed by them in places.
    """
    four = IPv4Network((int(IPv4Address("10.128.0.0")) + 2 * (_digest(name) % 2**22), 31))
    six = IPv6Network((int(IPv6Address("fd74:6c6e:0:1::")) + 2 * (_digest(name) % 2**63), 127))
    return four, six


def prefix(name: str, number: int) -> tuple[IPv4Network, IPv6Network]:
    """Return a /24 of 100.64.0.0/10 (RFC 6598) and a /48 of fd74:6c6f::/32 that stand for one no file lists."""
    digest = _digest(f"{name} {number}")
    four = IPv4Network((int(IPv4Address("100.64.0.0")) + 256 * (digest % 2**14), 24))
    six = IPv6Network((int(IPv6Address("fd74:6c6f::")) + 2**80 * (digest % 2**16), 48))
    return four, six


def is_routers(address: IPv4Address | IPv6Address) -> bool:
    """Whether a router may have an address: none of 0/8, 127/8, 224/3 (RFC 1122 3.2.1.3), ::, ::1, ff00::/8."""
    if isinstance(address, IPv4Address):
        return 0 < int(address) >> 24 < 224 and not address.is_loopback
    return int(address) > 1 and not address.is_multicast
