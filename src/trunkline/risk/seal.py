"""What failures will do, written down before they happen: readable, and the same bytes on every run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trunkline.flow import State
from trunkline.risk.impact import REOPTIMISED
from trunkline.risk.scenario import Scenario


def sealed(scenario: Scenario, before: State, states: Sequence[tuple[str, State]]) -> dict[str, Any]:
    """Return what a scenario will do: plain data.  `states` are those after it by name, `before` the one it hits."""
    said: dict[str, Any] = {}
    seen, does = len(before.placement.log), dict[str, Any]()
    for name, state in states:
        if name != REOPTIMISED or len(state.placement.log) > seen:  # else nothing has happened since
            does = _state(before, state)
        said[name] = {**does, "signalling": _signalling(state, seen)}
        seen = len(state.placement.log)
    return {"kind": str(scenario.kind), "things": list(scenario.things), "during": scenario.during, "states": said}


def _state(before: State, state: State) -> dict[str, Any]:
    arc, use = state.loads.hottest
    stranded = set(state.routes.stranded) - set(before.routes.stranded)
    fallback = set(state.loads.on_fallback) - set(before.loads.on_fallback)
    return {
        "lost": {c.name: state.loads.charged[c.name] for c in state.net.classes},
        "hottest": {"arc": arc, "utilisation": use},
        "on_fallback": sorted({region for region, _, _ in fallback}),
        "cut_off": [f"{region}/{family}" for region, family in sorted(stranded)],
        "broken": [v.objective.name for v in state.objectives if not v.met],
    }


def _signalling(state: State, seen: int) -> list[dict[str, Any]]:
    """What happens to LSPs, in order."""
    return [
        {
            "lsp": line.lsp,
            "action": str(line.action),
            "bandwidth": line.bandwidth,
            "by": line.by,
            "circuit": line.circuit,
            "path": list(line.path),
        }
        for line in state.placement.log[seen:]
    ]
