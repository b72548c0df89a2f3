"""What the file says of failures: what fails together, how often things fail and how long they stay down.

Kinds and names that a file leaves out have defaults; where one is published, and where it is an assumption, is in
docs/concepts/availability.md.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction

HOUR = 3600
DAY = 24 * HOUR
YEAR = 8760 * HOUR
"""Seconds of a year of 365 days."""
MS = 1000


@dataclass(frozen=True)
class Rate:
    """Failures a year and what follows each: `repair` in seconds, `detection` and `convergence` in microseconds.

    Traffic on what fails is lost until the failure is detected and, where nothing protects it, until the network has
    converged after that.
    """

    per_year: Decimal
    repair: int
    detection: int
    convergence: int

    @property
    def odds(self) -> Fraction:
        """Time down over time up: failures a year times the mean time to repair, over a year."""
        return Fraction(self.per_year) * self.repair / YEAR


@dataclass(frozen=True)
class OwnRate:
    """What the file says of one thing by name; what is None is as its kind has it."""

    per_year: Decimal | None = None
    repair: int | None = None
    detection: int | None = None
    convergence: int | None = None

    def over(self, rate: Rate) -> Rate:
        """Return a kind's rate with what is said here in its place."""
        said = {name: value for name, value in vars(self).items() if value is not None}
        return replace(rate, **said)


DEFAULTS = {
    "fibre": Rate(Decimal("2.73"), 12 * HOUR, 50 * MS, 2000 * MS),
    "submarine": Rate(Decimal("0.1"), 20 * DAY, 50 * MS, 2000 * MS),
    "circuit": Rate(Decimal("0.266"), 2 * HOUR, 50 * MS, 2000 * MS),
    "member": Rate(Decimal("0.266"), 2 * HOUR, 50 * MS, 2000 * MS),
    "card": Rate(Decimal("0.1"), 4 * HOUR, 1000 * MS, 5000 * MS),
    "router": Rate(Decimal("0.2"), 4 * HOUR, 1000 * MS, 5000 * MS),
    "site": Rate(Decimal("0.02"), 8 * HOUR, 1000 * MS, 5000 * MS),
    "region": Rate(Decimal(0), DAY, 1000 * MS, 10_000 * MS),
    "peer": Rate(Decimal("0.05"), 4 * HOUR, 1000 * MS, 10_000 * MS),
    "port": Rate(Decimal("0.5"), 4 * HOUR, 1000 * MS, 5000 * MS),
    "risk": Rate(Decimal("0.1"), DAY, 50 * MS, 2000 * MS),
}
"""By kind; `fibre` and `submarine` are per 1,000 km, everything else per thing."""


@dataclass(frozen=True)
class Rates:
    """What the file says of rates: kinds, things by name, and which fibre lies in the sea."""

    kinds: tuple[tuple[str, Rate], ...] = ()
    named: tuple[tuple[str, OwnRate], ...] = ()
    submarine: frozenset[str] = field(default_factory=frozenset)
    """Circuits, and risks of circuits, whose fibre lies in the sea."""

    def of(self, kind: str) -> Rate:
        """Return the rate of a kind."""
        return dict(self.kinds).get(kind, DEFAULTS[kind])

    def own(self, name: str) -> OwnRate | None:
        """Return what the file says of a thing by name."""
        return dict(self.named).get(name)


DEFAULT_RATES = Rates()


@dataclass(frozen=True)
class FailureSet:
    """Things that the file says fail together, under a name of their own."""

    name: str
    things: tuple[str, ...]


@dataclass(frozen=True)
class Failures:
    """What the file says of failures: sets that fail together, what is taken out for maintenance, and how often."""

    sets: tuple[FailureSet, ...] = ()
    maintenance: tuple[str, ...] = ()
    rates: Rates = DEFAULT_RATES
