"""What a source gives by halves: two ways become one link, and ends that it does not list become nodes."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass

from trunkline.model.document import Spot
from trunkline.sources.reading import Reading
from trunkline.sources.sketch import Link, Node
from trunkline.sources.written import rate_text


@dataclass(frozen=True)
class Way:
    """One direction of a link.  `circuit` is the id that it shares with the other one, where the source has ids."""

    a: str
    b: str
    spot: Spot
    circuit: str = ""
    capacity: int | None = None
    metric: int | None = None
    reservable: int | None = None
    rsvp: bool = True


def pair(ways: Sequence[Way], reading: Reading) -> tuple[Link, ...]:
    """Return a link for every two ways that are each other's return, in the order of the first of the two."""
    waiting: dict[tuple[str, str, str], deque[int]] = defaultdict(deque)
    back: dict[int, int] = {}
    by_circuit: dict[str, list[Way]] = defaultdict(list)
    for index, way in enumerate(ways):
        by_circuit[way.circuit].append(way)
        others = waiting[way.b, way.a, way.circuit]
        if others:
            back[others.popleft()] = index
        else:
            waiting[way.a, way.b, way.circuit].append(index)
    for circuit, members in by_circuit.items():
        if circuit and not _there_and_back(members):
            ways_of = ", ".join(f"{way.a} to {way.b}" for way in members)
            reading.error("circuit", members[-1].spot, f"the circuit '{circuit}' goes {ways_of}", "there and back")
    returns = set(back.values())
    firsts = [index for index in range(len(ways)) if index not in returns]
    _note_order([ways[index] for index in firsts], reading)
    return tuple(_link(ways[index], ways[back[index]] if index in back else None, reading) for index in firsts)


def implied(nodes: Sequence[Node], links: Sequence[Link], reading: Reading) -> tuple[Node, ...]:
    """Return a node for every end of a link that the source does not list."""
    listed = {node.id for node in nodes}
    found: dict[str, Node] = {}
    for link in links:
        for name in (link.a, link.b):
            if name not in listed and name not in found:
                reading.ledger.apply("node-implied", name)
                found[name] = Node(name, link.spot)
    return tuple(found.values())


def _there_and_back(members: Sequence[Way]) -> bool:
    return len(members) == 2 and (members[0].a, members[0].b) == (members[1].b, members[1].a)


def _note_order(firsts: Sequence[Way], reading: Reading) -> None:
    ends: dict[tuple[str, ...], int] = defaultdict(int)
    for way in firsts:
        if not way.circuit:
            ends[tuple(sorted((way.a, way.b)))] += 1
    for pair_of, number in ends.items():
        if number > 1:
            reading.ledger.apply("pair-by-order", "-".join(pair_of))


def _link(way: Way, back: Way | None, reading: Reading) -> Link:
    label = f"{way.a}-{way.b}"
    if back is None:
        reading.ledger.apply("one-way", f"{way.a} to {way.b}")
        back = way
    return Link(
        way.a,
        way.b,
        way.spot,
        capacity=_smaller("capacity", label, (way.capacity, back.capacity), reading),
        metric=way.metric if way.metric is not None else back.metric,
        metric_back=back.metric,
        reservable=_smaller("reservable", label, (way.reservable, back.reservable), reading),
        rsvp=way.rsvp and back.rsvp,
    )


def _shown(bps: int | None) -> str:
    return "none" if bps is None else rate_text(bps)


def _smaller(what: str, label: str, both: tuple[int | None, int | None], reading: Reading) -> int | None:
    given = [value for value in both if value is not None]
    if len(set(both)) > 1:
        reading.ledger.apply("capacity-smaller", f"{what} of {label}: {_shown(both[0])} and {_shown(both[1])}")
    return min(given, default=None)
