"""Which circuits that could be built matter in a state: those that a path would go over if there were room everywhere.

Metrics stay what they are, so a candidate that is longer than the way that is there already is on no shortest path,
whatever else is built: other candidates only shorten ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from trunkline.igp.solve import Reach, solve
from trunkline.model.network import Network
from trunkline.model.nouns import Circuit, Family, Lsp
from trunkline.model.prices import Prices


@dataclass(frozen=True)
class _Ways:
    """Distances of IS-IS, and of LSPs over circuits that are never full (None: there are no LSPs)."""

    igp: Reach
    te: Reach | None

    def shortens(self, circuit: Circuit) -> bool:
        """Whether a circuit is no longer than the shortest way between its ends, in either direction."""
        costs = [(self.igp, circuit.metric_ab, circuit.metric_ba)]
        costs += [(self.te, circuit.te_metric_ab, circuit.te_metric_ba)] if self.te is not None else []
        return any(
            (there := reach.distance(family, tail, head)) is None or metric <= there
            for reach, ab, ba in costs
            for tail, head, metric in ((circuit.a, circuit.b, ab), (circuit.b, circuit.a, ba))
            for family in Family
        )


def that_matter(net: Network, prices: Prices, could_be: Sequence[Circuit]) -> frozenset[str]:
    """Return the names of those that could be on a path of this network (after a failure), if they were built.

    Where an LSP has constraints, or a second path, all of them could.
    """
    there = [c for c in could_be if {c.a, c.b} <= net.router.keys()]
    if not there or any(map(_constrained, net.lsps)):
        return frozenset(c.name for c in there)
    roomy = [_by_te(c) for c in net.circuits if prices.of_member(c) is not None and c.reservable]
    ways = _Ways(solve(net), solve(replace(net, circuits=tuple(roomy))) if net.lsps else None)
    return frozenset(c.name for c in there if ways.shortens(c))


def _constrained(lsp: Lsp) -> bool:
    affinities = lsp.include_any or lsp.include_all or lsp.exclude
    return bool(affinities or lsp.hop_limit is not None or lsp.paths != ((),) or lsp.standby != "none")


def _by_te(circuit: Circuit) -> Circuit:
    return replace(circuit, metric_ab=circuit.te_metric_ab, metric_ba=circuit.te_metric_ba)
