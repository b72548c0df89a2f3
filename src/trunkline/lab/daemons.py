"""FRR's daemons: each router's own, from its rendered configuration, started once its interfaces are running."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

from jinja2 import Environment

from trunkline.devices.device import Device
from trunkline.devices.frr.render import DAEMONS, environment, render
from trunkline.lab.namespaces import full, start
from trunkline.lab.netlink import Kernel
from trunkline.lab.programs import find
from trunkline.lab.vty import answers

PATIENCE_S = 30.0
"""How long an interface gets to run, and a daemon to answer."""
USER = "frr"
REJECTED = re.compile(r"\[SHWNK-|Command rejected|No such command|Command incomplete|Ambiguous command|Unknown command")
"""How a daemon's log says that it did not take a line of its file (lib/vty.c)."""


class Failed(RuntimeError):
    """The lab does not come up as the network says; each line names a router and what is wrong there."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        super().__init__("\n".join(self.lines))


def configuration(device: Device, env: Environment) -> dict[str, str]:
    """Return what a router's daemons are told, by daemon.

    Only the lab's own log hears of them: the machine's syslog lies outside the namespaces.
    """
    return {d: text.replace("log syslog informational\n", "") for d, text in render(device, env).items()}


def write(folder: Path, devices: Iterable[Device]) -> None:
    """Write every router's configuration, a file per daemon."""
    env = environment()
    for device in devices:
        home = folder / device.name
        home.mkdir()
        for daemon, text in configuration(device, env).items():
            (home / f"{daemon}.conf").write_text(text, encoding="utf-8")
        for path in (home, *home.iterdir()):
            shutil.chown(path, USER, USER)


def launch(lab: str, folder: Path, routers: Iterable[str], workers: Executor) -> None:
    """Start every router's daemons, zebra before the others.  Raises Failed where one does not answer in time."""
    routers = list(routers)
    programs = {daemon: find(daemon) for daemon in DAEMONS}
    list(workers.map(lambda router: _wait_running(full(lab, router)), routers))
    for daemons in (DAEMONS[:1], DAEMONS[1:]):
        for daemon in daemons:
            list(workers.map(lambda r, d=daemon: _start(full(lab, r), folder / r, d, programs[d]), routers))
        for router in routers:
            for daemon in daemons:
                home = folder / router
                _wait(partial(answers, home, daemon), partial(_silent, home, daemon))


def _wait_running(namespace: str) -> None:
    """Wait for the interfaces: isisd loses the TE parameters of one that zebra has not seen running at its start."""
    kernel = Kernel(namespace)
    try:
        _wait(lambda: all(kernel.links().values()), lambda: f"{namespace}: its interfaces do not come up")
    finally:
        kernel.close()


def _start(namespace: str, home: Path, daemon: str, program: str) -> None:
    command = [program, "-f", f"{home}/{daemon}.conf", "-i", f"{home}/{daemon}.pid", "-z", f"{home}/zserv.api"]
    command += ["--vty_socket", str(home), "-P", "0", "-u", USER, "-g", USER, "--log", f"file:{home}/{daemon}.log"]
    command += ["--log-level", "informational"]
    if daemon == "zebra":
        command += ["-s", "4000000"]
    if daemon == "bfdd":
        command += ["--bfdctl", f"{home}/bfdd.sock"]
    start(namespace, command, home / f"{daemon}.out")


def _wait(done: Callable[[], bool], otherwise: Callable[[], str]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not done():
        if time.monotonic() > deadline:
            raise Failed([otherwise()])
        time.sleep(0.02)


def _silent(home: Path, daemon: str) -> str:
    """Say that a daemon does not answer, and what it said last: its log goes with the lab."""
    said = [line.strip() for path in (home / f"{daemon}.log", home / f"{daemon}.out") for line in _lines(path)]
    last = f"it said last: {said[-1]}" if said else "it said nothing"
    return f"{home.name}: {daemon} does not answer; {last}"


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []


def rejected(folder: Path, routers: Iterable[str]) -> list[str]:
    """Return every line of a configuration that a daemon did not take, as `ROUTER: DAEMON: what it said`."""
    found = []
    for router in routers:
        for daemon in DAEMONS:
            for name in (f"{daemon}.log", f"{daemon}.out"):
                lines = _lines(folder / router / name)
                found += [f"{router}: {daemon} rejects: {line.strip()}" for line in lines if REJECTED.search(line)]
    return list(dict.fromkeys(found))
