"""Loopback addresses derived from a router's name alone: they do not change when another router comes or goes."""

from __future__ import annotations

import hashlib
from ipaddress import IPv4Address, IPv6Address

V4_BLOCK = IPv4Address("10.0.0.0")
"""Derived IPv4 loopbacks are in 10.0.0.0/9."""
V6_BLOCK = IPv6Address("fd00:7472:756e:6b00::")
"""Derived IPv6 loopbacks are in fd00:7472:756e:6b00::/64 (RFC 4193; the name's first bytes spell `trunk`)."""


def loopbacks(name: str) -> tuple[IPv4Address, IPv6Address]:
    """Return the derived IPv4 and IPv6 loopback of a router: SHA-256 of its name, cut to the block."""
    digest = hashlib.sha256(name.encode()).digest()
    low = int.from_bytes(digest[:4], "big") % (2**23 - 2) + 1
    return V4_BLOCK + low, V6_BLOCK + int.from_bytes(digest[4:12], "big")
