"""Regional policy as filters between two regions: what `bgp.policy` decides route by route, written out as rules.

Routes carry what the rules match as large communities of our AS (RFC 8092, RFC 8195): the kind, the region of entry,
the peer and the prefix group.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from trunkline.model.network import Network
from trunkline.model.nouns import Kind

KINDS = {Kind.TRANSIT: 1, Kind.PEERING: 2, Kind.CUSTOMER: 3, Kind.DATACENTER: 4, Kind.DEFAULT: 5}
"""The third part of ASN:1:n."""
KIND, REGION, PEER, GROUP = 1, 2, 3, 4
"""The second part of a community: what the third one says."""


@dataclass(frozen=True)
class Clause:
    """One rule of a filter: what a route must carry, and whether it passes then."""

    passes: bool
    carries: tuple[str, ...]
    """Large communities; none match everything."""
    says: str
    """The same in words."""


def number(name: str) -> int:
    """Return the 32-bit number that stands for a name in a community; it follows from the name alone."""
    return 1 + int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") % (2**32 - 1)


def community(net: Network, function: int, value: int) -> str:
    """Return a large community of our AS."""
    return f"{net.ibgp.asn}:{function}:{value}"


def tags(net: Network, kind: Kind, region: str, peer: str | None, group: str | None) -> tuple[str, ...]:
    """Return what a route is marked with where it enters."""
    found = [community(net, KIND, KINDS[kind]), community(net, REGION, number(region))]
    if peer is not None:
        found.append(community(net, PEER, number(peer)))
    if group is not None:
        found.append(community(net, GROUP, number(group)))
    return tuple(found)


def filters(net: Network, side: str, source: str, target: str) -> tuple[Clause, ...]:
    """Return the clauses of a side (`export`, `import`) between two regions, in order; the last matches all."""
    anything = Clause(True, (), "everything else")
    if source == target:
        return (Clause(True, (), "everything, inside the region"),)
    found = []
    for rule in net.ibgp.rules:
        if rule.side not in (side, "both") or rule.source not in (None, source) or rule.target not in (None, target):
            continue
        carries, words = [], []
        if rule.kind is not None:
            carries.append(community(net, KIND, KINDS[rule.kind]))
            words.append(f"{rule.kind} routes")
        if rule.peer is not None:
            carries.append(community(net, PEER, number(rule.peer)))
            words.append(f"peer {rule.peer}")
        if rule.group is not None:
            carries.append(_group(net, rule.group))
            words.append(f"group {rule.group}")
        found.append(Clause(rule.cross, tuple(carries), ", ".join(words) or "everything"))
        if not carries:
            return tuple(found)
    stays = Clause(False, (community(net, KIND, KINDS[Kind.TRANSIT]),), "transit routes")
    return (*found, *([stays] if net.ibgp.confines else []), anything)


def passes(clauses: Iterable[Clause], carries: Collection[str]) -> bool:
    """Whether a route that carries these communities passes: as the first clause says that it matches."""
    return next((c.passes for c in clauses if set(c.carries) <= set(carries)), False)


def _group(net: Network, group: str) -> str:
    if group == "default":
        return community(net, KIND, KINDS[Kind.DEFAULT])
    return community(net, GROUP, number(group))
