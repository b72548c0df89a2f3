"""`diff`: two network files, and what moves because of what differs between them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from trunkline.cli.app import BROKEN, AsJson, Events, NoColor, Quiet, app, console, guarded


@app.command()
@guarded
def diff(
    a: Annotated[Path, typer.Argument(metavar="A", help="The network file as it is.", show_default=False)],
    b: Annotated[Path, typer.Argument(metavar="B", help="The network file as it would be.", show_default=False)],
    event: Events = None,
    as_json: AsJson = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Write report.html, diff.json and a CSV per table into this folder.", metavar="DIR"),
    ] = None,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Show what was changed between two network files, and what moves because of it: routes, LSPs, loads, objectives.

    Both are planned from cold and through the same events.  Exits with 1 where B breaks an objective or a proof.

    Example: trunkline diff now.yaml next.yaml
    """
    from trunkline.report.diff import compared
    from trunkline.report.files import to_json

    found = compared(a, b, tuple(event or ()), console(no_color, stderr=True), quiet)
    if out is not None:
        from trunkline.report.folder import write_difference

        write_difference(out, found)
        if not quiet:
            print(f"trunkline: report.html, diff.json and tables are in {out}", file=sys.stderr)
    if as_json:
        sys.stdout.write(to_json(found.document))
    else:
        from trunkline.report.diff_terminal import show_difference

        show_difference(console(no_color), found)
    return 0 if found.ok else BROKEN
