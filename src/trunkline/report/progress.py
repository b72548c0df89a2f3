"""A progress line for what takes longer than a second, on standard error, where a person is watching."""

from __future__ import annotations

import threading
from types import TracebackType

from rich.console import Console
from rich.status import Status

from trunkline.engine.choice import fallback

PATIENCE_S = 1.0


class Watching:
    """Shows the stage that runs, once a second has passed; nothing at all on a pipe or when told to be quiet.

    Says first, and once, if the compiled core is missing, so that nobody wonders why it takes long.
    """

    def __init__(self, console: Console, quiet: bool) -> None:
        slow = fallback()
        if slow and not quiet:
            console.print(f"trunkline: {slow}", soft_wrap=True)
        self._status: Status | None = None
        if console.is_terminal and not quiet:
            self._status = Status("reading ...", console=console)
            self._timer = threading.Timer(PATIENCE_S, self._status.start)
            self._timer.daemon = True

    def __enter__(self) -> Watching:
        if self._status is not None:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._timer.cancel()
            self._timer.join()
            self._status.stop()

    def stage(self, name: str) -> None:
        """Name the stage that begins, such as `RSVP-TE (event 2 of 3)`."""
        if self._status is not None:
            self._status.update(f"{name} ...")
