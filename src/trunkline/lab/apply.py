"""A running lab is brought to a changed network file: per router only what changed, in a safe order.

What is plugged in stays: the same routers, circuits, ports, data centres and addresses, and peers that say the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from trunkline.devices.change import steps
from trunkline.devices.frr.commands import commands
from trunkline.devices.frr.render import DAEMONS, check, environment, whole
from trunkline.lab import daemons, state
from trunkline.lab.events import overload
from trunkline.lab.lab import Lab
from trunkline.lab.plugged import plugged, read
from trunkline.lab.vty import Refused, Vty
from trunkline.model.problem import Problem, Problems

Told = Mapping[str, str]
"""What a router's daemons are told, by daemon."""


def apply(lab: Lab) -> list[str]:
    """Bring the running lab of this name to the lab's network; return the routers that were changed, in order.

    What is cut or drained stays so.  Raises Problems where more than configuration would change, Failed where a daemon
    does not take a line; the same again goes on from there.
    """
    check(lab.net)
    with state.held(lab.name):
        now = state.current(lab.name)
        _check_plugged(lab, now.scale)
        env = environment()
        was = {name: _told(lab.home / name) for name in lab.devices}
        wanted = {name: daemons.configuration(device, env) for name, device in lab.devices.items()}
        order = steps(
            {name: whole(told) for name, told in was.items()},
            {name: whole(told) for name, told in wanted.items()},
            {r.name: r.region for r in lab.net.routers},
        )
        for step in order:
            _tell(lab.home / step.router, was[step.router], wanted[step.router])
        for router in sorted(now.condition.overloaded):
            overload(lab, router, True)
        state.write(lab.name, replace(now, sha256=lab.sha256))
    return [step.router for step in order]


def _check_plugged(lab: Lab, scale: int) -> None:
    there, wanted = read(lab.name), plugged(lab.wiring(scale))
    problems = []
    for thing in sorted({*there, *wanted}):
        if there.get(thing) != wanted.get(thing):
            why = "is not in the lab" if thing not in there else "would be gone" if thing not in wanted else "differs"
            told = f": {there[thing]}, and now {wanted[thing]}" if why == "differs" else ""
            problems.append(
                Problem("", 0, 0, "lab-plugged", f"{thing} {why}{told}", "", "`lab down` and `lab up` of this file")
            )
    if problems:
        raise Problems(problems)


def _told(home: Path) -> Told:
    return {daemon: (home / f"{daemon}.conf").read_text(encoding="utf-8") for daemon in DAEMONS}


def _tell(home: Path, was: Told, wanted: Told) -> None:
    """Change a router's daemons; each file is written once its daemon has taken it."""
    for daemon in DAEMONS:
        lines = commands(was[daemon], wanted[daemon])
        try:
            with Vty(home / f"{daemon}.vty") as vty:
                vty.configure(lines)
        except Refused as refused:
            raise daemons.Failed([f"{home.name}: {daemon} rejects {refused}"]) from None
        (home / f"{daemon}.conf").write_text(wanted[daemon], encoding="utf-8")
