"""Rules that can match nothing, and rules whose prefixes match a part of a group: both are errors of the file.

Every route that may ever enter is sent past the rules, from region to region as far as the rules alone let it; what
the design itself holds back is not looked at.  So a rule that is called dead is dead, whatever fails.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from trunkline.model.document import Faults, Spot
from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Kind, Peer
from trunkline.model.policy import PeerRule, PolicyRule, Rule, in_path
from trunkline.model.read import Entry
from trunkline.model.route import (
    VERSION,
    Route,
    at,
    between,
    follow,
    imported,
    meets,
    offered,
    originated,
    prefixes_of,
    said,
)

MESHES = ("regional", "full-mesh")
"""Designs in which a route goes from region to region once."""
R = TypeVar("R", bound=Rule)
Meet = Callable[[R, Route], bool]


@dataclass(frozen=True)
class _Seen:
    """What was sent past a list of rules: the routes, and by a rule's position those that it matched."""

    routes: dict[Route, None] = field(default_factory=dict)
    met: dict[int, dict[Route, None]] = field(default_factory=dict)

    def follow(self, rules: Sequence[R], meet: Meet[R], route: Route) -> tuple[Route, R | None]:
        """As `route.follow`, and note what matches."""
        self.routes[route] = None
        numbers = {id(rule): n for n, rule in enumerate(rules)}

        def noting(rule: R, at_hand: Route) -> bool:
            hit = meet(rule, at_hand)
            if hit:
                self.routes[at_hand] = None
                self.met.setdefault(numbers[id(rule)], {})[at_hand] = None
            return hit

        return follow(rules, noting, route)


def check_rules(net: Network, root: Entry, faults: Faults) -> None:
    """Note every rule that can match nothing, and every group that a rule's prefixes would take apart."""
    entries = {str(key.data): entry for key, entry in root.rows("peers") if isinstance(entry, Entry)}
    for peer in net.peers:
        seen = _Seen()
        for route in said(net) if peer.imports else ():
            if route.port is not None and net.port[route.port].peer == peer.name:
                seen.follow(peer.imports, at(net, route.router), route)
        _Judge(net, seen, faults).judge(peer.imports, entries[peer.name].entries("import"), _at_peer)
    if not net.ibgp.rules and not any(peer.exports for peer in net.peers):
        return
    seen, arrive = _between_regions(net)
    ibgp = root.entry("ibgp")
    _Judge(net, seen, faults).judge(net.ibgp.rules, ibgp.entries("policy") if ibgp else (), _between)
    for peer in net.peers:
        if peer.exports:
            seen = _to_peer(net, peer, arrive)
            _Judge(net, seen, faults).judge(peer.exports, entries[peer.name].entries("export"), _at_peer)


def _between_regions(net: Network) -> tuple[_Seen, dict[str, dict[Route, None]]]:
    """Send every route from region to region; return what rules saw, and what may be in each region.

    Routes and regions that no rule tells apart go as one: a large network has few that rules do.
    """
    seen = _Seen()
    alike = _Alike(net)
    arrive: dict[str, dict[Route, None]] = {region: {} for region in alike.regions}
    known: set[tuple[str, Hashable]] = set()
    queue: list[tuple[str, Route]] = []

    def arrived(region: str, route: Route, goes_on: bool) -> None:
        if (region, alike.key(route)) not in known:
            known.add((region, alike.key(route)))
            arrive[region][route] = None
            queue.extend([(region, route)] if goes_on else [])

    for entering in _entered(net):
        route = replace(entering, router="", region=alike.stands_for[entering.region])
        arrived(route.region, route, True)
    for source, route in queue:
        for target in alike.regions:
            after = _cross(net, seen, route, source, target) if target != source else None
            if after is not None:
                arrived(target, after, net.ibgp.design not in MESHES)
    others = {route: None for region in alike.regions if region not in alike.named for route in arrive[region]}
    return seen, {region: arrive[region] if region in alike.named else others for region in net.regions}


class _Alike:
    """Which regions and routes no rule tells apart."""

    def __init__(self, net: Network) -> None:
        rules: list[Rule] = [*net.ibgp.rules, *(rule for peer in net.peers for rule in peer.exports)]
        named = {region for rule in net.ibgp.rules for region in (rule.source, rule.target)}
        named |= {rule.region for peer in net.peers for rule in peer.exports}
        named |= {region for port in net.ports for region in port.announce_out or ()}
        self.named = {region for region in net.regions if region in named}
        others = [region for region in net.regions if region not in self.named]
        self.regions = (*sorted(self.named), *others[:2])
        """Two stand for all others: a route may go from one to another."""
        self.stands_for = {r: r if r in self.named else others[0] for r in net.regions}
        self._net = net
        self._groups = {rule.group for rule in rules}
        self._every_group = any(rule.prefixes and rule.group is None for rule in rules)
        self._peers = {rule.peer for rule in net.ibgp.rules}
        self._paths = sorted({rule.as_path for rule in rules if rule.as_path is not None})
        self._communities = {c for rule in rules for c in rule.communities}

    def key(self, route: Route) -> Hashable:
        """Return all that rules may ask of a route."""
        peer = self._net.port[route.port].peer if route.port else ""
        return (
            route.kind,
            route.family,
            route.region,
            peer if peer in self._peers else "",
            route.group if self._every_group or route.group in self._groups else "",
            tuple(in_path(path, route.path) for path in self._paths),
            frozenset(route.communities) & self._communities,
        )


