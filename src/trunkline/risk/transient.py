"""The moments before the network has settled again: how often traffic is hit by a failure, and for how long.

Whatever a failed thing carried is lost until the failure is detected.  From then on until the network has converged,
what is lost on bypass is (where a sweep says so), else still everything that it carried: the most that it can be.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from trunkline.flow import State
from trunkline.igp.solve import Arc
from trunkline.model.failing import Failing, failing_of
from trunkline.model.network import Network
from trunkline.risk.causes import Effects
from trunkline.risk.groups import Group, Part, groups
from trunkline.traffic.walk import Trail

Bypassed = Mapping[tuple[str, ...], Mapping[Part, int]]
"""What each part of a demand loses on bypass, bit/s, by the things that fail as `Effects.things` has them."""


@dataclass
class Transient:
    """Failures a year that hit a group, and the time lost by them: microseconds a year times bit/s lost."""

    per_year: Fraction = Fraction(0)
    lost: Fraction = Fraction(0)


def transients(effects: Effects, before: State, bypassed: Bypassed) -> dict[Group, Transient]:
    """Return what single failures cost each group in a year, until the network has settled after each.

    `before` is the settled state that they hit.
    """
    found: defaultdict[Group, Transient] = defaultdict(Transient)
    net = effects.net
    belongs, carried = groups(net), _Carried(net, before)
    for failing in failing_of(net):
        hit = carried.by(failing)
        still = bypassed.get(effects.things(effects.settled(effects.of(failing.thing))), hit)
        rates: defaultdict[Group, int] = defaultdict(int)
        for part in {*hit, *still}:
            lost = hit.get(part, 0) * failing.rate.detection + still.get(part, 0) * failing.rate.convergence
            for group in belongs[part] if lost else ():
                rates[group] += lost
        for group, lost in rates.items():
            found[group].per_year += failing.per_year
            found[group].lost += failing.per_year * lost
    return dict(found)


class _Carried:
    """What of each demand's part crosses each circuit, router and port, bit/s; at most its rate counts."""

    def __init__(self, net: Network, state: State) -> None:
        self.net = net
        self._over: defaultdict[tuple[str, str], dict[Part, int]] = defaultdict(dict)
        self._rates: dict[Part, int] = defaultdict(int)
        arc = {arc.name: arc for arc in state.reach.arcs}
        for flow, trail in state.loads.walked:
            part = flow.demand, flow.family
            self._rates[part] += flow.rate
            for what in ((("router", flow.start), flow.rate), *_crossed(trail, arc)):
                self._add(*what, part)

    def _add(self, what: tuple[str, str], rate: int, part: Part) -> None:
        self._over[what][part] = self._over[what].get(part, 0) + rate

    def by(self, failing: Failing) -> dict[Part, int]:
        """Return what of each part a thing carries: a member of a bundle its share of it."""
        name, _, member = failing.thing.partition(":")
        hit = self.net.names(name)
        places = [(kind, one) for kind, key in _KINDS for one in sorted(hit[key])]
        total: defaultdict[Part, int] = defaultdict(int)
        for place in places:
            for part, rate in self._over.get(place, {}).items():
                total[part] += rate
        share = self.net.circuit[name].members if member else 1
        return {part: -(-min(rate, self._rates[part]) // share) for part, rate in total.items()}


_KINDS: Sequence[tuple[str, str]] = (("router", "routers"), ("circuit", "circuits"), ("port", "ports"))


def _crossed(trail: Trail, arc: Mapping[str, Arc]) -> Iterator[tuple[tuple[str, str], int]]:
    """Every router that a trail goes into, and every circuit and port that it crosses, with the rate."""
    for load in (trail.igp, trail.lsp):
        for name, rate in load.items():
            yield ("circuit", arc[name].circuit), rate
            yield ("router", arc[name].head), rate
    for (_, port), rate in trail.ports.items():
        yield ("port", port), rate
