"""`render`: what every router is told."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from trunkline.cli.app import AsJson, Net, NoColor, Quiet, app, console, guarded


class System(StrEnum):
    """A network operating system."""

    FRR = "frr"


@app.command()
@guarded
def render(
    net: Net,
    system: Annotated[System, typer.Option("--os", help="The network operating system.")] = System.FRR,
    router: Annotated[
        list[str] | None, typer.Option("--router", help="Only this router; repeat for more.", metavar="NAME")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write ROUTER/frr.conf into this folder.", metavar="DIR")
    ] = None,
    old: Annotated[
        Path | None,
        typer.Option("--diff", help="What changes against this network file, in a safe order.", metavar="OLD"),
    ] = None,
    templates: Annotated[
        Path | None,
        typer.Option(help="Templates of your own, which replace ours or blocks of ours.", metavar="DIR"),
    ] = None,
    secrets: Annotated[
        Path | None, typer.Option(help="A YAML file with the values of secrets; otherwise ${NAME}.", metavar="FILE")
    ] = None,
    as_json: AsJson = False,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Write what every router is told: addresses, IS-IS, BFD, iBGP with regional policy, external sessions.

    Example: trunkline render examples/aurora.yaml --router nyc-pr1
    """
    from trunkline.devices.fleet import cautions, configurations, read_secrets
    from trunkline.model.load import load
    from trunkline.report.progress import Watching

    values = read_secrets(secrets) if secrets else None
    loaded = load(net)
    was = load(old).network if old is not None else None
    gone = [name for name in router or () if was and name in was.router and name not in loaded.network.router]
    wanted = [name for name in router or () if name not in gone]
    with Watching(console(no_color, stderr=True), quiet) as watching:
        every = wanted or not router
        configs = configurations(loaded.network, wanted, templates, values, watching.stage) if every else {}
    for caution in () if quiet else cautions(loaded.network):
        print(f"trunkline: {caution}", file=sys.stderr)
    if was is not None:
        asked = [name for name in router or () if name in was.router]
        before = configurations(was, asked, templates, values) if asked or not router else {}
        regions = {r.name: r.region for r in (*was.routers, *loaded.network.routers)}
        _show_steps(before, configs, regions, as_json)
    elif as_json:
        _show({"network": {"sha256": loaded.sha256}, "os": system, "routers": configs}, "render")
    elif out is None:
        sys.stdout.write("".join(configs.values()))
    if out is not None:
        stale = _write(out, configs)
        if not quiet:
            print(f"trunkline: {len(configs)} routers are in {out}", file=sys.stderr)
            if stale and not router:
                print(f"trunkline: not of this network, and left there: {', '.join(stale)}", file=sys.stderr)
    return 0


def _write(out: Path, configs: dict[str, str]) -> list[str]:
    """Write configurations into a folder; return the routers that it has besides."""
    from trunkline.devices.fleet import files
    from trunkline.report.files import write_folder

    write_folder(out, {name: text.encode() for name, text in files(configs).items()})
    return sorted(p.parent.name for p in out.glob("*/frr.conf") if p.parent.name not in configs)


def _show(document: dict[str, Any], what: str) -> None:
    print(json.dumps({"schema": f"trunkline/{what}/1", **document}, sort_keys=True, indent=1))


def _show_steps(before: dict[str, str], after: dict[str, str], regions: dict[str, str], as_json: bool) -> None:
    from trunkline.devices.change import steps

    found = steps(before, after, regions)
    if as_json:
        rows = [{"stage": s.stage.name.lower(), "region": s.region, "router": s.router, "diff": s.diff} for s in found]
        _show({"steps": rows}, "render-diff")
        return
    stage = None
    for number, step in enumerate(found, 1):
        if step.stage is not stage:
            stage = step.stage
            print(f"# {stage}")
        print(f"# step {number}: {step.router} ({step.region})")
        sys.stdout.write(step.diff)
    if not found:
        print("# nothing changes")
