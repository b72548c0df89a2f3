"""What repairs on the spot would overload: bypasses of bandwidth 0 ask nobody whether there is room."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from trunkline.flow import State
from trunkline.igp.solve import Arc
from trunkline.model.nouns import MILLION
from trunkline.model.protection import Guard
from trunkline.model.tables import Cell, Table, table
from trunkline.risk.bypassed import bypassed
from trunkline.te.cover import Part


def overloads(state: State, only: str | None = None) -> Table:
    """Return `bypass_overloads`: what more than fits would be offered to, while something that is protected has failed.

    A row is a failed circuit or router and an arc on the way of a repair; `only` keeps the failures of one of them.
    """
    rows = [row for thing in sorted(_guarded(state)) if only in (None, thing) for row in _rows(state, thing)]
    return table(
        "failed kind arc capacity:int:bit/s before:int:bit/s load:int:bit/s utilisation:int:ppm lost:int:bit/s "
        "bypasses standbys:int",
        rows,
    )


def unlabelled(state: State, names: Iterable[str] | None = None) -> Table:
    """Return what no bypass can save: `unlabelled` traffic on every arc that has any, of all its `load`."""
    kept = None if names is None else set(names)
    loads = zip(state.reach.arcs, state.loads.igp.sum(1).tolist(), state.loads.lsp.sum(1).tolist(), strict=True)
    rows = [(arc.name, igp + lsp, igp) for arc, igp, lsp in sorted(loads) if igp and (kept is None or arc.name in kept)]
    return table("arc load:int:bit/s unlabelled:int:bit/s", rows)


def _guarded(state: State) -> set[str]:
    """The circuits and routers against whose failure an LSP has something."""
    repairs = state.repairs
    found = {b.arc.circuit for b in repairs.bypasses} | {b.arc.head for b in repairs.bypasses if b.guard is Guard.NODE}
    for p in state.placement.placed:
        second, path = repairs.standby.get(p.lsp.id), p.path or ()
        if second is not None:
            found.update(arc.circuit for arc in path)
            found.update({arc.head for arc in path[:-1]} - set(second.routers))
    return found


def _rows(state: State, thing: str) -> Iterator[tuple[Cell, ...]]:
    after = bypassed(state, (thing,))
    bypasses: dict[Arc, set[str]] = defaultdict(set)
    standbys: Counter[Arc] = Counter()
    for _, now, _ in after.cut():
        standbys.update(now.path if now.standby else ())
        for b in now.bypasses:
            for arc in b.path:
                bypasses[arc].add(b.name)
    kind = Part.NODE if thing in state.net.router else Part.LINK
    both = enumerate(zip(state.loads.offered, after.loads.offered, strict=True))
    for at, ((arc, was), (_, load)) in sorted(both, key=lambda item: item[1]):
        capacity = state.net.circuit[arc.circuit].capacity
        if load > capacity and (arc in bypasses or standbys[arc]):
            lost, use = int(after.loads.lost[at].sum()), -(-load * MILLION // capacity)
            names = " ".join(sorted(bypasses[arc]))
            yield (thing, str(kind), arc.name, capacity, was, load, use, lost, names, standbys[arc])
