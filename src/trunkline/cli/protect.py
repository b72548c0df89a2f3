"""`protect`: fast reroute, and what it does not save."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from trunkline.cli.app import AsJson, Net, NoColor, Quiet, app, console, guarded


@app.command()
@guarded
def protect(
    net: Net,
    only: Annotated[
        str | None, typer.Option("--for", metavar="CIRCUIT|ROUTER", help="Only the failure of this circuit or router.")
    ] = None,
    as_json: AsJson = False,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Set up the bypasses and standby paths that the file asks for: what they protect, what they cannot, and why.

    Says for each circuit and router that is protected which circuits its repair would overload.

    Example: trunkline protect examples/aurora.yaml --for atl-mid-1
    """
    from trunkline.report.files import to_json
    from trunkline.report.protect_terminal import show_protecting
    from trunkline.report.protecting import protecting

    found = protecting(net, only, console(no_color, stderr=True), quiet)
    if as_json:
        sys.stdout.write(to_json(found.document))
    else:
        show_protecting(console(no_color), found)
    return 0
