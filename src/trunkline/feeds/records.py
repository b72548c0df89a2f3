"""MRT records (RFC 6396 2), one after the other, up to where a file breaks."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from trunkline.feeds.source import Source

HEADER = struct.Struct(">IHHI")
"""Timestamp, type, subtype, length of what follows."""
TYPES = {
    11: "OSPFv2",
    12: "TABLE_DUMP",
    13: "TABLE_DUMP_V2",
    16: "BGP4MP",
    17: "BGP4MP_ET",
    32: "ISIS",
    33: "ISIS_ET",
    48: "OSPFv3",
    49: "OSPFv3_ET",
}
LONGEST = 1 << 26
"""Octets.  A prefix's paths from 4,000 peers, with 16 KiB of attributes each, are no longer."""


def is_mrt(head: bytes) -> bool:
    """Return whether a file that begins so is MRT: its first record has a type that there is."""
    return len(head) >= HEADER.size and HEADER.unpack_from(head)[1] in TYPES


class Records:
    """An iterator over (type, subtype, octets, start, end): the record's body is ``octets[start:end]``."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.broken: str | None = None
        """After the last record: where the file broke and why, where it did."""

    def __iter__(self) -> Iterator[tuple[int, int, bytes, int, int]]:
        octets, at, before, count = b"", 0, 0, 0  # `before` counts the file's octets before these
        why = None
        while True:
            need = HEADER.size
            if len(octets) - at < need:
                octets, at, before = self._filled(octets[at:], need), 0, before + at
            if len(octets) - at < need:
                break
            _, kind, subtype, length = HEADER.unpack_from(octets, at)
            if length > LONGEST:
                why = f"the next record says that it has {length:,} octets"
                break
            need += length
            if len(octets) - at < need:
                octets, at, before = self._filled(octets[at:], need), 0, before + at
            if len(octets) - at < need:
                break
            yield kind, subtype, octets, at + HEADER.size, at + need
            at += need
            count += 1
        why = why or self.source.damage or ("the file ends within a record" if at < len(octets) else None)
        if why:
            unpacked = " of what it unpacks to" if self.source.packed else ""
            self.broken = f"after record {count:,} at byte {before + at:,}{unpacked}: {why}"

    def _filled(self, octets: bytes, need: int) -> bytes:
        """These octets and those that follow, at least `need` in all where there are so many."""
        parts, size = [octets], len(octets)
        while size < need and (more := self.source.chunk()):
            parts.append(more)
            size += len(more)
        return b"".join(parts)
