"""`report.html` of a comparison: bars side by side, the network under each design, growth, steps, every table.

Bars, proofs and steps are written from the tables here; the script draws the maps, the details and the plots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from trunkline.bgp.design import sessions
from trunkline.compare.migrate import Migration
from trunkline.model.tables import Cell, Table, table
from trunkline.model.units import show_bytes, show_count
from trunkline.report.bundle import whole
from trunkline.report.compare import Compared
from trunkline.report.compare_terminal import BLOCKS, LOW, SAID, Figure, Row, marked, runs
from trunkline.report.geometry import geometry, ports
from trunkline.report.payload import Texts
from trunkline.report.summary import size

TITLES = {
    "sessions": "sessions in all",
    "sessions_most": "sessions of one router at most",
    "held": "routes held in all",
    "held_most": "routes held by one router at most",
    "told": "routes told inside",
    "memory_most": "memory of one router at most",
    "usable": "exits usable",
    "hidden": "exits that nobody else hears of",
    "missed": "prefixes without a route",
    "elsewhere": "prefixes at another exit than the best",
    "latency": "latency to the exit, mean",
    "excess_most": "latency over the best at most",
    "haul": "bits under way",
    "aimed": "bits under way to exits, by IS-IS",
    "hot": "by hot potato: the nearest of the best exits",
    "cold": "by cold potato: the farthest of them",
    "port_most": "hottest peer port",
    "ports_even": "evenness over peer ports",
    "circuit_most": "hottest circuit",
    "circuits_even": "evenness over circuits",
    "lost": "traffic lost",
    "broken": "objectives broken",
    "unsettled": "prefix groups that do not settle",
}
"""What a figure is called where nothing stands beside it."""
BEST_POSSIBLE = {"latency": "latency_least"}
"""Figures with another column that says what the best could be: a tick on the bar, no bar of its own."""
SETTLES: tuple[str, tuple[Figure, ...]] = ("whether BGP settles", (("unsettled", "unsettled", show_count, LOW),))


@dataclass(frozen=True)
class Bar:
    """One design in one figure: what is written, how long it is, in thousandths of the longest, and its mark."""

    design: str
    text: str
    length: int
    mark: str
    tick: int | None = None
    """Where the best possible is, in the same thousandths."""
    best: str = ""
    """What the best possible is."""


@dataclass(frozen=True)
class Bars:
    """One figure of every design."""

    title: str
    column: str
    bars: tuple[Bar, ...]

    @property
    def best(self) -> str:
        """The best possible, where it is the same for every design."""
        texts = {bar.best for bar in self.bars}
        return texts.pop() if len(texts) == 1 else ""


def comparison_page(found: Compared) -> str:
    """Return the page: a whole HTML document."""
    rows = found.comparison.tables["designs"].records()
    change = found.migration
    return whole(
        "compare.html",
        page_document(found),
        title=found.name,
        size=size(found.comparison.net),
        designs=[str(row["design"]) for row in rows],
        blocks=[(title, [_bars(figure, rows) for figure in _own(figures)]) for title, figures in (*BLOCKS, SETTLES)],
        proofs=[(row["design"], bool(row["confined_routes"]), bool(row["confined_fibs"])) for row in rows],
        grown=found.growth is not None,
        passed=_passed(found),
        change=change,
        ends=[row["design"] for row in rows[:2]],
        runs=runs(change) if change is not None else [],
        said=SAID,
        failed=_failed(change),
        warnings=found.notes,
        captions=["design", "beside it"],
    )


def page_document(found: Compared) -> dict[str, Any]:
    """Return what the script reads: schema `trunkline/compare-page/1`, the tables packed as `Texts` says."""
    texts = Texts()
    net = found.comparison.net
    drawn = {**geometry(net, net), "ports": ports(net), **_sessions(found)}
    return {
        "schema": "trunkline/compare-page/1",
        "title": found.name,
        "designs": [m.design.name for m in found.comparison.measurements],
        "tables": {name: texts.table(one) for name, one in found.tables.items()},
        "geometry": {name: texts.table(one) for name, one in drawn.items()},
        "texts": list(texts.found),
    }


def _sessions(found: Compared) -> dict[str, Table]:
    """`meshes` and `clients`: who has a session with whom, without a row for every pair of a mesh."""
    meshes: list[tuple[Cell, ...]] = []
    clients: list[tuple[Cell, ...]] = []
    for m in found.comparison.measurements:
        up = sessions(m.net)
        meshes += [(m.design.name, n, r) for n, mesh in enumerate(up.meshes) for r in sorted(mesh)]
        clients += [(m.design.name, r, c) for r, mine in sorted(up.clients.items()) for c in sorted(mine)]
    return {
        "meshes": table("design mesh:int router", meshes),
        "clients": table("design reflector client", clients),
    }


def _own(figures: Sequence[Figure]) -> Iterator[Figure]:
    return (figure for figure in figures if figure[1] not in BEST_POSSIBLE.values())


def _bars(figure: Figure, rows: Sequence[Row]) -> Bars:
    _, column, show, better = figure
    cells = [row[column] for row in rows]
    least = [row[BEST_POSSIBLE[column]] if column in BEST_POSSIBLE else None for row in rows]
    longest = max((cell for cell in (*cells, *least) if isinstance(cell, int)), default=0)
    bars = []
    for index, (cell, best) in enumerate(zip(cells, least, strict=True)):
        tick, text = (_part(best, longest), show(best)) if isinstance(best, int) else (None, "")
        mark = marked(cells, index, better)
        bars.append(Bar(str(rows[index]["design"]), _text(cell, show), _part(cell, longest), mark, tick, text))
    return Bars(TITLES[column], column, tuple(bars))


def _text(cell: Cell, show: Callable[[int], str]) -> str:
    return show(cell) if isinstance(cell, int) else "-"


def _part(cell: Cell, longest: int) -> int:
    return cell * 1000 // longest if isinstance(cell, int) and longest else 0


def _passed(found: Compared) -> list[tuple[str, str]]:
    """Return each design with what becomes of each bound as it grows."""
    rows = found.growth.tables["passes"].records() if found.growth is not None else []
    return [(str(row["design"]), _fate(row)) for row in rows]


def _fate(row: Row) -> str:
    bound = _text(row["bound"], show_bytes if row["figure"] == "memory" else show_count)
    holds = "never holds" if row["holds_at"] is None else f"holds at {row['holds_at']:,} routers"
    passed = "is not passed" if row["passed_at"] is None else f"is passed at {row['passed_at']:,}"
    return f"the bound on {row['figure']}, {bound}, {holds} and {passed}"


def _failed(change: Migration | None) -> dict[str, Any] | None:
    """Return the step that fails: its number, what it is, and each fault as told on the terminal."""
    if change is None or change.failed is None:
        return None
    move = change.failed.move
    return {
        "number": len(change.steps) + 1,
        "what": f"{SAID[move.action]} {move.what}",
        "faults": change.tables["faults"].records(),
    }
