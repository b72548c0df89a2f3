"""The routes that enter the network: from peers after their import rules, from data centres, the fallback default."""

from __future__ import annotations

from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Family, Kind
from trunkline.model.route import Route, imported, originated, said


def entries(net: Network, family: Family) -> dict[str, dict[str, list[Route]]]:
    """Return the routes that enter the network: {group: {border router: routes, by port}}."""
    found: dict[str, dict[str, list[Route]]] = {}
    live: set[str] = set()
    for one in said(net):
        route = imported(net, one) if one.family is family else None
        if route is not None:
            found.setdefault(route.group, {}).setdefault(route.router, []).append(route)
            live |= {route.router} if route.kind is Kind.TRANSIT else set()
    for router in sorted(live) if net.ibgp.fallback_default else ():
        default = originated(net, DEFAULT_GROUP, family, router, Kind.DEFAULT)
        found.setdefault(DEFAULT_GROUP, {})[router] = [default]
    return found
