"""The files of an edit: bytes in, splices, bytes out; line ends, byte order mark, mode and links are kept."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import tempfile
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from trunkline.model.document import Place
from trunkline.model.edit.address import refuse
from trunkline.model.edit.splice import Splice, spliced

_BOM = "\ufeff"
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True)
class Source:
    """One file: its bytes as they were read, and as they are now."""

    name: str
    before: bytes
    now: bytes

    @classmethod
    def read(cls, name: str) -> Source:
        """Return a file as it stands."""
        data = Path(name).read_bytes()
        return cls(name, data, data)

    @property
    def text(self) -> str:
        """The text as places count it: no byte order mark, LF at every line's end."""
        return self.now.decode("utf-8").removeprefix(_BOM).replace("\r\n", "\n")

    def after(self, splices: Iterable[Splice]) -> Source:
        """Return the file after splices of its `text`; new lines end as its first one does."""
        raw = self.now.decode("utf-8")
        shift = len(_BOM) if raw.startswith(_BOM) else 0
        ends = _crlf(raw[shift:])
        crlf = "\r\n" in raw[: raw.find("\n") + 1]

        def place(at: int) -> int:
            return shift + at + bisect_left(ends, at)

        moved = [Splice(place(s.start), place(s.end), s.new.replace("\n", "\r\n") if crlf else s.new) for s in splices]
        return Source(self.name, self.before, spliced(raw, moved).encode("utf-8"))

    def diff(self) -> str:
        """Return the change as a unified diff, empty where there is none."""
        old, new = (_LINE.findall(data.decode("utf-8")) for data in (self.before, self.now))
        lines = difflib.unified_diff(old, new, self.name, self.name)
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _crlf(text: str) -> list[int]:
    """Where in the text with LF line ends each CRLF stands."""
    found: list[int] = []
    at = text.find("\r\n")
    while at >= 0:
        found.append(at - len(found))
        at = text.find("\r\n", at + 2)
    return found


def write(sources: Iterable[Source]) -> list[str]:
    """Write what changed, all beside its place first and then each by one rename.  Returns the names.

    Raises Problems, with nothing written, where a file has changed meanwhile or cannot be written.
    """
    changed = [source for source in sources if source.now != source.before]
    partial: list[tuple[str, str]] = []
    where = ""
    try:
        for source in changed:
            where = source.name
            if Path(source.name).read_bytes() != source.before:
                raise refuse(Place(source.name, 0, 0), "changed", "the file changed on disk; nothing was written")
            partial.append((_beside(source), os.path.realpath(source.name)))
        while partial:
            os.replace(*partial[0])
            partial.pop(0)
    except OSError as error:
        raise refuse(Place(error.filename or where, 0, 0), "unwritable", str(error.strerror)) from None
    finally:
        for written, _ in partial:
            Path(written).unlink(missing_ok=True)
    return [source.name for source in changed]


def _beside(source: Source) -> str:
    """Write the new bytes into the folder of the file itself, with its mode, and return under which name."""
    target = os.path.realpath(source.name)
    handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=os.path.dirname(target))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(source.now)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(target, name)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    return name
