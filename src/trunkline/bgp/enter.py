"""The routes that enter the network: from peers, from data centres, and the fallback default."""

from __future__ import annotations

from trunkline.bgp.decision import Route
from trunkline.bgp.policy import LOCAL_PREF
from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Family, Kind


def entries(net: Network, family: Family) -> dict[str, dict[str, list[Route]]]:
    """Return the routes that enter the network: {group: {border router: routes, by port}}."""
    found: dict[str, dict[str, list[Route]]] = {}

    def enter(route: Route) -> None:
        found.setdefault(route.group, {}).setdefault(route.router, []).append(route)

    live: dict[str, str] = {}
    for port in net.ports:
        peer = net.peer[port.peer]
        for said in peer.announces:
            if net.group[said.group].has(family) and (said.at is None or port.name in said.at):
                med = port.med if port.med is not None else said.med or 0
                pref = port.local_pref if port.local_pref is not None else LOCAL_PREF[peer.kind]
                region = net.router[port.router].region
                enter(
                    Route(
                        said.group, family, port.router, port.name, peer.kind, region, pref, said.path, med, said.origin
                    )
                )
                if peer.kind is Kind.TRANSIT:
                    live[port.router] = region
    for dc in net.datacenters:
        for router in dc.attach:
            if net.group[dc.name].has(family):
                enter(_own(dc.name, family, router, Kind.DATACENTER, net.router[router].region))
    if net.ibgp.fallback_default:
        for router, region in sorted(live.items()):
            enter(_own(DEFAULT_GROUP, family, router, Kind.DEFAULT, region))
    return found


def _own(group: str, family: Family, router: str, kind: Kind, region: str) -> Route:
    return Route(group, family, router, None, kind, region, LOCAL_PREF[kind])
