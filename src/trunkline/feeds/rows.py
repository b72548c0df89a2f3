"""The rows of a table as a reader comes by them, and the feed that they make."""

from __future__ import annotations

from array import array
from collections import Counter

import numpy as np
import numpy.typing as npt

from trunkline.feeds.feed import V4, V6, Attributes, Feed, firsts, frozen

LOW = (1 << 64) - 1
AS_SETS = "routes with an AS_SET in their path, for which its lowest AS stands"
FURTHER = "further paths of a prefix (that of the lowest path identifier stands, else the first in the file)"


class Rows:
    """Routes in the order of the file, in 10 to 26 bytes each, and a count of what was left out, by why."""

    def __init__(self) -> None:
        self.v4 = array("I"), array("B"), array("I"), array("i")
        """Address, length, path identifier, attribute."""
        self.v6 = array("Q"), array("Q"), array("B"), array("I"), array("i")
        """Both halves of the address, length, path identifier, attribute."""
        self.left_out: Counter[str] = Counter()
        self._index: dict[Attributes, int] = {}

    def __len__(self) -> int:
        return len(self.v4[0]) + len(self.v6[0])

    def attribute(self, attributes: Attributes) -> int:
        """Return the index of attributes; equal ones have the same."""
        return self._index.setdefault(attributes, len(self._index))

    def add4(self, address: int, length: int, attribute: int, path: int = 0) -> None:
        """Add an IPv4 route; `path` is its path identifier (RFC 7911)."""
        addresses, lengths, paths, attributes = self.v4
        addresses.append(address)
        lengths.append(length)
        paths.append(path)
        attributes.append(attribute)

    def add6(self, address: int, length: int, attribute: int, path: int = 0) -> None:
        """Add an IPv6 route; `path` is its path identifier (RFC 7911)."""
        highs, lows, lengths, paths, attributes = self.v6
        highs.append(address >> 64)
        lows.append(address & LOW)
        lengths.append(length)
        paths.append(path)
        attributes.append(attribute)

    def feed(self, broken: str | None = None) -> Feed:
        """Return the feed: prefixes sorted, each once, and attributes that no route has left out."""
        four, six = self._sorted(self.v4), self._sorted(self.v6)
        used, renumbered = np.unique(np.concatenate((four[-1], six[-1])), return_inverse=True)
        known = tuple(self._index)
        left = tuple(f"{why}: {count:,}" for why, count in sorted(self.left_out.items()))
        return Feed(
            V4(frozen(four[0], np.uint32), frozen(four[1], np.uint8), frozen(renumbered[: len(four[-1])], np.int32)),
            V6(
                frozen(six[0], np.uint64),
                frozen(six[1], np.uint64),
                frozen(six[2], np.uint8),
                frozen(renumbered[len(four[-1]) :], np.int32),
            ),
            tuple(known[i] for i in used.tolist()),
            broken,
            left,
        )

    def _sorted(self, columns: tuple[array[int], ...]) -> list[npt.NDArray[np.generic]]:
        """Key columns and attributes, sorted by (address, length, path identifier), of a prefix the first row only."""
        rows = [np.frombuffer(column, column.typecode) for column in columns]
        order = np.lexsort(tuple(reversed(rows[:-1])))
        rows = [row[order] for row in rows]
        keys = rows[:-2]
        first = firsts(keys)
        self.left_out.update({FURTHER: int(len(first) - first.sum())} if not first.all() else {})
        return [row[first] for row in (*keys, rows[-1])]
