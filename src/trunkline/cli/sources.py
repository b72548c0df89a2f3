"""`import`: other people's networks as network files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from trunkline.cli.app import Quiet, app, console, guarded
from trunkline.model import units
from trunkline.model.problem import Problem, Problems
from trunkline.model.schema import MAX_RATE

if TYPE_CHECKING:
    from trunkline.sources.bring import Brought


@app.command("import")
@guarded
def bring_in(
    source: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE", help="Files, topohub:NAME or netbox:URL.", show_default=False),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The network file to write, instead of standard output.", metavar="FILE"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    form: Annotated[str | None, typer.Option("--format", help="The format, where the source does not tell.")] = None,
    matrix: Annotated[int | None, typer.Option(help="Which of several traffic matrices, from 0.", min=0)] = None,
    gravity: Annotated[
        str | None, typer.Option(help="Add demands of this rate in all, such as 1T, to a source without any.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print counts, notes and every use of a rule as JSON instead of the file.")
    ] = False,
    quiet: Quiet = False,
) -> int:
    """Make a network file of someone else's: Topology Zoo, SNDlib, ESnet, Teal, pyNTM, CSV, topohub, NetBox.

    What the source lacks is filled by named rules, printed and written on top of the file.

    Example: trunkline import topohub:sndlib/polska -o polska.yaml
    """
    from trunkline.report.files import write_whole
    from trunkline.report.progress import Watching
    from trunkline.sources.bring import bring

    if out is not None and out.exists() and not force:
        message = "the file exists already"
        raise Problems([Problem(str(out), 0, 0, "exists", message, expected="another name, or --force")])
    with Watching(console(stderr=True), quiet) as watching:
        watching.stage("reading " + " ".join(source))
        brought = bring(source, form, matrix, _rate(gravity))
    if out is not None:
        write_whole({out: brought.text.encode()})
    if as_json:
        print(json.dumps(_document(brought), sort_keys=True, indent=1, ensure_ascii=False))
    elif out is None:
        sys.stdout.write(brought.text)
    if not quiet:
        _tell(brought, out)
    return 0


def _rate(written: str | None) -> int | None:
    if written is None:
        return None
    try:
        found = units.rate(written)
    except units.BadQuantity as bad:
        raise Problems([Problem("--gravity", 0, 0, "unit", f"'{written}' is not right here", "", str(bad))]) from None
    if not 1 <= found <= MAX_RATE:
        raise Problems([Problem("--gravity", 0, 0, "range", f"'{written}' is out of range", "", "1 bit/s to 1000P")])
    return found


def _counts(brought: Brought) -> dict[str, int]:
    sketch = brought.sketch
    return {
        "circuits": len(sketch.links),
        "demands": len(sketch.demands),
        "lsps": len(sketch.lsps),
        "routers": len(sketch.nodes),
    }


def _document(brought: Brought) -> dict[str, Any]:
    from trunkline.sources.rules import RULES

    rules = [{"rule": rule, "text": RULES[rule], "subjects": found} for rule, found in brought.applied.items()]
    document: dict[str, Any] = {"schema": "trunkline/import/1", "origin": brought.sketch.origin, "rules": rules}
    return document | {"counts": _counts(brought), "notes": brought.notes, "name": brought.sketch.name}


def _tell(brought: Brought, out: Path | None) -> None:
    from trunkline.sources.write import summary

    counts = _counts(brought)
    words = {"routers": "router", "circuits": "circuit", "lsps": "LSP", "demands": "demand"}
    said = ", ".join(f"{counts[key] or 'no'} {word}{'s' * (counts[key] != 1)}" for key, word in words.items())
    print(f"{brought.sketch.name} ({brought.sketch.origin}): {said}", file=sys.stderr)
    for line in summary(brought.notes, brought.applied):
        print(line, file=sys.stderr)
    if out is not None:
        print(f"wrote {out}; next: trunkline plan {out}", file=sys.stderr)
