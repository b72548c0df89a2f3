"""A sample of what is left when the likeliest has been counted, and what it says of all of it.

Drawn with a fixed seed by a generator whose numbers Python promises to keep, so a sample is the same in every run.
"""

from __future__ import annotations

from collections import Counter
from math import comb, log
from random import Random

from trunkline.risk.causes import Effect, Effects
from trunkline.risk.likely import Likely, Subset, joint

CONFIDENCE = 0.99
"""Of all figures of a run together."""
PATIENCE = 100
"""Draws for each that is wanted: what is already counted is thrown away."""
_STEPS = 60
"""Halvings of an interval of probabilities: beyond the last bit of a float near 1."""


def sample(effects: Effects, found: Likely, number: int) -> Counter[Effect]:
    """Return up to so many effects of sets of causes that are not counted, drawn by their probability.

    Fewer where they are too rare to be met in `PATIENCE` times as many draws.
    """
    drawn: Counter[Effect] = Counter()
    if not found.remainder:
        return drawn
    draw, left = _Draw(effects, found), number
    for _ in range(PATIENCE * number):
        subset = draw()
        if subset not in found.counted:
            drawn[joint(effects, subset)] += 1
            left -= 1
        if not left:
            break
    return drawn


class _Draw:
    """Draws sets of at least so many causes that not all smaller sets and not all of that size are counted."""

    def __init__(self, effects: Effects, found: Likely) -> None:
        self._down = [float(cause.odds / (1 + cause.odds)) for cause in effects.causes]
        sizes, causes = Counter(map(len, found.counted)), len(self._down)
        self._least = next(k for k in range(causes + 1) if sizes[k] < comb(causes, k))
        self._random = Random(0)  # noqa: S311
        self._tail = [[1.0] + [0.0] * self._least]  # at least k of the causes from one on, by k, from the last cause
        for down in reversed(self._down):
            after = self._tail[-1]
            more = [down * after[k - 1] + (1 - down) * after[k] for k in range(1, self._least + 1)]
            self._tail.append([1.0, *more])
        self._tail.reverse()

    def __call__(self) -> Subset:
        need, found = self._least, []
        for i, down in enumerate(self._down):
            share = down * self._tail[i + 1][need - 1] / self._tail[i][need] if need else down
            if self._random.random() < share:
                found.append(i)
                need = max(need - 1, 0)
        return tuple(found)


def bounds(mean: float, number: int, figures: int) -> tuple[float, float]:
    """Return bounds on the mean of what a sample was drawn from, whose values are between 0 and 1.

    Hoeffding 1963, theorem 1 (2.1), both sides, with what confidence leaves shared between `figures` bounds of two
    sides each, so that all hold together.  No sample says nothing.
    """
    if not number:
        return 0.0, 1.0
    limit = log(2 * figures / (1 - CONFIDENCE)) / number
    low, high = (0.0, mean), (mean, 1.0)
    for _ in range(_STEPS):
        middle = (low[0] + low[1]) / 2
        low = (middle, low[1]) if _divergence(mean, middle) > limit else (low[0], middle)
        middle = (high[0] + high[1]) / 2
        high = (high[0], middle) if _divergence(mean, middle) > limit else (middle, high[1])
    return low[0], high[1]


def _divergence(seen: float, true: float) -> float:
    """The relative entropy of two coins, infinite where what was seen cannot be."""
    total = 0.0
    for p, q in ((seen, true), (1 - seen, 1 - true)):
        if p > 0:
            total += p * log(p / q) if q > 0 else float("inf")
    return total
