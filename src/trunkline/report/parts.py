"""A sweep's results as Parquet parts in a folder, so that a sweep that was stopped goes on where it was.

`manifest.json` says of what the parts are; a folder holds the parts of one network and one set of options.  A part is
there whole or not at all, and its bytes do not depend on who computed it or when.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from trunkline.model.frames import need_parquet, parquet, rows_of
from trunkline.model.network import Network
from trunkline.model.problem import Problem, Problems
from trunkline.report.files import bytes_of, to_json, write_folder, write_whole
from trunkline.risk.impact import Rows
from trunkline.risk.sweep import Chunk

MANIFEST = "manifest.json"
NAMES = tuple(Rows((), (), (), ()).tables(Network()))
"""Tables of a part, each a folder of its own."""

Compute = Callable[[Sequence[Chunk]], Iterator[Rows]]
"""Yields the rows of each chunk, in order."""


class Parts:
    """The parts in a folder, of a command (`break`).

    Raises Problems where it holds another sweep's, Missing without pyarrow.
    """

    def __init__(self, folder: Path, command: str, net: Network, sha256: str, options: Mapping[str, Any]) -> None:
        need_parquet()
        self.folder, self.command, self.net = folder, command, net
        manifest = {
            "schema": f"trunkline/{command}-parts/1",
            "network": {"sha256": sha256},
            "options": dict(options),
            "trunkline": version("trunkline"),
        }
        self._check(manifest)
        write_folder(folder, {MANIFEST: bytes_of(to_json(manifest))})

    def _check(self, manifest: Mapping[str, Any]) -> None:
        """Refuse a folder whose parts are of something else."""
        file = self.folder / MANIFEST
        try:
            there = json.loads(file.read_bytes()) if file.exists() else None
        except (OSError, ValueError) as error:
            raise self._refused(f"{MANIFEST} cannot be read: {error}") from None
        if there is None and any((self.folder / name).exists() for name in NAMES):
            raise self._refused(f"there are tables here and no {MANIFEST}")
        if there is not None and there != manifest:
            keys = (key for key in manifest if not isinstance(there, dict) or there.get(key) != manifest[key])
            what = {"network": "another network", "options": "other options", "trunkline": "another version"}
            raise self._refused(f"it holds results of {what.get(next(keys), 'something else')}")

    def _refused(self, message: str) -> Problems:
        return Problems([Problem(str(self.folder), 0, 0, "out", message, "", "an empty folder, or the same sweep's")])

    def _paths(self, number: int) -> dict[str, Path]:
        return {name: self.folder / name / f"{number:06}.parquet" for name in NAMES}

    def _has(self, number: int) -> bool:
        return all(path.exists() for path in self._paths(number).values())

    def _write(self, number: int, rows: Rows) -> None:
        tables = rows.tables(self.net)
        write_folder(self.folder, {f"{name}/{number:06}.parquet": parquet(tables[name]) for name in NAMES})

    def finish(self, document: Mapping[str, Any], tables: Mapping[str, Any]) -> None:
        """Write what is said of all parts together: the document and its tables."""
        files = {self.folder / f"{name}.parquet": parquet(found) for name, found in tables.items()}
        write_whole({**files, self.folder / f"{self.command}.json": bytes_of(to_json(document))})

    def through(self, asked: Sequence[Chunk], compute: Compute, again: bool) -> Iterator[tuple[Rows, int]]:
        """See `swept`."""
        missing = [number for number in range(len(asked)) if again or not self._has(number)]
        computed, anew = compute([asked[number] for number in missing]), {*missing}
        for number, chunk in enumerate(asked):
            if number in anew:
                rows = next(computed)
                self._write(number, rows)
                yield rows, len(chunk)
            else:
                yield Rows(*(rows_of(path) for path in self._paths(number).values())), 0


def swept(
    parts: Parts | None, asked: Sequence[Chunk], compute: Compute, again: bool = False
) -> Iterator[tuple[Rows, int]]:
    """Yield the rows of every chunk, in order, and how many scenarios of it were computed now.

    A part that is there is read, or made `again`; the others are computed, and written as they come.
    """
    if parts is not None:
        return parts.through(asked, compute, again)
    return zip(compute(asked), map(len, asked), strict=True)
