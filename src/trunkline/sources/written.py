"""Quantities as the network file writes them: exact, in the largest unit that fits."""

from __future__ import annotations

from decimal import Decimal

_RATES = (("T", 12), ("G", 9), ("M", 6), ("k", 3))


def rate_text(bps: int) -> str:
    """Return `400G`, `1.6T`, `9.95328G`, `12bps`."""
    for letter, power in _RATES:
        if bps >= 10**power:
            return f"{Decimal(bps).scaleb(-power).normalize():f}{letter}"
    return f"{bps}bps"


def time_text(us: int) -> str:
    """Return `8.5ms`, `120us`."""
    return f"{(Decimal(us) / 1000).normalize():f}ms" if us >= 1000 else f"{us}us"


def length_text(km: Decimal) -> str:
    """Return `1100 km`, `132.4 km`."""
    return f"{km.normalize():f} km"


def degrees(angle: Decimal) -> Decimal:
    """Return degrees to five decimals, about a metre."""
    return round(angle, 5).normalize() + 0
