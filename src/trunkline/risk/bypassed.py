"""The network right after a failure, before any protocol has converged: what was prepared in advance carries on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from trunkline.flow import State
from trunkline.model.event import Cut
from trunkline.model.nouns import Lsp
from trunkline.traffic.carry import carried
from trunkline.traffic.loads import Loads
from trunkline.traffic.repair import Repair, Repaired


@dataclass(frozen=True, eq=False, repr=False)
class Bypassed(State):
    """A state in which only the walk differs from the one before: routes, distances and LSPs are those it had."""

    fib: Repaired | None = None

    @cached_property
    def loads(self) -> Loads:
        """The walk through the FIBs as they are repaired on the spot."""
        if self.fib is None or self.before is None:
            raise ValueError("made by bypassed() alone")
        return carried(self.fib, self.flows, self.before.loads)

    @property
    def confinement(self) -> tuple[tuple[str, bool], ...]:
        """As before: a repair leads back to where the LSP led, and a next hop left out leads nowhere else."""
        return self.before.confinement if self.before is not None else ()

    def cut(self) -> Iterator[tuple[Lsp, Repair, str]]:
        """Yield every LSP that the failure cuts, with what becomes of it in a word."""
        for lsp, now in self.fib.cut if self.fib is not None else ():
            yield lsp, now, "lost" if now.lost else "on standby" if now.standby else "on bypass"


def bypassed(before: State, things: Sequence[str]) -> Bypassed:
    """Return the state right after these have failed; things are names as `Network.without` takes them."""
    fib = Repaired.of(before.loads.fib, before.net.without(*things), before.repairs)
    return Bypassed(
        Cut(tuple(things)), fib.net, before.reach, before.routes, before.flows, before.placement, before, fib=fib
    )
