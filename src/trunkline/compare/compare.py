"""Designs held against each other on one network: every figure as a table, with the traffic as `plan` carries it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from trunkline.compare.designs import Design
from trunkline.compare.measure import Alikes, Measured, alikes, measure
from trunkline.compare.potato import Carried, carried
from trunkline.compare.yardstick import Yardstick
from trunkline.flow import State, Watch, prove
from trunkline.igp.solve import solve as converge_igp
from trunkline.model.network import Network
from trunkline.model.nouns import MILLION, Family
from trunkline.model.tables import Cell, Table, table
from trunkline.verdict import number


@dataclass(frozen=True, eq=False)
class Measurement:
    """One design on one network: the routes that it gives every router, and the traffic over them."""

    design: Design
    net: Network
    """The network under the design."""
    measured: Measured
    state: State
    """What `plan` makes of it."""
    carried: Carried

    @cached_property
    def memory(self) -> dict[str, int]:
        """What bgpd takes on each router by the memory model, bytes."""
        return self.measured.memory()


@dataclass(frozen=True, eq=False)
class Comparison:
    """Designs on one network, in the order that they were asked for."""

    net: Network
    measurements: tuple[Measurement, ...]

    @cached_property
    def tables(self) -> dict[str, Table]:
        """`designs` (the figures side by side), `routers`, `groups`, `exits` and `circuits`, all by design."""
        return {
            "designs": table(DESIGNS, [_summary(m) for m in self.measurements]),
            "routers": table(ROUTERS, self._rows(_router_rows)),
            "groups": table(GROUPS, self._rows(_group_rows)),
            "exits": table(EXITS, self._rows(_exit_rows)),
            "circuits": table(CIRCUITS, self._rows(_circuit_rows)),
        }

    def _rows(self, of: Callable[[Measurement], Iterable[Sequence[Cell]]]) -> list[tuple[Cell, ...]]:
        return [(m.design.name, *row) for m in self.measurements for row in of(m)]


DESIGNS = (
    "design sessions:int sessions_most:int received:int held:int held_most:int used:int told:int memory:int:B "
    "memory_most:int:B usable:int:ppm hidden:int missed:int elsewhere:int:ppm latency:int:us latency_least:int:us "
    "excess_most:int:us haul:int:bit aimed:int:bit hot:int:bit cold:int:bit "
    "port_most:int:ppm ports_even:int:ppm circuit_most:int:ppm circuits_even:int:ppm "
    "lost:int:bit/s confined_routes:bool confined_fibs:bool unsettled:int broken:int"
)
"""`haul` is traffic times latency: the bits under way at any time; `aimed`, `hot` and `cold` are `potato.Carried`'s."""
ROUTERS = (
    "design router family ibgp_sessions:int ebgp_sessions:int received:int held:int used:int told:int usable:int:ppm "
    "missed:int elsewhere:int:ppm latency:int:us latency_least:int:us excess:int:us memory:int:B"
)
GROUPS = "design group family groups:int prefixes:int exits:int hidden:int usable_least:int usable_mean:int:ppm"
EXITS = "design family router port prefixes:int share:int:ppm"
CIRCUITS = "design arc capacity:int:bit/s load:int:bit/s utilisation:int:ppm"


def compare(
    net: Network, designs: Sequence[Design], fed: Network | None = None, watch: Watch = lambda _: None
) -> Comparison:
    """Return what each design comes to on a network.

    `fed` is the network whose peers announce whole tables, where there are any: routes are measured on it, and the
    traffic on `net`.
    """
    heard = fed or net
    reach = converge_igp(net)
    yardsticks = {family: Yardstick(heard, reach, family) for family in Family}
    known: dict[Hashable, Alikes] = {}
    found = []
    for design in designs:
        watch(design.name)
        key = design.ibgp.rules, design.ibgp.fallback_default
        if key not in known:
            known[key] = alikes(design.of(heard))
        measured = measure(design.of(heard), reach, yardsticks, known[key])
        state = prove(design.of(net)).settled
        far = carried(state.net, state.flows, yardsticks)
        found.append(Measurement(design, design.of(net), measured, state, far))
    return Comparison(net, tuple(found))


