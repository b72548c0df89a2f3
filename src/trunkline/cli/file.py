"""`check`, `schema` and `init`: the network file itself."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from trunkline.cli.app import AsJson, Net, app, guarded, print_problems
from trunkline.model.problem import Problem, Problems


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
    print_problems(loaded.warnings)
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
    from trunkline.report.files import write_whole

    if os.path.lexists(file):
        raise Problems([Problem(str(file), 0, 0, "exists", "the file exists already; nothing was written")])
    write_whole({file: starter().encode()})
    print(f"wrote {file}; next: trunkline plan {file}")
    return 0
