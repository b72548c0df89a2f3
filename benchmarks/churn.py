"""One failure simulated: 1,000 groups in a mesh of 100 routers, all alike or hardly two alike.

`.venv/bin/python benchmarks/churn.py`, under a minute; nothing here runs beside another program.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from dataclasses import replace
from random import Random

from inputs import backbone, mesh, network

from trunkline.bgp.churn import churn
from trunkline.model.event import Cut
from trunkline.model.network import Network
from trunkline.model.nouns import Announcement, Ibgp, Kind, Peer, Port, PrefixGroup

ROUTERS, GROUPS, PEERS = 100, 1000, 6


def world(apart: bool, design: str) -> Network:
    """Six peers of one port each; every group at two to four of them, at random if `apart`, else all at the same."""
    rng = Random(3)  # noqa: S311 - the same input in every run
    net, _ = network(*mesh(backbone(ROUTERS), ROUTERS, 0.5))
    homes = [r.name for r in net.routers][:: ROUTERS // PEERS][:PEERS]
    said: list[list[Announcement]] = [[] for _ in homes]
    for n in range(GROUPS):
        for peer in sorted(rng.sample(range(PEERS), rng.randint(2, 6))) if apart else range(3):
            path = (100 + peer, *(rng.randrange(1000) for _ in range(rng.randint(0, 4)))) if apart else (100 + peer, n)
            said[peer].append(Announcement(f"g{n:04}", path, rng.randrange(3) if apart else 0))
    peers = tuple(
        Peer(f"p{n}", Kind.PEERING, 100 + n, (Port(f"p{n}@{home}", f"p{n}", home, 10**12),), tuple(said[n]))
        for n, home in enumerate(homes)
    )
    groups = tuple(PrefixGroup(f"g{n:04}", 100, 0) for n in range(GROUPS))
    return replace(net, peers=peers, groups=groups, ibgp=Ibgp(design))


def main() -> None:
    """Print a line for each."""
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}; one failure, {ROUTERS} routers, {GROUPS:,} groups")
    cases = [(apart, design) for apart in (False, True) for design in ("full-mesh", "route-reflector")]
    for apart, design in cases:
        net = world(apart, design)
        port = net.ports[0]
        for what, thing in (("port lost", port.name), ("router lost", port.router)):
            begin = time.perf_counter()
            found = churn(net, Cut((thing,)))
            seconds = time.perf_counter() - begin
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            alike = f"{len(found.settled)} patterns"
            print(
                f"  {design:<15} {what:<11} {alike:>13} {seconds:8.2f} s {peak:5} MiB   {found.messages:,} UPDATEs, "
                f"{found.prefix_updates:,} prefixes in them, {found.decisions:,} decisions",
                flush=True,
            )


if __name__ == "__main__":
    main()
