"""Promises that a state breaks, and by what: objectives, and the proofs beside them."""

from __future__ import annotations

from dataclasses import dataclass

from trunkline.flow import State
from trunkline.model.nouns import MILLION


@dataclass(frozen=True, order=True)
class Broken:
    """A promise that is broken: an objective's name, or a proof in parentheses; its value and what has it."""

    name: str
    value: str
    worst: str


def broken(state: State) -> tuple[Broken, ...]:
    """Return every promise that a state breaks, objectives first, in their order."""
    found = [Broken(v.objective.name, v.text, v.worst) for v in state.objectives if not v.met]
    found += [Broken("(confinement)", "does not hold", over) for over, holds in state.confinement if not holds]
    rules = [rule for rule in state.policy if not rule.proof.holds]
    return (*found, *(Broken(f"(policy rule {rule.number})", "does not hold", rule.says) for rule in rules))


def heat(state: State) -> int:
    """Return the utilisation of the hottest circuit, ppm, rounded down."""
    circuit = state.net.circuit
    return max((load * MILLION // circuit[arc.circuit].capacity for arc, load in state.loads.offered), default=0)
