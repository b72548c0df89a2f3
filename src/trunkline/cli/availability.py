"""`availability`: how likely everything is to be served."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from trunkline.cli.app import (
    BROKEN,
    CORES,
    AsJson,
    Cluster,
    Net,
    NoColor,
    Quiet,
    Workers,
    app,
    console,
    guarded,
    resumable,
)


@app.command()
@guarded
def availability(
    net: Net,
    budget: Annotated[int, typer.Option(metavar="N", help="Look at the N likeliest scenarios.", min=1)] = 300,
    sample: Annotated[int, typer.Option(metavar="N", help="Draw N more scenarios from the rest.", min=0)] = 0,
    additions: Annotated[
        bool, typer.Option("--additions", help="Try what could be added, and say which saves most.")
    ] = False,
    workers: Workers = CORES,
    cluster: Cluster = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Write every row as Parquet here, part by part; stopped, the same command goes on from there. Needs "
            "`pip install 'trunkline\\[frames]'`.",
        ),
    ] = None,
    as_json: AsJson = False,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """How likely every demand is to be served in full, by the rates of failures, and what costs it most.

    Each figure is an interval: what was not looked at may lose nothing or everything. Exits with 1 where an
    objective of availability is broken, with 0 where it is met or undecided.

    Example: trunkline availability examples/aurora.yaml --budget 100
    """
    from trunkline.report.availability import Asked
    from trunkline.report.availability import availability as found
    from trunkline.report.availability_terminal import show_available
    from trunkline.report.files import to_json
    from trunkline.report.progress import Watching

    with Watching(console(no_color, stderr=True), quiet) as watching, resumable(out):
        said = found(net, Asked(budget, sample, additions, workers, cluster, out), watching)
    if out is not None and not quiet:
        print(f"trunkline: availability.json and Parquet parts are in {out}", file=sys.stderr)
    if as_json:
        sys.stdout.write(to_json(said.document))
    else:
        show_available(console(no_color), said)
    return 0 if said.ok else BROKEN
