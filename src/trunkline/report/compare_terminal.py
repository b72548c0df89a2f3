"""A comparison on one screen: a line a design, in blocks of figures; the best green, the worst yellow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.text import Text

from trunkline.compare.growth import Growth
from trunkline.compare.losses import Losses
from trunkline.compare.migrate import Migration
from trunkline.model.tables import Cell
from trunkline.model.units import show_bytes, show_count, show_rate, show_share, show_time
from trunkline.report.compare import Compared
from trunkline.report.terminal import BAD, DIM, GOOD, WARN, grid, line, show_grid, show_warnings

Row = Mapping[str, Cell]
LOW, HIGH, NEITHER = -1, 1, 0
"""Which is better in a column: less, more, or it cannot be said."""
Figure = tuple[str, str, Callable[[int], str], int]
BLOCKS: tuple[tuple[str, tuple[Figure, ...]], ...] = (
    (
        "what a router bears",
        (
            ("sessions in all", "sessions", show_count, LOW),
            ("at most", "sessions_most", show_count, LOW),
            ("routes held", "held", show_count, NEITHER),
            ("at most", "held_most", show_count, LOW),
            ("told", "told", show_count, LOW),
            ("memory at most", "memory_most", show_bytes, LOW),
        ),
    ),
    (
        "which exits it has",
        (
            ("usable", "usable", show_share, HIGH),
            ("hidden", "hidden", show_count, LOW),
            ("no route", "missed", show_count, LOW),
            ("not the best", "elsewhere", show_share, LOW),
            ("latency", "latency", show_time, LOW),
            ("of the best", "latency_least", show_time, NEITHER),
            ("worse by at most", "excess_most", show_time, LOW),
        ),
    ),
    (
        "how far traffic is carried",
        (
            ("bits under way", "haul", show_rate, LOW),
            ("to its exits by IS-IS", "aimed", show_rate, LOW),
            ("by hot potato", "hot", show_rate, NEITHER),
            ("by cold potato", "cold", show_rate, NEITHER),
        ),
    ),
    (
        "where traffic goes",
        (
            ("hottest port", "port_most", show_share, LOW),
            ("even", "ports_even", show_share, HIGH),
            ("hottest circuit", "circuit_most", show_share, LOW),
            ("even", "circuits_even", show_share, HIGH),
            ("lost", "lost", show_rate, LOW),
            ("objectives broken", "broken", show_count, LOW),
        ),
    ),
)


def show_comparison(console: Console, found: Compared) -> None:
    """Print a comparison: the blocks, the proofs, and growth and migration where they were asked for."""
    net = found.comparison.net
    line(
        console, (found.name, "bold"), f"  {len(net.routers):,} routers, {len(net.ports):,} peer ports; routes are ",
        "counted in prefixes, over IPv4 and IPv6",
    )  # fmt: skip
    rows = found.comparison.tables["designs"].records()
    for title, figures in BLOCKS:
        _block(console, title, figures, rows)
    _proofs(console, rows)
    if found.losses is not None:
        _losses(console, found.losses)
    if found.growth is not None:
        _growth(console, found.growth)
    if found.migration is not None:
        show_migration(console, found.migration)
    show_warnings(console, found.notes)


def _block(console: Console, title: str, figures: Sequence[Figure], rows: Sequence[Row]) -> None:
    shown = grid(title, *(f">{heading}" for heading, *_ in figures))
    columns = {key: [row[key] for row in rows] for _, key, *_ in figures}
    for index, row in enumerate(rows):
        cells = (_cell(columns[key], index, show, better) for _, key, show, better in figures)
        shown.add_row(str(row["design"]), *cells)
    console.print()
    show_grid(console, shown)


def _cell(column: Sequence[Cell], index: int, show: Callable[[int], str], better: int) -> Text:
    value = column[index]
    if not isinstance(value, int):
        return Text("-", DIM)
    return Text(show(value), {"best": GOOD, "worst": WARN, "": ""}[marked(column, index, better)])


def marked(column: Sequence[Cell], index: int, better: int) -> str:
    """Return `best` or `worst` where a cell is that of its column and the column's numbers differ, else nothing."""
    numbers = [cell for cell in column if isinstance(cell, int)]
    if not better or column[index] is None or min(numbers) == max(numbers):
        return ""
    best, worst = (min(numbers), max(numbers)) if better is LOW else (max(numbers), min(numbers))
    return "best" if column[index] == best else "worst" if column[index] == worst else ""


def _proofs(console: Console, rows: Sequence[Row]) -> None:
    shown = grid("transit stays in its region", "over the routes", "over the FIBs", "BGP settles")
    for row in rows:
        holds = [_holds(bool(row[key])) for key in ("confined_routes", "confined_fibs")]
        unsettled = int(row["unsettled"] or 0)
        shown.add_row(
            str(row["design"]), *holds, Text(f"not for {unsettled:,}", BAD) if unsettled else Text("yes", GOOD)
        )
    console.print()
    show_grid(console, shown)


