"""Policy: which routes cross from one region to another and what is set on them, and what peers hear of us.

A route crosses only where the sender's export filter and the receiver's import filter both let it.  Within a region
everything passes.  The file's rules come first; then the design's own: where it confines transit routes, they stay.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace

from trunkline.model.network import Network
from trunkline.model.nouns import Kind, Port
from trunkline.model.policy import PolicyRule
from trunkline.model.route import Route, at, between, follow, meets, offered


def crosses(net: Network, route: Route, source: str, target: str) -> Route | None:
    """Return a route as it arrives in region `target` from a router of region `source`; None where it does not."""
    left = passes(net, route, "export", source, target)
    return None if left is None else passes(net, left, "import", source, target)


def passes(net: Network, route: Route, side: str, source: str, target: str) -> Route | None:
    """Return a route after one side's filter, None where the filter holds it back."""
    if source == target:
        return route
    rules = net.ibgp.rules
    after, rule = follow(rules, between(net, side, source, target), route) if rules else (route, None)
    if rule is None:
        return None if route.kind is Kind.TRANSIT and net.ibgp.confines else after
    return after if rule.cross else None


def told_apart(net: Network) -> Callable[[Route], Hashable]:
    """Return what rules between regions tell a route by, beside its port: they treat routes alike where it is equal.

    What a rule sets is then held against what no rule has touched, so that one counts as it is; an AS path stays whole.
    """
    rules = [replace(rule, communities=()) for rule in net.ibgp.rules]
    asked = {community for rule in net.ibgp.rules for community in rule.communities}
    sets_pref = any(rule.change.local_pref is not None for rule in rules)
    sets_med = any(rule.change.med is not None for rule in rules)

    def look(route: Route) -> Hashable:
        met = tuple(meets(net, rule, route) for rule in rules)
        carried = tuple(sorted(asked.intersection(route.communities)))
        return met, carried, sets_pref and route.local_pref, sets_med and route.med

    return look


def held_back_by(net: Network, route: Route, source: str, target: str) -> PolicyRule | None:
    """Return the rule that keeps a route from crossing, None where it crosses or the design itself keeps it."""
    for side in ("export", "import"):
        route, rule = follow(net.ibgp.rules, between(net, side, source, target), route)
        if rule is not None and not rule.cross:
            return rule
        if rule is None and route.kind is Kind.TRANSIT and net.ibgp.confines:
            return None
    return None


def heard(net: Network, port: Port, route: Route) -> Route | None:
    """Return a route that the port's router uses as the peer hears of it (RFC 4271 9.1.3); None where it does not.

    Rules hold back or change what is `offered`; they let nothing else out.
    """
    if not offered(net, port, route):
        return None
    as_sent = replace(route, path=(net.ibgp.asn,) * (1 + port.prepend_out) + route.path, med=port.med_out or 0)
    after, rule = follow(net.peer[port.peer].exports, at(net, port.router), as_sent)
    return after if rule is None or rule.accept else None
