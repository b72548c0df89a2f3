"""Quantities as the network file writes them: exact, in the largest unit that fits."""

from __future__ import annotations

from decimal import Decimal

from trunkline.model.units import exact_rate


def rate_text(bps: int) -> str:
    """Return `400G`, `1.6T`, `9.95328G`, and `12bps`, which would be a bare number otherwise."""
    return exact_rate(bps) if bps >= 1000 else f"{bps}bps"


def length_text(km: Decimal) -> str:
    """Return `1100 km`, `132.4 km`."""
    return f"{km.normalize():f} km"


def degrees(angle: Decimal) -> Decimal:
    """Return degrees to five decimals, about a metre."""
    return round(angle, 5).normalize() + 0
