"""Is the lab what the network says: adjacencies, sessions, and where every prefix leads from every router.

Routes are read from the kernels first: asking eighty bgpd for their sessions slows the convergence that is waited for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from trunkline.devices.device import Device
from trunkline.devices.frr.render import DAEMONS
from trunkline.igp.solve import Reach
from trunkline.lab.compare import led
from trunkline.lab.netlink import Kernel, Prefix, Route
from trunkline.lab.predict import Way, predict
from trunkline.lab.seen import adjacencies, distances, sessions
from trunkline.lab.vty import answers
from trunkline.model.network import Network
from trunkline.model.nouns import Family
from trunkline.model.route import prefixes_of
from trunkline.model.tables import Table, table

INTERVAL_S = 0.25
MEND_S = 10.0
"""How long routes get to come right before what is known to stay wrong is put right."""


@dataclass(frozen=True)
class Expected:
    """What a router must have: IS-IS neighbours by interface, BGP sessions by address, and its FIB by prefix.

    Neighbours and sessions each with a name for people.  Distances are IS-IS metrics, by family and router: until
    they are right SPF has not run since the last event, and until the FIB's interfaces are, zebra has not followed
    it.  A router that is cut must have nothing.  A prefix that BGP never settles for must be there, wherever it leads.
    """

    neighbours: Mapping[str, str]
    sessions: Mapping[str, str]
    fib: Mapping[Prefix, Way]
    distances: Mapping[tuple[Family, str], int]
    unsettled: frozenset[Prefix] = frozenset()


@dataclass(frozen=True)
class Health:
    """What a router has of what it must have, as (there, expected), and what is wrong, in words."""

    router: str
    daemons: tuple[int, int]
    adjacencies: tuple[int, int]
    sessions: tuple[int, int]
    v4: tuple[int, int]
    """Prefixes in the FIB."""
    v6: tuple[int, int]
    wrong: tuple[str, ...]


def health_table(found: Iterable[Health]) -> Table:
    """Return the counts of every router as a table."""
    parts = ("daemons", "adjacencies", "sessions", "v4", "v6")
    rows = [(h.router, *(number for part in parts for number in getattr(h, part))) for h in found]
    return table("router " + " ".join(f"{part}:int {part}_expected:int" for part in parts), rows)


def expect(net: Network, devices: Mapping[str, Device]) -> dict[str, Expected]:
    """Return what every router of a network under its condition must have, by name: what `predict` says of it."""
    predicted = predict(net, devices)
    unsettled = frozenset(p for u in predicted.routes.unsettled for p in prefixes_of(net, u.group, u.family))
    found = {}
    for router, device in devices.items():
        known = predicted.routers.get(router)
        if known is None:
            found[router] = Expected({}, {}, {}, {})
            continue
        neighbours = {i.name: i.far for i in device.interfaces if i.circuit.name in net.circuit}
        there = _sessions(net, predicted.reach, device)
        found[router] = Expected(neighbours, there, known.fib, known.distances, unsettled)
    return found


def _sessions(net: Network, reach: Reach, device: Device) -> dict[str, str]:
    found = {}
    neighbours = device.sessions.neighbours(device.name)
    for other in (r for r in net.routers if r.name in neighbours):
        for family, address in ((Family.V4, other.loopback), (Family.V6, other.loopback6)):
            there = reach.distance(family, device.name, other.name)
            back = reach.distance(family, other.name, device.name)
            if there is not None and back is not None:
                found[str(address)] = other.name
    for e in device.externals:
        if e.port.name in net.port:
            found |= {str(e.there4): e.port.name, str(e.there6): e.port.name}
    return found


def look(home: Path, kernel: Kernel, expected: Expected) -> Health:
    """Return a router's health as it is now."""
    fib = kernel.routes()
    alive = {daemon for daemon in DAEMONS if answers(home, daemon)}
    up = adjacencies(home) if "isisd" in alive else set()
    established = sessions(home) if "bgpd" in alive else set()
    wrong = [f"no {daemon}" for daemon in DAEMONS if daemon not in alive]
    wrong += [f"no IS-IS neighbour {far} on {name}" for name, far in expected.neighbours.items() if name not in up]
    wrong += [f"no BGP session with {who} ({ip})" for ip, who in expected.sessions.items() if ip not in established]
    wrong += _misrouted(fib, expected)
    wrong += _misplaced(distances(home) if "isisd" in alive else {}, expected)
    known = {route.prefix for route in fib}

    def count(there: Collection[object], wanted: Iterable[object]) -> tuple[int, int]:
        found = [thing in there for thing in wanted]
        return sum(found), len(found)

    return Health(
        home.name,
        count(alive, DAEMONS),
        count(up, expected.neighbours),
        count(established, expected.sessions),
        count(known, [p for p in expected.fib if p.version == 4]),
        count(known, [p for p in expected.fib if p.version == 6]),
        tuple(wrong),
    )


