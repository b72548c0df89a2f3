"""MRT files as RFC 6396 and RFC 8050 draw them, octet by octet; what a test writes, feeds reads."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

PEERS = ((64500, "192.0.2.1"), (64501, "2001:db8::1"))


def record(kind: int, subtype: int, body: bytes) -> bytes:
    """RFC 6396 2: timestamp, type, subtype, length, message."""
    return struct.pack(">IHHI", 1_700_000_000, kind, subtype, len(body)) + body


def peer_index(peers: Sequence[tuple[int, str]] = PEERS, wide: bool = True) -> bytes:
    """RFC 6396 4.3.1; a peer type has bit 0 for an IPv6 address and bit 1 for an AS number of four octets."""
    entries = b""
    for asn, text in peers:
        address = ip_address(text)
        kind = (address.version == 6) | wide << 1
        entries += bytes([kind]) + bytes([10, 0, 0, 1]) + address.packed + asn.to_bytes(4 if wide else 2, "big")
    view = b"view"
    body = bytes([10, 0, 0, 9]) + struct.pack(">H", len(view)) + view + struct.pack(">H", len(peers)) + entries
    return record(13, 1, body)


def rib(prefix: str, routes: Sequence[tuple[int, bytes]], paths: Sequence[int] | None = None) -> bytes:
    """RFC 6396 4.3.2 and RFC 8050 4.2: a prefix and (peer index, attributes) of each route; `paths` are identifiers."""
    network = ip_network(prefix)
    octets = network.network_address.packed[: (network.prefixlen + 7) // 8]
    body = struct.pack(">IB", 7, network.prefixlen) + octets + struct.pack(">H", len(routes))
    for i, (peer, attributes) in enumerate(routes):
        body += struct.pack(">HI", peer, 1_700_000_000)
        body += struct.pack(">I", paths[i]) if paths is not None else b""
        body += struct.pack(">H", len(attributes)) + attributes
    plain = 2 if network.version == 4 else 4
    return record(13, plain if paths is None else plain + 6, body)


def attribute(code: int, value: bytes, flags: int = 0x40) -> bytes:
    """RFC 4271 4.3: flags, code, length (two octets with the extended-length flag), value."""
    size = struct.pack(">H", len(value)) if flags & 0x10 or len(value) > 255 else bytes([len(value)])
    return bytes([flags | (0x10 if len(size) == 2 else 0), code]) + size + value


def origin(code: int) -> bytes:
    """ORIGIN: 0 is IGP, 1 EGP, 2 INCOMPLETE."""
    return attribute(1, bytes([code]))


def as_path(*segments: tuple[int, Sequence[int]]) -> bytes:
    """AS_PATH of four-octet segments: 1 is AS_SET, 2 AS_SEQUENCE, 3 AS_CONFED_SEQUENCE, 4 AS_CONFED_SET."""
    value = b"".join(bytes([kind, len(asns)]) + struct.pack(f">{len(asns)}I", *asns) for kind, asns in segments)
    return attribute(2, value)


def next_hop(text: str) -> bytes:
    """NEXT_HOP, or MP_REACH_NLRI in the short form of RFC 6396 4.3.4."""
    address = ip_address(text)
    if isinstance(address, IPv4Address):
        return attribute(3, address.packed)
    return attribute(14, bytes([16]) + IPv6Address(text).packed, 0x80)


def med(value: int) -> bytes:
    """MULTI_EXIT_DISC."""
    return attribute(4, struct.pack(">I", value), 0x80)


def communities(*pairs: tuple[int, int]) -> bytes:
    """COMMUNITIES (RFC 1997)."""
    return attribute(8, b"".join(struct.pack(">HH", *pair) for pair in pairs), 0xC0)


def large_communities(*triples: tuple[int, int, int]) -> bytes:
    """LARGE_COMMUNITY (RFC 8092)."""
    return attribute(32, b"".join(struct.pack(">III", *triple) for triple in triples), 0xC0)
