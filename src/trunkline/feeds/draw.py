"""Draws that are a function of what is drawn for: the same on any machine, in any order, with any version of numpy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from trunkline.feeds.feed import Int64, Uint64, firsts

_WRAP = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def mixed(values: npt.NDArray[np.integer[Any]], *salts: int) -> Uint64:
    """Return 64 random bits for each value, others for other salts: uint64 (values,).

    SplitMix64 (Steele, Lea and Flood, OOPSLA 2014, figure 17), once for each salt.
    """
    bits = values.astype(np.uint64)
    for salt in salts:
        bits = bits + np.uint64((salt + 1) * _GOLDEN & _WRAP)
        bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        bits ^= bits >> np.uint64(31)
    return bits


def pick(bits: Uint64, shares: Mapping[int, int]) -> Int64:
    """Return a key of `shares` for each of these random bits, as often as its share says: int64 (bits,)."""
    bounds = np.cumsum(np.fromiter(shares.values(), np.uint64))
    keys = np.fromiter(shares, np.int64)
    found: Int64 = keys[np.searchsorted(bounds, bits % bounds[-1], side="right")]
    return found


def distinct(population: int, count: int, *salts: int) -> Int64:
    """Return `count` different numbers below `population`: int64 (count,).

    Raises ValueError where there are not so many.
    """
    if count > population:
        raise ValueError(f"{count:,} different numbers below {population:,}")
    if 4 * count >= population:
        found = np.arange(population)
    else:  # the expected number of draws for so many different ones is at most 1.16 times as many
        draws = np.sort(mixed(np.arange(count + count // 2 + 256), *salts) % np.uint64(population)).astype(np.int64)
        found = draws[firsts([draws])]
    surplus = len(found) - count
    return found if not surplus else np.sort(found[np.argpartition(mixed(found, *salts, 1), surplus - 1)[surplus:]])
