"""What must hold after every event of any history (semantics, RSVP-TE)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.worlds import world
from trunkline.engine.graph import frozen
from trunkline.engine.placement import Did, Step, advance, cold, reserved_by_hold, routes

SEEDS = st.integers(0, 10**9)


@settings(max_examples=80)
@given(SEEDS)
def test_books_balance_and_nobody_waits_in_vain(seed: int) -> None:
    w = world(seed)
    state = cold(len(w.lsps))
    for links, step in w.history:
        state, _ = advance(links, w.lsps, state, step)
        held = reserved_by_hold(links, w.lsps, state)
        assert (held.sum(axis=1) <= links.reservable).all()  # so at every priority: they only add up
        assert links.up[state.paths.arc].all()
        for i, option in enumerate(state.paths.option.tolist()):
            arcs = state.paths.of(i)
            ends = [int(w.lsps.head[i]), *links.graph.head[arcs].tolist()] if arcs else []
            assert (option >= 0) == bool(arcs)
            assert not arcs or (links.graph.tail[arcs].tolist(), ends[-1]) == (ends[:-1], int(w.lsps.tail[i]))
            assert option >= 0 or state.held[i] == 0
            # CSPF at its setup priority counts only what is held at that priority or better: were all others gone, the
            # LSP would still find no path.
            if option < 0:
                assert routes(links, w.lsps, state.wanted, held).option[i] < 0


@settings(max_examples=80)
@given(SEEDS)
def test_in_order_of_setup_nothing_is_ever_preempted(seed: int) -> None:
    # hold <= setup for every LSP: whoever comes later has no better setup than those before it have hold.
    w = world(seed)
    turns = np.lexsort((np.arange(len(w.lsps)), w.lsps.setup)).astype(np.int32)
    step = Step(w.history[0][1].wanted, frozen(turns, np.int32))
    _, log = advance(w.links, w.lsps, cold(len(w.lsps)), step)
    assert Did.PREEMPTED not in log.did.tolist()


@settings(max_examples=40)
@given(SEEDS)
def test_preemption_needs_a_better_setup_than_the_victims_hold(seed: int) -> None:
    w = world(seed, plain=True)
    state = cold(len(w.lsps))
    for links, step in w.history:
        state, log = advance(links, w.lsps, state, step)
        for did, victim, by, held in zip(log.did, log.lsp, log.by, log.bandwidth, strict=True):
            if did == Did.PREEMPTED:
                assert w.lsps.setup[by] < w.lsps.hold[victim]
                assert held > 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hold": 5, "setup": 3}, "worse than its setup"),
        ({"tail": 99}, "no node"),
        ({"setup": 8}, "0 to 7"),
    ],
)
def test_the_gate_refuses_what_a_core_would_trip_over(change: dict[str, int], message: str) -> None:
    w = world(1)
    count = len(w.lsps)
    given_ = {name: frozen(np.full(count, value, np.int32), np.int32) for name, value in change.items()}
    with pytest.raises(ValueError, match=message):
        advance(w.links, replace(w.lsps, **given_), cold(count), w.history[0][1])
