"""Regional policy: which routes cross from one region to another.

A route crosses only where the sender's export filter and the receiver's import filter both let it.  Within a region
everything passes.  The file's rules come first, the first that matches; then the design's own: where it confines
transit routes, they stay.
"""

from __future__ import annotations

from trunkline.bgp.decision import Route
from trunkline.model.network import Network
from trunkline.model.nouns import Kind, PolicyRule

LOCAL_PREF = {Kind.CUSTOMER: 300, Kind.PEERING: 200, Kind.TRANSIT: 100, Kind.DATACENTER: 100, Kind.DEFAULT: 50}
"""What a route prefers by kind, unless its port says otherwise: customers pay us, peers are free, transit costs."""


def crosses(net: Network, route: Route, source: str, target: str) -> bool:
    """Whether a route goes from a router of region `source` to one of region `target`."""
    if source == target:
        return True
    return all(_lets(net, route, side, source, target) for side in ("export", "import"))


def _lets(net: Network, route: Route, side: str, source: str, target: str) -> bool:
    for rule in net.ibgp.rules:
        if rule.side in (side, "both") and _matches(net, rule, route, source, target):
            return rule.cross
    return route.kind is not Kind.TRANSIT or not net.ibgp.confines


def _matches(net: Network, rule: PolicyRule, route: Route, source: str, target: str) -> bool:
    peer = net.port[route.port].peer if route.port else None
    return (
        rule.kind in (None, route.kind)
        and rule.source in (None, source)
        and rule.target in (None, target)
        and rule.peer in (None, peer)
        and rule.group in (None, route.group)
    )
