"""What every command shares: the application, common options, and how results and errors become exit codes.

Exit: 0 fine, 1 an objective or a proof is broken, 2 bad input, 3 the environment lacks something, 70 a bug of ours
(a report file is written), 130 Ctrl-C.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, ParamSpec

import typer
from rich.console import Console
from typer.models import CommandInfo

from trunkline.engine.choice import Unavailable
from trunkline.model.problem import Missing, Problem, Problems, Severity

BROKEN, BAD_INPUT, ENVIRONMENT, BUG, INTERRUPTED = 1, 2, 3, 70, 130

app = typer.Typer(
    help="An AI cloud's backbone from one file: what it converges to, what moves, what breaks, and why.",
    epilog="Start with: trunkline init my.yaml && trunkline plan my.yaml",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

ORDER = (
    "init",
    "check",
    "plan",
    "explain",
    "diff",
    "compare",
    "break",
    "protect",
    "availability",
    "headroom",
    "grow",
    "drain",
    "import",
    "export",
    "render",
    "schema",
)
"""Commands as one comes to need them; help lists them so, and those not named here behind them."""


def arrange() -> None:
    """Put the commands that have registered in that order."""

    def place(command: CommandInfo) -> tuple[int, str]:
        name = command.name or str(getattr(command.callback, "__name__", ""))
        return (ORDER.index(name) if name in ORDER else len(ORDER), name)

    app.registered_commands.sort(key=place)


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
Workers = Annotated[
    int, typer.Option(help="How many work side by side; no answer depends on it.", min=1, show_default="all cores")
]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Let the workers of this Dask cluster do it, such as tcp://host:8786. Needs "
        "`pip install 'trunkline\\[cluster]'`, here and there.",
    ),
]
CORES = os.cpu_count() or 1
"""How many workers there are unless told otherwise."""

P = ParamSpec("P")


def guarded(command: Callable[P, int]) -> Callable[P, None]:
    """Turn what a command returns or raises into the exit code and a message; no traceback reaches a user."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            code = command(*args, **kwargs)
            sys.stdout.flush()
        except Problems as found:
            with contextlib.suppress(BrokenPipeError):
                print_problems(found.problems)
            code = BAD_INPUT
        except KeyboardInterrupt:
            print("trunkline: interrupted; nothing half-written is left behind", file=sys.stderr)
            code = INTERRUPTED
        except BrokenPipeError:
            discard_output()  # the reader has seen enough
            code = 0
        except (typer.Exit, OSError, Unavailable, Missing):
            raise
        except Exception as error:
            code = _failed(error)
        raise typer.Exit(code)

    return run


@contextlib.contextmanager
def resumable(out: Path | None) -> Iterator[None]:
    """Say, where Ctrl-C stops what writes parts into a folder, that the same command goes on from there."""
    try:
        yield
    except KeyboardInterrupt:
        if out is not None:
            print(f"trunkline: what is done is in {out}; the same command goes on from there", file=sys.stderr)
        raise


def _failed(error: Exception) -> int:
    """Say what is not the user's doing, and return the exit code: a process of ours that was killed, or a bug."""
    from concurrent.futures import BrokenExecutor

    if isinstance(error, BrokenExecutor):
        print("trunkline: a worker has died; where memory is short, fewer --workers need less", file=sys.stderr)
        return ENVIRONMENT
    print(f"trunkline: a bug of ours, sorry; the report is in {_bug_report()}", file=sys.stderr)
    return BUG


def _bug_report() -> str:
    with tempfile.NamedTemporaryFile(
        "w", prefix="trunkline-bug-", suffix=".txt", delete=False, encoding="utf-8"
    ) as report:
        report.write(
            f"trunkline {version()}\npython {sys.version}\narguments {sys.argv[1:]}\n\n{traceback.format_exc()}"
        )
    return report.name


def version() -> str:
    """Return the installed version."""
    from importlib.metadata import version

    return version("trunkline")


def print_problems(problems: tuple[Problem, ...]) -> None:
    """Print problems to standard error, one a line, with their number where there are several."""
    for problem in problems:
        print(problem, file=sys.stderr)
    if len(problems) > 1:
        errors = sum(p.severity is Severity.ERROR for p in problems)
        what = f"{errors} errors" if errors > 1 else f"{len(problems) - errors} warnings" if not errors else ""
        print(f"trunkline: {what or f'{len(problems)} problems'}", file=sys.stderr)


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to `guarded`: Rich itself would exit with 1, which is a broken objective here."""
        raise BrokenPipeError


def console(no_color: bool = False, stderr: bool = False) -> Console:
    """Return a console that yields to NO_COLOR and is 120 columns wide where it is piped."""
    off = no_color or bool(os.environ.get("NO_COLOR"))
    piped_width = None if (sys.stderr if stderr else sys.stdout).isatty() else 120
    return _Console(stderr=stderr, no_color=off, highlight=False, emoji=False, markup=False, width=piped_width)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"trunkline {version()}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Take the options that stand before a command."""


def discard_output() -> None:
    """Let what is still buffered go nowhere, so that the interpreter's own flush at exit cannot fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
