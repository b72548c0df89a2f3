"""What became of every demand: the trails of its flows, summed per family."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping
from typing import TypeVar

from trunkline.demand.flows import Flows
from trunkline.demand.reason import Reason
from trunkline.model.network import Network
from trunkline.model.nouns import Demand, Family
from trunkline.traffic.fib import Fib
from trunkline.traffic.loads import Delivery, Loads
from trunkline.traffic.walk import NONE, Walked

K = TypeVar("K")


def deliveries(
    fib: Fib, flows: Flows, walked: Walked, before: Loads | None, other: Container[tuple[str, Family]]
) -> tuple[Delivery, ...]:
    """Return the outcome of each part of a demand, by (demand, family).

    The flows of all but `other` parts do what they did before.
    """
    if before is None or before.fib.net.demands is not fib.net.demands:
        demands = {demand.name: demand for demand in fib.net.demands}
        parts = flows.spans.items()
        return tuple([_delivery(fib, demands[name], family, walked[span]) for (name, family), span in parts])
    left, then = fib.left, before.fib.left
    same = (left.dark, left.lost) == (then.dark, then.lost)  # else what is lost may be gone now, or no more
    found = list(before.deliveries)
    for i, d in enumerate(found):
        key = d.demand.name, d.family
        if key in other or not d.walked or (d.missing and not same):  # without flows it may be lost for another reason
            found[i] = _delivery(fib, d.demand, d.family, walked[flows.spans[key]])
    return tuple(found)


def _delivery(fib: Fib, demand: Demand, family: Family, walked: Walked) -> Delivery:
    done = NONE
    lost, exits = defaultdict[tuple[Reason, str], int](int), defaultdict[str, int](int)
    beside = 0
    for flow, trail in walked:
        done = done.plus(trail.done) if done.rate else trail.done
        _add(lost, trail.lost)
        _add(exits, trail.exits)
        rest = trail.done.rate - trail.done.rode
        if rest and any((flow.start, exit_, flow.cls) in fib.placement.between for exit_ in flow.exits):
            beside += rest
    rate = demand.rate_of(family)
    if not walked:
        lost[_no_way_in(fib.net, demand), demand.source] = rate
    return Delivery(
        demand,
        family,
        rate,
        done.rate,
        tuple((*key, r) for key, r in sorted(lost.items(), key=lambda item: (-item[1], item[0])) if r),
        done.slowest if done.rate else None,
        done.moment // done.rate if done.rate else None,
        tuple(sorted([(name, r) for name, r in exits.items() if r])),
        done.rode,
        done.strayed,
        beside,
        done.rate < rate and fib.dark(demand),
        tuple(walked),
        fib,
    )


def _add(total: dict[K, int], more: Mapping[K, int]) -> None:
    for key, rate in more.items():
        total[key] += rate


def _no_way_in(net: Network, demand: Demand) -> Reason:
    """Why a demand has no flow: its end has failed; whoever could send it in has not heard of that end, or is down."""
    if demand.source not in net.dark and demand.target in net.dark:
        return Reason.TARGET_DOWN
    sends = [p for p in net.peers if p.name == demand.source or any(a.group == demand.source for a in p.announces)]
    inside = demand.source in net.datacenter or demand.source in net.router
    return Reason.NOT_ANNOUNCED if not inside and any(p.ports for p in sends) else Reason.SOURCE_DOWN
