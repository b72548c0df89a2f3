"""`headroom`: what can be promised between two sites."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from trunkline.cli.app import CORES, AsJson, Net, NoColor, Quiet, Workers, app, console, guarded
from trunkline.model.problem import Problem, Problems

Surviving = Annotated[
    str,
    typer.Option(
        metavar="0|1|KIND,...",
        help="What has to be survived: nothing, any single failure, or failures of kinds such as circuit,risk.",
    ),
]


@app.command()
@guarded
def headroom(
    net: Net,
    cls: Annotated[str, typer.Option("--class", metavar="CLASS", help="The class of the traffic.")],
    source: Annotated[str | None, typer.Argument(metavar="FROM", help="A site.", show_default=False)] = None,
    target: Annotated[str | None, typer.Argument(metavar="TO", help="Another site.", show_default=False)] = None,
    surviving: Surviving = "1",
    workers: Workers = CORES,
    as_json: AsJson = False,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Say what traffic can be added from one site to another so that nothing anywhere loses, whatever fails.

    With two sites the figure is proved by replay, and so is that a step more would lose something; without, every
    pair of sites by the formula.

    Example: trunkline headroom examples/aurora.yaml dal fra --class customer --surviving circuit,risk
    """
    from trunkline.report.files import to_json
    from trunkline.report.headroom import Wanted
    from trunkline.report.headroom import headroom as computed
    from trunkline.report.headroom_terminal import show_headroom

    if source is not None and target is None:
        raise Problems(
            [Problem("", 0, 0, "option", f"from '{source}' to where?", "", "two sites, or none for every pair")]
        )
    pair = (source, target) if source is not None and target is not None else None
    found = computed(net, Wanted(cls, surviving, pair, workers), console(no_color, stderr=True), quiet)
    if as_json:
        sys.stdout.write(to_json(found.document))
    else:
        show_headroom(console(no_color), found)
    return 0
