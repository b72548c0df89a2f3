"""An FRR daemon's vty over its socket: a command costs a millisecond, where a vtysh costs a tenth of a second."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

PATIENCE_S = 30.0


class Refused(RuntimeError):
    """A daemon did not take a command."""


class Vty:
    """A connection to one daemon.  A reply ends with three zero bytes and a status byte (lib/vty.c).

    Raises ConnectionError, with the router and the daemon in words, where it does not answer.
    """

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(PATIENCE_S)
        try:
            self._socket.connect(str(path))
            self("enable")
        except OSError as error:
            self._socket.close()
            raise ConnectionError(f"{path.parent.name}: {path.stem} does not answer: {error.strerror}") from error

    def __enter__(self) -> Vty:
        return self

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __call__(self, command: str) -> str:
        """Return what a command prints.  Raises Refused where the daemon does not take it, OSError where it is gone."""
        self._socket.sendall(command.encode() + b"\0")
        reply = bytearray()
        while len(reply) < 4 or reply[-4:-1] != b"\0\0\0":
            part = self._socket.recv(1 << 17)
            if not part:
                raise ConnectionError(f"the daemon closed its vty during '{command}'")
            reply += part
        text = reply[:-4].decode(errors="replace").replace("\0", "")
        if reply[-1]:
            raise Refused(f"'{command}': {text.strip()}")
        return text

    def json(self, command: str) -> Any:
        """Return what a `show ... json` command prints, read."""
        return json.loads(self(command))

    def configure(self, lines: Iterable[str]) -> None:
        """Change the running configuration.  Raises Refused at the first line that is not taken."""
        for line in ("configure terminal", *lines, "end"):
            self(line)


def answers(home: Path, daemon: str) -> bool:
    """Whether a daemon of the router whose folder this is answers."""
    try:
        Vty(home / f"{daemon}.vty").close()
    except OSError:
        return False
    return True
