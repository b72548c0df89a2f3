"""The command line: parse, call, print.  What commands mean is in the packages they call; a module here per subject."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys


def main() -> None:
    """Run the command line.  Streams that are closed take nothing; what they cannot encode is escaped."""
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        _run()
    except KeyboardInterrupt:  # before a command began
        raise SystemExit(130) from None


def _run() -> None:
    """Import the commands, each of which registers itself, and run the one that was asked for."""
    from trunkline.cli import (  # noqa: F401
        availability,
        break_,
        compare,
        diff,
        drain,
        export,
        file,
        grow,
        headroom,
        lab,
        plan,
        protect,
        render,
        sources,
    )
    from trunkline.cli.app import ENVIRONMENT, app, arrange, discard_output
    from trunkline.engine.choice import Unavailable
    from trunkline.model.problem import Missing

    arrange()
    gc.set_threshold(100_000)  # we leave few cycles behind, and looking for them took an eighth of the time
    try:
        app()
    except (
        OSError,
        Unavailable,
        Missing,
    ) as error:  # files that are read and written have their own errors: this is the rest
        with contextlib.suppress(OSError):  # where standard error is what is full, the exit code says it
            print(f"trunkline: {error}", file=sys.stderr)
        discard_output()
        raise SystemExit(ENVIRONMENT) from None
