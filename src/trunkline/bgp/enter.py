"""The routes that enter the network: from peers after their import rules, from data centres, the fallback default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Family, Kind
from trunkline.model.route import Route, imported, originated, said

Own = Mapping[str, Sequence[Route]]
"""The routes of a prefix group that enter the network, by border router."""
GRACEFUL_SHUTDOWN = "65535:0"
"""The community of a route whose session is about to go (RFC 8326 5)."""


def entries(net: Network, family: Family, known: Mapping[str, Own] | None = None) -> dict[str, Own]:
    """Return the routes that enter the network: {group: {border router: routes, by port}}.

    Of the groups in `known`, all but the default, that is the answer already.
    """
    found: dict[str, dict[str, list[Route]]] = {}
    live = {r for own in (known or {}).values() for r in own if any(x.kind is Kind.TRANSIT for x in own[r])}
    for one in said(net, known or ()):
        route = imported(net, one) if one.family is family else None
        if route is not None:
            route = _as_it_leaves(net, route)
            found.setdefault(route.group, {}).setdefault(route.router, []).append(route)
            live |= {route.router} if route.kind is Kind.TRANSIT else set()
    for router in sorted(live) if net.ibgp.fallback_default else ():
        default = _as_it_leaves(net, originated(net, DEFAULT_GROUP, family, router, Kind.DEFAULT))
        found.setdefault(DEFAULT_GROUP, {})[router] = [default]
    return {**(known or {}), **found}


def _as_it_leaves(net: Network, route: Route) -> Route:
    """Return a route as a router in graceful shutdown takes it in: marked, and preferred to none (RFC 8326 4)."""
    if not net.router[route.router].graceful_shutdown:
        return route
    return replace(route, local_pref=0, communities=tuple(sorted({*route.communities, GRACEFUL_SHUTDOWN})))
