"""A difference on one screen: what was changed, and what moves because of it, the largest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from rich.console import Console
from rich.text import Text

from trunkline.model.diff import WHEN
from trunkline.model.tables import Cell
from trunkline.model.units import show_rate, show_share, show_time
from trunkline.report.diff import Difference, things_changed, verdicts
from trunkline.report.terminal import BAD, DIM, GOOD, WARN, count, grid, line, show_grid
from trunkline.verdict import Verdict, number

SHOWN = 8
"""How many rows of each kind the screen shows; the rest is counted, and --json has them all."""
NAMED = 4
"""How many names stand on a line."""

Row = Mapping[str, Cell]


def show_difference(console: Console, found: Difference) -> None:
    """Print a difference: changes of intent, objectives, routes, LSPs, circuits, ports, demands."""
    line(console, (found.labels[0], "bold"), " -> ", (found.labels[1], "bold"))
    if found.b.summary["events"]:
        line(console, "both after ", ("; then ".join(found.b.summary["events"]), "bold"))
    _intent(console, found)
    _objectives(console, found)
    rows = {name: table.records() for name, table in found.tables.items()}
    _routes(console, rows["routes"])
    _lsps(console, rows["lsps"])
    _loads(console, "circuits", "arc", rows["circuits"])
    _loads(console, "peer ports", "port", rows["ports"])
    _demands(console, rows["demands"])
    if not any(len(t.rows) for name, t in found.tables.items() if name != "changes"):
        line(console, "\nnothing moves")


def _intent(console: Console, found: Difference) -> None:
    console.print()
    lines = things_changed(found.changes)
    if not lines:
        line(console, ("no change of intent", DIM))
    for kind, what, names in lines[: 2 * SHOWN]:
        noun = "LSP" if kind == "lsp" else kind
        many = f"{len(names):,} {noun}s " if len(names) > 1 else f"{noun} "
        style = {"added": GOOD, "removed": BAD}.get(what, WARN)
        line(console, many, (_names(names), "bold"), " ", (what, style))
    _rest(console, len(lines) - 2 * SHOWN)


def _names(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more


def _rest(console: Console, n: int) -> None:
    if n > 0:
        line(console, (f"and {n:,} more: --json has them all", DIM))


def _objectives(console: Console, found: Difference) -> None:
    rows = grid("objective", "before", "", "after", "", "worst")
    for name, before, after in verdicts(found):
        rows.add_row(name, _value(before), _met(before), _value(after), _met(after), after.worst if after else "")
    if rows.rows:
        console.print()
        show_grid(console, rows)


def _value(verdict: Verdict | None) -> str:
    return verdict.text if verdict else "not asked for"


def _met(verdict: Verdict | None) -> Text:
    return Text("") if verdict is None else Text(verdict.word, GOOD if verdict.met else BAD)


def _routes(console: Console, rows: Sequence[Row]) -> None:
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for row in rows:
        alike[tuple(str(row[c] or "none") for c in _EXITS)].append(str(row["router"]))
    if not alike:
        return
    shown = grid("routes that differ", "", "from", "to", ">routers", "")
    order = sorted(alike.items(), key=lambda item: (-len(item[1]), item[0]))
    for (group, family, *exits), routers in order[:SHOWN]:
        was, now = (f"{exit_} {port}" if port != "none" else exit_ for exit_, port in (exits[:2], exits[2:]))
        same = "another route by it" if was == now else now
        shown.add_row(group, family, was, same, f"{len(routers):,}", Text(_names(routers), DIM))
    console.print()
    show_grid(console, shown)
    _rest(console, len(order) - SHOWN)


_EXITS = ("group", "family", "exit.before", "port.before", "exit.after", "port.after")


def _lsps(console: Console, rows: Sequence[Row]) -> None:
    by_class: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_class[str(row["class.after"] or row["class.before"])].append(row)
    if not by_class:
        return
    shown = grid("LSPs", ">added", ">removed", ">moved", ">resized", ">lost", ">placed again", ">slower by, at most")
    for cls, mine in sorted(by_class.items()):
        both = [r for r in mine if r["change"] == "changed"]
        up = [r for r in both if r["state.before"] == r["state.after"] == "up"]
        slower = max((number(r["latency.after"]) - number(r["latency.before"]) for r in up), default=0)
        shown.add_row(
            cls,
            count(sum(r["change"] == "added" for r in mine), GOOD),
            count(sum(r["change"] == "removed" for r in mine), WARN),
            count(sum(r["path.before"] != r["path.after"] for r in up), WARN),
            count(sum(r["reserved.before"] != r["reserved.after"] for r in up), WARN),
            count(sum(r["state.before"] == "up" != r["state.after"] for r in both), BAD),
            count(sum(r["state.before"] != "up" == r["state.after"] for r in both), GOOD),
            show_time(slower) if slower > 0 else Text("-", DIM),
        )
    console.print()
    show_grid(console, shown)


def _loads(console: Console, what: str, key: str, rows: Sequence[Row]) -> None:
    """Print whose load differs; what differs only in how the load is made up is left to the JSON."""
    rows = [r for r in rows if any(r.get(f"{c}.before") != r.get(f"{c}.after") for c in ("load", "in", "out", "lost"))]
    if not rows:
        return
    shown = grid(f"{what} that differ", ">capacity", ">load", ">", ">util", ">", ">lost", ">")
    order = sorted(rows, key=lambda r: (-abs(_rise(r)), str(r[key])))
    for row in order[:SHOWN]:
        cells: list[str | Text] = [str(row[key]), show_rate(number(row["capacity.after"] or row["capacity.before"]))]
        load = "load" if "load.after" in row else "out"
        for column, show in ((load, show_rate), ("utilisation", show_share), ("lost", show_rate)):
            if f"{column}.after" in row:
                cells += _before_after(row, column, show)
        shown.add_row(*cells)
    console.print()
    show_grid(console, shown)
    _rest(console, len(order) - SHOWN)


def _before_after(row: Row, column: str, show: Callable[[int], str]) -> list[str]:
    was, now = (row[f"{column}.{when}"] for when in WHEN)
    return ["-" if was is None else show(number(was)), "-> -" if now is None else "-> " + show(number(now))]


def _rise(row: Row) -> int:
    return number(row["utilisation.after"]) - number(row["utilisation.before"])


def _demands(console: Console, rows: Sequence[Row]) -> None:
    worse = [r for r in rows if number(r["lost.after"]) != number(r["lost.before"])]
    slower = [r for r in rows if number(r["latency_max.after"]) > number(r["latency_max.before"])]
    if worse:
        shown = grid("demands by loss", "", ">lost", ">", "why", "where")
        order = sorted(worse, key=lambda r: (number(r["lost.before"]) - number(r["lost.after"]), str(r["demand"])))
        for row in order[:SHOWN]:
            why = [str(row[f"{c}.after"] or row[f"{c}.before"] or "") for c in ("reason", "where")]
            shown.add_row(str(row["demand"]), str(row["family"]), *_before_after(row, "lost", show_rate), *why)
        console.print()
        show_grid(console, shown)
        _rest(console, len(order) - SHOWN)
    if slower:
        most = max(slower, key=lambda r: number(r["latency_max.after"]) - number(r["latency_max.before"]))
        by = show_time(number(most["latency_max.after"]) - number(most["latency_max.before"]))
        who = "1 demand is" if len(slower) == 1 else f"{len(slower):,} demands are"
        line(console, f"\n{who} slower, {most['demand']} ({most['family']}) the most: by {by}")
