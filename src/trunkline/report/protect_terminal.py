"""`protect` on one screen: what of LSPs is protected by what, what is not and why, and what bypasses would overload."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from trunkline.model.protection import Guard
from trunkline.model.units import show_rate, show_share
from trunkline.report.protecting import Protecting
from trunkline.report.terminal import BAD, DIM, GOOD, WARN, grid, line, show_grid
from trunkline.te.repairs import Unprotected

MOST = 10
"""How many overloads the screen shows; --json has them all."""
ENDS = {str(reason) for reason in (Unprotected.HEAD, Unprotected.TAIL, Unprotected.EGRESS)}
"""What nobody can protect: no fault of the network's."""


def show_protecting(console: Console, found: Protecting) -> None:
    """Print it."""
    s = found.summary
    around = f"{s['node_bypasses']:,} around a router, {s['link_bypasses']:,} around a circuit"
    about = f" over {found.only}" if found.only is not None else ""
    counted = f"  {s['lsps']:,} LSP{'' if s['lsps'] == 1 else 's'}{about}; bypasses: {around}; "
    line(console, (found.name, "bold"), counted + f"standby paths: {s['standbys']:,}")
    line(console, _asked(found))
    if s["standbys_lacking"]:
        line(console, (f"{s['standbys_lacking']:,} more ask for a standby path and have none: see `standbys`", BAD))
    _parts(console, found)
    _overloads(console, found)
    _unlabelled(console, found)


def _asked(found: Protecting) -> str:
    plan = found.state.net.protection
    if plan.bypass is Guard.NONE:
        return "the file asks for no bypasses: `protection: {bypass: node}` does"
    bandwidth = f"{show_rate(plan.bandwidth)} each" if plan.bandwidth else "no bandwidth"
    bandwidth = f"{show_share(plan.share)} of what they protect" if plan.share else bandwidth
    whose = "" if plan.classes is None else f", for {' '.join(plan.classes)}"
    return f"asked for: {plan.bypass}, {plan.per_circuit} per circuit at most, {bandwidth}, risks: {plan.risks}{whose}"


def _parts(console: Console, found: Protecting) -> None:
    shown = grid("class", "fails", ">LSP hops", "protected by")
    for row in found.tables["protected"].records():
        how = str(row["how"])
        style = DIM if how in ENDS else BAD if how in set(Unprotected) else GOOD
        shown.add_row(str(row["class"]), str(row["part"]), f"{int(row['parts'] or 0):,}", Text(how, style))
    console.print()
    show_grid(console, shown)


def _overloads(console: Console, found: Protecting) -> None:
    rows = found.tables["bypass_overloads"].records()
    console.print()
    if not rows:
        line(console, ("no repair would overload a circuit", GOOD))
        return
    shown = grid("fails", "overloads", ">util", ">load", ">before", ">lost", "by")
    ranked = sorted(rows, key=lambda r: (-int(r["lost"] or 0), -int(r["utilisation"] or 0), str(r["failed"])))
    for row in ranked[:MOST]:
        names = str(row["bypasses"]).split()
        ways = [names[0]] if names else []
        ways += [f"{len(names) - 1} more"] if len(names) > 1 else []
        ways += [f"{row['standbys']} standby"] if row["standbys"] else []
        load, before, lost = (show_rate(int(row[key] or 0)) for key in ("load", "before", "lost"))
        use = Text(show_share(int(row["utilisation"] or 0)), BAD)
        shown.add_row(str(row["failed"]), str(row["arc"]), use, load, before, lost, ", ".join(ways))
    show_grid(console, shown)
    more = f"; {len(rows) - MOST:,} more such arcs in bypass_overloads" if len(rows) > MOST else ""
    number = found.summary["overloading"]
    line(console, (f"{number:,} failure{'' if number == 1 else 's'} would overload a circuit", WARN), more)


def _unlabelled(console: Console, found: Protecting) -> None:
    rows = found.tables["unlabelled"].records()
    if not rows:
        line(console, "unlabelled traffic, which no bypass can save: none")
        return
    worst = max(rows, key=lambda r: int(r["unlabelled"] or 0))
    size = f"{show_rate(int(worst['unlabelled'] or 0))} of {show_rate(int(worst['load'] or 0))}"
    many = f"on {len(rows):,} arc{'' if len(rows) == 1 else 's'}"
    line(console, f"unlabelled traffic, which no bypass can save: {many}, most of it on {worst['arc']} ({size})")
