"""What the figures of availability are about: parts of demands, and the classes and pairs of regions they belong to."""

from __future__ import annotations

from trunkline.model.network import Network
from trunkline.model.nouns import Demand, Family

OUTSIDE = "internet"
"""Where a demand is, for want of a region, whose end is no router or data centre of ours."""

Part = tuple[str, Family]
"""One family's part of a demand."""
Group = tuple[str, ...]


def groups(net: Network) -> dict[Part, tuple[Group, ...]]:
    """Return what each part of a demand belongs to: itself, its class, its pair of regions."""
    region = {r.name: r.region for r in net.routers}
    sites = {s.name: s.region for s in net.sites}
    region |= {d.name: sites[d.site] for d in net.datacenters if d.site in sites}
    found: dict[Part, tuple[Group, ...]] = {}
    for demand in net.demands:
        pair = region.get(demand.source, OUTSIDE), region.get(demand.target, OUTSIDE)
        for family in parts_of(demand):
            own = ("demand", demand.name, str(family))
            found[demand.name, family] = (own, ("class", demand.cls), ("pair", *pair))
    return found


def parts_of(demand: Demand) -> list[Family]:
    """Return the families that a demand has traffic of."""
    return [family for family in Family if demand.rate_of(family)]
