"""Path attributes from their octets (RFC 4271 4.3), as table dumps hold them: AS numbers have four octets.

What the decision process and policy do not read is passed over, known or not.
"""

from __future__ import annotations

import struct
from functools import lru_cache

from trunkline.feeds.feed import ORIGINS, Attributes

ORIGIN, AS_PATH, MED, COMMUNITIES, LARGE_COMMUNITIES = 1, 2, 4, 8, 32
EXTENDED_LENGTH = 0x10
AS_SET, AS_SEQUENCE, CONFED_SEQUENCE, CONFED_SET = 1, 2, 3, 4
_COMMUNITY, _LARGE_COMMUNITY = struct.Struct(">HH"), struct.Struct(">III")


class Malformed(ValueError):
    """Octets that are no path attributes; the message says why."""


def attributes(octets: bytes) -> tuple[Attributes, bool]:
    """Return the attributes of a route, and whether its AS path has an AS_SET.

    Raises Malformed where lengths do not fit or ORIGIN is no such code.  Absent ones read as an empty AS path and
    origin incomplete: what a collector originates itself may have neither.
    """
    found = _values(octets)
    path, has_set = _path(found.get(AS_PATH, b""))
    origin = found.get(ORIGIN, b"\x02")
    med = found.get(MED)
    if len(origin) != 1 or origin[0] >= len(ORIGINS):
        raise Malformed("ORIGIN is none of its codes")
    if med is not None and len(med) != 4:
        raise Malformed("MULTI_EXIT_DISC has not four octets")
    communities = _communities(found.get(COMMUNITIES, b""), _COMMUNITY)
    communities += _communities(found.get(LARGE_COMMUNITIES, b""), _LARGE_COMMUNITY)
    med_value = None if med is None else int.from_bytes(med, "big")
    return Attributes(path, ORIGINS[origin[0]], med_value, communities), has_set


def _values(octets: bytes) -> dict[int, bytes]:
    """The value of every attribute by its code; the first of several stands (RFC 7606 3 g)."""
    found: dict[int, bytes] = {}
    at, size = 0, len(octets)
    while at < size:
        value = at + (4 if octets[at] & EXTENDED_LENGTH else 3)
        end = value + int.from_bytes(octets[at + 2 : value], "big")
        if value > size or end > size:
            raise Malformed("an attribute is longer than what holds it")
        found.setdefault(octets[at + 1], octets[value:end])
        at = end
    return found


def _path(octets: bytes) -> tuple[tuple[int, ...], bool]:
    """The AS path as `Attributes` has it, and whether an AS_SET is in it."""
    path: list[int] = []
    has_set = False
    at = 0
    while at < len(octets):
        count = octets[at + 1] if at + 1 < len(octets) else 0
        end = at + 2 + 4 * count
        if end > len(octets) or not count:
            raise Malformed("an AS path segment is empty or longer than what holds it")
        numbers = struct.unpack_from(f">{count}I", octets, at + 2)
        kind = octets[at]
        if kind == AS_SEQUENCE:
            path += numbers
        elif kind == AS_SET:
            path.append(min(numbers))
            has_set = True
        elif kind not in (CONFED_SEQUENCE, CONFED_SET):
            raise Malformed(f"an AS path segment is of type {kind}")
        at = end
    return tuple(path), has_set


@lru_cache(maxsize=1 << 16)
def _communities(octets: bytes, layout: struct.Struct) -> tuple[str, ...]:
    """Communities of one kind as text, each once, in numeric order."""
    if len(octets) % layout.size:
        raise Malformed("communities do not fill their attribute")
    return tuple(":".join(map(str, numbers)) for numbers in sorted(set(layout.iter_unpack(octets))))
