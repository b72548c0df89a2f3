"""What bgpd takes on a router: a linear model, fitted to a real one.

`benchmarks/bgpd_memory.py` measured FRR 8.4.4 in 25 settings (up to 48 sessions, 200,000 prefixes, 1.2 million paths,
120,000 attribute sets, four update groups): the model is 3.3 % off in the mean and 13.1 % at worst.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

BASE = 13_808_576
SESSION = 699_476
PREFIX = 455
PATH = 136
ATTRIBUTES = 731
"""A set of attributes, without communities (RFC 1997): with them it takes 8,433 bytes more in FRR 8.4."""
TOLD = 203
"""A route told to an update group: neighbours that are told the same share it."""
PATHS_PER_SET = 6
"""How many paths share a set of attributes: about what a whole Internet table has."""


class Held(Protocol):
    """What a router holds in one family; routes are counted in prefixes."""

    ibgp_sessions: int
    ebgp_sessions: int
    used: int
    held: int
    told: int


def router_memory(families: Iterable[Held]) -> int:
    """Return the bytes that bgpd takes with what it holds in each family, by the model."""
    taken = BASE
    for rows in families:
        taken += SESSION * (rows.ibgp_sessions + rows.ebgp_sessions) + PREFIX * rows.used + PATH * rows.held
        taken += ATTRIBUTES * (rows.held // PATHS_PER_SET) + TOLD * rows.told
    return taken
