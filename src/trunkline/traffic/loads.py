"""What the walk yields: the load of every circuit, port and LSP, and what became of every demand."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from trunkline.bgp.solve import Confinement
from trunkline.demand.flows import Flows
from trunkline.demand.reason import Reason
from trunkline.engine.graph import Int64
from trunkline.igp.solve import Arc
from trunkline.model.nouns import DEFAULT_GROUP, MILLION, Demand, Family, Kind
from trunkline.model.tables import Cell, Cells, Columns, Table, Tables, table
from trunkline.traffic.confine import Proof, prove
from trunkline.traffic.fib import Fib, Key
from trunkline.traffic.oddities import Deflection, Elephant, Loop, deflections, elephants, loops
from trunkline.traffic.path import main_path
from trunkline.traffic.reuse import SAME, Differs
from trunkline.traffic.sums import Sums
from trunkline.traffic.walk import Place, Walked


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
    exits: tuple[tuple[str, int], ...]
    """What arrives, by peer port or, where no port is crossed, router."""
    on_lsp: int
    """What arrives after riding at least one LSP."""
    off_shortest: int
    """What arrives over an LSP longer than the IGP's path, or deflected."""
    off_lsp: int
    """What arrives by the IGP alone, unreserved, though its first router has LSPs of its class to its exits."""
    dark: bool = False
    """Whether something is missing and one of its ends has failed itself."""
    walked: Walked = field(default=(), repr=False, compare=False)
    """Its flows, each with what it did."""
    fib: Fib | None = field(default=None, repr=False, compare=False)

    @cached_property
    def arcs(self) -> tuple[tuple[str, int], ...]:
        """What it offers to each directed circuit it uses, by name."""
        total: Counter[str] = Counter()
        for _, trail in self.walked:
            for load in (trail.igp, trail.lsp):
                total.update(load)
        return tuple(sorted(total.items()))

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The main path of each flow, as text."""
        return tuple(main_path(self.fib, flow) for flow, _ in self.walked) if self.fib is not None else ()

    @property
    def missing(self) -> int:
        """Everything lost, bit/s."""
        return self.rate - self.delivered

    @property
    def charged(self) -> int:
        """What is missing and not gone, bit/s: what tables call lost."""
        return self.missing - self.gone

    @property
    def gone(self) -> int:
        """What is missing though no network could carry it, because one of its ends has failed itself, bit/s."""
        return self.missing if self.dark else 0

    @cached_property
    def figures(self) -> tuple[Cell, ...]:
        """Its row of the table `demands`, but for the path."""
        reason, where, _ = self.lost[0] if self.lost else (None, None, 0)
        return (
            *(self.demand.name, self.family, self.demand.cls, self.demand.source, self.demand.target),
            *(
                self.rate,
                self.delivered,
                self.charged,
                self.gone,
                reason,
                where,
                self.latency_max,
                self.latency_mean,
            ),
            *(" ".join([name for name, _ in self.exits]), self.on_lsp, self.off_shortest, self.off_lsp),
        )


@dataclass(frozen=True, eq=False)
class Loads:
    """Everything the walk found.  Arrays are int64 (arcs, classes), in `reach.arcs` and `net.classes` order, bit/s."""

    fib: Fib
    flows: Flows
    sums: Sums
    deliveries: tuple[Delivery, ...]
    """By (demand, family)."""
    residual: int
    """0 where the loss settled exactly; else the largest change of any load in the last round, bit/s."""
    walked: Walked = field(default=(), repr=False)
    """Every flow with what it did, in the order of the flows."""

    since: tuple[Proof | None, Differs] = field(default=(None, SAME), repr=False)
    """The proof over the FIBs that these were made from, if it was there then, and what differs."""

    @property
    def igp(self) -> Int64:
        """Offered to the arc unlabelled, after what was lost before it."""
        return self.sums.igp

    @property
    def lsp(self) -> Int64:
        """Offered to the arc inside LSPs."""
        return self.sums.lsp

    @property
    def lost(self) -> Int64:
        """What the arc's queues dropped of both."""
        return self.sums.lost

    @property
    def ports(self) -> Mapping[tuple[str, str, str], int]:
        """Offered to a peer port: {("in" or "out", port, class): rate}."""
        return self.sums.ports

    @property
    def lsps(self) -> Mapping[str, int]:
        """Offered to each LSP, by identity."""
        return self.sums.lsps

    @property
    def offered(self) -> tuple[tuple[Arc, int], ...]:
        """What is offered to each arc, all classes together, bit/s."""
        return self.sums.offered

    @cached_property
    def hottest(self) -> tuple[str | None, int]:
        """The directed circuit of the highest utilisation, the first by name, and that, ppm; None where all is idle."""
        circuit = self.fib.net.circuit
        return _most((_ppm(load, circuit[arc.circuit].capacity), arc.name) for arc, load in self.offered)

    @property
    def hottest_port(self) -> tuple[str | None, int]:
        """The same of peer ports, each by its busier way."""
        port = self.fib.net.port
        return _most((_ppm(rate, port[name].capacity), name) for (_, name), rate in self.sums.by_port.items())

    @cached_property
    def deflections(self) -> tuple[Deflection, ...]:
        """Where traffic is turned to another exit than it was aimed at."""
        return deflections(self.walked)

    @cached_property
    def loops(self) -> tuple[Loop, ...]:
        """Where traffic comes back to a router it has passed."""
        return loops(self.walked)

    @cached_property
    def elephants(self) -> tuple[Elephant, ...]:
        """Which demands have a flow that does not fit a member."""
        return elephants(self.fib, self.walked)

    @cached_property
    def charged(self) -> Counter[str]:
        """What each class loses, bit/s, without what is gone."""
        total = Counter[str]()
        for d in self.deliveries:
            if d.delivered != d.rate:
                total[d.demand.cls] += d.charged
        return total

    @cached_property
    def met(self) -> dict[Key | Place, list[int]]:
        """Which flows, by their place in `walked`, may meet each step of a FIB, and which come in by each peer port."""
        found: dict[Key | Place, list[int]] = defaultdict(list)
        for i, (flow, trail) in enumerate(self.walked):
            if flow.port is not None:
                found["in", flow.port].append(i)
            for router in trail.routers:
                found[router, flow.group, flow.cls, flow.family].append(i)
        return dict(found)

    @cached_property
    def full(self) -> bool:
        """Whether any circuit or port does not let everything through."""
        ports = any(reason is Reason.PORT_FULL for d in self.deliveries for reason, _, _ in d.lost)
        return bool(self.residual) or bool(self.lost.any()) or ports

    @cached_property
    def proof(self) -> Proof:
        """The proof over the FIBs: no packet aimed at a region's own transit leaves by another region's."""
        return prove(self.fib, *self.since)

    @property
    def confined(self) -> Confinement:
        """What that proof found."""
        return self.proof.found

    @cached_property
    def on_fallback(self) -> tuple[tuple[str, str, Family], ...]:
        """(region, group, family) whose traffic follows a default route that entered in another region."""
        net = self.fib.net
        routes, found = self.fib.routes, set()
        foreign = [
            (router, family)
            for router in net.routers
            for family in Family
            if (default := routes.best(router.name, DEFAULT_GROUP, family)) is not None
            and default.best.route.kind is Kind.DEFAULT
            and default.best.route.region != router.region
        ]
        for router, family in foreign:
            for group in net.groups:
                if group.has(family) and group.name not in net.datacenter:
                    own = routes.best(router.name, group.name, family)
                    if own is None or group.name == DEFAULT_GROUP:
                        found.add((router.region, group.name, family))
        return tuple(sorted(found))

    def tables(self) -> Tables:
        """`circuits`, `ports`, `lsp_loads`, `demands`, `deflections`, `loops`, `elephants`, `fallback`, `settling`."""
        return Tables(
            {
                "circuits": self._circuits,
                "ports": self._ports,
                "lsp_loads": lambda: table("lsp load:int:bit/s", sorted(self.lsps.items())),
                "demands": lambda: table(_DEMANDS + " path", ((*d.figures, _joined(d.paths)) for d in self.deliveries)),
                "deflections": lambda: table(
                    "demand family router aimed instead rate:int:bit/s",
                    ((d.demand, d.family, d.router, d.aimed, d.instead, d.rate) for d in self.deflections),
                ),
                "loops": lambda: table(
                    "demand family cycle rate:int:bit/s",
                    ((x.demand, x.family, " ".join(x.cycle), x.rate) for x in self.loops),
                ),
                "elephants": lambda: table(
                    "demand arc flow:int:bit/s member:int:bit/s",
                    ((e.demand, e.arc.name, e.flow, e.member) for e in self.elephants),
                ),
                "fallback": lambda: table("region group family", self.on_fallback),
                "settling": lambda: table("residual:int:bit/s", [(self.residual,)]),
            }
        )

    def figures(self) -> dict[str, Columns]:
        """The columns of `circuits`, `ports` and `demands` that objectives ask for; circuits are in no order."""
        net, arcs, ports, found = self.fib.net, self.fib.reach.arcs, self.fib.net.ports, self.deliveries
        load, by_port = self.igp + self.lsp, self.sums.by_port
        circuits: dict[str, Callable[[], Cells]] = {
            "arc": lambda: [arc.name for arc in arcs],
            "capacity": lambda: [net.circuit[arc.circuit].capacity for arc in arcs],
            "load": lambda: load.sum(1).tolist(),
            **{f"load.{c.name}": lambda i=i: load[:, i].tolist() for i, c in enumerate(net.classes)},  # type: ignore[misc]
        }
        of_ports: dict[str, Callable[[], Cells]] = {
            "port": lambda: [port.name for port in ports],
            "commit": lambda: [port.commit for port in ports],
            **{way: lambda way=way: [by_port[way, port.name] for port in ports] for way in ("in", "out")},  # type: ignore[misc]
        }
        demands: dict[str, Callable[[], Cells]] = {
            "demand": lambda: [d.demand.name for d in found],
            "class": lambda: [d.demand.cls for d in found],
            "rate": lambda: [d.rate for d in found],
            "lost": lambda: [d.charged if d.delivered != d.rate else 0 for d in found],
            "gone": lambda: [d.gone if d.dark else 0 for d in found],
            "latency_max": lambda: [d.latency_max for d in found],
        }
        return {"circuits": Columns(circuits), "ports": Columns(of_ports), "demands": Columns(demands)}

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
    "demand family class from to rate:int:bit/s delivered:int:bit/s lost:int:bit/s gone:int:bit/s reason "
    "where latency_max:int:us latency_mean:int:us exits on_lsp:int:bit/s off_shortest:int:bit/s off_lsp:int:bit/s"
)


def _joined(paths: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(paths))


def _most(used: Iterable[tuple[int, str]]) -> tuple[str | None, int]:
    """The name and the figure of the largest, the first by name; None where all are 0."""
    least, name = min(((-use, name) for use, name in used), default=(0, ""))
    return (name, -least) if least else (None, 0)


def _ppm(part: int, whole: int) -> int:
    """Parts per million, rounded up: a circuit that is a bit over 100 % must show it."""
    return -(-part * MILLION // whole)
