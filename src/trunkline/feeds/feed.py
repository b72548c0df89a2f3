"""One peer's table: prefixes and attributes, a struct of arrays.

It holds what the decision process and policy read (RFC 4271 5.1).  Local preference is left out: it is the receiver's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Uint8 = npt.NDArray[np.uint8]
Uint32 = npt.NDArray[np.uint32]
Uint64 = npt.NDArray[np.uint64]
Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]

ORIGINS = ("igp", "egp", "incomplete")
"""Values of ORIGIN by their code (RFC 4271 4.3), the preferred first."""


@dataclass(frozen=True, slots=True)
class Attributes:
    """Path attributes of a route.

    `path` is the AS path, neighbour first, prepending kept, and as long as the decision process counts it: an AS_SET
    is one AS (RFC 4271 9.1.2.2), the lowest of the set stands for it; confederation segments count nothing and are
    left out (RFC 5065 5.3).  `communities` are decimal: `65000:1` (RFC 1997), then large `65000:1:2` (RFC 8092), each
    once, each kind in numeric order.
    """

    path: tuple[int, ...]
    origin: str
    med: int | None
    communities: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class V4:
    """IPv4 prefixes, each once, sorted by (address, length); `attribute` indexes the feed's attributes."""

    address: Uint32
    """(prefixes,)"""
    length: Uint8
    """(prefixes,)"""
    attribute: Int32
    """(prefixes,)"""

    def __len__(self) -> int:
        return len(self.length)

    @property
    def keys(self) -> tuple[Uint32, Uint8]:
        """The columns that tell prefixes apart, the most significant first."""
        return self.address, self.length


@dataclass(frozen=True, eq=False, repr=False)
class V6:
    """IPv6 prefixes, each once, sorted by (address, length); `high` and `low` are the halves of the address."""

    high: Uint64
    """(prefixes,)"""
    low: Uint64
    """(prefixes,)"""
    length: Uint8
    """(prefixes,)"""
    attribute: Int32
    """(prefixes,)"""

    def __len__(self) -> int:
        return len(self.length)

    @property
    def keys(self) -> tuple[Uint64, Uint64, Uint8]:
        """The columns that tell prefixes apart, the most significant first."""
        return self.high, self.low, self.length


@dataclass(frozen=True, eq=False, repr=False)
class Feed:
    """One peer's table; no two of its attributes are equal.

    `broken` says where a file that is cut or damaged stopped; what stood before that is here.
    """

    v4: V4
    v6: V6
    attributes: tuple[Attributes, ...]
    broken: str | None = None
    left_out: tuple[str, ...] = ()
    """What was in the file and is not in here, a phrase each: `why: how many`."""

    def __repr__(self) -> str:
        broken = f", broken {self.broken}" if self.broken else ""
        return f"<Feed: {len(self.v4):,} v4, {len(self.v6):,} v6, {len(self.attributes):,} attributes{broken}>"


def frozen(values: Any, dtype: Any) -> Any:
    """Return a contiguous read-only array of this type."""
    array = np.array(values, dtype, order="C")
    array.flags.writeable = False
    return array


def firsts(keys: Sequence[npt.NDArray[Any]]) -> npt.NDArray[np.bool_]:
    """Return which rows differ from the row before, of columns that are sorted together: bool (rows,)."""
    first = np.ones(len(keys[0]), np.bool_)
    first[1:] = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    return first
