"""CSPF around what a backup path stands in for, on the bandwidth that no LSP holds.

Backup paths are set up last, with setup and hold priority 7: they take what is left, and displace nobody.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from trunkline.engine.graph import Int64, frozen
from trunkline.engine.placement import NO_LIMIT, PRIORITIES, Links, Lsps, Options, routes
from trunkline.igp.solve import Arc, Reach
from trunkline.model.network import Network
from trunkline.model.nouns import Lsp
from trunkline.model.protection import Risks
from trunkline.te.columns import Axes, axes, columns, links
from trunkline.te.repairs import Unprotected
from trunkline.te.result import Placement

WORST = PRIORITIES - 1
_NO_HOPS = Options(
    frozen([0, 1], np.int32), frozen([0, 0], np.int32), frozen([], np.int32), frozen(np.zeros((0, 2)), np.int32),
    frozen([], np.bool_),
)  # fmt: skip


@dataclass(frozen=True)
class Avoid:
    """Circuits and routers that a path may not use."""

    circuits: frozenset[str] = frozenset()
    routers: frozenset[str] = frozenset()

    def plus(self, circuits: Iterable[str] = (), routers: Iterable[str] = ()) -> Avoid:
        """Return these and more."""
        return Avoid(self.circuits.union(circuits), self.routers.union(routers))


@dataclass(frozen=True, eq=False)
class Around:
    """The books of a settled network, in which backup paths are entered as they are found."""

    net: Network
    axis: Axes
    links: Links
    held: Int64
    """(arcs, 8) bit/s by hold priority"""
    _at: dict[str, list[int]] = field(init=False, default_factory=lambda: defaultdict(list))
    """Arcs of each circuit and each router."""
    _sharing: dict[str, frozenset[str]] = field(init=False, default_factory=dict)

    @staticmethod
    def of(net: Network, reach: Reach, placement: Placement) -> Around:
        """Return the books of a network that has settled on a placement."""
        axis = axes(net)
        held = np.zeros((len(axis.arcs), PRIORITIES), np.int64)
        for booked in placement.reservations:
            at = axis.at.get((booked.arc.circuit, booked.arc.tail))
            if at is not None:
                held[at] = booked.held
        return Around(net, axis, links(axis, net, reach), held)

    def __post_init__(self) -> None:
        for i, arc in enumerate(self.axis.arcs):
            for name in {arc.circuit, "router " + arc.tail, "router " + arc.head}:
                self._at[name].append(i)
        by_risk: dict[str, list[str]] = defaultdict(list)
        for c in self.net.circuits:
            for risk in c.risks:
                by_risk[risk].append(c.name)
        for c in self.net.circuits:
            self._sharing[c.name] = frozenset(name for risk in c.risks for name in by_risk[risk]) - {c.name}

    def sharing(self, circuits: Iterable[str]) -> frozenset[str]:
        """Return the circuits that share a risk with one of these; of two of these both may be among them."""
        return frozenset().union(*(self._sharing[name] for name in circuits))

    def asked(self, lsps: Sequence[Lsp]) -> list[Lsps]:
        """Return each LSP's constraints, without path options, as columns of its own, of the worst priority."""
        both = columns(self.axis, tuple(replace(lsp, setup=WORST, hold=WORST, paths=((),)) for lsp in lsps))
        names = ("head", "tail", "setup", "hold", "include_any", "include_all", "exclude", "hop_limit")
        rows = range(len(lsps))
        return [replace(both, options=_NO_HOPS, **{n: getattr(both, n)[i : i + 1] for n in names}) for i in rows]

    def bare(self, head: str, tail: str) -> Lsps:
        """Return a path without constraints, as columns."""

        def one(value: int) -> np.typing.NDArray[np.int32]:
            return frozen([value], np.int32)  # type: ignore[no-any-return]

        none = frozen([0], np.uint64)
        ends, worst = (one(self.axis.node[head]), one(self.axis.node[tail])), one(WORST)
        return Lsps(*ends, worst, worst, none, none, none, one(NO_LIMIT), _NO_HOPS)

    def path(self, asked: Lsps, bandwidth: int, avoid: Avoid) -> tuple[Arc, ...] | None:
        """Return the best path by (metric, hops, bottleneck, names), None where there is none."""
        up = self.links.up.copy()
        for name in (*avoid.circuits, *("router " + r for r in avoid.routers)):
            up[self._at.get(name, [])] = False
        open_ = replace(self.links, up=frozen(up, np.bool_))
        found = routes(open_, asked, frozen([bandwidth], np.int64), self.held)
        return tuple(self.axis.arcs[a] for a in found.of(0)) if found.option[0] >= 0 else None

    def book(self, path: Iterable[Arc], bandwidth: int) -> None:
        """Enter a backup path."""
        for arc in path:
            self.held[self.axis.at[arc.circuit, arc.tail], WORST] += bandwidth


def trials(risks: Risks) -> tuple[bool, ...]:
    """Return whether circuits that share a risk are left out, in the order in which it is tried."""
    return {Risks.AVOID: (True,), Risks.PREFER: (True, False), Risks.IGNORE: (False,)}[risks]


def why(around: Around, asked: Lsps, avoid: Avoid, sharing: Avoid | None) -> Unprotected:
    """Return the first constraint that no path meets; `sharing` is `avoid` with what shares its risks, if that too."""
    if around.path(asked, 0, avoid) is None:
        return Unprotected.NO_PATH
    if sharing is not None and around.path(asked, 0, sharing) is None:
        return Unprotected.RISK
    return Unprotected.BANDWIDTH
