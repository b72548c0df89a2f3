"""How a full circuit shares itself among classes: strict first, then by weight, and nothing left idle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trunkline.demand.flows import split_by_weight
from trunkline.model.nouns import TrafficClass


def serve(capacity: int, offered: Mapping[str, int], classes: Iterable[TrafficClass]) -> dict[str, int]:
    """Return what each class gets of `capacity`, bit/s: never more than it offers, and all of it where there is more.

    Strict classes are served one after the other, higher `tc` first (then by name).  Weighted ones share what is left
    by weight, and what one cannot use goes to those that still wait; the last division's remainder goes to the first
    by name.
    """
    known = {c.name: c for c in classes}
    strict = sorted((c for c in known.values() if c.weight is None), key=lambda c: (-c.tc, c.name))
    served = {}
    for cls in strict:
        served[cls.name] = min(offered.get(cls.name, 0), capacity)
        capacity -= served[cls.name]
    waiting = {name: offered[name] for name in sorted(offered) if known[name].weight is not None}
    while waiting:
        names = list(waiting)
        shares = dict(zip(names, split_by_weight(capacity, [known[n].weight or 0 for n in names]), strict=True))
        done = [n for n in names if waiting[n] <= shares[n]] or names
        for name in done:
            served[name] = min(waiting.pop(name), shares[name])
            capacity -= served[name]
    return {name: served[name] for name in sorted(offered)}
