"""Everything of a network that fails on its own, each with its rate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from trunkline.model.network import Network
from trunkline.model.nouns import Circuit
from trunkline.model.rates import Rate
from trunkline.model.units import NANOSECONDS_PER_KM


@dataclass(frozen=True)
class Failing:
    """A thing as `Network.without` takes it (`CIRCUIT:1` is one member), and `times` how much of its rate it has.

    `kind` is whose rate that is.
    """

    kind: str
    thing: str
    rate: Rate
    times: Fraction = Fraction(1)

    @property
    def odds(self) -> Fraction:
        """Time down over time up: U / (1 - U), with U the long-run share of the time that it is down."""
        return self.rate.odds * self.times

    @property
    def per_year(self) -> Fraction:
        """Failures in a year of time up."""
        return Fraction(self.rate.per_year) * self.times


def failing_of(net: Network) -> tuple[Failing, ...]:
    """Return everything that fails at all, each cause alone: a circuit by its fibre and by its ends."""
    risks = sorted({risk for c in net.circuits for risk in c.risks})
    others = (
        ("card", [card.name for r in net.routers for card in r.cards]),
        ("router", [r.name for r in net.routers]),
        ("site", sorted({r.site for r in net.routers})),
        ("region", sorted({r.region for r in net.routers})),
        ("peer", [p.name for p in net.peers if p.ports]),
        ("port", [p.name for p in net.ports]),
        ("risk", risks),
    )
    found = [one for circuit in net.circuits for one in _circuit(net, circuit)]
    found += [Failing(kind, name, _rate(net, kind, name)) for kind, names in others for name in names]
    return tuple(one for one in found if one.odds)


def _rate(net: Network, kind: str, name: str) -> Rate:
    rate, own = net.failures.rates.of(kind), net.failures.rates.own(name)
    return own.over(rate) if own is not None else rate


def _circuit(net: Network, circuit: Circuit) -> Iterator[Failing]:
    rates = net.failures.rates
    laid = "submarine" if rates.submarine & {circuit.name, *circuit.risks} else "fibre"
    own, alone = rates.own(circuit.name), circuit.members == 1
    if own is not None and own.per_year is not None:
        yield Failing(laid, circuit.name, own.over(rates.of(laid)))
    else:
        if net.router[circuit.a].site != net.router[circuit.b].site:
            thousands = Fraction(circuit.latency, NANOSECONDS_PER_KM)  # us over ns a km
            yield Failing(laid, circuit.name, _rate(net, laid, circuit.name), thousands)
        if alone:
            yield Failing("circuit", circuit.name, _rate(net, "circuit", circuit.name))
    for _ in range(0 if alone else circuit.members):
        yield Failing("member", f"{circuit.name}:1", rates.of("member"))
