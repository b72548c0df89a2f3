"""A made-up transit's table, of the size and shape of real ones.

Every draw is a function of the seed and of what it is for.  Transits of one seed and size share prefixes, origin ASes
and their prepending; paths between differ, and each transit lacks one prefix in a hundred.

Published: the mean length of AS paths, prepending counted, was 4.5, the longest had 68 ASes, and an AS originated 11
IPv4 prefixes (Weekly Routing Table Report, RIPE routing-wg, November 2014); here they are 4.5, 19, and 16 of both
families.  The rest are round figures of ours: how path lengths spread, how many paths are prepended (22 %), how an AS
spreads its prefixes over different paths, shares of origins, MEDs and communities.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from trunkline.feeds.draw import distinct, mixed, pick
from trunkline.feeds.feed import ORIGINS, V4, V6, Attributes, Feed, Int64, frozen
from trunkline.feeds.space import space4, space6

MOST = 2_000_000
"""Prefixes of a family: above that, short ones would not fit in the space that there is."""
BETWEEN = {0: 60, 1: 310, 2: 340, 3: 190, 4: 70, 5: 30}
"""ASes between the transit and the origin, in a thousand paths."""
PREPENDED = {0: 780, 1: 85, 2: 65, 3: 40, 4: 15, 5: 9, 8: 5, 12: 1}
"""How often the origin repeats itself, in a thousand paths."""
VARIANTS = {0: 800, 1: 100, 2: 50, 3: 25, 4: 12, 5: 7, 6: 4, 7: 2}
"""Which of the ways in which its AS announces prefixes one has, in a thousand prefixes."""
ORIGIN_CODES = {0: 900, 1: 2, 2: 98}
MEDS = {-1: 850, 0: 90, 10: 20, 50: 20, 100: 20}
"""-1 is none."""
SAME_WAY = 2
"""One path in so many is as long with every transit; others are drawn for each."""
PREFIXES_OF_AN_AS = 16
CORE, UPSTREAMS = 50, 2000
"""ASes to choose from at each place behind the transit, and before the origin."""
MOST_ASES = 400_000
AS_TRANS, FIRST_RESERVED, FIRST_WIDE = 23_456, 64_496, 131_072
"""Of IANA's special-purpose AS numbers (RFC 7249): what is reserved from 64,496 on ends where 131,072 begins."""
_VARIANT_BITS = 3
# what a draw is for
SPREAD, WAY, LENGTH, PREPENDING, UPSTREAM, CODE, MED, COMMUNITY, HOP, LACKED, NUMBER = range(11)


