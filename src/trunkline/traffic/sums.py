"""What flows put on circuits, ports and LSPs, summed; one flow's part can be taken away again, exactly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from trunkline.demand.reason import Reason
from trunkline.engine.graph import Int64
from trunkline.igp.solve import Arc
from trunkline.model.network import Network
from trunkline.traffic.walk import Place, Walked

K = TypeVar("K")


@dataclass(frozen=True, eq=False)
class Sums:
    """Arrays are int64 (arcs, classes), mappings bit/s; they leave out what is 0."""

    arcs: tuple[Arc, ...]
    classes: tuple[str, ...]
    igp: Int64
    lsp: Int64
    lost: Int64
    ports: Mapping[tuple[str, str, str], int]
    """By ("in" or "out", port, class)."""
    lsps: Mapping[str, int]

    @staticmethod
    def zero(arcs: tuple[Arc, ...], classes: tuple[str, ...]) -> Sums:
        """Return the sums of no flow."""
        igp, lsp, lost = (np.zeros((len(arcs), len(classes)), np.int64) for _ in range(3))
        return Sums(arcs, classes, igp, lsp, lost, {}, {})

    def changed(self, more: Walked, less: Walked = ()) -> Sums:
        """Return these sums with some flows added, and others, which are in them, taken away."""
        igp, lsp, lost = ({name: defaultdict[str, int](int) for name in self.classes} for _ in range(3))
        ports: defaultdict[tuple[str, str, str], int] = defaultdict(int)
        lsps: defaultdict[str, int] = defaultdict(int)
        for walked, sign in ((more, 1), (less, -1)):
            for flow, trail in walked:
                cls = flow.cls
                for into, load in ((igp[cls], trail.igp), (lsp[cls], trail.lsp), (lsps, trail.lsps)):
                    if load:
                        for name, rate in load.items():
                            into[name] += sign * rate
                for (reason, where), rate in trail.lost.items():
                    if reason is Reason.CONGESTION:
                        lost[cls][where] += sign * rate
                for (way, port), rate in trail.ports.items():
                    ports[way, port, cls] += sign * rate
        arrays = self._plus(self.igp, igp), self._plus(self.lsp, lsp), self._plus(self.lost, lost)
        return Sums(self.arcs, self.classes, *arrays, _plus(self.ports, ports), _plus(self.lsps, lsps))

    def _plus(self, one: Int64, more: Mapping[str, Mapping[str, int]]) -> Int64:
        """An array and, class by class, so much more of some arcs; those that have failed carry nothing."""
        found = one.copy()
        for column, name in enumerate(self.classes):
            there = {row: rate for arc, rate in more[name].items() if (row := self._row.get(arc)) is not None}
            found[list(there), column] += np.array(list(there.values()), np.int64)
        return found

    @cached_property
    def _row(self) -> dict[str, int]:
        return {arc.name: i for i, arc in enumerate(self.arcs)}

    def over(self, arcs: tuple[Arc, ...]) -> Sums:
        """Return the same sums over the arcs of another state, where those that are missing carry nothing."""
        if arcs == self.arcs:
            return self
        now = [(i, self._row[arc.name]) for i, arc in enumerate(arcs) if arc.name in self._row]
        to, of = [i for i, _ in now], [i for _, i in now]
        other = Sums.zero(arcs, self.classes)
        for mine, theirs in ((self.igp, other.igp), (self.lsp, other.lsp), (self.lost, other.lost)):
            theirs[to] = mine[of]
        return Sums(arcs, self.classes, other.igp, other.lsp, other.lost, self.ports, self.lsps)

    @cached_property
    def offered(self) -> tuple[tuple[Arc, int], ...]:
        """What is offered to each arc, all classes together."""
        return tuple(zip(self.arcs, (self.igp + self.lsp).sum(axis=1).tolist(), strict=True))

    @cached_property
    def by_port(self) -> Counter[tuple[str, str]]:
        """What is offered to each peer port each way, all classes together."""
        found = Counter[tuple[str, str]]()
        for (way, port, _), rate in self.ports.items():
            found[way, port] += rate
        return found

    def full(self, net: Network) -> Iterator[Place]:
        """Yield every arc and port that is offered more than it lets through."""
        for arc, load in self.offered:
            if load > net.circuit[arc.circuit].capacity:
                yield arc.name
        for place, rate in sorted(self.by_port.items()):
            if rate > net.port[place[1]].capacity:
                yield place


def _plus(one: Mapping[K, int], more: Mapping[K, int]) -> dict[K, int]:
    found = {**one}
    for key, rate in more.items():
        found[key] = found.get(key, 0) + rate
        if not found[key]:
            del found[key]
    return found
