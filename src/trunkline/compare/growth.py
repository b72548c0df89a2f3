"""Where each design passes a bound as the network grows: the same measures at more and more routers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trunkline.compare.designs import Design
from trunkline.compare.grown import grown
from trunkline.compare.measure import Measured, measure
from trunkline.compare.yardstick import Yardstick
from trunkline.flow import Watch
from trunkline.igp.solve import solve as converge_igp
from trunkline.model.network import Network
from trunkline.model.nouns import Family
from trunkline.model.problem import Problem, Problems
from trunkline.model.tables import Cell, Table, table

POINTS = 8
"""How many sizes are measured, each larger than the one before by the same factor."""
FIGURES = ("sessions", "held", "told", "memory")
"""What is bounded, per router and both families together: sessions, prefixes times routes, bytes."""


@dataclass(frozen=True)
class Point:
    """The most that any router has, of one design at one size."""

    design: str
    routers: int
    figures: Mapping[str, int]


@dataclass(frozen=True)
class Growth:
    """Every design at every size, and the bounds asked for, by figure."""

    points: tuple[Point, ...]
    bounds: Mapping[str, int]

    @property
    def tables(self) -> dict[str, Table]:
        """`growth`: the figures by size; `passes`: between which sizes a design passes a bound."""
        rows: list[tuple[Cell, ...]] = [(p.design, p.routers, *(p.figures[f] for f in FIGURES)) for p in self.points]
        return {
            "growth": table("design routers:int sessions:int held:int told:int memory:int:B", rows),
            "passes": table("design figure bound:int holds_at:int passed_at:int", self._passes()),
        }

    def _passes(self) -> list[tuple[Cell, ...]]:
        found: list[tuple[Cell, ...]] = []
        for design in dict.fromkeys(p.design for p in self.points):
            mine = [p for p in self.points if p.design == design]
            for figure, bound in self.bounds.items():
                fits = [p.routers for p in mine if p.figures[figure] <= bound]
                over = [p.routers for p in mine if p.figures[figure] > bound]
                found.append((design, figure, bound, max(fits, default=None), min(over, default=None)))
        return found


def sizes(least: int, most: int) -> list[int]:
    """Return `POINTS` sizes from one to the other, each larger by the same factor, rounded; both ends are in."""
    if not 0 < least < most:
        return [most]
    factor = (most / least) ** (1 / (POINTS - 1))
    return sorted({round(least * factor**step) for step in range(POINTS)})


def grow(
    net: Network,
    designs: Sequence[Design],
    most: int,
    bounds: Mapping[str, int],
    watch: Watch = lambda _: None,
    least: int = 0,
) -> Growth:
    """Return each design's figures from `least` routers, or from the network as it is, up to at least `most`.

    Raises Problems where the network or a design cannot grow.
    """
    listed = [design.name for design in designs if design.ibgp.design == "sessions"]
    if listed:
        message = f"the design {listed[0]} lists its sessions, and copies of routers have none"
        raise Problems([Problem("", 0, 0, "growth", message, "", "--design with designs that follow from roles")])
    points: list[Point] = []
    for size in sizes(max(len(net.routers), least), most):
        now = grown(net, size)
        if points and points[-1].routers == len(now.routers):  # sites are copied whole: two sizes may come to one
            continue
        reach = converge_igp(now)
        yardsticks = {family: Yardstick(now, reach, family) for family in Family}
        for design in designs:
            watch(f"{len(now.routers):,} routers, {design.name}")
            found = measure(design.of(now), reach, yardsticks)
            points.append(Point(design.name, len(now.routers), _most(found)))
    return Growth(tuple(sorted(points, key=lambda p: [d.name for d in designs].index(p.design))), dict(bounds))


def _most(found: Measured) -> dict[str, int]:
    return {
        "sessions": found.most(lambda t: t.ibgp_sessions),
        "held": found.most(lambda t: t.held),
        "told": found.most(lambda t: t.told),
        "memory": max(found.memory().values()),
    }