def synthetic(asn: int, v4: int = 1_000_000, v6: int = 220_000, seed: int = 1) -> Feed:
    """Return the table that a transit of AS `asn` announces: `v4` and `v6` prefixes, AS paths that begin with `asn`.

    Raises ValueError where there are more prefixes than `MOST`, or fewer than none, or `asn` is no AS number.
    """
    if not (0 < asn < 1 << 32 and 0 <= v4 <= MOST and 0 <= v6 <= MOST):
        raise ValueError(f"AS{asn} with {v4:,} v4 and {v6:,} v6 prefixes; at most {MOST:,} of each")
    totals = v4 + v4 // 99, v6 + v6 // 99
    address, length4 = space4(totals[0], seed)
    high, low, length6 = space6(totals[1], seed)
    ases = max(sum(totals) // PREFIXES_OF_AN_AS, 1)
    kept = [distinct(total, n, seed, LACKED, asn, f) for f, (total, n) in enumerate(zip(totals, (v4, v6), strict=True))]
    ways = [_ways(kept[family], family, ases, seed) for family in (0, 1)]
    used, way = np.unique(np.concatenate(ways), return_inverse=True)
    index: dict[Attributes, int] = {}
    numbers = [index.setdefault(one, len(index)) for one in _attributes(used, asn, ases, seed)]  # ways may be alike
    attribute = np.array(numbers, np.int32)[way]
    four, six = kept
    return Feed(
        V4(frozen(address[four], np.uint32), frozen(length4[four], np.uint8), frozen(attribute[:v4], np.int32)),
        V6(
            frozen(high[six], np.uint64),
            frozen(low[six], np.uint64),
            frozen(length6[six], np.uint8),
            frozen(attribute[v4:], np.int32),
        ),
        tuple(index),
    )


def _ways(prefixes: Int64, family: int, ases: int, seed: int) -> Int64:
    """For each prefix, by its place in the space: its origin and which of the origin's ways, as one number.

    The i-th AS has a share in proportion to 1 / (i + 20): at the default size the first one has one prefix in 166, and
    half of all ASes have four or fewer.
    """
    bounds = np.cumsum(10**9 // (np.arange(ases, dtype=np.uint64) + np.uint64(20)))
    origin: Int64 = np.searchsorted(bounds, mixed(prefixes, seed, SPREAD, family) % bounds[-1], side="right")
    return origin << _VARIANT_BITS | pick(mixed(prefixes, seed, WAY, family), VARIANTS)


def _attributes(ways: Int64, asn: int, ases: int, seed: int) -> tuple[Attributes, ...]:
    """The attributes of every way."""
    paths = _paths(ways, asn, ases, seed)
    origins = pick(mixed(ways, seed, CODE), ORIGIN_CODES).tolist()
    meds = pick(mixed(ways, seed, MED, asn), MEDS).tolist()
    marks = _communities(asn)
    marked = (mixed(ways, seed, COMMUNITY, asn) % np.uint64(len(marks))).tolist()
    return tuple(
        Attributes(path, ORIGINS[origin], None if med < 0 else med, marks[mark])
        for path, origin, med, mark in zip(paths, origins, meds, marked, strict=True)
    )


def _communities(asn: int) -> list[tuple[str, ...]]:
    """What a transit marks routes with: eight places where, and four kinds of neighbour from whom, it learned them."""
    form = f"{asn}:{{}}" if asn < 1 << 16 else f"{asn}:0:{{}}"
    return [(form.format(1000 + place), form.format(2000 + kind)) for place in range(8) for kind in range(4)]


def _paths(ways: Int64, asn: int, ases: int, seed: int) -> list[tuple[int, ...]]:
    """The AS path of every way: the transit, ASes between, the origin's upstream the last of them, the origin."""
    numbers = _numbers(4 * CORE + UPSTREAMS + 1 + ases, seed)
    spare = 4 * CORE + UPSTREAMS
    between_numbers = np.where(numbers[:spare] == asn, numbers[spare], numbers[:spare])
    origin = numbers[spare + 1 :][ways >> _VARIANT_BITS]
    with_all = mixed(ways, seed, LENGTH) % np.uint64(SAME_WAY) == 0
    between = pick(np.where(with_all, mixed(ways, seed, LENGTH, 0), mixed(ways, seed, LENGTH, asn)), BETWEEN)
    size = 2 + between + pick(mixed(ways, seed, PREPENDING), PREPENDED)
    size[origin == asn] = 1  # its own prefixes
    between[origin == asn] = 0
    ends = np.cumsum(size)
    flat = np.repeat(origin, size)
    start = ends - size
    flat[start] = asn
    for hop in range(max(BETWEEN)):
        here = between > hop
        last = between[here] == hop + 1
        core = hop * CORE + mixed(ways[here], seed, HOP, hop, asn) % np.uint64(CORE)
        upstream = 4 * CORE + mixed(ways[here] >> _VARIANT_BITS, seed, UPSTREAM) % np.uint64(UPSTREAMS)
        flat[start[here] + 1 + hop] = between_numbers[np.where(last, upstream, core)]
    hops = flat.tolist()
    return [tuple(hops[a:b]) for a, b in pairwise([0, *ends.tolist()])]


def _numbers(count: int, seed: int) -> Int64:
    """Different AS numbers, in random order: of two octets, less AS_TRANS and private ones, or from 131072 on."""
    found = distinct(MOST_ASES, count, seed, NUMBER) + 1
    found[found >= AS_TRANS] += 1
    found[found >= FIRST_RESERVED] += FIRST_WIDE - FIRST_RESERVED
    return found[np.argsort(mixed(found, seed, NUMBER), kind="stable")]
