"""Groups that do not settle: the whole state that decides what a simulation does next comes back.

Where UPDATEs pile up faster than a router reads them it never does; then what routers tell has to come back instead,
after `PATIENCE` states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field

from trunkline.bgp.exchange import ROUNDS, Cycle

PATIENCE = 512
"""How many states of a bunch are waited for one that comes back in full."""


@dataclass(eq=False)
class Restless:
    """One bunch: how often routers changed what they tell and, once that is often, every state since."""

    changes: Counter[str] = field(default_factory=Counter)
    states: list[tuple[tuple[str, str], ...]] = field(default_factory=list)
    seen: dict[Hashable, int] = field(default_factory=dict)

    @property
    def suspect(self) -> bool:
        """Whether a router changed its mind so often that states are worth keeping."""
        return max(self.changes.values(), default=0) > ROUNDS

    def recurs(self, key: Hashable, told: tuple[tuple[str, str], ...]) -> Cycle:
        """Keep a state; return the cycle that it closes, nothing where it is new."""
        begun = self.seen.setdefault(key, len(self.states))
        if begun == len(self.states) and len(self.states) >= PATIENCE:
            begun = max((i for i, state in enumerate(self.states) if state == told), default=begun)
        if begun < len(self.states):
            return tuple(self.states[begun:])
        self.states.append(told)
        return ()
