"""The long one: every single circuit of aurora cut on forty real routers, each held to the prediction."""

from __future__ import annotations

import pytest

from lab.labs import EXAMPLES, nobody
from trunkline.lab import drill, lab
from trunkline.model.load import load


@pytest.mark.lab
def test_aurora_after_every_single_circuit_is_what_was_predicted(name: str) -> None:
    """As it is, packets too; then without each circuit in turn, and whole again: kernel routes, distances, choices."""
    loaded = load(EXAMPLES / "aurora.yaml")
    found = lab.of(name, loaded.network, loaded.sha256)
    assert not any(h.wrong for h in lab.up(found, 1000, nobody))
    rounds = [drill.now(found, True, nobody), *drill.drills(found, drill.circuits(found), False, nobody)]
    assert len(rounds) == 1 + len(loaded.network.circuits) + 1 == 82
    assert [(r.what, difference) for r in rounds for difference in r.differences] == []
