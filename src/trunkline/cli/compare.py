"""`compare`: iBGP designs measured against each other on one network."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from trunkline.cli.app import BROKEN, CORES, AsJson, Net, NoColor, Quiet, Workers, app, console, guarded
from trunkline.model.problem import Problem, Problems, nearest
from trunkline.model.units import BadQuantity, size


@app.command()
@guarded
def compare(
    net: Net,
    design: Annotated[
        list[str] | None,
        typer.Option(
            "--design",
            "-d",
            metavar="DESIGN",
            help="A design, such as `route-reflector+add-path=2`; repeat for more.",
            show_default="the file's own and the usual others",
        ),
    ] = None,
    before: Annotated[
        str | None, typer.Option("--from", metavar="DESIGN", help="The design that a change comes from.")
    ] = None,
    after: Annotated[str | None, typer.Option("--to", metavar="DESIGN", help="The design that it goes to.")] = None,
    steps: Annotated[
        bool, typer.Option("--steps", help="Order the change from --from to --to, each state of it proved.")
    ] = False,
    feed: Annotated[
        list[str] | None,
        typer.Option(
            "--feed",
            metavar="PEER=TABLE",
            help="What a peer (or PEER@ROUTER) announces: an MRT or CSV file, `rib.gz#AS64500` where it has many "
            "peers, or `synthetic`, a made-up Internet; repeat for more.",
        ),
    ] = None,
    losses: Annotated[
        bool, typer.Option("--losses", help="Lose every peer, PR, BB, reflector and region in turn: what it costs.")
    ] = False,
    workers: Workers = CORES,
    grow: Annotated[
        str | None,
        typer.Option("--grow", metavar="N..M", help="Measure at more and more routers, sites copied: `40..1000`."),
    ] = None,
    bound: Annotated[
        list[str] | None,
        typer.Option(
            "--bound",
            metavar="WHAT=VALUE",
            help="What one router bears at most: sessions=200, held=10000000, told=..., memory=16GiB.",
        ),
    ] = None,
    as_json: AsJson = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Write report.html, compare.json and every table here.", metavar="DIR"),
    ] = None,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Measure iBGP designs against each other: sessions, routes, memory, exits, latency, traffic, proofs.

    A design is `regional`, `full-mesh`, `route-reflector`, `regional-rr` or `file`, and what follows a `+`: add-path
    (=all, per-as, N), add-path-up, add-path-down, best-external, optimal, shared-cluster, confine, no-confine,
    fallback, no-fallback, reflectors=A,B. Exits with 1 where a change of designs cannot be made step by step.

    Example: trunkline compare examples/aurora.yaml -d regional -d route-reflector+add-path
    """
    from trunkline.report.compare import Wanted, compared
    from trunkline.report.files import to_json

    bounds = dict(_bound(text) for text in bound or ())
    if bounds and not (grow or (steps and "sessions" in bounds)):
        raise _refused("--bound bounds nothing here", "--grow, or --steps and a bound on sessions")
    designs = _designs(design or [], before, after, steps)
    found = compared(
        net,
        Wanted(designs, steps, losses, workers, _sizes(grow), bounds, tuple(feed or ())),
        console(no_color, stderr=True),
        quiet,
    )
    if out is not None:
        from trunkline.report.folder import write_comparison

        write_comparison(out, found)
        if not quiet:
            print(f"trunkline: report.html, compare.json and tables are in {out}", file=sys.stderr)
    if as_json:
        sys.stdout.write(to_json(found.document))
    else:
        from trunkline.report.compare_terminal import show_comparison

        show_comparison(console(no_color), found)
    return 0 if found.ok else BROKEN


def _designs(designs: list[str], before: str | None, after: str | None, steps: bool) -> list[str]:
    if (before is None) != (after is None):
        raise _refused("--from and --to go together", "both or neither")
    if steps and before is None:
        raise _refused("--steps needs a change", "--from DESIGN --to DESIGN")
    return [*(text for text in (before, after) if text is not None), *designs]


def _sizes(grow: str | None) -> tuple[int, int] | None:
    if grow is None:
        return None
    match = re.fullmatch(r"(?:([0-9]{1,6})\.\.)?([0-9]{1,6})", grow)
    if match is None or not 0 < int(match[2]) <= MOST or int(match[1] or 1) > int(match[2]):
        raise _refused(f"--grow: '{grow}' is no range of routers", f"N..M such as 40..1000, at most {MOST:,}")
    return int(match[1] or 1), int(match[2])


MOST = 5000
"""The most routers that --grow goes to."""


def _bound(text: str) -> tuple[str, int]:
    from trunkline.compare.growth import FIGURES

    what, _, value = text.partition("=")
    if what not in FIGURES:
        raise _refused(f"--bound: '{what}' is not bounded", ", ".join(FIGURES), nearest(what, FIGURES))
    try:
        number = size(value) if what == "memory" else int(value.replace(",", ""))
    except (BadQuantity, ValueError):
        number = -1
    if number < 0:
        example = "memory=16GiB" if what == "memory" else f"{what}=200"
        raise _refused(f"--bound: '{value}' is no bound on {what}", f"such as {example}")
    return what, number


def _refused(message: str, expected: str, near: str = "") -> Problems:
    return Problems([Problem("", 0, 0, "option", message, "", expected, near)])
