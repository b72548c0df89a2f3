"""Confinement over the FIBs: a packet whose router chose its own region's transit must leave by that region's ports.

The routes may be confined and the packets not: a path inside region A that crosses a router of region B is looked up
there again, and B hands it to B's transit.  The proof walks every class and family, and again with any one LSP down,
which changes only its head-end's next step.  Following the fallback default into another region is no breach.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from trunkline.bgp.solve import Confinement
from trunkline.model.nouns import DEFAULT_GROUP, Family, Kind, Lsp
from trunkline.traffic.fib import Fib
from trunkline.traffic.reuse import SAME, Choice, Differs


class _Stream(NamedTuple):
    """Packets of one kind."""

    group: str
    cls: str
    family: Family


Owners = dict[tuple[str, Family], frozenset[str]]
"""The routers that choose their own region's transit, by group and family."""


@dataclass(frozen=True)
class Proof:
    """What was found, who chooses its own transit, and the routers whose steps it rests on.

    `rests` is by stream and the router where packets start: those alone that choose their own transit.
    """

    found: Confinement
    owners: Owners
    rests: dict[_Stream, dict[str, frozenset[str]]]


def prove(fib: Fib, before: Proof | None = None, differs: Differs = SAME) -> Proof:
    """Return whether transit stays in its region over the FIBs, with the first counterexample by group and router.

    `before` is the proof of another state, and `differs` is what is another than it was there: they change nothing but
    the time it takes.
    """
    before = before if before is not None and before.found.holds else None
    owners = _owners(fib, before, differs.choices)
    other: dict[_Stream, set[str]] = defaultdict(set)
    for name, group, cls_, family in (*differs.steps, *differs.beneath):
        other[_Stream(group, cls_, family)].add(name)
    failed = cache(fib.without)
    rests: dict[_Stream, dict[str, frozenset[str]]] = {}
    for (group, family), mine in owners.items():
        for cls in fib.net.classes:
            stream = _Stream(group, cls.name, family)
            then = before.rests.get(stream, {}) if before is not None else {}
            changed = other[stream]
            rests[stream] = {name: then[name] for name in mine if name in then and changed.isdisjoint(then[name])}
            for router in sorted(mine - rests[stream].keys()):
                found, asked = _from(fib, router, stream, failed)
                if not found.holds:
                    return Proof(found, {}, {})
                rests[stream][router] = frozenset(asked)
    return Proof(Confinement(True), owners, rests)


def _owners(fib: Fib, before: Proof | None, decided: Iterable[Choice]) -> Owners:
    """Who chooses its own transit: as before, but for those that may have chosen anew."""
    pairs = [(group.name, family) for group in fib.net.groups for family in Family if group.has(family)]
    if before is None:
        return {(g, f): frozenset(r for r in fib.net.router if _own_transit(fib, r, g, f)) for g, f in pairs}
    anew: dict[tuple[str, Family], set[str]] = defaultdict(set)
    for router, group, family in decided:
        anew[group, family].add(router)
    found = {}
    for group, family in pairs:
        old = before.owners[group, family]
        again = anew.get((group, family), set()) | anew.get((DEFAULT_GROUP, family), set())
        own = {r for r in again & fib.net.router.keys() if _own_transit(fib, r, group, family)}
        found[group, family] = (old & fib.net.router.keys()) - again | own
    return found


def _from(fib: Fib, router: str, stream: _Stream, failed: Callable[[Lsp], Fib]) -> tuple[Confinement, set[str]]:
    """Return what becomes of packets that start at a router, and the routers whose steps say so."""
    region = fib.net.router[router].region
    path, seen = _escape(fib, router, region, stream)
    if path:
        return _breach(path, stream), seen
    for down in _crossed(fib, router, stream):
        path, more = _escape(failed(down), router, region, stream)
        seen |= more
        if path:
            return replace(_breach(path, stream), lsp_down=down.id), seen
    return Confinement(True), seen


def _own_transit(fib: Fib, router: str, group: str, family: Family) -> bool:
    decision = fib.routes.lookup(router, group, family)
    route = decision.best.route if decision else None
    return route is not None and route.kind is Kind.TRANSIT and route.region == fib.net.router[router].region


def _escape(fib: Fib, start: str, region: str, stream: _Stream) -> tuple[tuple[str, ...], set[str]]:
    """Return the fewest lookups to a foreign port, as routers and then the port, empty where there is no way.

    With it, every router that was asked.
    """
    came: dict[str, str] = {start: ""}
    queue = [start]
    for router in queue:
        step = fib.step(router, stream.group, stream.cls, stream.family)
        if step.ports and fib.net.router[router].region != region:
            path = [step.ports[0], router]
            while came[path[-1]]:
                path.append(came[path[-1]])
            return tuple(reversed(path)), set(came)
        for head in step.heads:
            if head not in came:
                came[head] = router
                queue.append(head)
    return (), set(came)


def _crossed(fib: Fib, start: str, stream: _Stream) -> list[Lsp]:
    """Return the LSPs whose loss can change where a packet from here goes: those it may ride with no parallel one."""
    seen, queue = {start}, [start]
    found: list[Lsp] = []
    for router in queue:
        step = fib.step(router, stream.group, stream.cls, stream.family)
        found += [turn.single for turn in step.turns if turn.single is not None]
        for head in step.heads:
            if head not in seen:
                seen.add(head)
                queue.append(head)
    return list(dict.fromkeys(found))


def _breach(path: tuple[str, ...], stream: _Stream) -> Confinement:
    return Confinement(False, path[0], stream.group, stream.family, path, stream.cls)
