"""The answer on one screen.  Colour only where the terminal has it and NO_COLOR does not forbid it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table as Grid
from rich.text import Text

from trunkline.bgp.solve import Confinement
from trunkline.flow import Proof, State
from trunkline.model.problem import Problem
from trunkline.model.units import show_rate, show_share

GOOD, BAD, WARN, DIM = "green", "bold red", "yellow", "dim"
WARNINGS = 6
"""How many warnings the screen shows; the rest is counted, and plan.json has them all."""


DISPLACED = 3
"""How many displacements the screen shows."""

UNBOUNDED = 10_000
"""A width that no table reaches: what a table needs is measured against it, since rich leaves out what does not fit."""

FOLDED = 24
"""The least room of a column that folds."""


def show_plan(console: Console, name: str, proof: Proof, summary: Mapping[str, Any], notes: Iterable[Problem]) -> None:
    """Print the plan: size, objectives, LSPs, hottest circuits, ports, confinement, warnings."""
    _heading(console, name, summary)
    _objectives(console, proof)
    _traffic(console, summary)
    _lsps(console, summary)
    _displaced(console, summary)
    _fragile(console, summary)
    _hottest(console, summary)
    if proof.net.peers:
        _ports(console, summary)
    _proofs(console, proof)
    show_warnings(console, list(notes))


def line(console: Console, *parts: str | Text | tuple[str, str]) -> None:
    """Print one line of styled parts; it may be longer than the screen is wide."""
    console.print(Text.assemble(*parts), soft_wrap=True)


def _heading(console: Console, name: str, summary: Mapping[str, Any]) -> None:
    size = summary["size"]
    counted = [
        (size["routers"], "router"), (size["sites"], "site"), (size["regions"], "region"),
        (size["circuits"], "circuit"), (size["ports"], "peer port"), (size["lsps"], "LSP"), (size["demands"], "demand"),
    ]  # fmt: skip
    words = [f"{n:,} {word}{'' if n == 1 else 's'}" for n, word in counted]
    line(console, (name, "bold"), "  " + ", ".join(words) + f", {show_rate(size['offered'])} offered")
    if summary["events"]:
        line(console, "after ", ("; then ".join(summary["events"]), "bold"))
    if len(summary["events"]) > 1:
        line(console, ("displaced, moved and before compare with the state ahead of the last event", DIM))


def grid(*columns: str) -> Grid:
    """Return an empty table in the house style; `>` before a heading aligns right; a last column of text may fold."""
    made = Grid(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style=DIM)
    for number, column in enumerate(columns):
        made.add_column(
            column.removeprefix(">"),
            justify="right" if column.startswith(">") else "left",
            no_wrap=number < len(columns) - 1 or column.startswith(">"),
            overflow="fold",
        )
    return made


def show_grid(console: Console, rows: Grid) -> None:
    """Print a table whole: set closer where the terminal is narrow, and wider than it rather than short of a column."""
    unbounded = console.options.update(max_width=UNBOUNDED)
    for column in rows.columns:
        if column.no_wrap:  # else it may be as narrow as its longest word, and `100.0 %` loses its unit
            shown = (column.header, *column.cells)
            column.min_width = max(Measurement.get(console, unbounded, cell).maximum for cell in shown)
    if Measurement.get(console, unbounded, rows).maximum > console.width:
        rows.padding = (0, 1, 0, 0)
    needs = Measurement.get(console, unbounded, rows)
    rows.width = min(needs.maximum, max(needs.minimum + FOLDED, console.width))
    for segments in console.render_lines(rows, unbounded, pad=False):
        cells = Text.assemble(*((s.text, s.style or "") for s in segments))
        cells.rstrip()  # a table pads its last column, and what is copied into a ticket should not
        line(console, cells)


def _objectives(console: Console, proof: Proof) -> None:
    console.print()
    if not proof.settled.objectives:
        line(console, ("no objectives in the file", DIM))
        return
    rows = grid("objective", "", "value", "worst")
    for v in proof.settled.objectives:
        rows.add_row(v.objective.name, Text(v.word, GOOD if v.met else BAD), v.text, Text(v.worst, DIM))
    show_grid(console, rows)


def _traffic(console: Console, summary: Mapping[str, Any]) -> None:
    if not summary["traffic"]:
        line(console, ("no demands in the file: nothing loads a circuit", DIM))
        return
    parts: list[str | tuple[str, str]] = ["traffic  "]
    for number, row in enumerate(summary["traffic"]):
        lost, gone = row["lost"], row["gone"]
        said = (f"{show_rate(lost)} lost", BAD) if lost else ("all else delivered" if gone else "all delivered", GOOD)
        parts += ["; " if number else "", f"{row['class']} {show_rate(row['offered'])}, "]
        parts += [(f"{show_rate(gone)} with an end that failed, ", WARN)] if gone else []
        parts.append(said)
    console.print()
    line(console, *parts)


def _displaced(console: Console, summary: Mapping[str, Any]) -> None:
    found = summary["displaced"]
    for row in found[:DISPLACED]:
        what = f"{row['lsp']} ({show_rate(row['bandwidth'])}) by {row['by']} on {row['circuit']}"
        line(console, ("displaced ", WARN), what)
    if len(found) > DISPLACED:
        line(console, ("displaced ", WARN), f"and {len(found) - DISPLACED} more: explain lsp, or displacements.csv")


def _lsps(console: Console, summary: Mapping[str, Any]) -> None:
    if not summary["lsps"]:
        return
    console.print()
    after = bool(summary["events"])
    headings = ["LSPs", ">prio", ">placed", ">off shortest", ">displaced", *([">moved"] if after else []), ">unplaced"]
    gone = any(r["gone"] for r in summary["lsps"])
    rows = grid(*headings, *([">end down"] if gone else []), ">undersized", ">reserved")
    for r in summary["lsps"]:
        cells = [
            r["class"], f"{r['setup']}/{r['hold']}", f"{r['placed']:,}/{r['lsps']:,}", count(r["off_shortest"], WARN),
            count(r["displaced"], WARN), *([count(r["moved"], WARN)] if after else []), count(r["unplaced"], BAD),
            *([count(r["gone"], WARN)] if gone else []), count(r["undersized"], BAD), show_rate(r["reserved"]),
        ]  # fmt: skip
        rows.add_row(*cells)
    show_grid(console, rows)


def _fragile(console: Console, summary: Mapping[str, Any]) -> None:
    found = summary["order_fragile"]
    if not summary["lsps"]:
        return
    orders = f"{found['orders']} order{'' if found['orders'] == 1 else 's'} of the cold race"
    tried = f"{orders} ({'all' if found['exhaustive'] else 'a sample'})"
    matters = [f for f in found["lsps"] if f["matters"]]
    equal = len(found["lsps"]) - len(matters)
    rest = f"; {equal:,} LSP{' changes' if equal == 1 else 's change'} between equal paths" if equal else ""
    if not matters:
        line(console, f"order-fragile: no LSP's place or cost, in {tried}{rest}")
        return
    worst = max(matters, key=lambda f: (f["matters"], f["lsp"]))
    many = f"{len(matters):,} LSPs in {tried}, most of all {worst['lsp']} in {worst['matters']}{rest}"
    line(console, ("order-fragile: ", WARN), many)


def count(n: int, style: str) -> Text:
    """Return a number, styled where it is not zero."""
    return Text(f"{n:,}", style if n else DIM)


def _hottest(console: Console, summary: Mapping[str, Any]) -> None:
    if not summary["hottest"]:
        return
    console.print()
    after = bool(summary["events"])
    classes = list(summary["hottest"][0]["classes"])
    headings = ["hottest circuits", ">capacity", ">load", ">util", *([">before"] if after else [])]
    rows = grid(*headings, *(f">{c}" for c in classes), ">lost")
    for r in summary["hottest"]:
        before = [] if not after else [show_share(r["before"]) if r["before"] is not None else "-"]
        style = BAD if r["load"] > r["capacity"] else ""
        rows.add_row(
            r["arc"], show_rate(r["capacity"]), show_rate(r["load"]), Text(show_share(r["utilisation"]), style),
            *before, *(show_rate(r["classes"][c]) for c in classes),
            Text(show_rate(r["lost"]), BAD if r["lost"] else DIM),
        )  # fmt: skip
    show_grid(console, rows)


def _ports(console: Console, summary: Mapping[str, Any]) -> None:
    console.print()
    over = summary["over_commit"]
    if not over:
        line(console, "peer ports over commit: ", ("none", GOOD))
        return
    shown = ", ".join(f"{r['port']} {show_rate(r['load'])} of {show_rate(r['commit'])}" for r in over[:4])
    more = f" and {len(over) - 4} more" if len(over) > 4 else ""
    line(console, "peer ports over commit: ", (shown + more, BAD))


def _proofs(console: Console, proof: Proof) -> None:
    for what, proved in proofs_of(proof.settled):
        verdict = ("holds", GOOD) if proved.holds else ("BROKEN", BAD)
        line(console, f"{what}: ", verdict, "" if proved.holds else f"  {counterexample(proved)}")


def proofs_of(state: State) -> list[tuple[str, Confinement]]:
    """Return what is proved of a state in words, and the proof: confinement where there are peers, then the rules."""
    over = [("routes", state.routes.confined), ("FIBs", state.loads.confined)] if state.net.peers else []
    found = [(f"transit confined to its region, over the {what}", proved) for what, proved in over]
    return found + [(f"policy rule {rule.number} ({rule.says} stays)", rule.proof) for rule in state.policy]


def counterexample(proved: Confinement) -> str:
    """Return a counterexample in one line: who holds or sends what, and by which way."""
    scope = f"{proved.family}" + (f", class {proved.cls}" if proved.cls else "")
    down = f" with {proved.lsp_down} down" if proved.lsp_down else ""
    return f"{proved.router}: {proved.group} ({scope}){down} by {' > '.join(proved.path)}"


def show_warnings(console: Console, notes: Sequence[Problem]) -> None:
    """Print the first warnings, and how many more there are."""
    if not notes:
        return
    console.print()
    for note in notes[:WARNINGS]:
        line(console, ("warning ", WARN), str(note).replace("warning[", "[", 1))
    if len(notes) > WARNINGS:
        line(console, ("warning ", WARN), f"and {len(notes) - WARNINGS} more: --json has them all")
