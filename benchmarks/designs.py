"""Designs measured at the size of the Internet: a process of its own, for its peak memory.

Aurora with a whole table at each transit, as it is and grown to 1,000 routers; C-BGP simulates messages instead, so its
published times are no like for like and no ratio is printed.
"""

from __future__ import annotations

import resource
import time
from pathlib import Path

from trunkline.compare.announced import announced
from trunkline.compare.designs import design
from trunkline.compare.grown import grown
from trunkline.compare.measure import alikes, measure
from trunkline.compare.yardstick import Yardstick
from trunkline.feeds.synthetic import synthetic
from trunkline.igp.solve import solve
from trunkline.model.load import load
from trunkline.model.network import Network
from trunkline.model.nouns import Family, Kind

AURORA = Path(__file__).parent.parent / "examples" / "aurora.yaml"
DESIGNS = ("regional", "full-mesh", "route-reflector", "route-reflector+add-path", "regional-rr")


def row(label: str, seconds: float, said: str) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"  {label:<34} {seconds:8.2f} s {peak:6} MiB   {said}", flush=True)


def measured(net: Network, fed: Network, designs: tuple[str, ...]) -> None:
    """Print how long the routes of every router take under each design."""
    reach, groups = solve(net), alikes(fed)
    for name in designs:
        yardsticks = {family: Yardstick(fed, reach, family) for family in Family}
        start = time.perf_counter()
        found = measure(design(net, name).of(fed), reach, yardsticks, groups)
        most = max(found.routers.values(), key=lambda t: t.held).held
        row(name, time.perf_counter() - start, f"at most {most:,} routes held, {len(found.unsettled)} unsettled")


def main() -> None:
    aurora = load(AURORA).network
    feeds = {p.name: synthetic(p.asn) for p in aurora.peers if p.kind is Kind.TRANSIT}
    for net, designs in ((aurora, DESIGNS), (grown(aurora, 1000), DESIGNS[:3])):
        print(f"  {len(net.routers):,} routers, {len(net.ports):,} ports, 1,220,000 prefixes from each of 3 transits")
        start = time.perf_counter()
        fed = announced(net, feeds)
        row("joined and grouped", time.perf_counter() - start, f"{len(fed.groups) - len(net.groups)} groups")
        measured(net, fed, designs)


if __name__ == "__main__":
    main()
