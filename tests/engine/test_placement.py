"""What is picked out of columns: some of the LSPs, and those of two states that differ."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.worlds import world
from trunkline.engine.placement import State, advance, changed, cold, routes

SEEDS = st.integers(0, 10**9)


@settings(max_examples=60)
@given(SEEDS)
def test_some_lsps_take_the_paths_that_they_take_among_all(seed: int) -> None:
    w, rng = world(seed), Random(seed)  # noqa: S311
    bandwidth = w.history[0][1].wanted
    rows = np.array([rng.random() < 0.4 for _ in range(len(w.lsps))], np.bool_)
    every = routes(w.links, w.lsps, bandwidth)
    some = routes(w.links, w.lsps.only(rows), bandwidth[rows])
    assert some.option.tolist() == every.option[rows].tolist()
    assert [some.of(i) for i in range(int(rows.sum()))] == [every.of(int(i)) for i in np.flatnonzero(rows)]


def settled(state: State, lsp: int) -> tuple[object, ...]:
    option, held, wanted = (int(column[lsp]) for column in (state.paths.option, state.held, state.wanted))
    return option, held, wanted, state.paths.of(lsp)


@settings(max_examples=60)
@given(SEEDS)
def test_changed_lsps_are_those_that_are_not_equal_one_by_one(seed: int) -> None:
    w = world(seed)
    states = [cold(len(w.lsps))]
    for links, step in w.history:
        states.append(advance(links, w.lsps, states[-1], step)[0])
        for then in states:
            each = [settled(states[-1], i) != settled(then, i) for i in range(len(w.lsps))]
            assert changed(states[-1], then).tolist() == each
