"""Peers, data centres, classes and placed LSPs, for tests of what BGP and the walk make of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from nets import GIG
from trunkline.bgp import solve as bgp
from trunkline.demand.aim import aim
from trunkline.igp import solve as igp
from trunkline.igp.solve import Arc
from trunkline.model.network import Network
from trunkline.model.nouns import (
    Announcement,
    Datacenter,
    Demand,
    Kind,
    Lsp,
    Peer,
    Port,
    PrefixGroup,
    TrafficClass,
)
from trunkline.te.result import Placed, Placement
from trunkline.traffic.carry import carry
from trunkline.traffic.loads import Delivery, Loads

GOLD = TrafficClass("gold", 46, 5, None, 3, 3, ("bulk",))
BULK = TrafficClass("bulk", 8, 1, 1, 5, 5)


def peer(name: str, kind: Kind, routers: list[str], groups: list[str], asn: int = 65001, gbps: int = 1000) -> Peer:
    """A peer with one port per router (`name@router`) that announces every group at all of them."""
    ports = tuple(Port(f"{name}@{r}", name, r, gbps * GIG) for r in sorted(routers))
    return Peer(name, kind, asn, ports, tuple(Announcement(g, (asn,)) for g in groups))


def complete(net: Network, peers: list[Peer], homes: dict[str, list[str]], demands: list[Demand]) -> Network:
    """The network with peers, data centres (name -> attach routers), both classes and demands."""
    names = {a.group for p in peers for a in p.announces} | set(homes)
    return replace(
        net,
        groups=tuple(PrefixGroup(n, 10, 5) for n in sorted(names)),
        peers=tuple(sorted(peers, key=lambda p: p.name)),
        datacenters=tuple(Datacenter(n, f"site-{homes[n][0]}", tuple(homes[n])) for n in sorted(homes)),
        classes=(BULK, GOLD),
        demands=tuple(sorted(demands, key=lambda d: d.name)),
    )


def demand(source: str, target: str, gbps: int, cls: str = "gold", v6_ppm: int = 0) -> Demand:
    """A demand named `source>target.class`."""
    return Demand(f"{source}>{target}.{cls}", source, target, cls, gbps * GIG, v6_ppm)


def lsp(net: Network, path: str, cls: str = "gold", gbps: int = 1, name: str | None = None) -> Placed:
    """An LSP placed over routers such as `a c b`, by the first circuit between each two."""
    routers = path.split()
    arcs = tuple(_arc(net, tail, head) for tail, head in pairwise(routers))
    made = Lsp(routers[0], name or f"{routers[-1]}.{cls}", routers[-1], cls, 3, 3, gbps * GIG)
    return Placed(made, gbps * GIG, gbps * GIG, arcs)


def _arc(net: Network, tail: str, head: str) -> Arc:
    return next(a for a in igp.arcs_of(net) if (a.tail, a.head) == (tail, head))


def walked(net: Network, *lsps: Placed) -> Loads:
    """What the walk yields with these LSPs placed."""
    reach = igp.solve(net)
    routes = bgp.solve(net, reach)
    placement = Placement(tuple(sorted(lsps, key=lambda p: (p.lsp.head, p.lsp.name))), ())
    return carry(net, reach, routes, aim(net, reach, routes), placement)


def loaded(loads: Loads) -> dict[str, int]:
    """Gbit/s offered to every directed circuit that carries anything."""
    rows = loads.tables()["circuits"].records()
    return {str(r["arc"]): int(r["load"] or 0) // GIG for r in rows if r["load"]}


def outcome(loads: Loads, name: str, family: str = "v4") -> Delivery:
    """One demand's outcome in a family."""
    return next(d for d in loads.deliveries if d.demand.name == name and d.family == family)
