"""`plan` and `explain`: what a network converges to, and why."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from trunkline.cli.app import BROKEN, CORES, AsJson, Events, Net, NoColor, Quiet, Workers, app, console, guarded
from trunkline.model.frames import Form


@app.command()
@guarded
def plan(
    net: Net,
    event: Events = None,
    as_json: AsJson = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write report.html, plan.json and every table here.", metavar="DIR")
    ] = None,
    tables: Annotated[
        Form, typer.Option(help="How --out writes the tables; parquet needs `pip install 'trunkline\\[frames]'`.")
    ] = Form.CSV,
    workers: Workers = CORES,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Show what the network converges to: objectives, LSPs, hottest circuits, ports, confinement, warnings.

    Example: trunkline plan examples/aurora.yaml --event examples/aurora-cut.yaml
    """
    from trunkline.report.plan import planned

    planning = planned(net, tuple(event or ()), workers, console(no_color, stderr=True), quiet)
    if out is not None:
        from trunkline.report.folder import write_plan

        write_plan(out, planning, tables)
        if not quiet:
            print(f"trunkline: report.html, plan.json and tables are in {out}", file=sys.stderr)
    if as_json:
        from trunkline.report.files import to_json

        sys.stdout.write(to_json(planning.document))
    else:
        from trunkline.report.terminal import show_plan

        show_plan(console(no_color), planning.name, planning.proof, planning.summary, planning.notes)
    return 0 if planning.proof.ok else BROKEN


class Subject(StrEnum):
    """What can be explained."""

    LSP = "lsp"
    ROUTE = "route"
    DEMAND = "demand"
    CIRCUIT = "circuit"


@app.command()
@guarded
def explain(
    net: Net,
    subject: Annotated[Subject, typer.Argument(help="What to explain.")],
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME...", help="lsp HEAD/NAME; route ROUTER GROUP; demand NAME; circuit NAME or NAME@ROUTER."
        ),
    ],
    event: Events = None,
    as_json: AsJson = False,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Say why, step by step, with the alternatives that lost.

    Example: trunkline explain examples/aurora.yaml route fra-dr1 internet
    """
    from trunkline.report import explain as explaining
    from trunkline.report.plan import proved

    proof = proved(net, tuple(event or ()), console(no_color, stderr=True), quiet)
    found = explaining.explain(proof, subject, tuple(names))
    if as_json:
        document: dict[str, Any] = {"schema": "trunkline/explain/1", "subject": subject, "names": names}
        document["sections"] = found
        print(json.dumps(document, sort_keys=True, indent=1))
    else:
        explaining.show(console(no_color), found)
    return 0
