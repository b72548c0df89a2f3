"""A file's octets in order, unpacked from gzip or bzip2 by content.

A file that is cut or damaged ends where it can no longer be unpacked, and says why; nothing is lost before that.
"""

from __future__ import annotations

import bz2
import gzip
import os
import zlib
from io import BufferedReader
from types import TracebackType

from trunkline.model.problem import Problem, Problems

CHUNK = 1 << 20


class Source:
    """An open file.  Raises Problems where it is no file that can be read."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.damage: str | None = None
        """Why what was read last is not the end, where it is not."""
        self._held: list[bytes] = []
        try:
            if os.path.isdir(self.path):
                raise OSError("it is a directory")
            if os.path.exists(self.path) and not os.path.isfile(self.path):
                raise OSError("it is no regular file")
            self._raw: BufferedReader = open(self.path, "rb")  # noqa: SIM115 - closed by __exit__
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            message = f"cannot read {self.path}: {why[0].lower()}{why[1:]}"
            raise Problems([Problem(self.path, 0, 0, "file", message, expected="a readable file")]) from error
        self._file: BufferedReader | gzip.GzipFile | bz2.BZ2File = self._raw
        magic = self._raw.peek(3)[:3]
        if magic[:2] == b"\x1f\x8b":
            self._file = gzip.GzipFile(fileobj=self._raw)
        elif magic == b"BZh":
            self._file = bz2.BZ2File(self._raw)
        self.packed = self._file is not self._raw

    def __enter__(self) -> Source:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()
        self._raw.close()

    def chunk(self) -> bytes:
        """Return the next octets, none at the end or at damage."""
        if self._held:
            return self._held.pop()
        try:
            return self._file.read1(CHUNK)  # one read of the packed file at a time: an error loses nothing
        except EOFError:
            self.damage = "the compressed file is cut here"
        except (OSError, zlib.error) as error:
            self.damage = f"the file is damaged here: {error}"
        return b""

    def head(self) -> bytes:
        """Return the first octets, at least 12 of them where there are so many, and leave them to be read."""
        head = b""
        while len(head) < 12 and (more := self.chunk()):
            head += more
        self._held = [head] if head else []
        return head
