"""What failures will do, written down before they happen: readable, and the same bytes on every run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from trunkline.flow import State
from trunkline.model.nouns import MILLION
from trunkline.risk.scenario import Scenario
from trunkline.risk.sweep import Sweep


def sealed(sweep: Sweep, scenarios: Sequence[Scenario]) -> dict[str, Any]:
    """Return what each scenario will do, by its name: plain data."""
    found = {}
    for scenario in scenarios:
        before, states = sweep.states(scenario)
        said, seen = {}, len(before.placement.log)
        for name, state in states:
            said[name] = {**_state(before, state), "signalling": _signalling(state, seen)}
            seen = len(state.placement.log)
        found[scenario.name] = {
            "kind": str(scenario.kind), "things": list(scenario.things), "during": scenario.during, "states": said
        }  # fmt: skip
    return found


def _state(before: State, state: State) -> dict[str, Any]:
    lost = Counter[str]()
    for d in state.loads.deliveries:
        lost[d.demand.cls] += d.missing
    loads = (state.loads.igp + state.loads.lsp).sum(axis=1).tolist()
    capacity = {c.name: c.capacity for c in state.net.circuits}
    use = [
        (load * MILLION // -capacity[arc.circuit], arc.name) for arc, load in zip(state.reach.arcs, loads, strict=True)
    ]
    worst, arc = min(use, default=(0, None))
    stranded = set(state.routes.stranded) - set(before.routes.stranded)
    fallback = set(state.loads.on_fallback) - set(before.loads.on_fallback)
    return {
        "lost": {c.name: lost[c.name] for c in state.net.classes},
        "hottest": {"arc": arc if worst else None, "utilisation": -worst},
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
