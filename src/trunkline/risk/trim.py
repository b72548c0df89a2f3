"""What a plan that serves can do without: what lies idle, then less and less of what is dear, each try replayed.

The program and the needs that replays name ask for more than routing takes in the end: an LSP that does not fit on one
circuit any more often fits on another one, which has room for what it carries after some other failure.
"""

from __future__ import annotations

from collections.abc import Callable

from trunkline.risk.examine import ENOUGH, Judgement
from trunkline.risk.needs import Needs
from trunkline.risk.plan import Plan, Shop

IDLE = 4
"""How often a plan without what lies idle is tried."""
TRIES = 48
"""How often a plan with less of something is tried."""

Judged = Callable[[Plan, str, int], Judgement]
"""Replays a plan and says what it breaks; told what it is for, and in how many states to find out."""


def trimmed(shop: Shop, plan: Plan, proof: Judgement, judged: Judged) -> tuple[Plan, int]:
    """Return a plan that serves without what it can do without, and in how many states it is proved.

    `proof` is that of the plan, which serves.
    """
    return _less(shop, *_without_idle(shop, plan, proof, judged), judged)


def _without_idle(shop: Shop, plan: Plan, proof: Judgement, judged: Judged) -> tuple[Plan, int]:
    """A plan without what carries nothing, as far as a replay of every state says that nothing needs it."""
    least = proof.busy
    for number in range(1, IDLE + 1):
        slim = shop.slim(plan, least)
        if slim == plan:
            break
        found = judged(slim, f"without what lies idle, {number}", ENOUGH)
        if not found.reports:
            return slim, found.states
        least = Needs.most([least, *(r.lacks for r in found.reports)])
    return plan, proof.states


def _less(shop: Shop, plan: Plan, states: int, judged: Judged) -> tuple[Plan, int]:
    """A plan with less, found by halves: always where half of what may still go is dearest."""
    bound = {name: most + 1 for name, most in shop.spare(plan).items()}  # so much less does not do, or is not there
    for number in range(1, TRIES + 1):
        trials = {name: shop.fewer(plan, name, less // 2) for name, less in bound.items() if less > 1}
        if not trials:
            break
        name = min(trials, key=lambda n: (trials[n].cost(shop.prices), n))
        found = judged(trials[name], f"with less, try {number}", 1)
        if found.reports:
            bound[name] //= 2
        else:
            plan, states = trials[name], found.states
            bound[name] -= bound[name] // 2
    return plan, states
