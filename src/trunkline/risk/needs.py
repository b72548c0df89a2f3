"""What a state that breaks a promise lacks: capacity of circuits, peer ports; as much as its own routing asks for.

It is where more has to be, not the least that would do: replays say when it is enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from trunkline.demand.flows import split
from trunkline.flow import State
from trunkline.igp.solve import Arc, Reach
from trunkline.model.network import Network
from trunkline.model.nouns import MILLION, Family, Measure
from trunkline.te.result import Placed, Unplaced


@dataclass(frozen=True)
class Bounds:
    """What the objectives allow: a circuit's use and a port's use of its commit (None: any), ppm."""

    use: int
    commit: int | None

    @staticmethod
    def of(net: Network) -> Bounds:
        """Return the bounds of a network's objectives; a circuit is never to be more than full."""
        use = [o.limit for o in net.objectives if o.measure is Measure.UTILISATION and o.cls is None]
        commit = [o.limit for o in net.objectives if o.measure is Measure.COMMIT]
        return Bounds(min([*use, MILLION]), min(commit, default=None))


@dataclass(frozen=True)
class Needs:
    """Capacity that circuits should have, bit/s, and how many times what it is in the file a port should be."""

    circuits: Mapping[str, int]
    ports: Mapping[str, int]

    @staticmethod
    def most(several: Iterable[Needs]) -> Needs:
        """Return the most that any of several asks for."""
        found = {}, {}  # type: tuple[dict[str, int], dict[str, int]]
        for needs in several:
            for into, more in zip(found, (needs.circuits, needs.ports), strict=True):
                into.update({name: max(value, into.get(name, 0)) for name, value in more.items()})
        return Needs(*found)


def needs(state: State, bounds: Bounds, net: Network) -> Needs:
    """Return what a state lacks; `net` is the network before anything is bought."""
    circuits: Counter[str] = Counter()
    capacity = {name: circuit.capacity for name, circuit in state.net.circuit.items()}
    for arc, load in state.loads.offered:
        least = -(-load * MILLION // bounds.use)
        if least > capacity[arc.circuit]:
            circuits[arc.circuit] = max(circuits[arc.circuit], least)
    for arc, short in _lacking(state).items():
        circuit = state.net.circuit[arc.circuit]
        more = -(-short * circuit.capacity // circuit.reservable) if circuit.reservable else short
        circuits[arc.circuit] = max(circuits[arc.circuit], circuit.capacity + more)
    return Needs(dict(circuits), _ports(state, bounds, net))


def used(state: State, bounds: Bounds, net: Network) -> Needs:
    """Return what a state must have for what circuits and ports carry, and for what is reserved."""
    found: Counter[str] = Counter()
    for arc, load in state.loads.offered:
        found[arc.circuit] = max(found[arc.circuit], -(-load * MILLION // bounds.use))
    for r in state.placement.reservations:
        circuit = state.net.circuit.get(r.arc.circuit)
        if circuit is not None and circuit.reservable:
            held = -(-sum(r.held) * circuit.capacity // circuit.reservable)
            found[r.arc.circuit] = max(found[r.arc.circuit], held)
    return Needs(dict(found), _ports(state, bounds, net))


def _ports(state: State, bounds: Bounds, net: Network) -> dict[str, int]:
    used, found = state.loads.sums.by_port, {}
    for port in net.ports:
        load = max(used["in", port.name], used["out", port.name])
        times = -(-load // port.capacity)
        if port.commit and bounds.commit is not None:
            times = max(times, -(-load * MILLION // (port.commit * bounds.commit)))
        if times > 1:
            found[port.name] = times
    return found


def _lacking(state: State) -> Counter[Arc]:
    """What may be reserved on each arc is short of what LSPs want that should be on it, bit/s."""
    wanted: Counter[Arc] = Counter()
    poor = [p for p in state.placement.placed if _poor(state.net, p)]
    for p in poor:
        here = set(p.path or ())
        for arc, rate in _spread(state.reach, p).items():
            wanted[arc] += rate - (min(p.reserved, rate) if arc in here else 0)
    free = {r.arc: r.reservable for r in state.placement.reservations}
    worst = max((p.lsp.setup for p in poor), default=0)
    for r in state.placement.reservations:
        free[r.arc] -= sum(r.held[: worst + 1])
    found = Counter({arc: rate - max(free[arc], 0) for arc, rate in wanted.items() if rate > max(free[arc], 0)})
    if poor and not found:  # there is room in all, but not where one LSP would fit
        tightest = sorted(wanted, key=lambda arc: (free[arc] - wanted[arc], arc))
        found += Counter(dict.fromkeys(tightest[:1], 1))
    return found


def _poor(net: Network, placed: Placed) -> bool:
    """Whether an LSP has not what an objective wants for its class."""
    if placed.reason is Unplaced.ENDPOINT_DOWN:
        return False
    measures = {o.measure for o in net.objectives if o.cls in (None, placed.lsp.cls)}
    short = placed.path is None or placed.reserved < placed.wanted
    astray = placed.path is None or placed.cost != placed.shortest
    return (Measure.PLACED in measures and short) or (Measure.SHORTEST in measures and astray)


def _spread(reach: Reach, placed: Placed) -> Counter[Arc]:
    """What an LSP wants, spread over every shortest way from its head to its tail."""
    found: Counter[Arc] = Counter()
    at, tail = Counter({placed.lsp.head: placed.wanted}), placed.lsp.tail
    while at:
        router = max(at, key=lambda r: (reach.distance(Family.V4, r, tail) or 0, r))
        rate = at.pop(router)
        hops = reach.next_hops(Family.V4, router, tail)
        for arc, part in zip(hops, split(rate, len(hops)), strict=True):
            found[arc] += part
            if arc.head != tail:
                at[arc.head] += part
    return found
