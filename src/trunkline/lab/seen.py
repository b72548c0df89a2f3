"""What routers hold: asked of the daemons over their vty, and of the kernel by netlink.

All of it is parsed from FRR 8.4's JSON; only the IS-IS topology has none there, and is read from its table.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path as Folder
from typing import Any, NamedTuple

from trunkline.devices.frr.render import router_of
from trunkline.lab.namespaces import full
from trunkline.lab.netlink import Kernel, Prefix, Route
from trunkline.lab.vty import Vty
from trunkline.model.nouns import Family

HEADINGS = {
    "IS-IS paths to level-2 routers that speak IP": Family.V4,
    "IS-IS paths to level-2 routers that speak IPv6": Family.V6,
}
VERTEX = "TE-IS"
"""A router in the topology's table, where metrics are wide (isisd/isis_spf.c)."""
DEFAULT_PREFERENCE = 100
"""What FRR takes a route's local preference for where it has none."""


class Source(NamedTuple):
    """Where a BGP path came from: the peer's address and the next hop; both empty where the router originates it."""

    peer: str
    next_hop: str

    def __str__(self) -> str:
        if self.peer == self.next_hop:
            return self.peer or "its own"
        return f"{self.next_hop} through {self.peer}"


@dataclass(frozen=True)
class Path:
    """A BGP path that a router holds for a prefix, after its import filter.

    `multipath` says that it shares the load with the best one.
    """

    source: Source
    best: bool
    multipath: bool
    local_pref: int
    as_path: tuple[int, ...]
    med: int
    origin: str
    why: str
    """FRR's own word for what made it the best; empty where it is not."""


@dataclass(frozen=True)
class Seen:
    """A router as it is: its kernel's routes, its distances to other routers, its BGP paths."""

    router: str
    fib: tuple[Route, ...]
    distances: dict[tuple[Family, str], int]
    """By family and router."""
    paths: dict[Prefix, tuple[Path, ...]]
    """By prefix, best first, then by source."""


def see(lab: str, home: Folder, router: str) -> Seen:
    """Return what a router of a lab holds.  Raises OSError where a daemon of it is gone."""
    kernel = Kernel(full(lab, router))
    try:
        fib = tuple(sorted(kernel.routes(), key=lambda r: (r.prefix.version, r.prefix)))
    finally:
        kernel.close()
    return Seen(router, fib, distances(home / router), paths(home / router))


def adjacencies(home: Folder) -> set[str]:
    """Return the interfaces of a router over which an IS-IS adjacency is up."""
    with Vty(home / "isisd.vty") as isisd:
        found = isisd.json("show isis neighbor json")
    return {c["interface"] for area in found["areas"] for c in area["circuits"] if c.get("state") == "Up"}


def sessions(home: Folder) -> set[str]:
    """Return the addresses of a router's BGP neighbours with whom a session is established."""
    with Vty(home / "bgpd.vty") as bgpd:
        found = bgpd.json("show bgp summary json")
    return {
        address
        for family in found.values()
        for address, peer in family.get("peers", {}).items()
        if peer["state"] == "Established"
    }


def distances(home: Folder) -> dict[tuple[Family, str], int]:
    """Return the IS-IS metric from a router to every other that it reaches, by family and name."""
    with Vty(home / "isisd.vty") as isisd:
        lines = isisd("show isis topology level-2").splitlines()
    found: dict[tuple[Family, str], int] = {}
    family = Family.V4
    for line in lines:
        family = HEADINGS.get(line.strip(), family)
        words = line.split()
        if len(words) > 2 and words[1] == VERTEX:
            found[family, router_of(words[0])] = int(words[2])
    return found


def paths(home: Folder) -> dict[Prefix, tuple[Path, ...]]:
    """Return the BGP paths of a router that it may use, by prefix."""
    found: dict[Prefix, tuple[Path, ...]] = {}
    with Vty(home / "bgpd.vty") as bgpd:
        for family in ("ipv4", "ipv6"):
            for prefix, rows in bgpd.json(f"show bgp {family} unicast json")["routes"].items():
                usable = [_path(row) for row in rows if row.get("valid")]
                found[ip_network(prefix)] = tuple(sorted(usable, key=lambda p: (not p.best, p.source)))
    return found


def _path(row: dict[str, Any]) -> Path:
    source = Source("", "") if row["peerId"] == "(unspec)" else Source(str(row["peerId"]), _next_hop(row))
    best, multipath = bool(row.get("bestpath")), bool(row.get("multipath"))
    as_path = tuple(int(word) for word in row["path"].split())
    preference = int(row.get("locPrf", DEFAULT_PREFERENCE))
    med, origin, why = int(row.get("metric", 0)), str(row["origin"]).lower(), str(row.get("selectionReason", ""))
    return Path(source, best, multipath, preference, as_path, med, origin, why)


def _next_hop(row: dict[str, Any]) -> str:
    """The global next hop: an external IPv6 path has a link-local one beside it."""
    return next(str(hop["ip"]) for hop in row["nexthops"] if hop.get("scope") != "link-local")
