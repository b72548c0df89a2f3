"""What the walk yields: the load of every circuit, port and LSP, and what became of every demand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from trunkline.bgp.solve import Confinement
from trunkline.demand.reason import Reason
from trunkline.engine.graph import Int64
from trunkline.igp.solve import Arc
from trunkline.model.nouns import MILLION, Demand, Family, Kind, Router
from trunkline.model.tables import Cell, Table, table
from trunkline.traffic.confine import prove
from trunkline.traffic.fib import Fib
from trunkline.traffic.walk import Walked


@dataclass(frozen=True)
class Delivery:
    """What became of one family's part of a demand.  Rates in bit/s; rate == delivered + the sum of `lost`."""

    demand: Demand
    family: Family
    rate: int
    delivered: int
    lost: tuple[tuple[Reason, str, int], ...]
    """(reason, router or directed circuit or port where, rate), the largest first."""
    latency_max: int | None
    """Microseconds one way over circuits, of the slowest share that arrives; None where nothing does."""
    latency_mean: int | None
    """Rate-weighted, rounded down."""
    arcs: tuple[tuple[Arc, int], ...]
    """What it offers to each arc it uses, by directed circuit name."""
    exits: tuple[tuple[str, int], ...]
    """What arrives, by peer port or, where no port is crossed, router."""
    on_lsp: int
    """What arrives after riding at least one LSP."""
    off_shortest: int
    """What arrives over an LSP longer than the IGP's path, or deflected."""
    off_lsp: int
    """What arrives by the IGP alone, unreserved, though its first router has LSPs of its class to its exits."""
    paths: tuple[str, ...]
    """The main path of each flow, as text."""

    @property
    def missing(self) -> int:
        """Everything lost, bit/s."""
        return self.rate - self.delivered


@dataclass(frozen=True)
class Deflection:
    """A router on the way that aims elsewhere than the routers before it did, and how much traffic that turns."""

    demand: str
    family: Family
    router: str
    aimed: str
    instead: str
    rate: int


@dataclass(frozen=True)
class Loop:
    """Traffic that comes back to a router already on its way; `cycle` begins and ends with that router."""

    demand: str
    family: Family
    cycle: tuple[str, ...]
    rate: int


@dataclass(frozen=True)
class Elephant:
    """A demand whose largest flow is larger than one member of a circuit it crosses."""

    demand: str
    flow: int
    arc: Arc
    member: int


