"""What RSVP-TE makes of many failures, each from the same settled placement: what `place` yields, without its objects.

One call of the core for all of them, so that a network of 1,000 routers takes seconds.  Names become arcs here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from trunkline.engine.cuts import cuts
from trunkline.engine.graph import frozen
from trunkline.engine.placement import State
from trunkline.engine.sweep import How, Resizes, Scenarios, sweep
from trunkline.igp.solve import Reach
from trunkline.model.network import Network
from trunkline.model.tables import Table, table
from trunkline.te.columns import Axes, links
from trunkline.te.result import Placement
from trunkline.te.subject import Subject, subject


@dataclass(frozen=True)
class Failure:
    """These things fail together: circuits, cards, routers, ports, peers, sites, regions or risks, by name."""

    things: tuple[str, ...]
    wanted: tuple[int, ...] | None = None
    """bit/s that every LSP wants once traffic has moved; None: what it wanted before."""


def signalled(
    base: Network, now: Network, reach: Reach, placement: Placement, failures: Sequence[Failure], workers: int = 1
) -> Table:
    """Return a row for each failure: LSPs moved, unplaced and displaced, and the hottest reserved circuit.

    `base`, `now` and `reach` are those that `place` was given for this placement.  Columns count as those of the table
    `scenarios` do: an LSP whose own end fails is not unplaced.  The hottest circuit is the one most reserved in
    proportion to what may be, the first by name among equals, None where nothing is reserved.
    Raises KeyError with a name that is not there, and ValueError for a member of a bundle, which takes away room and
    not arcs.
    """
    if placement.state is None:
        raise ValueError("the placement has no state to begin from")
    about, state = placement.subject or subject(base), placement.state
    axis = about.axis
    things = _things(axis)
    hit = [_Hit.joined([_named(things, name) for name in failure.things]) for failure in failures]
    scenarios = Scenarios(cuts(sorted(one.arcs) for one in hit), _resizes(about, state, failures))
    found = sweep(links(axis, now, reach), about.lsps, state, scenarios, How(workers))
    ends = _ends(base, state)
    rows = []
    for s, failure in enumerate(failures):
        own = set[int]().union(*(ends[router] for router in hit[s].routers))
        arc = int(found.hottest[s])
        figures = int(found.moved[s]), int(found.unplaced[s]) - len(own), int(found.displaced[s])
        circuit = axis.arcs[arc].name if arc >= 0 else None
        rows.append((" ".join(failure.things), *figures, circuit, int(found.reserved[s])))
    return table("things moved:int unplaced:int displaced:int circuit reserved:int:bit/s", rows)


@dataclass
class _Hit:
    """What a name takes away: arcs, and routers."""

    arcs: set[int] = field(default_factory=set)
    routers: set[str] = field(default_factory=set)

    @staticmethod
    def joined(parts: Iterable[_Hit]) -> _Hit:
        """Everything that several names take away."""
        parts = list(parts)
        return _Hit(set[int]().union(*(p.arcs for p in parts)), set[str]().union(*(p.routers for p in parts)))


def _things(axis: Axes) -> dict[str, _Hit]:
    """What each name takes away, as `Network.names` has it; a port or a peer takes no arc."""
    net = axis.net
    found: dict[str, _Hit] = defaultdict(_Hit)
    for name in (*net.regions, *(s.name for s in net.sites), *(n for p in net.ports for n in (p.name, p.peer))):
        found[name]
    for router in net.routers:
        for name in (router.name, router.site, router.region):
            found[name].routers.add(router.name)
    cards: dict[str, set[str]] = defaultdict(set)
    for card in (card for router in net.routers for card in router.cards):
        found[card.name]
        for thing in card.things:
            cards[thing].add(card.name)
    over = {router.name: {router.name, router.site, router.region} for router in net.routers}
    for index, arc in enumerate(axis.arcs):
        circuit = net.circuit[arc.circuit]
        for name in {circuit.name, *circuit.risks, *cards[circuit.name]} | over[arc.tail] | over[arc.head]:
            found[name].arcs.add(index)
    return dict(found)


def _named(things: dict[str, _Hit], name: str) -> _Hit:
    if ":" in name:
        raise ValueError(f"'{name}' is a member of a bundle: it takes away room, not arcs")
    return things[name]


def _ends(base: Network, state: State) -> dict[str, set[int]]:
    """The LSPs that have a path, by the routers where they begin and end."""
    found: dict[str, set[int]] = {router.name: set() for router in base.routers}
    for index in np.flatnonzero(state.paths.option >= 0).tolist():
        lsp = base.lsps[index]
        found[lsp.head].add(index)
        found[lsp.tail].add(index)
    return found


def _resizes(about: Subject, state: State, failures: Sequence[Failure]) -> Resizes:
    """Who wants another bandwidth after each failure, in the order in which head-ends signal."""
    turns: list[npt.NDArray[np.int32]] = []
    wanted = []
    for failure in failures:
        wants = state.wanted if failure.wanted is None else np.array(failure.wanted, np.int64)
        turns.append(about.turns[wants[about.turns] != state.wanted[about.turns]])
        wanted.append(wants[turns[-1]])
    none: list[npt.NDArray[np.int32]] = [np.array([], np.int32)]
    return Resizes(
        frozen(np.cumsum([0, *map(len, turns)]), np.int64),
        frozen(np.concatenate(none + turns), np.int32),
        frozen(np.concatenate([np.array([], np.int64), *wanted]), np.int64),
    )
