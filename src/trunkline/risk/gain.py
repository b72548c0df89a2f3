"""Which additions buy most: each tried, and availability computed again on the whole network with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from trunkline.model.network import Network
from trunkline.model.nouns import Measure
from trunkline.risk.additions import Addition, additions
from trunkline.risk.availability import NOTHING, Availability, Interval, Work, available

HURTING = 10
"""Scenarios, the costliest first, whose things are looked at for additions."""
TRIED = 16
"""Additions that are tried, the first ones: those for the costliest scenarios."""

Watch = Callable[[int, int], None]
"""Told how many additions have been tried, and how many will be."""


@dataclass(frozen=True)
class Gain:
    """What an addition does: how likely the demands are to be served, on the mean, and what more that is than before.

    The gain compares upper bounds: what was looked at before and after, not what may yet be found.
    """

    what: str
    thing: str
    served: Interval
    gained: Fraction


def gains(found: Availability, work: Work, watch: Watch = lambda done, total: None) -> tuple[Gain, ...]:
    """Return what each addition gains the demands that objectives of availability are about (else all), most first.

    Before and after are computed with the same work.
    """
    net = found.net
    classes = _classes(net)
    hurt = sorted({(-weight, name) for cls in classes for weight, name, _ in found.tally.hurt[cls]})
    hurting = [tuple(name.split(",")) for _, name in hurt[:HURTING] if name != NOTHING]
    tried = list(islice(additions(net, hurting), TRIED))
    if not tried:
        return ()
    before = _mean(available(net, work.within("additions/none")), classes)
    made = []
    for done, addition in enumerate(tried):
        watch(done, len(tried))
        after = available(addition.net, work.within(f"additions/{done + 1:02}-{addition.what}"))
        made.append(_gain(addition, before, _mean(after, classes)))
    return tuple(sorted(made, key=lambda g: (-g.gained, g.what, g.thing)))


def _classes(net: Network) -> frozenset[str]:
    """The classes that have traffic and an objective of availability; all that have traffic, where there is none."""
    asked = {o.cls for o in net.objectives if o.measure is Measure.AVAILABILITY}
    return frozenset(d.cls for d in net.demands if not asked or None in asked or d.cls in asked)


def _gain(addition: Addition, before: Interval, after: Interval) -> Gain:
    return Gain(addition.what, addition.thing, after, after.high - before.high)


def _mean(found: Availability, classes: frozenset[str]) -> Interval:
    """How likely demands of these classes are to be served, on the mean of all of their parts."""
    demands = {d.name: d.cls for d in found.net.demands}
    mine = [found.served(group) for group, _ in found.groups("demand") if demands[group[1]] in classes]
    return Interval(
        sum((i.low for i in mine), Fraction(0)) / len(mine), sum((i.high for i in mine), Fraction(0)) / len(mine)
    )
