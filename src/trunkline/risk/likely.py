"""The likeliest effects of independent causes, with what each weighs: exact, in integers.

With odds a/b for each cause, the probability that just those of a set are down is the product of their a and of the
others' b, over the product of all a + b.  That common denominator is left out, so a weight is an integer and sums of
weights are exact.  In a large network weights keep `BITS` bits and are rounded down, the total up: what that loses is
in the remainder.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from trunkline.risk.causes import Cause, Effect, Effects

Subset = tuple[int, ...]
"""Places of the causes that are down, ascending; causes come the likeliest first."""
DEPTH = 16
"""Sets of causes that are listed for each effect that is wanted: many sets have an effect that others have too."""
BITS = 1024
"""Of the total, and of weights beside it."""


@dataclass(frozen=True)
class Likely:
    """Effects, the heaviest first, with their weights; `total` is what all that can happen weighs."""

    effects: tuple[tuple[Effect, int], ...]
    total: int
    beyond: tuple[int, ...]
    """Weights of effects that were listed and are not among them, the heaviest first."""
    counted: frozenset[Subset]
    """The sets of causes that the weights are sums of."""

    @property
    def remainder(self) -> int:
        """The weight of everything that is not in `effects`."""
        return self.total - sum(weight for _, weight in self.effects)

    def more(self, slack: int) -> int | None:
        """How many further effects would leave no more than so much weight; None where too few were listed."""
        left = self.remainder
        for number, weight in enumerate(self.beyond, 1):
            left -= weight
            if left <= slack:
                return number
        return None


def likely(effects: Effects, budget: int) -> Likely:
    """Return the `budget` heaviest effects among the likeliest `DEPTH` times as many sets of causes."""
    weights, subsets, total = _listed(effects, DEPTH * budget)
    ordered = _heaviest(weights)
    counted = frozenset(subset for effect, _ in ordered[:budget] for subset in subsets[effect])
    return Likely(tuple(ordered[:budget]), total, tuple(weight for _, weight in ordered[budget:]), counted)


def weighed(effects: Effects, most: int) -> tuple[dict[Effect, int], int]:
    """Return effects with their weights, and the total: enough for the `most` heaviest that no cause has alone.

    A weight is the sum over the likeliest sets of causes: `DEPTH` of them for each effect wanted and for each cause.
    """
    weights, _, total = _listed(effects, DEPTH * (most + len(effects.causes)))
    return weights, total


def together(effects: Effects, weights: Mapping[Effect, int], most: int) -> list[Effect]:
    """Return the heaviest effects that take two causes or more and leave a router, the heaviest first."""
    alone = {0, *(effects.settled(cause.effect) for cause in effects.causes)}
    several = {effect: weight for effect, weight in weights.items() if effect not in alone}
    left = {e: weight for e, weight in several.items() if e & effects.all_routers != effects.all_routers}
    return [effect for effect, _ in _heaviest(left)[:most]]


def _heaviest(weights: Mapping[Effect, int]) -> list[tuple[Effect, int]]:
    return sorted(weights.items(), key=lambda item: (-item[1], item[0]))


def _listed(effects: Effects, sets: int) -> tuple[dict[Effect, int], dict[Effect, list[Subset]], int]:
    """Weights of the effects of the likeliest sets of causes, the sets that each is the effect of, and the total."""
    causes = effects.causes
    base = prod(cause.odds.denominator for cause in causes)
    total = prod(cause.odds.numerator + cause.odds.denominator for cause in causes)
    spare = max(0, total.bit_length() - BITS)
    weights: dict[Effect, int] = {}
    subsets: dict[Effect, list[Subset]] = {}
    for number, subset in enumerate(by_falling_odds(causes)):
        if number == sets:
            break
        effect, weight = joint(effects, subset), base
        for i in subset:
            weight = weight // causes[i].odds.denominator * causes[i].odds.numerator
        weights[effect] = weights.get(effect, 0) + (weight >> spare)
        subsets.setdefault(effect, []).append(subset)
    return weights, subsets, -(-total >> spare)


def joint(effects: Effects, subset: Subset) -> Effect:
    """Return the effect of several causes together."""
    effect = 0
    for i in subset:
        effect |= effects.causes[i].effect
    return effects.settled(effect)


def by_falling_odds(causes: Sequence[Cause]) -> Iterator[Subset]:
    """Yield every set of causes, in order of falling probability (where no odds exceed 1), one at a time.

    Each set but the empty one follows from one other: by adding the cause next after its last, or by putting that one
    in the place of its last.  Neither is likelier than what it follows from, so a heap of candidates is enough.
    """
    odds = [float(cause.odds) for cause in causes]
    yield ()
    heap: list[tuple[float, Subset]] = [(-odds[0], (0,))] if odds else []
    while heap:
        _, subset = heapq.heappop(heap)
        yield subset
        after = subset[-1] + 1
        if after < len(odds):
            for following in ((*subset, after), (*subset[:-1], after)):
                heapq.heappush(heap, (-prod(odds[i] for i in following), following))
