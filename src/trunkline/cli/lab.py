"""`lab`: the network run for real, in namespaces of this machine."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trunkline.cli.app import BROKEN, AsJson, Net, NoColor, Quiet, app, console, guarded

if TYPE_CHECKING:
    from trunkline.lab.daemons import Failed
    from trunkline.lab.health import Health
    from trunkline.lab.lab import Lab

lab = typer.Typer(help="Run the network for real: FRR in a namespace per router, peers and data centres beside them.")
app.add_typer(lab, name="lab")

Name = Annotated[
    str | None, typer.Option("--name", help="The lab's name; otherwise the network's own.", metavar="NAME")
]
Things = Annotated[
    list[str],
    typer.Argument(metavar="THING...", help="Circuits, cards, routers, peer ports, peers, sites, regions, risks."),
]


@lab.callback()
def _told_to_end() -> None:
    """End on SIGTERM as on Ctrl-C: `kill` and `timeout` leave no capture running, and nothing cut by `test`."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def _lab(net: Path, name: str | None) -> Lab:
    from trunkline.lab.lab import of
    from trunkline.model.load import load

    loaded = load(net)
    return of(name or loaded.name or net.stem, loaded.network, loaded.sha256)


@lab.command()
@guarded
def up(
    net: Net,
    name: Name = None,
    scale: Annotated[int, typer.Option(help="Circuits carry their capacity divided by this.", min=1)] = 1000,
    as_json: AsJson = False,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Bring every router up with real FRR, and wait until adjacencies, sessions and routes are as the network says.

    A group whose prefixes the file does not list is stood for by two of each family.  Needs root.

    Example: sudo trunkline lab up examples/tiny.yaml
    """
    from trunkline.lab.daemons import Failed
    from trunkline.lab.lab import up as bring_up
    from trunkline.report.progress import Watching

    found = _lab(net, name)
    try:
        with Watching(console(no_color, stderr=True), quiet) as watching:
            health = bring_up(found, scale, watching.stage)
    except Failed as failure:
        return _failed(failure)
    if not quiet:
        _caution(found)
        print(f"trunkline: lab '{found.name}': circuits carry 1/{scale} of their capacity", file=sys.stderr)
    return _show(found, health, as_json, no_color)


@lab.command()
@guarded
def status(net: Net, name: Name = None, as_json: AsJson = False, no_color: NoColor = False) -> int:
    """Show every router's adjacencies, sessions and routes against those that it must have now, and what is cut.

    Exits with 1 where one lacks something.

    Example: sudo trunkline lab status examples/tiny.yaml
    """
    found = _lab(net, name)
    health = found.health(lambda _: None)
    if any(h.wrong for h in health):
        _caution(found)
    return _show(found, health, as_json, no_color)


@lab.command()
@guarded
def show(
    net: Net,
    router: Annotated[str, typer.Argument(metavar="ROUTER", help="The router.", show_default=False)],
    command: Annotated[
        list[str] | None, typer.Argument(metavar="[-- COMMAND]", help="One command instead of a shell.")
    ] = None,
    name: Name = None,
) -> int:
    """Open FRR's vtysh on a router, or have it carry out one command.

    Example: sudo trunkline lab show examples/tiny.yaml a-dr1 -- show ip route
    """
    from trunkline.lab.programs import find

    found = _lab(net, name)
    home = found.router_home(router)
    words = [find("vtysh"), "--vty_socket", str(home)]
    words += ["-c", " ".join(command)] if command else []
    return subprocess.run(words, check=False).returncode  # noqa: S603


@lab.command()
@guarded
def cut(net: Net, things: Things, name: Name = None, quiet: Quiet = False) -> int:
    """Let things fail together: interfaces go down at both ends.  Wait until routes are as the network then says.

    Example: sudo trunkline lab cut examples/tiny.yaml short
    """
    from trunkline.lab import events

    return _act(events.cut, _lab(net, name), things, quiet)


@lab.command()
@guarded
def restore(net: Net, things: Things, name: Name = None, quiet: Quiet = False) -> int:
    """Bring back what was cut or drained; what else is down stays down.

    Example: sudo trunkline lab restore examples/tiny.yaml short
    """
    from trunkline.lab import events

    return _act(events.restore, _lab(net, name), things, quiet)


@lab.command()
@guarded
def drain(
    net: Net,
    routers: Annotated[list[str], typer.Argument(metavar="ROUTER...", help="Routers to set the overload bit of.")],
    name: Name = None,
    quiet: Quiet = False,
) -> int:
    """Set the IS-IS overload bit: a router is reached, and passed through no more.  `restore` takes it back.

    Example: sudo trunkline lab drain examples/aurora.yaml lon-bb1
    """
    from trunkline.lab import events

    return _act(events.drain, _lab(net, name), routers, quiet)


@lab.command()
@guarded
def capture(
    net: Net,
    circuit: Annotated[str, typer.Argument(metavar="CIRCUIT", help="A circuit or a peer port.", show_default=False)],
    out: Annotated[Path, typer.Option("--out", "-o", help="The file to write.", metavar="FILE.pcap")],
    seconds: Annotated[
        float | None, typer.Option(help="How long; otherwise until Ctrl-C or `kill`.", min=0.1, show_default=False)
    ] = None,
    name: Name = None,
) -> int:
    """Write every frame of a circuit, both directions, into a pcap file.

    Example: sudo trunkline lab capture examples/tiny.yaml short --seconds 5 -o short.pcap
    """
    from trunkline.lab.capture import capture as write

    write(_lab(net, name), circuit, out, seconds)
    return 0


@lab.command("test")
@guarded
def hold(
    net: Net,
    cut: Annotated[
        list[str] | None,
        typer.Option("--cut", help="Cut this, look, bring it back, look again; repeat for more.", metavar="THING"),
    ] = None,
    every_circuit: Annotated[bool, typer.Option("--every-circuit", help="Do so with every circuit in turn.")] = False,
    seal: Annotated[
        Path | None,
        typer.Option(
            help="Write every prediction here before anything is touched, and print its digest.", metavar="DIR"
        ),
    ] = None,
    sealed: Annotated[
        Path | None,
        typer.Option(help="Do so with every scenario that `break --seal` has written here.", metavar="FILE"),
    ] = None,
    packets: Annotated[
        bool,
        typer.Option(help="Also send packets: every hop, full size, in from peers; without, straight on to the next."),
    ] = True,
    name: Name = None,
    as_json: AsJson = False,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Hold the running lab against the prediction: kernel routes, IS-IS distances, BGP's choices, and real packets.

    Exits with 1 where anything differs, with both sides' reasons.

    Example: sudo trunkline lab test examples/tiny.yaml --cut short
    """
    from trunkline.lab import drill
    from trunkline.lab.sealed import agreed
    from trunkline.report.lab import show_rounds
    from trunkline.report.progress import Watching

    found = _lab(net, name)
    things = [*(cut or ()), *(drill.circuits(found) if every_circuit else ())]
    things += agreed(found, sealed) if sealed is not None else ()
    with Watching(console(no_color, stderr=True), quiet) as watching:
        rounds = [drill.now(found, packets, watching.stage, seal)]
        rounds += drill.drills(found, list(dict.fromkeys(things)), packets, watching.stage, seal)
    if as_json:
        document = {"schema": "trunkline/lab-test/1", "lab": found.name, "rounds": [asdict(r) for r in rounds]}
        print(json.dumps(document, sort_keys=True, indent=1))
    else:
        show_rounds(console(no_color), rounds)
    return BROKEN if any(r.differences for r in rounds) else 0


@lab.command()
@guarded
def apply(net: Net, name: Name = None, as_json: AsJson = False, no_color: NoColor = False, quiet: Quiet = False) -> int:
    """Bring a running lab to a changed file of the same routers and circuits: per router only what changed.

    iBGP design, policy, metrics and the like; routers in the order of `render --diff`.  Exits with 1 where the lab then
    is not as the file says.

    Example: sudo trunkline lab apply next.yaml --name starter
    """
    from trunkline.lab.apply import apply as bring_to
    from trunkline.lab.daemons import Failed
    from trunkline.lab.lab import LIMIT_S
    from trunkline.report.progress import Watching

    found = _lab(net, name)
    try:
        changed = bring_to(found)
    except Failed as failure:
        return _failed(failure)
    if not quiet:
        print(f"trunkline: changed: {', '.join(changed) or 'nothing'}", file=sys.stderr)
    with Watching(console(no_color, stderr=True), quiet) as watching:
        health = found.health(watching.stage, LIMIT_S)
    return _show(found, health, as_json, no_color)


@lab.command()
@guarded
def walk(
    net: Net,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of network files.", show_default=False)],
    packets: Annotated[bool, typer.Option(help="Also send packets, as `lab test` does.")] = True,
    name: Name = None,
    as_json: AsJson = False,
    no_color: NoColor = False,
    quiet: Quiet = False,
) -> int:
    """Bring the running lab of NET to each file of a folder in turn, by name, and hold it against its prediction.

    Stops with 1 at the first file after which anything differs.

    Example: sudo trunkline lab walk my.yaml steps
    """
    from trunkline.lab import drill
    from trunkline.lab.daemons import Failed
    from trunkline.report.lab import show_step
    from trunkline.report.progress import Watching

    start = _lab(net, name)
    labs = {file.name: _lab(file, start.name) for file in _networks(folder)}
    rounds = []
    try:
        for file, found in labs.items():
            with Watching(console(no_color, stderr=True), quiet) as watching:
                rounds.append(drill.change(found, file, packets, watching.stage))
            if not as_json:
                show_step(console(no_color), rounds[-1])
            if rounds[-1].differences:
                break
    except Failed as failure:
        return _failed(failure)
    if as_json:
        document = {"schema": "trunkline/lab-walk/1", "lab": start.name, "rounds": [asdict(r) for r in rounds]}
        print(json.dumps(document, sort_keys=True, indent=1))
    return BROKEN if any(r.differences for r in rounds) else 0


def _networks(folder: Path) -> list[Path]:
    """Return the network files of a folder by name.  Raises Problems where there is none."""
    from trunkline.model.problem import Problem, Problems

    found = sorted(folder.glob("*.yaml"))
    if not found:
        raise Problems([Problem(str(folder), 0, 0, "no-steps", "no network file is here", "", "files named *.yaml")])
    return found


def _failed(failure: Failed) -> int:
    for line in failure.lines:
        print(f"trunkline: {line}", file=sys.stderr)
    return BROKEN


@lab.command()
@guarded
def down(net: Net, name: Name = None, quiet: Quiet = False) -> int:
    """Take a lab away wholly: processes, namespaces and files, also what a crash left of it.

    Example: sudo trunkline lab down examples/tiny.yaml
    """
    from trunkline.lab.lab import down as take_down

    wanted = name or _lab(net, None).name
    there = take_down(wanted)
    if not quiet:
        print(f"trunkline: lab '{wanted}' {'is gone' if there else 'was not there'}", file=sys.stderr)
    return 0


def _act(event: Callable[[Lab, Iterable[str]], None], found: Lab, things: list[str], quiet: bool) -> int:
    """Do something to a lab, and wait until routes are as the network then says."""
    from trunkline.lab.lab import LIMIT_S
    from trunkline.report.progress import Watching

    event(found, things)
    with Watching(console(stderr=True), quiet) as watching:
        health = found.health(watching.stage, LIMIT_S)
    wrong = [f"{h.router}: {fault}" for h in health for fault in h.wrong]
    for fault in wrong:
        print(f"trunkline: {fault}", file=sys.stderr)
    if wrong:
        _caution(found)
    elif not quiet:
        print("trunkline: all is as the network then says", file=sys.stderr)
    return BROKEN if wrong else 0


def _caution(found: Lab) -> None:
    """Say what FRR is known to do otherwise than the network says: it may be all that is wrong."""
    from trunkline.devices.fleet import cautions

    for caution in cautions(found.net):
        print(f"trunkline: {caution}", file=sys.stderr)


def _show(found: Lab, health: list[Health], as_json: bool, no_color: bool) -> int:
    from trunkline.lab.health import health_table
    from trunkline.report.lab import show_health

    wrong = {h.router: h.wrong for h in health if h.wrong}
    table = health_table(health)
    condition = found.state.condition
    done = {"cut": sorted(condition.down), "drained": sorted(condition.overloaded)}
    if as_json:
        document = {"schema": "trunkline/lab/1", "lab": found.name, "ok": not wrong}
        print(json.dumps({**document, **done, "routers": table.records(), "wrong": wrong}, sort_keys=True, indent=1))
    else:
        show_health(console(no_color), found.name, table, wrong, done)
    return BROKEN if wrong else 0
