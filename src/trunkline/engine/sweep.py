"""RSVP-TE after each of many failures, every one from the same settled state; a scenario is an array axis.

What a scenario does is what `placement.advance` does, with its arcs down, to that state; the kernel signals only what
the failure touches, and goes back by undoing just that.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

import numpy as np

from trunkline.engine.choice import backend as chosen
from trunkline.engine.cuts import Cuts
from trunkline.engine.graph import Int32, Int64, frozen
from trunkline.engine.placement import MOST_BITS, Links, Lsps, State, Step, check


@dataclass(frozen=True, eq=False)
class Resizes:
    """LSPs that want another bandwidth once a failure has settled, in order of their turns."""

    start: Int64
    """(scenarios + 1,): those of scenario s are ``start[s]:start[s + 1]``."""
    lsp: Int32
    wanted: Int64
    """bit/s"""


@dataclass(frozen=True, eq=False)
class Changes:
    """LSPs whose path or bandwidth a scenario changes, by identity, with what they have then."""

    first: Int64
    """(scenarios + 1,): those of scenario s are ``first[s]:first[s + 1]``."""
    lsp: Int32
    option: Int32
    """-1 without a path"""
    held: Int64
    """bit/s"""
    start: Int64
    """(changes + 1,): the path of change c is ``arc[start[c]:start[c + 1]]``, from head to tail."""
    arc: Int32


@dataclass(frozen=True, eq=False)
class Swept:
    """What each scenario comes to, compared with the state before it."""

    moved: Int32
    """(scenarios,) LSPs with a path that was not theirs before"""
    unplaced: Int32
    """(scenarios,) LSPs that have lost their path for good, those whose own ends fail among them"""
    displaced: Int32
    """(scenarios,) how often an LSP was preempted"""
    lost: Int64
    """(scenarios, 8) bit/s that the unplaced held, by hold priority"""
    hottest: Int32
    """(scenarios,) the arc most reserved in proportion to what may be, the first by rank; -1 where nothing is"""
    reserved: Int64
    """(scenarios,) bit/s reserved on it"""
    changes: Changes | None
    """None unless asked for"""


@dataclass(frozen=True, eq=False)
class Scenarios:
    """Failures, and the re-sizes that follow each: none where `resizes` is None."""

    cuts: Cuts
    resizes: Resizes | None = None


@dataclass(frozen=True)
class How:
    """How a sweep runs: on so many threads (the plain core has one), with every change kept or only figures."""

    workers: int = 1
    keep: bool = False


FIGURES = How()
"""On one thread, figures only."""


def sweep(
    links: Links, lsps: Lsps, state: State, scenarios: Scenarios, how: How = FIGURES, backend: ModuleType | None = None
) -> Swept:
    """Return what each failure comes to, from the same settled state; the answer is the same for any number of workers.

    Raises ValueError where the state has not settled under the links: something would be signalled without a failure.
    """
    check(links, lsps, state)
    scenarios.cuts.check(links.graph)
    if how.workers < 1:
        raise ValueError("a sweep needs a worker")
    count = len(scenarios.cuts)
    nobody = Resizes(frozen(np.zeros(count + 1), np.int64), frozen([], np.int32), frozen([], np.int64))
    resizes = scenarios.resizes or nobody
    _check_resizes(resizes, count, state)
    core = backend or chosen()
    found: Swept | None = core.sweep(links, lsps, state, scenarios.cuts, resizes, how)
    if found is None:
        raise ValueError("the state has not settled under these links")
    return found


def _check_resizes(resizes: Resizes, count: int, state: State) -> None:
    start, lsp = resizes.start, resizes.lsp
    if start.dtype != np.int64 or start.shape != (count + 1,) or start[0] != 0 or (np.diff(start) < 0).any():
        raise ValueError(f"the starts of re-sizes must be int64 ({count + 1},), and add up")
    if lsp.dtype != np.int32 or lsp.shape != (int(start[-1]),):
        raise ValueError("LSPs that are re-sized must be int32, and add up")
    if resizes.wanted.dtype != np.int64 or resizes.wanted.shape != lsp.shape:
        raise ValueError(f"what they want must be int64 {lsp.shape}")
    if len(lsp) and not (0 <= lsp.min() and lsp.max() < len(state.wanted)):
        raise ValueError("a re-size is of no LSP")
    total = sum(state.wanted.tolist())
    for s in np.flatnonzero(np.diff(start)).tolist():
        part = slice(int(start[s]), int(start[s + 1]))
        mine, asked = lsp[part].tolist(), resizes.wanted[part].tolist()
        if len(set(mine)) < len(mine):
            raise ValueError("an LSP has two turns")
        if min(asked) < 0 or total + sum(asked) - sum(state.wanted[mine].tolist()) >= MOST_BITS:
            raise ValueError("wanted must be at least 0 and below 2^60 in all")


def step_of(state: State, resizes: Resizes, scenario: int) -> Step:
    """Return the step that a scenario is: only those that are re-sized have a turn."""
    part = slice(int(resizes.start[scenario]), int(resizes.start[scenario + 1]))
    wanted = state.wanted.copy()
    wanted[resizes.lsp[part]] = resizes.wanted[part]
    return Step(frozen(wanted, np.int64), frozen(resizes.lsp[part], np.int32))
