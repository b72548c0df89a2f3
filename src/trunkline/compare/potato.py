"""How far traffic is carried to its exits, between what hot and cold potato would make of it.

Of the exits that are best before distance counts, hot potato takes the nearest and cold potato carries as far as it
can, to the one of the longest latency: what a choice of exits can cost or save lies between the two.  Confinement may
take a design out of that range, as it takes exits away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trunkline.bgp.decision import Candidate, Learned, contenders
from trunkline.bgp.enter import Own, entries
from trunkline.compare.yardstick import Yardstick
from trunkline.demand.flows import Flows
from trunkline.model.network import Network
from trunkline.model.nouns import MILLION, Family


@dataclass(frozen=True)
class Carried:
    """Traffic times latency along IS-IS from where it starts to its exits: bits under way.  Who has none adds none."""

    aimed: int
    """To the exits that the first router aims at."""
    hot: int
    cold: int


def carried(net: Network, flows: Flows, yardsticks: Mapping[Family, Yardstick]) -> Carried:
    """Return how far the flows to prefix groups are carried, and how far they would be by the two rules."""
    entered = {family: entries(net, family) for family in Family}
    best: dict[tuple[Family, str], list[str]] = {}
    sums = [0, 0, 0]
    for flow in flows.flows:
        key = flow.family, flow.group
        if key not in best:
            best[key] = _contending(entered[flow.family].get(flow.group, {}))
        yardstick = yardsticks[flow.family]
        ways = [
            (metric, border)
            for border in best[key]
            if (metric := yardstick.reach.distance(flow.family, flow.start, border)) is not None
        ]
        if not flow.exits or not ways:
            continue
        delays = [yardstick.delay(flow.start, border) for border in flow.exits]
        figures = (
            sum(delays) // len(delays),
            yardstick.delay(flow.start, min(ways)[1]),
            max(yardstick.delay(flow.start, border) for _, border in ways),
        )
        sums = [total + flow.rate * delay for total, delay in zip(sums, figures, strict=True)]
    return Carried(*(total // MILLION for total in sums))


def _contending(own: Own) -> list[str]:
    """Return the border routers whose routes are best before it counts who is near, by name."""
    heard = [Candidate(r, Learned.IBGP, 0, 0, 0, border) for border, routes in own.items() for r in routes]
    return sorted({c.sender for c in contenders(heard)}) if heard else []