def share(part: int, whole: int) -> int | None:
    """Return a part of a whole, ppm rounded down; None where there is no whole."""
    return part * MILLION // whole if whole else None


def even(values: Sequence[int]) -> int | None:
    """Return how evenly values are spread, ppm: Jain's fairness index, all of it where they are equal.

    Source: R. Jain, D. Chiu, W. Hawe, DEC-TR-301 (1984): (sum x)^2 / (n sum x^2).
    """
    return share(sum(values) ** 2, len(values) * sum(v * v for v in values))


def _summary(m: Measurement) -> tuple[Cell, ...]:
    records = m.state.records
    ports = [number(row["utilisation"]) for row in records["ports"]]
    circuits = [number(row["utilisation"]) for row in records["circuits"]]
    demands = records["demands"]
    return (
        m.design.name,
        m.measured.total(lambda t: t.ibgp_sessions) // 2,
        m.measured.most(lambda t: t.ibgp_sessions),
        m.measured.total(lambda t: t.received),
        m.measured.total(lambda t: t.held),
        m.measured.most(lambda t: t.held),
        m.measured.total(lambda t: t.used),
        m.measured.total(lambda t: t.told),
        sum(m.memory.values()),
        max(m.memory.values(), default=0),
        share(m.measured.total(lambda t: t.usable), m.measured.total(lambda t: t.existing)),
        sum(group.hidden for group in m.measured.groups.values()),
        m.measured.total(lambda t: t.missed),
        share(m.measured.total(lambda t: t.elsewhere), m.measured.total(lambda t: t.counted)),
        _mean(m.measured.total(lambda t: t.latency), m.measured.total(lambda t: t.counted)),
        _mean(m.measured.total(lambda t: t.least), m.measured.total(lambda t: t.counted)),
        max((row.excess for row in m.measured.routers.values()), default=0),
        sum(number(row["delivered"]) * number(row["latency_mean"]) for row in demands) // MILLION,
        m.carried.aimed,
        m.carried.hot,
        m.carried.cold,
        max(ports, default=0),
        even(ports),
        max(circuits, default=0),
        even(circuits),
        sum(number(row["lost"]) for row in demands),
        m.state.routes.confined.holds,
        m.state.loads.confined.holds,
        len(m.measured.unsettled),
        sum(not verdict.met for verdict in m.state.objectives),
    )


def _mean(total: int, count: int) -> int | None:
    return total // count if count else None


def _router_rows(m: Measurement) -> Iterable[Sequence[Cell]]:
    for (router, family), t in sorted(m.measured.routers.items()):
        yield (
            router, family, t.ibgp_sessions, t.ebgp_sessions, t.received, t.held, t.used, t.told,
            share(t.usable, t.existing), t.missed, share(t.elsewhere, t.counted), _mean(t.latency, t.counted),
            _mean(t.least, t.counted), t.excess, m.memory[router] if family is Family.V4 else None,
        )  # fmt: skip


def _group_rows(m: Measurement) -> Iterable[Sequence[Cell]]:
    for (group, family), g in sorted(m.measured.groups.items()):
        if g.usable:
            mean = sum(g.usable) * MILLION // (len(g.usable) * g.existing)
            yield group, family, g.groups, g.prefixes, g.existing, g.hidden, min(g.usable), mean


def _exit_rows(m: Measurement) -> Iterable[Sequence[Cell]]:
    for family in Family:
        here = {exit_: prefixes for (exit_, f), prefixes in m.measured.exits.items() if f is family}
        whole = sum(here.values())
        for (router, port), prefixes in sorted(here.items()):
            yield family, router, port or None, prefixes, share(prefixes, whole)


def _circuit_rows(m: Measurement) -> Iterable[Sequence[Cell]]:
    for row in m.state.records["circuits"]:
        yield row["arc"], row["capacity"], row["load"], row["utilisation"]
