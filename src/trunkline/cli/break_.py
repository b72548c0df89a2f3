"""`break`: everything that can fail, and what it does."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from trunkline.model.problem import Problem, Problems, nearest

if TYPE_CHECKING:
    from trunkline.report.breaking import Broken
    from trunkline.risk.scenario import Kind


@app.command("break")
@guarded
def break_(
    net: Net,
    kinds: Annotated[
        str | None,
        typer.Option(
            metavar="KIND,...",
            help="What fails: circuit, member, card, router, site, region, peer, port, risk, set, maintenance.",
            show_default="all of them",
        ),
    ] = None,
    pairs: Annotated[
        str | None, typer.Option(metavar="KIND", help="Also every pair of things of this kind, such as circuit.")
    ] = None,
    likeliest: Annotated[
        int,
        typer.Option(
            metavar="N", help="Also the N likeliest failures of two things or more together, by their rates.", min=0
        ),
    ] = 0,
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only the scenario of this name; repeat for more.")
    ] = None,
    workers: Workers = CORES,
    cluster: Cluster = None,
    as_json: AsJson = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="DIR",
            help="Write report.html and every row as Parquet here, part by part; stopped, the same command goes on "
            "from there. Needs `pip install 'trunkline\\[frames]'`.",
        ),
    ] = None,
    html: Annotated[
        Path | None,
        typer.Option(
            "--html",
            metavar="FILE",
            help="Write a page: failures ranked, a map of each, what hurts what; needs no Parquet.",
        ),
    ] = None,
    seal: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write what each scenario will do, and print the digest; `lab test --sealed` holds a lab against it.",
        ),
    ] = None,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Let everything fail, one thing at a time: what is lost, what moves, which circuits run hot, what breaks.

    Each scenario starts from the settled network: only what the failure hits is signalled again, then head-ends
    re-optimise. Exits with 1 where a single failure breaks an objective or a proof.

    Example: trunkline break examples/aurora.yaml --kinds risk,peer
    """
    from trunkline.report.break_terminal import show_broken
    from trunkline.report.breaking import Wanted, broken
    from trunkline.report.files import to_json
    from trunkline.risk.scenario import EVERY, SINGLES

    asked = tuple(_kind(word, EVERY) for word in kinds.split(",")) if kinds is not None else EVERY
    both = _kind(pairs, SINGLES) if pairs is not None else None
    pages = [*([html] if html is not None else []), *([out / "report.html"] if out is not None else [])]
    wanted = Wanted(
        kinds=asked, pairs=both, only=tuple(only or ()), likeliest=likeliest, workers=workers, cluster=cluster, out=out,
        every_row=as_json, page=bool(pages), seal=seal is not None,
    )  # fmt: skip
    with resumable(out):
        found = broken(net, wanted, console(no_color, stderr=True), quiet)
    _write(pages, found)
    if out is not None and not quiet:
        print(f"trunkline: report.html, break.json and Parquet parts are in {out}", file=sys.stderr)
    if seal is not None:
        print(f"trunkline: sealed in {seal}, sha256 {_sealed(seal, found)}", file=sys.stderr)
    if as_json:
        sys.stdout.write(to_json(found.document))
    else:
        show_broken(console(no_color), found)
    return 0 if found.ok else BROKEN


def _write(pages: list[Path], found: Broken) -> None:
    """Write the page of a sweep to each place."""
    if found.kept is None:
        return
    from trunkline.report.break_page import break_page
    from trunkline.report.files import bytes_of, write_whole

    text = bytes_of(break_page(found, found.kept))
    for place in pages:
        write_whole({place: text})


def _sealed(file: Path, found: Broken) -> str:
    """Write the seal of every scenario of a sweep; return its digest."""
    from trunkline.lab.sealed import SCHEMA, digests
    from trunkline.report.files import bytes_of, to_json, write_whole

    net = found.loaded.network
    cuts = [s for s in found.scenarios if not s.during and s.things == (s.name,) and s.kind != "member"]
    lab = dict(zip([s.name for s in cuts], digests(net, [s.things for s in cuts]), strict=True))
    scenarios = {name: {**what, "lab": lab.get(name)} for name, what in found.seals.items()}
    document = {"schema": SCHEMA, "network": {"sha256": found.loaded.sha256}, "scenarios": scenarios}
    text = bytes_of(to_json(document))
    write_whole({file: text})
    return hashlib.sha256(text).hexdigest()


def _kind(word: str, valid: tuple[Kind, ...]) -> Kind:
    found = next((kind for kind in valid if kind == word), None)
    if found is None:
        expected = ", ".join(valid)
        raise Problems(
            [Problem("", 0, 0, "option", f"'{word}' is no kind of failure", "", expected, nearest(word, valid))]
        )
    return found
