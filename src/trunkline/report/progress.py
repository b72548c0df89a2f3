"""A progress line for what takes longer than a second, on standard error, where a person is watching."""

from __future__ import annotations

import threading
from types import TracebackType

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

PATIENCE_S = 1.0


class Watching:
    """Shows the stage that runs, once a second has passed; nothing at all on a pipe or when told to be quiet."""

    def __init__(self, console: Console, quiet: bool) -> None:
        self._on = console.is_terminal and not quiet
        self._progress = Progress(
            SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), console=console, transient=True
        )
        self._task = self._progress.add_task("reading")
        self._timer = threading.Timer(PATIENCE_S, self._progress.start)
        self._timer.daemon = True

    def __enter__(self) -> Watching:
        if self._on:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        if self._on:
            self._progress.stop()

    def stage(self, name: str) -> None:
        """Name the stage that begins."""
        self._progress.update(self._task, description=name)
