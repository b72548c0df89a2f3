"""Where nodes are on the globe, and how far apart."""

from __future__ import annotations

import math
from decimal import Decimal

from trunkline.sources.rules import Ledger
from trunkline.sources.sketch import Sketch

EARTH_KM = 6371.0088
"""Mean radius of the Earth (IUGG)."""

At = tuple[Decimal, Decimal]
"""Latitude and longitude, degrees."""


def kilometres(a: At, b: At) -> Decimal:
    """Return the great-circle distance (haversine), to 100 m."""
    lat_a, lat_b = math.radians(a[0]), math.radians(b[0])
    half = math.sin((lat_b - lat_a) / 2) ** 2
    half += math.cos(lat_a) * math.cos(lat_b) * math.sin(math.radians(b[1] - a[1]) / 2) ** 2
    return Decimal(f"{2 * EARTH_KM * math.asin(min(1.0, math.sqrt(half))):.1f}")


def measured(sketch: Sketch, ledger: Ledger) -> dict[str, At]:
    """Return the position of every node whose position can be believed, by id.

    A drawing is no map: where one position is off the globe, none counts.
    """
    given = {n.id: (n.lat, n.lon) for n in sketch.nodes if n.lat is not None and n.lon is not None}
    off = next((id_ for id_, at in given.items() if not on_globe(at)), None)
    if off is not None:
        lat, lon = given[off]
        ledger.apply("position-drawn", f"all {len(given)}: {off} is at {lat} {lon}")
        return {}
    for id_ in [id_ for id_, at in given.items() if not any(at)]:
        ledger.apply("position-zero", id_)
        del given[id_]
    return given


def on_globe(at: At) -> bool:
    """Whether latitude and longitude are those of a place on Earth."""
    return abs(at[0]) <= 90 and abs(at[1]) <= 180
