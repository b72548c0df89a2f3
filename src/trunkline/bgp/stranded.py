"""Regions that lose the Internet when a transit provider or a peering router fails, and what the fallback costs.

Each loss is solved twice, without the fallback default and with it, whatever the file says.  Latency is from a router
to the exit that it uses, by the longest of its equal ways; what the fallback adds is the difference to before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from trunkline.bgp.solve import Routes
from trunkline.bgp.solve import solve as converge
from trunkline.igp import solve as igp
from trunkline.igp.latency import Latencies
from trunkline.model.network import Network
from trunkline.model.nouns import Family, Kind, Role


@dataclass(frozen=True)
class Stranded:
    """A region that a loss leaves without the Internet where there is no fallback.

    `rescued` says whether the fallback gives every router of it a way.  What that adds is in microseconds, over the
    routers and transit groups that had a way before and have one by the fallback; None where there are none.
    """

    lost: str
    """The transit provider or router."""
    region: str
    family: Family
    rescued: bool
    measured: int
    """How many pairs of a router and a group the figures are over."""
    added_min: int | None = None
    added_median: int | None = None
    """The lower of the two in the middle."""
    added_max: int | None = None


def stranded(net: Network) -> tuple[Stranded, ...]:
    """Return the regions that each single loss strands, by what is lost, region and family.

    Lost are, one at a time, every transit provider and every router that is a PR or has a transit port.  A region that
    has no way to the Internet as it is cannot lose it, nor one whose routers are all lost.
    """
    whole = _converged(_with_fallback(net, False))
    found: list[Stranded] = []
    for thing in _losses(net):
        after = net.without(thing)
        gone = _converged(_with_fallback(after, False))
        newly = sorted(set(gone.stranded) - set(whole.stranded))
        if newly:
            rescue = converge(_with_fallback(after, True), gone.reach)
            found += [_priced(thing, region, family, whole, rescue) for region, family in newly]
    return tuple(found)


def _with_fallback(net: Network, fallback: bool) -> Network:
    return replace(net, ibgp=replace(net.ibgp, fallback_default=fallback))


def _converged(net: Network) -> Routes:
    return converge(net, igp.solve(net))


def _losses(net: Network) -> list[str]:
    transits = [peer for peer in net.peers if peer.kind is Kind.TRANSIT and peer.ports]
    routers = {port.router for peer in transits for port in peer.ports}
    routers |= {router.name for router in net.routers if router.role is Role.PR}
    return sorted({*(peer.name for peer in transits), *routers})


def _priced(thing: str, region: str, family: Family, whole: Routes, rescue: Routes) -> Stranded:
    added = sorted(_added(region, family, whole, rescue))
    rescued = (region, family) not in rescue.stranded
    if not added:
        return Stranded(thing, region, family, rescued, 0)
    return Stranded(thing, region, family, rescued, len(added), added[0], added[(len(added) - 1) // 2], added[-1])


def _added(region: str, family: Family, whole: Routes, rescue: Routes) -> Iterator[int]:
    """Yield what a loss adds to the latency of each router of a region to the exit of each transit group."""
    before, after = Latencies(whole.net, whole.reach, family), Latencies(rescue.net, rescue.reach, family)
    for router in rescue.net.routers:
        for group in _transit_groups(whole.net) if router.region == region else ():
            was, now = whole.lookup(router.name, group, family), rescue.lookup(router.name, group, family)
            if was is not None and now is not None:
                yield after.to(router.name, now.best.route.router) - before.to(router.name, was.best.route.router)


def _transit_groups(net: Network) -> Iterable[str]:
    return sorted({a.group for peer in net.peers if peer.kind is Kind.TRANSIT for a in peer.announces})