def _holds(holds: bool) -> Text:
    return Text("holds", GOOD) if holds else Text("does not", WARN)


KINDS = ("peer", "pr", "bb", "reflector", "region")


def _losses(console: Console, losses: Losses) -> None:
    """The worst of each kind of loss under each design, and the regions that a loss strands."""
    shown = grid(
        "worst losses", "kind", "lost", ">UPDATEs", ">prefixes in them", ">quiet after",
        ">routes gone", ">for at most", ">for good",
    )  # fmt: skip
    for design in dict.fromkeys(row.design for row in losses.rows):
        for kind in KINDS:
            mine = [row for row in losses.rows if (row.design, row.kind) == (design, kind)]
            if mine:
                row = max(mine, key=lambda r: (r.unsettled, r.after, r.meanwhile * r.longest, r.prefix_updates))
                shown.add_row(
                    design, kind, row.lost, f"{row.messages:,}", show_count(row.prefix_updates),
                    Text("never", BAD) if row.unsettled else show_time(row.settled),
                    show_count(row.meanwhile), show_time(row.longest),
                    Text(show_count(row.after), BAD if row.after else ""),
                )  # fmt: skip
    console.print()
    show_grid(console, shown)
    for where, families in _stranded(losses).items():
        line(console, where.replace("(*)", f"({' and '.join(families)})"))


def _stranded(losses: Losses) -> dict[str, list[str]]:
    """What each loss strands, in words, with the families that it is so for."""
    found: dict[str, list[str]] = {}
    for row in losses.tables["stranded"].records():
        most = row["added_max"]
        added = f"the fallback adds {show_time(most)} at most" if isinstance(most, int) else "the fallback rescues it"
        rescued = added if row["rescued"] else "the fallback does not help"
        found.setdefault(f"without {row['lost']}, {row['region']} has no Internet (*); {rescued}", []).append(
            str(row["family"])
        )
    return found


def _growth(console: Console, growth: Growth) -> None:
    sizes = sorted({p.routers for p in growth.points})
    for figure, show in (("sessions", show_count), ("held", show_count), ("memory", show_bytes)):
        bound = growth.bounds.get(figure)
        limit = f", bound {show(bound)}" if bound is not None else ""
        shown = grid(f"{figure} of one router{limit}", *(f">{size:,}" for size in sizes))
        for design in dict.fromkeys(p.design for p in growth.points):
            mine = {p.routers: p.figures[figure] for p in growth.points if p.design == design}
            cells = (Text(show(mine[s]), BAD if bound is not None and mine[s] > bound else "") for s in sizes)
            shown.add_row(design, *cells)
        console.print()
        show_grid(console, shown)
    for row in growth.tables["passes"].records():
        if row["passed_at"] is not None:
            held = f"holds at {row['holds_at']:,}" if row["holds_at"] is not None else "never holds"
            line(
                console,
                str(row["design"]),
                f": the bound on {row['figure']} {held} and is passed at {row['passed_at']:,}",
            )


@dataclass(frozen=True)
class Run:
    """Consecutive steps of one kind: the number of the first, where they are taken, and the most sessions meanwhile."""

    action: str
    first: int
    names: tuple[str, ...]
    most: int

    @property
    def numbers(self) -> str:
        """`4`, or `4 to 9`."""
        last = self.first + len(self.names) - 1
        return f"{self.first}" if last == self.first else f"{self.first} to {last}"


def runs(change: Migration) -> list[Run]:
    """Return the steps of a change, consecutive ones of one kind together; each setting is a run of its own."""
    found: list[Run] = []
    for number, step in enumerate(change.steps, 1):
        action, most = step.move.action, step.sessions_most
        if found and found[-1].action == action != "set":
            last = found[-1]
            found[-1] = replace(last, names=(*last.names, step.move.what), most=max(last.most, most))
        else:
            found.append(Run(action, number, (step.move.what,), most))
    return found


def show_migration(console: Console, change: Migration) -> None:
    """Print the steps, consecutive ones of one kind on a line, and the one that fails."""
    console.print()
    shown = grid("steps", "", ">sessions at most", "at")
    for run in runs(change):
        shown.add_row(run.numbers, SAID[run.action], f"{run.most:,}", " ".join(run.names))
    show_grid(console, shown)
    if change.failed is None:
        steps = f"{len(change.steps):,} step{'' if len(change.steps) == 1 else 's'}"
        line(console, (f"every state of the {steps} is proved", GOOD), ": no route lost, no loop, no leak")
        return
    move = change.failed.move
    line(
        console, (f"step {len(change.steps) + 1} fails", BAD), f": {SAID[move.action]} {move.what}; so does every other"
    )
    for fault in change.failed.faults[:FAULTS]:
        line(console, "  ", str(fault))
    if len(change.failed.faults) > FAULTS:
        line(console, (f"  and {len(change.failed.faults) - FAULTS:,} more: --json has them all", DIM))


FAULTS = 6
SAID = {"add": "brings up its new sessions", "set": "changes everywhere", "remove": "gives up its old sessions"}
