"""What routers hold: asked of the daemons over their vty, and of the kernel by netlink."""

from __future__ import annotations

from pathlib import Path

from trunkline.lab.vty import Vty


def adjacencies(home: Path) -> set[str]:
    """Return the interfaces of a router over which an IS-IS adjacency is up."""
    with Vty(home / "isisd.vty") as isisd:
        lines = isisd("show isis neighbor").splitlines()
    words = [line.split() for line in lines]
    return {w[1] for w in words if len(w) >= 4 and w[3] == "Up"}


def sessions(home: Path) -> set[str]:
    """Return the addresses of a router's BGP neighbours with whom a session is established."""
    with Vty(home / "bgpd.vty") as bgpd:
        found = bgpd.json("show bgp summary json")
    return {
        address
        for family in found.values()
        for address, peer in family.get("peers", {}).items()
        if peer["state"] == "Established"
    }
