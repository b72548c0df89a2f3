"""Other traffic on the network of today: it grows from the settled state, as an event, and then something fails.

Nothing here is an estimate: each state is one that `flow.settle` settles on.
"""

from __future__ import annotations

import gc
from collections.abc import Mapping
from dataclasses import dataclass, replace

from trunkline.flow import State, settle
from trunkline.model.event import Cut, Grow, after
from trunkline.model.network import Network
from trunkline.model.nouns import MILLION, Condition, Family
from trunkline.risk.scenario import Kind, Scenario
from trunkline.te.explain import explain
from trunkline.te.result import Unplaced

NOTHING = Scenario("", Kind.SET, ())
"""The scenario in which nothing fails."""


class Replay:
    """Today's network and its settled state."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self.today = settle(net, Condition())
        _ = self.today.ok  # every FIB step that proofs ask for, for other states to share
        gc.freeze()  # it stays: what other states leave behind is all that is to be searched

    def carrying(self, now: Network) -> State:
        """Return what today's state settles on when the demands become those of `now`, this network but for demands.

        LSPs that are sized by demands are signalled again at their new size, make before break; nothing else moves.
        """
        return settle(now, Condition(), Grow(MILLION), self.today)

    @staticmethod
    def after(before: State, scenario: Scenario) -> State:
        """Return what a state settles on after a failure, after what is out for maintenance where there is any."""
        condition, state = Condition(), before
        for things in filter(None, ((scenario.during,) if scenario.during else (), scenario.things)):
            cut = Cut(things)
            condition = after(condition, cut)
            state = settle(before.net, condition, cut, state)
        return state


@dataclass(frozen=True)
class Miss:
    """Something that goes wrong: `what` (a demand or an LSP), where, why, and by how much (bit/s)."""

    what: str
    where: str
    reason: str
    rate: int
    lsp: bool = False


@dataclass(frozen=True)
class Outcome:
    """What goes wrong in a state: loss of each demand, and LSPs that do not hold what they want."""

    lost: Mapping[tuple[str, Family], Miss]
    short: Mapping[str, Miss]

    @staticmethod
    def of(state: State) -> Outcome:
        """Return what goes wrong in a state; what has lost an end is not its fault."""
        lost = {}
        for d in state.loads.deliveries:
            if d.charged:
                reason, where, _ = d.lost[0]
                lost[d.demand.name, d.family] = Miss(d.demand.name, where, str(reason), d.charged)
        short = {
            p.lsp.id: Miss(p.lsp.id, "", str(p.reason or Unplaced.BANDWIDTH), p.wanted - p.reserved, lsp=True)
            for p in state.placement.placed
            if (p.path is None or p.reserved < p.wanted) and p.reason is not Unplaced.ENDPOINT_DOWN
        }
        return Outcome(lost, short)

    def worse(self, than: Outcome, base: Network, state: State) -> Miss | None:
        """Return what is lost here (in `state`) beyond what is lost there, the most first; else an LSP short only here.

        An LSP comes with the circuit of its shortest path that has no room.  `base` is the network with all in order.
        """
        found = []
        for key, miss in self.lost.items():
            was = than.lost.get(key)
            if miss.rate > (was.rate if was else 0):
                found.append((-(miss.rate - (was.rate if was else 0)), key, miss))
        if found:
            excess, _, miss = min(found, key=lambda f: f[:2])
            return Miss(miss.what, miss.where, miss.reason, -excess)
        short = sorted(self.short.keys() - than.short.keys())
        if not short:
            return None
        full = explain(base, state.net, state.reach, state.placement, short[0]).full
        return replace(self.short[short[0]], where=full[0].arc.name if full else "")
