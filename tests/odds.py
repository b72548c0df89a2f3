"""Rates for tests: nothing fails but what is said to, with odds of down to up that are easy to reckon with."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from trunkline.model.network import Network
from trunkline.model.rates import DEFAULTS, HOUR, Failures, OwnRate, Rate, Rates

NEVER = Rate(Decimal(0), HOUR, 0, 0)


def failing(net: Network, *named: tuple[str, str], **kinds: str) -> Network:
    """The network with these odds, by kind and by name, of repairs of one hour: odds times 8,760 failures a year."""
    rates = dict.fromkeys(DEFAULTS, NEVER) | {kind: _rate(odds) for kind, odds in kinds.items()}
    own = tuple(sorted((name, OwnRate(_rate(odds).per_year, HOUR)) for name, odds in named))
    return replace(net, failures=Failures(rates=Rates(tuple(rates.items()), own)))


def _rate(odds: str) -> Rate:
    return Rate(Decimal(odds) * 8760, HOUR, 100_000, 400_000)
