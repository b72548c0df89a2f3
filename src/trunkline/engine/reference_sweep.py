"""Sweeps by the plain definition: each scenario is an event on the settled state, and nothing is repaired."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from trunkline.engine.cuts import Cuts, hottest
from trunkline.engine.graph import frozen
from trunkline.engine.placement import PRIORITIES, Did, Links, Log, Lsps, State, Step, reserved_by_hold
from trunkline.engine.reference_place import advance
from trunkline.engine.sweep import Changes, How, Resizes, Swept, step_of


def sweep(links: Links, lsps: Lsps, state: State, cuts: Cuts, resizes: Resizes, how: How) -> Swept | None:
    """See `sweep.sweep`; None where the state has not settled."""
    if len(advance(links, lsps, state, Step(state.wanted, frozen([], np.int32)))[1].did):
        return None
    outcomes = []
    for s in range(len(cuts)):
        up = links.up.copy()
        up[cuts.of(s)] = False
        outcomes.append(advance(replace(links, up=up), lsps, state, step_of(state, resizes, s)))
    rows = [_row(links, lsps, state, now, log) for now, log in outcomes]
    moved, unplaced, displaced, lost, arc, load = ([row[i] for row in rows] for i in range(6))
    return Swept(
        frozen(np.array(moved, np.int32), np.int32),
        frozen(np.array(unplaced, np.int32), np.int32),
        frozen(np.array(displaced, np.int32), np.int32),
        frozen(np.array(lost, np.int64).reshape(len(rows), PRIORITIES), np.int64),
        frozen(np.array(arc, np.int32), np.int32),
        frozen(np.array(load, np.int64), np.int64),
        _changes(state, [now for now, _ in outcomes]) if how.keep else None,
    )


def _row(links: Links, lsps: Lsps, state: State, now: State, log: Log) -> tuple[int, int, int, list[int], int, int]:
    moved = unplaced = 0
    lost = [0] * PRIORITIES
    for lsp in range(len(lsps)):
        if now.paths.of(lsp) == state.paths.of(lsp):
            continue
        if now.paths.option[lsp] >= 0:
            moved += 1
        else:
            unplaced += 1
            lost[int(lsps.hold[lsp])] += int(state.held[lsp])
    booked = reserved_by_hold(links, lsps, now).sum(axis=1).tolist()
    displaced = int((log.did == Did.PREEMPTED).sum())
    return moved, unplaced, displaced, lost, *hottest(links.graph, booked, links.reservable.tolist())


def _changes(state: State, outcomes: list[State]) -> Changes:
    def has(one: State, lsp: int) -> tuple[int, int, list[int]]:
        return int(one.paths.option[lsp]), int(one.held[lsp]), one.paths.of(lsp)

    changed = [[lsp for lsp in range(len(state.held)) if has(now, lsp) != has(state, lsp)] for now in outcomes]
    every = [(lsp, *has(now, lsp)) for now, lsps in zip(outcomes, changed, strict=True) for lsp in lsps]
    return Changes(
        frozen(np.cumsum([0, *map(len, changed)]), np.int64),
        frozen(np.array([c[0] for c in every], np.int32), np.int32),
        frozen(np.array([c[1] for c in every], np.int32), np.int32),
        frozen(np.array([c[2] for c in every], np.int64), np.int64),
        frozen(np.cumsum([0, *(len(c[3]) for c in every)]), np.int64),
        frozen(np.array([arc for c in every for arc in c[3]], np.int32), np.int32),
    )
