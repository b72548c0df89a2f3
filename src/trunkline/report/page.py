"""`report.html`: one file that shows a plan, or two states side by side, and needs no network.

Every figure on it comes from the tables; the script in it filters, sorts and draws them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from trunkline.flow import Proof, State
from trunkline.model.event import describe
from trunkline.model.network import Network
from trunkline.model.nouns import Measure
from trunkline.model.problem import Problem
from trunkline.model.tables import Table
from trunkline.report.bundle import whole
from trunkline.report.geometry import geometry
from trunkline.report.moved import moved
from trunkline.report.payload import Texts
from trunkline.report.summary import size, summarise_state
from trunkline.report.terminal import counterexample, proofs_of
from trunkline.verdict import Verdict, objectives_table

Change = tuple[str, str, str, str]
"""A change of intent: the thing's name, what of it changed, from, to."""

_WORST = {
    Measure.UTILISATION: "circuit",
    Measure.LOSS: "demand",
    Measure.LATENCY: "demand",
    Measure.PLACED: "lsp",
    Measure.SHORTEST: "lsp",
    Measure.COMMIT: "port",
}
"""What the worst of each measure is the name of."""


@dataclass(frozen=True, eq=False)
class Side:
    """What one state shows: `net` is the network of the file, `now` what of it is there in this state."""

    label: str
    net: Network
    now: Network
    tables: Mapping[str, Table]
    objectives: Sequence[Verdict]
    warnings: Sequence[Problem]
    summary: Mapping[str, Any]
    proofs: Sequence[tuple[str, bool, str]]
    """Each proof: of what, whether it holds, and the counterexample where it does not."""

    @cached_property
    def shown(self) -> dict[str, Table]:
        """Every table of the page: the results, the objectives, and what the map draws."""
        own = {"objectives": objectives_table(self.objectives), **geometry(self.net, self.now)}
        return {**self.tables, **own}

    @property
    def verdicts(self) -> list[dict[str, Any]]:
        """The objectives for the strip: name, met, text, the worst and what it is."""
        return [
            {
                "name": v.objective.name, "met": v.met, "text": v.text, "worst": v.worst,
                "kind": _WORST.get(v.objective.measure, ""),
            }
            for v in self.objectives
        ]  # fmt: skip


def side(label: str, net: Network, state: State, before: State | None = None, notes: Sequence[Problem] = ()) -> Side:
    """Return one state of a network for the page.

    `before` is the state it is compared with: the one ahead of its event, or another network's.  `notes` are warnings
    besides those of the state itself.
    """
    proofs = [(what, p.holds, "" if p.holds else counterexample(p)) for what, p in proofs_of(state)]
    summary = {"size": size(net), **summarise_state(state, before)}
    return Side(label, net, state.net, state.tables, state.objectives, (*notes, *state.warnings), summary, proofs)


def sides(proof: Proof, notes: Sequence[Problem] = ()) -> list[Side]:
    """Return the settled state, after an event preceded by the state before it."""
    states, net = proof.states, proof.net
    labels = [f"after {describe(s.event)}" if s.event else "cold start" for s in states]
    if len(states) == 1:
        return [side("cold start", net, states[0], None, notes)]
    earlier = states[-3] if len(states) > 2 else None
    was = "before" if len(states) == 2 else f"before ({labels[-2]})"
    return [side(was, net, states[-2], earlier, notes), side(labels[-1], net, states[-1], states[-2], notes)]


def page(title: str, sides: Sequence[Side], changes: Sequence[Change] = ()) -> str:
    """Return the page: a whole HTML document that shows one state, or two beside each other.

    `changes` are the intent changes from the first side's network to the last one's.
    """
    return whole(
        "page.html",
        _document(title, sides),
        title=title,
        sides=sides,
        last=sides[-1],
        before=sides[0] if len(sides) > 1 else None,
        changes=changes,
    )


def _document(title: str, sides: Sequence[Side]) -> dict[str, Any]:
    texts = Texts()
    packed = [
        {
            "label": s.label,
            "classes": [c.name for c in s.net.classes],
            "tables": {name: texts.table(found) for name, found in sorted(s.shown.items())},
        }
        for s in sides
    ]
    what = moved(sides[0].tables, sides[-1].tables) if len(sides) > 1 else {}
    differences = {name: texts.table(found) for name, found in what.items()}
    return {
        "schema": "trunkline/page/1",
        "title": title,
        "sides": packed,
        "moved": differences,
        "texts": list(texts.found),
    }
