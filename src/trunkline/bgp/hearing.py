"""What routers hear, and what they make of it: those that hear the same are told apart by the IGP alone.

Of the decision process only one step looks at metrics, and it asks which are the least.  So what a router decides
follows from what it hears and which exits of that are nearest; only the metrics are its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from trunkline.bgp.decision import Candidate, Decision, Outcome, contenders, decide
from trunkline.bgp.enter import Own
from trunkline.bgp.exchange import Exchange, Told
from trunkline.model.nouns import Ibgp
from trunkline.model.route import Route


@dataclass(frozen=True, eq=False)
class Hearing:
    """Routes that one router or many hear, at least one, all of them within reach.

    They are what enters there and what is said.  The metrics of the candidates are nobody's, 0.
    """

    own: Sequence[Route]
    said: Sequence[tuple[str, Candidate]]
    candidates: tuple[Candidate, ...]
    ibgp: Ibgp
    _outcomes: dict[tuple[bool, ...], Outcome] = field(default_factory=dict, repr=False)
    """By which exits are as near as the nearest contender."""

    @cached_property
    def exits(self) -> tuple[str, ...]:
        """The border routers of the candidates, by name."""
        return tuple(sorted({c.route.router for c in self.candidates}))

    @cached_property
    def _contending(self) -> tuple[str, ...]:
        """The exits among which the metric decides: those of routes that are equal by then.

        A router's own routes win a step before, and nothing is nearer either.
        """
        return tuple(sorted({c.route.router for c in contenders(self.candidates)}))

    def decide(self, metrics: Mapping[str, int]) -> Decision:
        """Return the decision of a router with these metrics to the exits (0 to itself)."""
        least = min([metrics[exit_] for exit_ in self._contending])
        pattern = tuple([metrics[exit_] == least for exit_ in self.exits])
        outcome = self._outcomes.get(pattern)
        if outcome is None:
            # any metrics with the same ones nearest do: FRR, too, asks only whether a path is as near as the best
            near = dict(zip(self.exits, pattern, strict=True))
            there = [c if near[c.route.router] else c._replace(metric=1) for c in self.candidates]
            outcome = self._outcomes[pattern] = decide(there, self.ibgp).outcome
        return Decision(outcome, metrics)


def hearings(mesh: Exchange, own: Own, told: Told, before: Mapping[str, Hearing], steady: bool) -> dict[str, Hearing]:
    """Return what every router hears of a group, where all reach each other; a router that hears nothing is not in it.

    Where a router hears what it did `before`, it is the same object.  `steady` says that routers are what they were.
    """
    speaking = {*own, *told}
    sets = [[router] for router in sorted(speaking)]
    sets += [[r for r in alike if r not in speaking] for alike in mesh.hearing_alike(tuple(sorted(told)))]
    found: dict[str, Hearing] = {}
    for first, *others in filter(None, sets):
        said, known = [*mesh.said_to(first, told)], before.get(first)
        if known is None or not steady or (known.own, known.said) != (own.get(first, ()), said):
            candidates = tuple([c._replace(metric=0) for c in mesh.candidates(first, own, told)])
            if not candidates:
                continue
            if known is None or known.candidates != candidates:
                known = Hearing(own.get(first, ()), said, candidates, mesh.net.ibgp)
        found |= dict.fromkeys((first, *others), known)
    return found
