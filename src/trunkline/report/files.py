"""JSON, CSV and Parquet: the same tables, byte for byte the same for the same input.

No clock, path, host or duration goes into them.
"""

from __future__ import annotations

import csv
import errno
import io
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from trunkline.flow import Proof
from trunkline.model.frames import Form, parquet
from trunkline.model.problem import Problem, Problems
from trunkline.model.tables import Table
from trunkline.verdict import objectives_table


def plan_document(proof: Proof, sha256: str, summary: Mapping[str, Any], notes: Iterable[Problem]) -> dict[str, Any]:
    """Return the whole answer as plain data: schema `trunkline/plan/1`."""
    last = proof.settled
    return {
        "schema": "trunkline/plan/1",
        "network": {"sha256": sha256, **summary["size"]},
        "ok": proof.ok,
        "objectives": objectives_table(last.objectives).records(),
        "summary": dict(summary),
        "warnings": [{"code": n.code, "field": n.field, "message": n.message} for n in notes],
        "tables": {name: table_document(found) for name, found in last.tables.items()},
    }


def table_document(found: Table) -> dict[str, Any]:
    """Return a table as plain data: columns with type and unit, and rows."""
    columns = [{"name": c.name, "type": c.type, "unit": c.unit} for c in found.columns]
    return {"columns": columns, "rows": [list(row) for row in found.rows]}


def to_json(document: Mapping[str, Any]) -> str:
    """Return a document as JSON: keys sorted, one trailing newline."""
    return json.dumps(document, sort_keys=True, indent=1, ensure_ascii=False) + "\n"


def to_csv(found: Table) -> str:
    """Return a table as CSV; a column's unit stands in its heading, as `load [bit/s]`."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(f"{c.name} [{c.unit}]" if c.unit else c.name for c in found.columns)
    writer.writerows(["" if cell is None else cell for cell in row] for row in found.rows)
    return out.getvalue()


def bytes_of(text: str) -> bytes:
    """Return UTF-8; what a file's name holds that is none is escaped, as on the terminal."""
    return text.encode("utf-8", "backslashreplace")


def write_all(folder: Path, texts: Mapping[str, str], tables: Mapping[str, Table], form: Form = Form.CSV) -> list[Path]:
    """Write texts by file name, and a file per table; return what was written.  A file is complete or not there.

    Raises Problems where the folder cannot be written, Missing where Parquet is asked for without pyarrow.
    """
    files = {name: bytes_of(text) for name, text in texts.items()}
    for name, found in tables.items():
        files[f"{name}.{form}"] = parquet(found) if form is Form.PARQUET else bytes_of(to_csv(found))
    return write_folder(folder, files)


def write_folder(folder: Path, files: Mapping[str, bytes]) -> list[Path]:
    """Write files into a folder that is made, each complete or not there; return what was written.

    Raises Problems where it cannot be written.
    """
    paths = {folder / name: data for name, data in sorted(files.items())}
    try:
        for home in sorted({path.parent for path in paths}):
            home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problems([Problem(str(folder), 0, 0, "unwritable", error.strerror or str(error))]) from None
    return write_whole(paths)


def write_whole(texts: Mapping[Path, bytes]) -> list[Path]:
    """Write everything beside its place first, so that what fails or is stopped leaves the old answer whole.

    What a link points to is written, not the link; a pipe or a device takes the bytes as they come.  Returns what was
    written.  Raises Problems where it cannot be.
    """
    partial: dict[Path, Path] = {}
    try:
        folder = next((path for path in texts if path.is_dir()), None)
        if folder is not None:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(folder))
        streams = [path for path in texts if path.exists() and not path.is_file()]
        for path in (path for path in texts if path not in streams):
            place = Path(os.path.realpath(path))
            partial[place] = place.with_name(f".{place.name}.part")
            partial[place].write_bytes(texts[path])
        for place, written in partial.items():
            os.replace(written, place)
        for path in streams:
            path.write_bytes(texts[path])
    except OSError as error:
        where = next(iter(texts)) if len(texts) == 1 else next(iter(texts)).parent
        raise Problems([Problem(str(where), 0, 0, "unwritable", error.strerror or str(error))]) from None
    finally:
        for written in partial.values():
            if os.path.lexists(written):
                written.unlink()
    return list(texts)
