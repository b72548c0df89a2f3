"""A lab from nothing to all green, and back to nothing."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from trunkline.devices.device import Device, devices
from trunkline.devices.fleet import unequal
from trunkline.devices.frr.render import DAEMONS, check
from trunkline.lab import daemons, health, hosts, namespaces, parallel, peers, plugged, state, wiring
from trunkline.lab.health import Patient
from trunkline.lab.netlink import Kernel
from trunkline.lab.programs import require
from trunkline.lab.standins import lab_network
from trunkline.model.network import Network
from trunkline.model.problem import Problem, Problems, nearest

SCALE = 1000
"""A circuit of 400G is shaped to 400M."""
LIMIT_S = 120.0
"""How long a lab gets to converge."""
LONGEST_PATH = 107
"""Bytes of the path of a UNIX socket (unix(7): 108, the zero at the end among them)."""
LONGEST_SOCKET = "staticd.vty"
"""The longest name of those in a router's or a port's folder."""

Watch = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Lab:
    """A lab by its name, the network that it runs (`lab_network`), and the digest of the file that it is made of."""

    name: str
    net: Network
    sha256: str

    @cached_property
    def devices(self) -> dict[str, Device]:
        """What every router is told."""
        return devices(self.net)

    @property
    def home(self) -> Path:
        """Where its files are."""
        return state.home(self.name)

    @property
    def state(self) -> state.State:
        """What was done to it.  Raises Problems where it is not up."""
        return state.read(self.name, self.sha256)

    def router_home(self, router: str) -> Path:
        """Return a router's folder.  Raises Problems where there is no such router or the lab is not up."""
        _ = self.state
        if router not in self.devices:
            message = f"no router is named '{router}'"
            raise Problems([Problem("", 0, 0, "reference", message, "", "", nearest(router, self.devices))])
        return self.home / router

    def wiring(self, scale: int) -> wiring.Wiring:
        """Return what is plugged in where."""
        return wiring.Wiring(self.net, self.devices, scale)

    def health(self, watch: Watch, limit_s: float = 0, alone: bool = False) -> list[health.Health]:
        """Return every router's health under what is cut and drained, waiting up to a limit for all to be well.

        `alone` where the caller holds the lab already: what isisd mixed up is put right only by who holds it.
        """
        now = self.net.under(self.state.condition)
        expected = health.expect(now, self.devices)
        kernels = {router: Kernel(namespaces.full(self.name, router)) for router in expected}
        patients = {router: Patient(self.home / router, kernels[router], what) for router, what in expected.items()}
        try:
            with pool() as workers:
                return health.wait(patients, workers, limit_s, watch, lambda: self._mend(patients, watch, alone))
        finally:
            for kernel in kernels.values():
                kernel.close()

    def _mend(self, patients: Mapping[str, Patient], watch: Watch, alone: bool) -> None:
        """Bring back in order the parallel circuits that a router sends by in each other's place."""
        with suppress(Problems), nullcontext() if alone else state.held(self.name):  # or somebody else works on it
            wiring = self.wiring(self.state.scale)
            for many in unequal(self.net.under(self.state.condition)):
                ends = {router: patients[router] for router in (many[0].a, many[0].b)}
                seen = {router: health.interfaces(p.kernel.routes()) for router, p in ends.items()}
                expected = {
                    router: {prefix: way.interfaces for prefix, way in p.expected.fib.items()}
                    for router, p in ends.items()
                }
                if parallel.misled(wiring, many, seen, expected):
                    watch(f"{' and '.join(c.name for c in many)}: isisd mixed them up (FRR issue 19470); back in order")
                    parallel.mend(self.name, wiring, many)


def of(name: str, net: Network, sha256: str) -> Lab:
    """Return the lab of a network.  Raises Problems where its name is none."""
    return Lab(state.checked(name), lab_network(net), sha256)


def pool() -> ThreadPoolExecutor:
    """Return threads for what waits for other processes."""
    return ThreadPoolExecutor(2 * (os.cpu_count() or 1))


def up(lab: Lab, scale: int, watch: Watch) -> list[health.Health]:
    """Bring a lab up; return every router's health once all are well or the time is over.

    Raises Problems where it is up already, Missing where programs lack, Failed where daemons do not come up.  What
    was made is taken away again then, and after Ctrl-C; a lab that is up but not well stays, to be looked at.
    """
    check(lab.net)
    found = lab.wiring(scale)
    speakers = peers.speakers(found)
    brought = {p for s in speakers for p in (("gobgpd", "gobgp") if s.gobgp else ("bird",))}
    require(["ip", "tc", "vtysh", *DAEMONS, *brought])
    _check_lengths(lab)
    if lab.home.exists():
        message, instead = f"a lab '{lab.name}' is up, or was left behind", "`lab down` first, or another --name"
        raise Problems([Problem("", 0, 0, "lab-there", message, "", instead)])
    state.make(lab.name)
    with state.held(lab.name):
        try:
            state.write(lab.name, state.State(lab.sha256, scale))
            plugged.remember(lab.name, found)
            _make(lab, found, speakers, watch)
            return lab.health(watch, LIMIT_S, alone=True)
        except BaseException:
            _remove(lab.name)
            raise


def _check_lengths(lab: Lab) -> None:
    """Raise Problems where a thing's sockets would have paths that the kernel does not take."""
    paths = {thing: os.fsencode(lab.home / thing / LONGEST_SOCKET) for thing in (*lab.devices, *lab.net.port)}
    problems = []
    for thing, path in paths.items():
        if (over := len(path) - LONGEST_PATH) > 0:
            message = f"'{thing}' and the lab's name '{lab.name}' are too long together for the path of a socket"
            expected = f"them {over} shorter, such as by another --name"
            problems.append(Problem("", 0, 0, "lab-length", message, "", expected))
    if problems:
        raise Problems(problems)


def _make(lab: Lab, found: wiring.Wiring, speakers: list[peers.Speaker], watch: Watch) -> None:
    with pool() as workers:
        watch("configurations")
        daemons.write(lab.home, lab.devices.values())
        watch(f"{len(found.things)} namespaces, {len(found.cables)} cables")
        wiring.plug(lab.name, found, workers)
        hosts.answer(lab.name, found, found.cables, workers)
        watch(f"{len(lab.devices) * len(DAEMONS)} daemons of FRR, {len(speakers)} peers")
        peers.speak(lab.name, lab.home, speakers, workers)
        daemons.launch(lab.name, lab.home, lab.devices, workers)
    if wrong := daemons.rejected(lab.home, lab.devices):
        raise daemons.Failed(wrong)


def down(name: str) -> bool:
    """Take a lab away wholly, whatever is left of it; return whether there was anything."""
    name = state.checked(name)
    require(["ip"])
    if not state.home(name).exists() and not namespaces.existing(name):
        return False
    state.make(name)
    with state.held(name):
        _remove(name)
    return True


def _remove(name: str) -> None:
    """Take everything away; Ctrl-C waits, because half a teardown helps nobody."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        _take_away(name)
    finally:
        signal.signal(signal.SIGINT, before)


def _take_away(name: str) -> None:
    namespaces.take_away(namespaces.existing(name))
    shutil.rmtree(state.home(name))
    with suppress(OSError):  # it holds another lab
        state.FOLDER.rmdir()
