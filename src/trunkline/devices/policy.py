"""Regional policy as filters between two regions: what `bgp.policy` decides route by route, written out as rules.

Routes carry what the rules match as large communities of our AS (RFC 8092, RFC 8195): the kind, the region of entry,
the peer and the prefix group.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from trunkline.model.network import Network
from trunkline.model.nouns import Family, Kind, Peer
from trunkline.model.policy import NOTHING, Change, PrefixRange, Rule
from trunkline.model.route import VERSION

KINDS = {Kind.TRANSIT: 1, Kind.PEERING: 2, Kind.CUSTOMER: 3, Kind.DATACENTER: 4, Kind.DEFAULT: 5}
"""The third part of ASN:1:n."""
KIND, REGION, PEER, GROUP = 1, 2, 3, 4
"""The second part of a community: what the third one says."""


@dataclass(frozen=True)
class Clause:
    """One rule of a filter: what a route must be, what is set on it, and whether it passes then."""

    passes: bool
    carries: tuple[str, ...]
    """Large communities; none match everything."""
    says: str
    """The same in words."""
    goes_on: bool = False
    """Whether the next clause comes after it all the same."""
    name: str = ""
    """The rule's of the file, unique; empty where no rule of the file is behind it."""
    family: Family | None = None
    """Whose prefixes `ranges` are; a rule that asks for both families' is two clauses."""
    ranges: tuple[PrefixRange, ...] = ()
    as_path: str | None = None
    communities: tuple[str, ...] = ()
    """Those of RFC 1997, all of which it carries."""
    change: Change = NOTHING

    @property
    def always(self) -> bool:
        """Whether it matches everything."""
        return not (self.carries or self.ranges or self.as_path is not None or self.communities)


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
    if source == target:
        return (Clause(True, (), "everything, inside the region"),)
    found: list[Clause] = []
    for n, rule in enumerate(net.ibgp.rules, 1):
        if rule.side not in (side, "both") or rule.source not in (None, source) or rule.target not in (None, target):
            continue
        own = [(community(net, PEER, number(rule.peer)), f"peer {rule.peer}")] if rule.peer is not None else []
        found += _clauses(net, rule, f"policy:{n}", own)
        if found[-1].always and not found[-1].goes_on:
            return tuple(found)
    if net.ibgp.confines:
        found.append(Clause(False, (community(net, KIND, KINDS[Kind.TRANSIT]),), "transit routes"))
    return (*found, Clause(True, (), "everything else"))


def peer_rules(net: Network, peer: Peer, side: str, router: str) -> tuple[Clause, ...]:
    """Return the clauses of a peer's own rules (`import`, `export`) at a router; none where it has none there."""
    found: list[Clause] = []
    for n, rule in enumerate(peer.imports if side == "import" else peer.exports, 1):
        if router in (rule.at or (router,)):
            own = [(community(net, REGION, number(rule.region)), f"of {rule.region}")] if rule.region else []
            found += _clauses(net, rule, f"{peer.name}:{side}:{n}", own)
    return (*found, Clause(True, (), "everything else")) if found else ()


def _clauses(net: Network, rule: Rule, name: str, own: list[tuple[str, str]]) -> list[Clause]:
    """A rule as clauses; `own` is what only its sort of rule asks a route to carry, with the words for it."""
    marks = [(community(net, KIND, KINDS[rule.kind]), f"{rule.kind} routes")] if rule.kind is not None else []
    marks += own
    marks += [(_group(net, rule.group), f"group {rule.group}")] if rule.group is not None else []
    marks += [(c, f"community {c}") for c in large(rule.communities)]
    clause = Clause(
        rule.decides is not False,
        tuple(mark for mark, _ in marks),
        ", ".join(words for _, words in marks) or "everything",
        rule.decides is None,
        name,
        as_path=rule.as_path,
        communities=plain(rule.communities),
        change=rule.change,
    )
    ranges = {f: tuple(r for r in rule.prefixes if r.network.version == VERSION[f]) for f in Family}
    return [replace(clause, family=f, ranges=found) for f, found in ranges.items() if found] or [clause]


def plain(communities: Iterable[str]) -> tuple[str, ...]:
    """Return those of RFC 1997, of two numbers."""
    return tuple(c for c in communities if c.count(":") == 1)


def large(communities: Iterable[str]) -> tuple[str, ...]:
    """Return those of RFC 8092, of three numbers."""
    return tuple(c for c in communities if c.count(":") == 2)


def _group(net: Network, group: str) -> str:
    if group == "default":
        return community(net, KIND, KINDS[Kind.DEFAULT])
    return community(net, GROUP, number(group))
