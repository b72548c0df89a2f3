"""What the page of a sweep keeps of it as its rows come in: the worst failures, so that memory has a bound."""

from __future__ import annotations

from array import array
from bisect import insort
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from trunkline.risk.impact import AFTER, Row, Rows
from trunkline.risk.worst import Worst

MAPPED = 200
"""Failures that are kept with loads, demands and LSPs: the worst ones."""
LISTED = 5_000
"""Failures that are kept with their row of the table `scenarios`."""
HIT = 100
"""Demands and LSPs that are kept of each failure in each state: those that are hurt most."""

_HURT = {"lost": 0, "unplaced": 0, "displaced": 1}
"""What happens to an LSP, the worst first; whatever else has a path."""

T = TypeVar("T")
Ranked = tuple[tuple[int, ...], str, T]


@dataclass(frozen=True)
class Drawn:
    """What the page shows of one failure: rows as in `Rows`, and by state the utilisation of every arc, ppm."""

    demands: tuple[Row, ...]
    lsps: tuple[Row, ...]
    loads: Mapping[str, array[int]]


class Kept:
    """The worst failures, by the rule of the list `scenarios_worst`."""

    def __init__(self, worst: Worst) -> None:
        self.total = 0
        self.arcs = sorted(f"{circuit.name}@{end}" for circuit in worst.net.circuits for end in (circuit.a, circuit.b))
        """The order of every `Drawn.loads`."""
        self._worst = worst
        self._place = {arc: place for place, arc in enumerate(self.arcs)}
        self._listed: list[Ranked[tuple[Row, ...]]] = []
        self._drawn: list[Ranked[Drawn]] = []

    @property
    def scenarios(self) -> list[Row]:
        """Rows of the table `scenarios`, the worst failure first, each in all its states."""
        return [row for _, _, rows in self._listed for row in rows]

    @property
    def drawn(self) -> dict[str, Drawn]:
        """By scenario, the worst first."""
        return {name: drawn for _, name, drawn in self._drawn}

    def add(self, rows: Rows) -> None:
        """Take in the rows of a chunk."""
        demands, lsps, loads = (_by_scenario(found) for found in (rows.demands, rows.lsps, rows.loads))
        for name, mine in _by_scenario(rows.scenarios).items():
            self.total += 1
            rank = next(self._worst.rank(row) for row in mine if row[1] == AFTER)
            _put(self._listed, (rank, name, tuple(mine)), LISTED)
            if len(self._drawn) < MAPPED or (rank, name) < self._drawn[-1][:2]:
                drawn = Drawn(
                    _first(demands[name], lambda row: (-int(row[5] or 0), -int(row[9] or 0))),
                    _first(lsps[name], lambda row: (_HURT.get(str(row[4]), 2),)),
                    self._loads(loads[name]),
                )
                _put(self._drawn, (rank, name, drawn), MAPPED)

    def _loads(self, rows: Sequence[Row]) -> dict[str, array[int]]:
        found: defaultdict[str, array[int]] = defaultdict(lambda: array("q", [0]) * len(self.arcs))
        for _, state, arc, _, utilisation in rows:
            found[str(state)][self._place[str(arc)]] = int(utilisation or 0)
        return found


def _by_scenario(rows: Sequence[Row]) -> defaultdict[str, list[Row]]:
    found: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        found[str(row[0])].append(row)
    return found


def _put(kept: list[Ranked[T]], one: Ranked[T], most: int) -> None:
    insort(kept, one, key=lambda r: r[:2])
    del kept[most:]


def _first(rows: Sequence[Row], rank: Callable[[Row], tuple[int, ...]]) -> tuple[Row, ...]:
    """The first rows of each state by a rank, states in their order; equal ones stay as they are."""
    states = dict.fromkeys(row[1] for row in rows)
    return tuple(row for state in states for row in sorted((r for r in rows if r[1] == state), key=rank)[:HIT])
