"""`drain`: taking something out of service, planned and proved."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trunkline.cli.app import BROKEN, AsJson, Net, NoColor, Quiet, app, console, guarded
from trunkline.model.problem import Problems

if TYPE_CHECKING:
    from trunkline.report.draining import Draining


@app.command()
@guarded
def drain(
    net: Net,
    thing: Annotated[
        str, typer.Argument(metavar="CIRCUIT|ROUTER|SITE", help="What is to go out of service.", show_default=False)
    ],
    undo: Annotated[
        bool, typer.Option("--undo", help="The steps that bring it back, after those that took it.")
    ] = False,
    series: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Demand over time, a CSV file of time,factor or time,class,factor: when is nothing lost?",
        ),
    ] = None,
    surviving: Annotated[
        int, typer.Option(help="1: also say which single failure would lose traffic meanwhile.", min=0, max=1)
    ] = 0,
    as_json: AsJson = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Write drain.json, the tables as CSV, and what FRRouting is told at each step."
        ),
    ] = None,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Plan how to take a circuit, a router or a site out of service, and prove that no class loses traffic meanwhile.

    LSPs move first, make before break; then IS-IS leads around it; then BGP; then nothing is left on it.
    Exits with 1 where a step loses traffic, and says which.

    Example: trunkline drain examples/aurora.yaml atl-mid-1
    """
    from trunkline.report.drain_terminal import show_draining
    from trunkline.report.draining import Wanted, draining
    from trunkline.report.files import to_json, write_all

    found = draining(net, Wanted(thing, undo, series, surviving), console(no_color, stderr=True), quiet)
    if out is not None:
        texts = {"drain.json": to_json(found.document), **_told(found)}
        write_all(out, texts, found.tables)
        if not quiet:
            print(f"trunkline: drain.json, its tables and what routers are told are in {out}", file=sys.stderr)
    if as_json:
        sys.stdout.write(to_json(found.document))
    else:
        show_draining(console(no_color), found)
    return 0 if found.ok else BROKEN


def _told(found: Draining) -> dict[str, str]:
    """What FRRouting is told at each step that sets something, by file name; it has no RSVP-TE to re-optimise."""
    from trunkline.devices.fleet import told
    from trunkline.model.event import Configure

    texts: dict[str, str] = {}
    for number, (before, step) in enumerate(zip(found.steps.states, found.drain.steps, strict=False), 1):
        if isinstance(step.event, Configure):
            try:
                lines = told(before.net, step.state.net)
            except Problems as without:
                print(f"trunkline: no commands for FRRouting: {without.problems[0].message}", file=sys.stderr)
                return {}
            texts |= {f"frr/{number:02}-{name}.txt": "".join(f"{x}\n" for x in said) for name, said in lines.items()}
    return texts
