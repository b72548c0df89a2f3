"""Which LSPs owe their path to the order in which the head-ends happen to signal, and what else could have come out."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice, permutations
from random import Random

import numpy as np

from trunkline.demand.flows import Flows
from trunkline.engine import placement as engine
from trunkline.engine.graph import frozen
from trunkline.engine.placement import Step
from trunkline.igp.solve import Reach
from trunkline.model.network import Network
from trunkline.te.columns import links
from trunkline.te.subject import head_ends, race, subject
from trunkline.te.wanted import wanted

MOST_HEADS = 5
"""Up to so many head-ends every order is tried (5! = 120)."""

Path = tuple[str, ...] | None


@dataclass(frozen=True)
class Fragile:
    """An LSP that takes another path, or none, in `differs` of the orders tried.

    `outcomes` are its paths (directed circuit names, None where it is down) and in how many orders each came out, the
    path of the documented order first, then by number.  In `matters` of the orders it is down instead of up, or up
    instead of down, or on a path of another TE metric: the rest is a choice between equals.
    """

    lsp: str
    differs: int
    matters: int
    outcomes: tuple[tuple[Path, int], ...]


@dataclass(frozen=True)
class Fragility:
    """How many orders of head-ends were tried from cold, whether those are all, and what depends on them."""

    orders: int
    exhaustive: bool
    lsps: tuple[Fragile, ...]


def order_fragile(
    base: Network, now: Network, reach: Reach, flows: Flows, tries: int = 24, workers: int = 1
) -> Fragility:
    """Return which LSPs depend on the order of the race from cold; the arguments are those of `place`.

    All orders of the head-ends are tried where there are at most five; else `tries` orders: rotations first, then
    shuffles from a fixed seed.  `workers` threads try them side by side; the answer does not depend on how many.
    """
    about = subject(base)
    axis, lsps = about.axis, about.lsps
    table = links(axis, now, reach)
    wants = frozen(np.array(wanted(about, flows), np.int64), np.int64)
    heads = head_ends(base)
    orders = _orders(heads, tries)
    names = [arc.name for arc in axis.arcs]

    def outcome(order: tuple[str, ...]) -> list[Path]:
        step = Step(wants, frozen(np.array(race(base, order), np.int32), np.int32))
        paths = engine.advance(table, lsps, engine.cold(len(lsps)), step)[0].paths
        options = enumerate(paths.option.tolist())
        return [tuple(names[a] for a in paths.of(i)) if option >= 0 else None for i, option in options]

    with ThreadPoolExecutor(workers) as pool:
        outcomes = list(pool.map(outcome, orders))
    metric = dict(zip(names, table.graph.metric.tolist(), strict=True))
    found = [_fragile(lsp.id, [paths[i] for paths in outcomes], metric) for i, lsp in enumerate(base.lsps)]
    exhaustive = len(heads) <= MOST_HEADS
    return Fragility(len(orders), exhaustive, tuple(f for f in found if f.differs))


def _orders(heads: tuple[str, ...], tries: int) -> list[tuple[str, ...]]:
    """Different orders, the documented one first."""
    if len(heads) <= MOST_HEADS:
        return list(permutations(heads))
    orders = {heads[i:] + heads[:i]: None for i in islice(range(len(heads)), max(1, tries // 2))}
    rng = Random(0)  # noqa: S311 - the same orders in every run
    while len(orders) < tries:
        orders[tuple(rng.sample(heads, len(heads)))] = None
    return list(orders)


def _fragile(lsp: str, paths: list[Path], metric: dict[str, int]) -> Fragile:
    count = Counter(paths)
    cost = {path: None if path is None else sum(metric[arc] for arc in path) for path in count}
    others = sorted((p for p in count if p != paths[0]), key=lambda p: (-count[p], p or ()))
    outcomes = tuple((p, count[p]) for p in [paths[0], *others])
    matters = sum(count[p] for p in others if cost[p] != cost[paths[0]])
    return Fragile(lsp, len(paths) - count[paths[0]], matters, outcomes)
