"""The failures that hurt most, each list by a stated rule; names end every tie.

Each list is once about the state `after`, which customers see until somebody re-optimises, and once about `bypassed`:
what the seconds before that cost.  Rows go in chunk by chunk, all of a scenario in one, and no list keeps more than the
first ten, so memory does not grow with the number of scenarios.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Mapping

from trunkline.model.network import Network
from trunkline.model.tables import Cell, Table, table
from trunkline.risk.impact import AFTER, BYPASSED, Row, Rows
from trunkline.risk.scenario import SINGLES

MOST = 10
"""How many failures a list has."""

LISTED = (AFTER, BYPASSED)
"""The states that have lists."""

Key = tuple[str, ...]
"""What a list is about: the state comes last."""

Ranked = tuple[tuple[int, ...], str, Row]
"""The larger a figure the earlier, so figures are negative; then the scenario; then the cells to show."""


class Worst:
    """Lists of the worst failures, as rows come in."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self.first = min(net.classes, key=lambda c: (c.weight is not None, -c.tc, c.name)).name if net.classes else None
        """The class that queues serve first: whose loss counts before all other loss."""
        self.kinds: Counter[str] = Counter()
        self.broken: Counter[str] = Counter()
        """How many scenarios break a promise, by state."""
        self.broken_singles = 0
        """How many single failures break one once the network has settled."""
        self._lists: defaultdict[tuple[str, Key], list[Ranked]] = defaultdict(list)
        names = [c.name for c in Rows((), (), (), ()).tables(net)["scenarios"].columns]
        self._columns = {name: place for place, name in enumerate(names)}

    def add(self, rows: Rows) -> None:
        """Take in the rows of a chunk."""
        lost_at, settled = self._columns["lost"], dict[Cell, Cell]()
        for row in rows.scenarios:
            if row[1] == AFTER:
                settled[row[0]] = row[lost_at]
        for row in rows.scenarios:
            cells = {name: row[place] for name, place in self._columns.items()}
            self._scenario(cells, (*row, settled.get(row[0])))
        for scenario, state, demand, family, cls, lost, reason, where, _, added, _ in rows.demands:
            if state in LISTED and (_int(lost) or _int(added) > 0):
                key, rank = (str(demand), str(family), str(cls), str(state)), (-_int(lost), -_int(added))
                self._put("demands", key, rank, (scenario, lost, reason, where, added))
        for scenario, state, arc, load, use in rows.loads:
            if state in LISTED:
                self._put("circuits", (str(arc), str(state)), (-_int(use), -_int(load)), (scenario, load, use))

    def rank(self, row: Row) -> tuple[int, ...]:
        """Return how bad a row of the table `scenarios` is, by the rule of `scenarios_worst`: the smaller the worse."""
        cells = {name: row[place] for name, place in self._columns.items()}
        lost = _int(cells[f"lost.{self.first}"]) if self.first else 0
        broken, use = len(str(cells["broken"]).split()), _int(cells["circuit_utilisation"])
        return -lost, -_int(cells["lost"]), -broken, -use

    def _scenario(self, cells: Mapping[str, Cell], row: Row) -> None:
        state, ok, kind = str(cells["state"]), bool(cells["ok"]), str(cells["kind"])
        self.broken[state] += not ok
        if state not in LISTED:
            return
        self.kinds[kind] += state == AFTER
        self.broken_singles += state == AFTER and not ok and kind in SINGLES
        self._put("scenarios", (state,), self.rank(row), row)
        for cls in self.net.classes:
            if missing := _int(cells[f"lost.{cls.name}"]):
                self._put("classes", (cls.name, state), (-missing,), (cells["scenario"], missing))

    def _put(self, what: str, key: Key, rank: tuple[int, ...], row: Row) -> None:
        kept = self._lists[what, key]
        if len(kept) == MOST and (rank, str(row[0])) >= kept[-1][:2]:
            return  # as insort puts equals behind
        insort(kept, (rank, str(row[0]), row), key=lambda r: r[:2])
        del kept[MOST:]

    def tables(self) -> dict[str, Table]:
        """`scenarios_worst`, `circuits_worst`, `demands_worst` and `classes_worst`.

        Scenarios by what the first class loses, then all lost traffic, then promises broken, then the hottest circuit;
        failures of a circuit by its utilisation; of a demand by what it loses, then latency added; of a class by loss.
        `lost_after` is what a scenario loses once the network has settled.
        """
        spec = " ".join(
            ":".join(filter(None, (c.name, c.type, c.unit)))
            for c in Rows((), (), (), ()).tables(self.net)["scenarios"].columns
        )
        return {
            "scenarios_worst": table(
                f"rank:int {spec} lost_after:int:bit/s", [row[1:] for row in self._rows("scenarios")]
            ),
            "circuits_worst": table(
                "arc state rank:int scenario load:int:bit/s utilisation:int:ppm", self._rows("circuits")
            ),
            "demands_worst": table(
                "demand family class state rank:int scenario lost:int:bit/s reason where latency_added:int:us",
                self._rows("demands"),
            ),
            "classes_worst": table("class state rank:int scenario lost:int:bit/s", self._rows("classes")),
        }

    def _rows(self, what: str) -> list[Row]:
        lists = sorted((key, kept) for (name, key), kept in self._lists.items() if name == what)
        return [(*key, rank, *row) for key, kept in lists for rank, (_, _, row) in enumerate(kept, 1)]


def _int(cell: Cell) -> int:
    return int(cell) if cell is not None else 0
