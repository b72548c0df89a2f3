"""A made-up Internet's prefixes: distinct, outside special-purpose space, with the lengths that real tables have.

Shares by length are rounded.  They agree with published totals: the mean length in the default-free IPv4 table was
22.93 (https://bgp.potaroo.net/as2.0/bgp-active.html, November 2025; here 22.95), in the IPv6 table 42.87
(https://bgp.potaroo.net/v6/as2.0/, April 2025; here 42.95).  More than half of the prefixes of real tables lie inside
others; here they lie where chance puts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv4Network

import numpy as np

from trunkline.feeds.draw import distinct
from trunkline.feeds.feed import Uint8, Uint32, Uint64

SHARES4 = {
    8: 16, 9: 13, 10: 38, 11: 100, 12: 290, 13: 570, 14: 1_150, 15: 2_000, 16: 13_300, 17: 8_200, 18: 13_500,
    19: 24_300, 20: 43_500, 21: 51_000, 22: 108_000, 23: 100_000, 24: 634_023,
}  # fmt: skip
"""IPv4 prefixes of each length in a million."""
SHARES6 = {
    28: 5_000, 29: 13_000, 30: 6_000, 31: 4_000, 32: 98_000, 33: 16_000, 34: 12_000, 35: 8_000, 36: 44_000, 37: 6_000,
    38: 16_000, 39: 8_000, 40: 104_000, 41: 8_000, 42: 26_000, 43: 10_000, 44: 98_000, 45: 16_000, 46: 30_000,
    47: 32_000, 48: 440_000,
}  # fmt: skip
"""IPv6 prefixes of each length in a million."""
BLOCKS6 = (0x240, 0x260, 0x280, 0x2A0, 0x2C0)
"""The /12 of each regional registry (IANA IPv6 unicast assignments), as its first 12 bits."""
SPECIAL4 = (
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/3",
)
"""IANA's special-purpose registry (RFC 6890), multicast and class E."""


def counts(total: int, shares: Mapping[int, int]) -> dict[int, int]:
    """Return how many of `total` prefixes have each length; what rounding leaves over goes to the longest."""
    found = {length: total * share // 1_000_000 for length, share in shares.items()}
    found[max(shares)] += total - sum(found.values())
    return found


def space4(total: int, seed: int) -> tuple[Uint32, Uint8]:
    """Return addresses and lengths of IPv4 prefixes, sorted: uint32 and uint8 (total,)."""
    free = np.ones(1 << 24, np.bool_)
    for text in SPECIAL4:
        network = IPv4Network(text)
        start = int(network.network_address) >> 8
        free[start : start + (network.num_addresses >> 8)] = False
    addresses = []
    wanted = counts(total, SHARES4)
    for length in range(24, 7, -1):
        where = np.flatnonzero(free).astype(np.uint32)
        addresses.append(where[distinct(len(where), wanted[length], seed, 4, length)] << np.uint32(32 - length))
        free = free[0::2] & free[1::2]  # of the next shorter length: where both halves are free
    address = np.concatenate(addresses)
    lengths = np.repeat(np.arange(24, 7, -1), [len(a) for a in addresses]).astype(np.uint8)
    order = np.lexsort((lengths, address))
    return address[order], lengths[order]


def space6(total: int, seed: int) -> tuple[Uint64, Uint64, Uint8]:
    """Return both halves of the addresses and the lengths of IPv6 prefixes, sorted: uint64 twice and uint8 (total,)."""
    blocks = np.array(BLOCKS6, np.uint64)
    halves = []
    wanted = counts(total, SHARES6)
    for length, count in wanted.items():
        free = length - 12  # bits behind a block's
        number = distinct(len(blocks) << free, count, seed, 6, length).astype(np.uint64)
        block = blocks[(number >> np.uint64(free)).astype(np.intp)]
        inside = number & np.uint64((1 << free) - 1)
        halves.append(block << np.uint64(52) | inside << np.uint64(64 - length))
    high = np.concatenate(halves)
    lengths = np.repeat(list(wanted), list(wanted.values())).astype(np.uint8)
    order = np.lexsort((lengths, high))
    return high[order], np.zeros(total, np.uint64), lengths[order]