def interfaces(routes: Iterable[Route]) -> dict[Prefix, frozenset[str]]:
    """Return where each prefix leads."""
    return {route.prefix: frozenset(hop.interface for hop in route.hops) for route in routes}


def _misrouted(fib: Collection[Route], expected: Expected) -> list[str]:
    """Prefixes that lack, those that lead elsewhere, and those that BGP should not have."""
    known = interfaces(fib)
    found = []
    for p, way in expected.fib.items():
        if p not in known:
            found.append(f"no route to {p} ({way.whose})")
        elif known[p] != way.interfaces and p not in expected.unsettled:
            found.append(f"route to {p} ({way.whose}): {led(known[p])}, not {led(way.interfaces)}")
    learned = [route.prefix for route in fib if route.protocol == "bgp"]
    return found + [f"a route to {p}, which it should not have" for p in learned if p not in expected.fib]


def _misplaced(held: Mapping[tuple[Family, str], int], expected: Expected) -> list[str]:
    pairs = [(key, held.get(key), expected.distances.get(key)) for key in sorted({*held, *expected.distances})]
    return [f"IS-IS metric to {to} ({family}) is {is_}, not {must}" for (family, to), is_, must in pairs if is_ != must]


@dataclass(frozen=True)
class Patient:
    """A router to look at: its folder and its kernel."""

    home: Path
    kernel: Kernel
    expected: Expected


def wait(
    patients: Mapping[str, Patient],
    workers: Executor,
    limit_s: float,
    watch: Callable[[str], None],
    mend: Callable[[], None],
) -> list[Health]:
    """Return every router's health, by name, as soon as nothing is wrong or the limit is over.

    What does not come right by itself is given a chance to be mended now and then.
    """
    deadline = time.monotonic() + limit_s
    mend = _every(MEND_S, mend)
    waiting = dict(patients)
    while waiting and time.monotonic() < deadline:
        watch(f"routes: {len(patients) - len(waiting)} of {len(patients)} routers have all")
        for router, p in list(waiting.items()):
            if not _misrouted(p.kernel.routes(), p.expected):
                del waiting[router]
        if waiting:
            mend()
            time.sleep(INTERVAL_S)
    while True:
        found = list(workers.map(lambda p: look(p.home, p.kernel, p.expected), patients.values()))
        short = [h for h in found if h.wrong]
        if not short or time.monotonic() > deadline:
            return found
        watch(f"sessions: {len(found) - len(short)} of {len(found)} routers have all")
        mend()
        time.sleep(INTERVAL_S)


def _every(period_s: float, action: Callable[[], None]) -> Callable[[], None]:
    """The action, done at most once a period, and not before the first is over."""
    done = time.monotonic()

    def maybe() -> None:
        nonlocal done
        if time.monotonic() - done > period_s:
            action()
            done = time.monotonic()

    return maybe
