"""The tables of several announcers side by side, and the prefixes that no policy can tell apart, in bunches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from trunkline.feeds.feed import Feed, Int32, Int64, Uint8, Uint32, Uint64, firsts, frozen

ABSENT = -1
"""In place of an attribute: the announcer does not announce the prefix."""


@dataclass(frozen=True, eq=False, repr=False)
class Joined4:
    """IPv4 prefixes that any announcer has, each once, sorted by (address, length)."""

    address: Uint32
    """(prefixes,)"""
    length: Uint8
    """(prefixes,)"""
    attribute: Int32
    """(announcers, prefixes): index of the attributes in the announcer's feed, or ABSENT."""


@dataclass(frozen=True, eq=False, repr=False)
class Joined6:
    """IPv6 prefixes that any announcer has, each once, sorted by (address, length)."""

    high: Uint64
    """(prefixes,)"""
    low: Uint64
    """(prefixes,)"""
    length: Uint8
    """(prefixes,)"""
    attribute: Int32
    """(announcers, prefixes): index of the attributes in the announcer's feed, or ABSENT."""


@dataclass(frozen=True, eq=False, repr=False)
class Joined:
    """The union of several tables; announcers are sorted by name."""

    announcers: tuple[str, ...]
    v4: Joined4
    v6: Joined6

    def __repr__(self) -> str:
        return f"<Joined: {', '.join(self.announcers)}; {len(self.v4.length):,} v4, {len(self.v6.length):,} v6>"


@dataclass(frozen=True)
class Bunch:
    """Prefixes with equal announcers, whose attributes have equal signatures: how many of each family.

    `attribute` has the index of the first member's attributes in the feed of each announcer, by name.  The first is
    the lowest IPv4 prefix, or the lowest IPv6 prefix where there is no IPv4 one.
    """

    v4: int
    v6: int
    attribute: Mapping[str, int]


def joined(feeds: Mapping[str, Feed]) -> Joined:
    """Return the tables side by side: every prefix that one has, and which attributes each announcer gives it."""
    names = tuple(sorted(feeds))
    (address, length), attribute4 = _union([(*feeds[n].v4.keys, feeds[n].v4.attribute) for n in names], 2)
    (high, low, length6), attribute6 = _union([(*feeds[n].v6.keys, feeds[n].v6.attribute) for n in names], 3)
    return Joined(names, Joined4(address, length, attribute4), Joined6(high, low, length6, attribute6))


def _union(tables: Sequence[tuple[npt.NDArray[Any], ...]], keys: int) -> tuple[tuple[Any, ...], Int32]:
    """The distinct rows of `keys` columns, sorted, and of every table its last column at each of them, or ABSENT."""
    starts = np.cumsum([0, *(len(table[-1]) for table in tables)])
    columns = [np.concatenate([table[k] for table in tables]) for k in range(keys)]
    order = np.lexsort(columns[::-1])  # a merge sort: quick on tables that are sorted already
    columns = [column[order] for column in columns]
    first = firsts(columns)
    where = np.empty(len(order), np.int32)
    where[order] = np.cumsum(first) - 1
    attribute = np.full((len(tables), int(first.sum())), ABSENT, np.int32)
    for row, table, start in zip(attribute, tables, starts.tolist(), strict=False):
        row[where[start : start + len(table[-1])]] = table[-1]
    attribute.flags.writeable = False
    return tuple(frozen(column[first], column.dtype) for column in columns), attribute


def grouped(table: Joined, signature: Mapping[str, npt.NDArray[np.integer[Any]]]) -> tuple[Bunch, ...]:
    """Return the bunches of prefixes that have the same announcers, and the same signature from each.

    `signature` has, for every announcer, an integer of each of its feed's attributes (attributes,): what a policy and
    the decision process tell them apart by.  A prefix is in one bunch; IPv4 and IPv6 ones share bunches.  Bunches are
    in the order of their first members.  Raises KeyError where an announcer has no signature, IndexError where it is
    shorter than its feed's attributes are many.
    """
    attribute = np.concatenate((table.v4.attribute, table.v6.attribute), axis=1)
    kind = np.zeros(attribute.shape[1], np.int64)
    kinds = 1
    for name, indices in zip(table.announcers, attribute, strict=True):
        values, codes = np.unique(signature[name], return_inverse=True)
        code = np.concatenate(([0], codes + 1))[indices + 1]  # ABSENT is the first
        kind, kinds = _renumbered(kind * (len(values) + 1) + code, kinds * (len(values) + 1))
    first = np.unique(kind, return_index=True)[1]
    four = len(table.v4.length)
    counts = [np.bincount(part, minlength=len(first)).tolist() for part in (kind[:four], kind[four:])]
    bunches = []
    for one in np.argsort(first).tolist():
        of = attribute[:, first[one]].tolist()
        heard = {name: index for name, index in zip(table.announcers, of, strict=True) if index != ABSENT}
        bunches.append(Bunch(counts[0][one], counts[1][one], heard))
    return tuple(bunches)


def _renumbered(numbers: Int64, below: int) -> tuple[Int64, int]:
    """Numbers from 0 on, equal and in order where these are, which are less than `below`; and how many there are."""
    if below > 4 * len(numbers):
        different, renumbered = np.unique(numbers, return_inverse=True)
        return renumbered, len(different)
    there = np.zeros(below, np.int64)
    there[numbers] = 1
    return (np.cumsum(there) - 1)[numbers], int(there.sum())
