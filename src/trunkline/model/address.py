"""Loopback addresses that follow from a router's name alone, so that adding a router never renumbers another."""

from __future__ import annotations

import hashlib
from ipaddress import IPv4Address, IPv6Address

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
