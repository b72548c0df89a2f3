"""`grow`: how far traffic can grow, and what it takes to go further."""

from __future__ import annotations

import sys
from decimal import Decimal, InvalidOperation
from typing import Annotated

import typer

from trunkline.cli.app import BROKEN, CORES, AsJson, Net, NoColor, Quiet, Workers, app, console, guarded
from trunkline.cli.headroom import Surviving
from trunkline.model.problem import Problem, Problems


@app.command()
@guarded
def grow(
    net: Net,
    to: Annotated[str, typer.Option(metavar="FACTOR", help="The factor to grow to, from 1.01 to 100.")] = "10",
    cls: Annotated[str | None, typer.Option("--class", metavar="CLASS", help="Only this class grows.")] = None,
    region: Annotated[str | None, typer.Option(metavar="REGION", help="Only what has an end here grows.")] = None,
    surviving: Surviving = "1",
    prices: Annotated[
        bool,
        typer.Option(
            "--prices",
            help="Also say what to buy, from the file's `prices`. Needs `pip install 'trunkline\\[lp]'`.",
        ),
    ] = False,
    quarters: Annotated[
        int, typer.Option(help="With --prices: buy in so many steps of even growth.", min=1, max=40)
    ] = 1,
    workers: Workers = CORES,
    as_json: AsJson = False,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Say how far traffic can grow before the first promise breaks, with everything in order and whatever fails.

    With --prices also what to buy to get there: an integer program proposes, a replay of every state judges, and round
    again. Exits with 1 where no purchase gets there.

    Example: trunkline grow examples/aurora.yaml --class customer --surviving circuit,risk
    """
    from trunkline.report.files import to_json
    from trunkline.report.grow_terminal import show_growing
    from trunkline.report.growing import Wanted, growing
    from trunkline.risk.grow import Scope

    if quarters > 1 and not prices:
        raise Problems([Problem("", 0, 0, "option", "no prices, no purchases", "quarters", "--prices as well")])
    wanted = Wanted(Scope(cls, region), _factor(to), surviving, workers, quarters if prices else 0)
    found = growing(net, wanted, console(no_color, stderr=True), quiet)
    if as_json:
        sys.stdout.write(to_json(found.document))
    else:
        show_growing(console(no_color), found)
    return 0 if found.ok else BROKEN


def _factor(text: str) -> int:
    """A factor in ppm, on the grid of hundredths."""
    try:
        factor = Decimal(text.removeprefix("x"))
    except InvalidOperation:
        factor = Decimal(0)
    if not factor.is_finite() or not Decimal("1.01") <= factor <= 100 or factor * 100 % 1:
        expected = "a number from 1.01 to 100, in hundredths"
        raise Problems([Problem("", 0, 0, "option", f"'{text}' is no factor to grow to", "to", expected)])
    return int(factor * 1_000_000)
