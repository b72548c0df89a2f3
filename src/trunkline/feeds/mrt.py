"""A peer's table out of a collector's dump: MRT TABLE_DUMP_V2 (RFC 6396 4.3), with Add-Path (RFC 8050).

A file holds the tables of many peers; which one is meant is asked for by AS number or address.  Of several paths of a
prefix the one with the lowest path identifier is kept; the others are counted, as are routes whose attributes are
malformed and records whose lengths do not fit, of which the routes before the misfit are kept.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address

from trunkline.feeds.feed import Feed
from trunkline.feeds.records import TYPES, Records
from trunkline.feeds.rows import AS_SETS, Rows
from trunkline.feeds.source import Source
from trunkline.feeds.wire import Malformed, attributes
from trunkline.model.problem import Problem, Problems

TABLE_DUMP, TABLE_DUMP_V2 = 12, 13
PEER_INDEX_TABLE = 1
RIBS = {2: (32, False), 4: (128, False), 8: (32, True), 10: (128, True)}
"""Subtypes of unicast tables: bits of an address, and whether routes have path identifiers."""
OTHERS = {
    3: "RIB_IPV4_MULTICAST",
    5: "RIB_IPV6_MULTICAST",
    6: "RIB_GENERIC",
    7: "GEO_PEER_TABLE",
    9: "RIB_IPV4_MULTICAST_ADDPATH",
    11: "RIB_IPV6_MULTICAST_ADDPATH",
    12: "RIB_GENERIC_ADDPATH",
}
_ENTRY, _ENTRY_PATH = struct.Struct(">HIH"), struct.Struct(">HIIH")
MOST_BLOBS = 500_000
"""Different attribute octets that are remembered; decoding anew costs little beside what they would fill."""
ODD = -1
LISTED = 20
"""Peers that an error lists."""


@dataclass
class Session:
    """A peer of the collector, and how many routes the file has from it."""

    asn: int
    address: IPv4Address | IPv6Address
    wanted: bool
    routes: dict[int, int] = field(default_factory=lambda: {32: 0, 128: 0})
    """By the bits of an address."""

    def __str__(self) -> str:
        return f"AS{self.asn} at {self.address} ({self.routes[32]:,} v4, {self.routes[128]:,} v6)"


def read_mrt(source: Source, peer: str | None) -> Feed:
    """Return the table of a peer, given by AS number (`3356`, `AS3356`) or address; None where there is one only.

    A peer with a session for each family is one.  Raises Problems where that is no one peer with routes.
    """
    table = _Table(source.path, peer)
    records = Records(source)
    for kind, subtype, octets, start, end in records:
        table.record(kind, subtype, octets[start:end])
    table.check(records.broken)
    return table.rows.feed(records.broken)


def _wanted(peer: str, file: str) -> int | IPv4Address | IPv6Address:
    text = peer.strip()
    digits = text[2:] if text[:2].upper() == "AS" else text
    try:
        return int(digits) if digits.isascii() and digits.isdigit() else ip_address(text)
    except ValueError as error:
        expected = "an AS number such as 3356, or an address"
        raise Problems([Problem(file, 0, 0, "peer", f"'{peer}' names no peer", expected=expected)]) from error


class _Table:
    """The routes of the peer that is wanted, and what else there was."""

    def __init__(self, file: str, peer: str | None) -> None:
        self.file = file
        self.peer = peer
        self.want = None if peer is None else _wanted(peer, file)
        self.rows = Rows()
        self.sessions: dict[tuple[int, IPv4Address | IPv6Address], Session] = {}
        self.index: list[Session] = []
        """The peers that routes refer to, of the last PEER_INDEX_TABLE."""
        self._indices = 0
        self._dump_of: dict[int, int] = {}
        """Of each family, by the bits of an address: under which PEER_INDEX_TABLE its routes are."""
        self._taken: dict[int, Session] = {}
        """Of each family, by the bits of an address: whose routes are kept; were another wanted, it is an error."""
        self._decoded: dict[bytes, int] = {}

    def record(self, kind: int, subtype: int, body: bytes) -> None:
        """Take in a record.  Raises Problems at a TABLE_DUMP, which has no peers to choose from."""
        if kind == TABLE_DUMP:
            message = "this is a TABLE_DUMP, the first version, with AS numbers of two octets"
            raise Problems([Problem(self.file, 0, 0, "mrt", message, expected="TABLE_DUMP_V2 (RFC 6396 4.3)")])
        left = None
        try:
            if kind != TABLE_DUMP_V2:
                left = f"{TYPES.get(kind, f'type {kind}')} records: no tables"
            elif subtype == PEER_INDEX_TABLE:
                self._peers(body)
            elif subtype not in RIBS:
                left = f"{OTHERS.get(subtype, f'TABLE_DUMP_V2 subtype {subtype}')} records"
            elif self._dump_of.setdefault(RIBS[subtype][0], self._indices) != self._indices:
                left = "records of later dumps (the first of each family stands)"
            else:
                self._routes(body, *RIBS[subtype])
        except (IndexError, struct.error):
            left = "records whose lengths or peers do not fit"
        if left:
            self.rows.left_out[left] += 1

    def _peers(self, body: bytes) -> None:
        """A PEER_INDEX_TABLE (RFC 6396 4.3.1)."""
        self.index = []  # what follows a damaged one is nobody's
        (name,) = struct.unpack_from(">H", body, 4)
        at = 6 + name
        (count,) = struct.unpack_from(">H", body, at)
        at += 2
        found: list[tuple[int, IPv4Address | IPv6Address]] = []
        for _ in range(count):
            six, wide = body[at] & 1, body[at] & 2
            layout = struct.Struct(f">{16 if six else 4}s{'I' if wide else 'H'}")
            octets, asn = layout.unpack_from(body, at + 5)
            at += 5 + layout.size
            found.append((asn, IPv6Address(octets) if six else IPv4Address(octets)))
        self.index = [
            self.sessions.setdefault(one, Session(*one, self.want is None or self.want in one)) for one in found
        ]
        self._indices += 1

    def _routes(self, body: bytes, bits: int, identified: bool) -> None:
        """An AFI/SAFI-specific RIB record (RFC 6396 4.3.2): a prefix, and what each peer says of it."""
        entry = _ENTRY_PATH if identified else _ENTRY
        length = body[4]
        at = 5 + (length + 7 >> 3)
        if length > bits:
            raise IndexError
        address = int.from_bytes(body[5:at], "big") << bits - 8 * (at - 5)
        address &= -1 << bits - length  # what lies behind the length is of no meaning (RFC 4271 4.3)
        count = body[at] << 8 | body[at + 1]
        at += 2
        path, decoded = 0, self._decoded
        add = self.rows.add4 if bits == 32 else self.rows.add6
        for _ in range(count):
            if identified:
                number, _, path, size = entry.unpack_from(body, at)
            else:
                number, _, size = entry.unpack_from(body, at)
            at += entry.size + size
            if at > len(body):
                raise IndexError
            session = self.index[number]
            session.routes[bits] += 1
            if session.wanted and self._taken.setdefault(bits, session) is session:
                blob = body[at - size : at]
                attribute = decoded.get(blob, ODD)
                if attribute == ODD:
                    attribute = self._attribute(blob)
                if attribute != ODD:
                    add(address, length, attribute, path)

    def _attribute(self, blob: bytes) -> int:
        """The index of attributes that are not known or odd, ODD where they are malformed; what is odd is counted."""
        try:
            found, has_set = attributes(blob)
        except Malformed as error:
            self.rows.left_out[f"routes with malformed attributes: {error}"] += 1
            return ODD
        index = self.rows.attribute(found)
        if has_set:  # not remembered, so that each is counted
            self.rows.left_out[AS_SETS] += 1
        else:
            if len(self._decoded) >= MOST_BLOBS:
                self._decoded.clear()
            self._decoded[blob] = index
        return index

    def check(self, broken: str | None) -> None:
        """Raise Problems unless the routes taken are those of one peer, at most one session of it for each family."""
        there = f"; the file is broken {broken}" if broken else ""
        if not self.sessions:
            message = f"there are no peers in it{there}"
            expected = "a table: TABLE_DUMP_V2 with a PEER_INDEX_TABLE (RFC 6396 4.3)"
            raise Problems([Problem(self.file, 0, 0, "mrt", message, expected=expected)])
        heard = [s for s in self.sessions.values() if any(s.routes.values())]
        if not heard:
            raise Problems([Problem(self.file, 0, 0, "mrt", f"there are no routes in it{there}")])
        wanted = [s for s in heard if s.wanted]
        if not wanted:
            message = f"there are no routes of {self.peer} in it{there}"
            raise Problems([Problem(self.file, 0, 0, "peer", message, expected=f"one of {_listed(heard)}")])
        twice = any(sum(bool(s.routes[bits]) for s in wanted) > 1 for bits in (32, 128))
        if twice or len({s.asn for s in wanted}) > 1:
            which = f"{self.peer} is {len(wanted)} peers" if self.peer else f"it has the tables of {len(wanted)} peers"
            raise Problems([Problem(self.file, 0, 0, "peer", which, expected=f"one of {_listed(wanted)}")])


def _listed(sessions: list[Session]) -> str:
    """Peers by the size of their tables, the largest first."""
    order = sorted(sessions, key=lambda s: (-sum(s.routes.values()), s.asn, s.address.version, int(s.address)))
    more = f", and {len(order) - LISTED} more" if len(order) > LISTED else ""
    return ", ".join(map(str, order[:LISTED])) + more