@dataclass(frozen=True, eq=False)
class Loads:
    """Everything the walk found.  Arrays are int64 (arcs, classes), in `reach.arcs` and `net.classes` order, bit/s."""

    fib: Fib
    igp: Int64
    """Offered to the arc unlabelled, after what was lost before it."""
    lsp: Int64
    """Offered to the arc inside LSPs."""
    lost: Int64
    """What the arc's queues dropped of both."""
    ports: dict[tuple[str, str, str], int]
    """Offered to a peer port: {("in" or "out", port, class): rate}."""
    lsps: dict[str, int]
    """Offered to each LSP, by identity."""
    deliveries: tuple[Delivery, ...]
    """By (demand, family)."""
    deflections: tuple[Deflection, ...]
    loops: tuple[Loop, ...]
    elephants: tuple[Elephant, ...]
    residual: int
    """0 where the loss settled exactly; else the largest change of any load in the last round, bit/s."""
    walked: Walked = field(default=(), repr=False)
    """Every flow with what it did, in the order of the flows."""

    @property
    def full(self) -> bool:
        """Whether any circuit or port does not let everything through."""
        ports = any(reason is Reason.PORT_FULL for d in self.deliveries for reason, _, _ in d.lost)
        return bool(self.residual) or bool(self.lost.any()) or ports

    @cached_property
    def confined(self) -> Confinement:
        """The proof over the FIBs: no packet aimed at a region's own transit leaves by another region's."""
        return prove(self.fib)

    @cached_property
    def on_fallback(self) -> tuple[tuple[str, str, Family], ...]:
        """(region, group, family) whose traffic follows a default route that entered in another region."""
        net = self.fib.net
        found = {
            (router.region, group.name, family)
            for group in net.groups
            for family in Family
            for router in net.routers
            if group.has(family) and group.name not in net.datacenter
            if self._on_default(router, group.name, family)
        }
        return tuple(sorted(found))

    def _on_default(self, router: Router, group: str, family: Family) -> bool:
        decision = self.fib.routes.lookup(router.name, group, family)
        route = decision.best.route if decision else None
        return route is not None and route.kind is Kind.DEFAULT and route.region != router.region

    def tables(self) -> dict[str, Table]:
        """`circuits`, `ports`, `lsp_loads`, `demands`, `deflections`, `loops`, `elephants`, `fallback`, `settling`."""
        return {
            "circuits": self._circuits(),
            "ports": self._ports(),
            "lsp_loads": table("lsp load:int:bit/s", sorted(self.lsps.items())),
            "demands": table(_DEMANDS, (_demand_row(d) for d in self.deliveries)),
            "deflections": table(
                "demand family router aimed instead rate:int:bit/s",
                ((d.demand, d.family, d.router, d.aimed, d.instead, d.rate) for d in self.deflections),
            ),
            "loops": table(
                "demand family cycle rate:int:bit/s",
                ((x.demand, x.family, " ".join(x.cycle), x.rate) for x in self.loops),
            ),
            "elephants": table(
                "demand arc flow:int:bit/s member:int:bit/s",
                ((e.demand, e.arc.name, e.flow, e.member) for e in self.elephants),
            ),
            "fallback": table("region group family", self.on_fallback),
            "settling": table("residual:int:bit/s", [(self.residual,)]),
        }

    def _circuits(self) -> Table:
        net = self.fib.net
        rows: list[tuple[Cell, ...]] = []
        by_class = (self.igp + self.lsp).tolist()
        totals = zip(self.igp.sum(1).tolist(), self.lsp.sum(1).tolist(), self.lost.sum(1).tolist(), strict=True)
        for arc, classes, (igp, lsp, lost) in zip(self.fib.reach.arcs, by_class, totals, strict=True):
            capacity = net.circuit[arc.circuit].capacity
            load = igp + lsp
            use = _ppm(load, capacity)
            rows.append((arc.name, arc.tail, arc.head, capacity, load, igp, lsp, use, lost, *classes))
        spec = "arc from to capacity:int:bit/s load:int:bit/s igp:int:bit/s lsp:int:bit/s utilisation:int:ppm "
        spec += "lost:int:bit/s " + " ".join(f"load.{c.name}:int:bit/s" for c in net.classes)
        return table(spec, sorted(rows, key=lambda r: str(r[0])))

    def _ports(self) -> Table:
        net = self.fib.net
        rows = []
        for port in net.ports:
            into, out = ([self.ports.get((way, port.name, c.name), 0) for c in net.classes] for way in ("in", "out"))
            used = sum(into), sum(out)
            use = _ppm(max(used), port.capacity)
            rows.append((port.name, port.peer, port.router, port.capacity, port.commit, *used, use, *into, *out))
        spec = "port peer router capacity:int:bit/s commit:int:bit/s in:int:bit/s out:int:bit/s utilisation:int:ppm "
        spec += " ".join(f"{way}.{c.name}:int:bit/s" for way in ("in", "out") for c in net.classes)
        return table(spec, rows)


_DEMANDS = (
    "demand family class from to rate:int:bit/s delivered:int:bit/s lost:int:bit/s reason where latency_max:int:us "
    "latency_mean:int:us exits on_lsp:int:bit/s off_shortest:int:bit/s off_lsp:int:bit/s path"
)


def _demand_row(d: Delivery) -> tuple[Cell, ...]:
    reason, where, _ = d.lost[0] if d.lost else (None, None, 0)
    return (
        *(d.demand.name, d.family, d.demand.cls, d.demand.source, d.demand.target, d.rate, d.delivered, d.missing),
        *(reason, where, d.latency_max, d.latency_mean, " ".join(name for name, _ in d.exits)),
        *(d.on_lsp, d.off_shortest, d.off_lsp, _joined(d.paths)),
    )


def _joined(paths: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(paths))


def _ppm(part: int, whole: int) -> int:
    """Parts per million, rounded up: a circuit that is a bit over 100 % must show it."""
    return -(-part * MILLION // whole)
