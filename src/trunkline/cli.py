"""The command line: parse, call, print.  What commands mean is in the packages they call.

Exit: 0 fine, 1 an objective or a proof is broken, 2 bad input, 3 the environment lacks something, 70 a bug of ours
(a report file is written), 130 Ctrl-C.
"""

from __future__ import annotations

import functools
import io
import json
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, ParamSpec

import typer
from rich.console import Console

from trunkline.engine.choice import Unavailable
from trunkline.model.problem import Problem, Problems

BROKEN, BAD_INPUT, ENVIRONMENT, BUG, INTERRUPTED = 1, 2, 3, 70, 130

app = typer.Typer(
    help="An AI cloud's backbone from one file: what it converges to, what moves, what breaks, and why.",
    epilog="Start with: trunkline init my.yaml && trunkline plan my.yaml",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Net = Annotated[Path, typer.Argument(metavar="NET", help="The network file (YAML).", show_default=False)]
Events = Annotated[
    list[Path] | None,
    typer.Option(
        "--event", "-e", help="A file of events to apply after the cold start; repeat for more.", metavar="FILE"
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON to standard output instead of the screen.")]
NoColor = Annotated[bool, typer.Option("--no-color", help="No colour; NO_COLOR in the environment does the same.")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="No progress and no notes on standard error.")]

P = ParamSpec("P")


def guarded(command: Callable[P, int]) -> Callable[P, None]:
    """Turn what a command returns or raises into the exit code and a message; no traceback reaches a user."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            code = command(*args, **kwargs)
            sys.stdout.flush()
        except Problems as found:
            _print_problems(found.problems)
            code = BAD_INPUT
        except KeyboardInterrupt:
            print("trunkline: interrupted; nothing half-written is left behind", file=sys.stderr)
            code = INTERRUPTED
        except BrokenPipeError:
            _discard_output()  # the reader has seen enough
            code = 0
        except (typer.Exit, OSError, Unavailable):
            raise
        except Exception:
            print(f"trunkline: a bug of ours, sorry; the report is in {_bug_report()}", file=sys.stderr)
            code = BUG
        raise typer.Exit(code)

    return run


def _bug_report() -> str:
    with tempfile.NamedTemporaryFile(
        "w", prefix="trunkline-bug-", suffix=".txt", delete=False, encoding="utf-8"
    ) as report:
        report.write(
            f"trunkline {_version()}\npython {sys.version}\narguments {sys.argv[1:]}\n\n{traceback.format_exc()}"
        )
    return report.name


def _version() -> str:
    from importlib.metadata import version

    return version("trunkline")


def _print_problems(problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        print(problem, file=sys.stderr)
    if len(problems) > 1:
        print(f"trunkline: {len(problems)} problems", file=sys.stderr)


def _console(no_color: bool = False, stderr: bool = False) -> Console:
    off = no_color or bool(os.environ.get("NO_COLOR"))
    piped_width = None if (sys.stderr if stderr else sys.stdout).isatty() else 120
    return Console(stderr=stderr, no_color=off, highlight=False, emoji=False, markup=False, width=piped_width)


@app.command()
@guarded
def plan(
    net: Net,
    event: Events = None,
    as_json: AsJson = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write plan.json and a CSV per table into this folder.", metavar="DIR")
    ] = None,
    workers: Annotated[
        int, typer.Option(help="Threads for what can run side by side.", min=1, show_default="all cores")
    ] = os.cpu_count() or 1,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Show what the network converges to: objectives, LSPs, hottest circuits, ports, confinement, warnings.

    Example: trunkline plan examples/aurora.yaml --event examples/aurora-cut.yaml
    """
    from trunkline.report.plan import planned, write

    planning = planned(net, tuple(event or ()), workers, _console(no_color, stderr=True), quiet)
    if out is not None:
        write(out, planning)
        if not quiet:
            print(f"trunkline: plan.json and tables are in {out}", file=sys.stderr)
    if as_json:
        from trunkline.report.files import to_json

        sys.stdout.write(to_json(planning.document))
    else:
        from trunkline.report.terminal import show_plan

        show_plan(_console(no_color), planning.name, planning.proof, planning.summary, planning.notes)
    return 0 if planning.proof.ok else BROKEN


@app.command()
@guarded
def check(net: Net, as_json: AsJson = False) -> int:
    """Read the file and say what is wrong with it, without planning.

    Example: trunkline check my.yaml
    """
    from trunkline.model.load import load

    loaded = load(net)
    if as_json:
        warnings = [{"code": w.code, "line": w.line, "message": w.message, "field": w.field} for w in loaded.warnings]
        document = {"schema": "trunkline/check/1", "network": {"sha256": loaded.sha256}, "warnings": warnings}
        print(json.dumps(document, sort_keys=True, indent=1))
        return 0
    _print_problems(loaded.warnings)
    found = loaded.network
    print(f"{net}: fine: {len(found.routers)} routers, {len(found.circuits)} circuits, {len(found.lsps)} LSPs")
    return 0


@app.command()
@guarded
def schema() -> int:
    """Print the JSON Schema of the network file, for editors that complete and check as you type.

    Example: trunkline schema > trunkline.schema.json
    """
    from trunkline.model.json_schema import json_schema

    print(json.dumps(json_schema(), indent=2))
    return 0


@app.command()
@guarded
def init(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write; it must not exist.")] = Path(
        "network.yaml"
    ),
) -> int:
    """Write a commented network that plans cleanly, to start your own from.

    Example: trunkline init my.yaml
    """
    from trunkline.model.starter import starter

    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(starter())
    except FileExistsError:
        raise Problems([Problem(str(file), 0, 0, "exists", "the file exists already; nothing was written")]) from None
    except OSError as error:
        raise Problems([Problem(str(file), 0, 0, "unwritable", str(error.strerror))]) from None
    print(f"wrote {file}; next: trunkline plan {file}")
    return 0


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

    proof = proved(net, tuple(event or ()), _console(no_color, stderr=True), quiet)
    found = explaining.explain(proof, subject, tuple(names))
    if as_json:
        document: dict[str, Any] = {"schema": "trunkline/explain/1", "subject": subject, "names": names}
        document["sections"] = found
        print(json.dumps(document, sort_keys=True, indent=1))
    else:
        explaining.show(_console(no_color), found)
    return 0


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"trunkline {_version()}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Take the options that stand before a command."""


def _discard_output() -> None:
    """Let what is still buffered go nowhere, so that the interpreter's own flush at exit cannot fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Run the command line.  Streams that are closed take nothing; what they cannot encode is escaped."""
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app()
    except (OSError, Unavailable) as error:  # files that are read and written have their own errors: this is the rest
        print(f"trunkline: {error}", file=sys.stderr)
        _discard_output()
        raise SystemExit(ENVIRONMENT) from None