def _cross(net: Network, seen: _Seen, route: Route, source: str, target: str) -> Route | None:
    for side in ("export", "import"):
        route, rule = seen.follow(net.ibgp.rules, between(net, side, source, target), route)
        if rule is not None and not rule.cross:
            return None
    return route


def _entered(net: Network) -> Iterable[Route]:
    for one in said(net):
        route = imported(net, one)
        if route is not None:
            yield route
            if route.kind is Kind.TRANSIT and net.ibgp.fallback_default:
                yield originated(net, DEFAULT_GROUP, route.family, route.router, Kind.DEFAULT)


def _to_peer(net: Network, peer: Peer, arrive: dict[str, dict[Route, None]]) -> _Seen:
    seen = _Seen()
    for port in peer.ports:
        for route in arrive[net.router[port.router].region]:
            if offered(net, port, route):
                seen.follow(peer.exports, at(net, port.router), replace(route, router=port.router))
    return seen


Condition = tuple[str, Callable[[Route], bool]]
"""A condition in words, and whether a route meets it."""


def _between(net: Network, rule: PolicyRule) -> list[Condition]:
    """The conditions that only rules between regions have."""
    found: list[Condition] = []
    if rule.source or rule.target:
        words = [f"{word} {region}" for word, region in (("from", rule.source), ("to", rule.target)) if region]
        some = any(a != b and rule.target in (None, b) for a in (rule.source or "",) for b in net.regions)
        only = rule.source if net.ibgp.design in MESHES else None
        found.append((f"goes {' '.join(words)}", lambda route: some and only in (None, route.region)))
    if rule.peer:
        found.append((f"is of {rule.peer}", lambda r: r.port is not None and net.port[r.port].peer == rule.peer))
    return found


def _at_peer(_: Network, rule: PeerRule) -> list[Condition]:
    """The conditions that only rules of peers have."""
    found: list[Condition] = []
    if rule.at:
        found.append((f"is at {' or '.join(rule.at)}", lambda route: route.router in rule.at))
    if rule.region:
        found.append((f"entered in {rule.region}", lambda route: route.region == rule.region))
    return found


def _common(net: Network, rule: Rule) -> list[Condition]:
    """The conditions that every rule may have, except for prefixes."""
    found = []
    if rule.kind:
        found.append(_alone(net, f"is a {rule.kind} route", PeerRule(None, kind=rule.kind)))
    if rule.group:
        found.append(_alone(net, f"is of group {rule.group}", PeerRule(None, group=rule.group)))
    if rule.communities:
        words = f"carries {' '.join(rule.communities)}"
        found.append(_alone(net, words, PeerRule(None, communities=rule.communities)))
    if rule.as_path:
        found.append(_alone(net, f"has '{rule.as_path}' in its AS path", PeerRule(None, as_path=rule.as_path)))
    return found


def _alone(net: Network, words: str, rule: PeerRule) -> Condition:
    return words, lambda route: meets(net, rule, route)


@dataclass(frozen=True)
class _Judge:
    """Says what is wrong with rules that routes were sent past."""

    net: Network
    seen: _Seen
    faults: Faults

    def judge(self, rules: Sequence[R], entries: Sequence[Entry], own: Callable[[Network, R], list[Condition]]) -> None:
        """Note what is wrong with each rule, at its entry."""
        for number, (rule, entry) in enumerate(zip(rules, entries, strict=True)):
            conditions = [*own(self.net, rule), *_common(self.net, rule)]
            if rule.prefixes:
                if self._apart(rule, conditions, entry.at("prefixes")):
                    continue
                inside = PeerRule(None, prefixes=rule.prefixes)
                conditions.append(_alone(self.net, "is inside its prefixes", inside))
            if number not in self.seen.met:
                why = self._why(conditions, rules[:number])
                self.faults.error("dead-rule", entry.spot, f"the rule matches nothing: {why}")

    def _why(self, conditions: list[Condition], before: Sequence[Rule]) -> str:
        for words, met in conditions:
            if not any(met(route) for route in self.seen.routes):
                return f"no route that comes to it {words}"
        if not any(all(met(route) for _, met in conditions) for route in self.seen.routes):
            return "no route that comes to it is all of that at once"
        deciding = [
            str(n + 1)
            for n, rule in enumerate(before)
            if rule.decides is not None and any(all(met(r) for _, met in conditions) for r in self.seen.met.get(n, ()))
        ]
        return f"rule {' or '.join(deciding)} decides first on all that it would match"

    def _apart(self, rule: Rule, conditions: list[Condition], spot: Spot) -> bool:
        """Whether the rule's prefixes would take a group apart (noted): a group is one thing, and goes one way."""
        found: dict[str, str] = {}
        for route in self.seen.routes:
            if all(met(route) for _, met in conditions) and any(
                r.network.version == VERSION[route.family] for r in rule.prefixes
            ):
                known = prefixes_of(self.net, route.group, route.family)
                inside = [p for p in known if any(r.covers(p) for r in rule.prefixes)]
                if not known:
                    found[route.group] = f"the file has only the number of its {route.family} prefixes"
                elif inside and len(inside) < len(known):
                    found[route.group] = f"{inside[0]} is inside, {next(p for p in known if p not in inside)} is not"
        for group, why in sorted(found.items()):
            message = f"the rule's prefixes cannot be held against group '{group}': {why}"
            self.faults.error("group-apart", spot, message, "groups with listed prefixes, all inside or all outside")
        return bool(found)
