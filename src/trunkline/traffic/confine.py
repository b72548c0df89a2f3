"""Confinement over the FIBs: a packet whose router chose its own region's transit must leave by that region's ports.

The routes may be confined and the packets not: a path inside region A that crosses a router of region B is looked up
there again, and B hands it to B's transit.  The proof walks every class and family, and again with any one LSP down,
which changes only its head-end's next step.  Following the fallback default into another region is no breach.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from trunkline.bgp.solve import Confinement
from trunkline.model.nouns import Family, Kind, Lsp
from trunkline.traffic.fib import Fib


@dataclass(frozen=True)
class _Stream:
    """Packets of one kind."""

    group: str
    cls: str
    family: Family


def prove(fib: Fib) -> Confinement:
    """Return whether transit stays in its region over the FIBs, with the first counterexample by group and router."""
    failed = cache(fib.without)
    for stream in _streams(fib):
        for router in fib.net.routers:
            if not _own_transit(fib, router.name, stream):
                continue
            path = _escape(fib, router.name, router.region, stream)
            if path:
                return _breach(path, stream)
            for down in _crossed(fib, router.name, stream):
                path = _escape(failed(down), router.name, router.region, stream)
                if path:
                    return replace(_breach(path, stream), lsp_down=down.id)
    return Confinement(True)


def _streams(fib: Fib) -> Iterator[_Stream]:
    for group in fib.net.groups:
        for family in Family:
            if group.has(family):
                for cls in fib.net.classes:
                    yield _Stream(group.name, cls.name, family)


def _own_transit(fib: Fib, router: str, stream: _Stream) -> bool:
    decision = fib.routes.lookup(router, stream.group, stream.family)
    route = decision.best.route if decision else None
    return route is not None and route.kind is Kind.TRANSIT and route.region == fib.net.router[router].region


def _escape(fib: Fib, start: str, region: str, stream: _Stream) -> tuple[str, ...]:
    """Return the fewest lookups to a foreign port, as routers and then the port; empty where there is no way."""
    came: dict[str, str] = {start: ""}
    queue = [start]
    for router in queue:
        step = fib.step(router, stream.group, stream.cls, stream.family)
        if step.ports and fib.net.router[router].region != region:
            path = [step.ports[0], router]
            while came[path[-1]]:
                path.append(came[path[-1]])
            return tuple(reversed(path))
        for head in step.heads:
            if head not in came:
                came[head] = router
                queue.append(head)
    return ()


def _crossed(fib: Fib, start: str, stream: _Stream) -> list[Lsp]:
    """Return the LSPs whose loss can change where a packet from here goes: those it may ride with no parallel one."""
    seen, queue = {start}, [start]
    found: list[Lsp] = []
    for router in queue:
        step = fib.step(router, stream.group, stream.cls, stream.family)
        found += [t.ways[0].lsp for t in step.turns if len(t.ways) == 1 and t.ways[0].lsp]
        for head in step.heads:
            if head not in seen:
                seen.add(head)
                queue.append(head)
    return list(dict.fromkeys(found))


def _breach(path: tuple[str, ...], stream: _Stream) -> Confinement:
    return Confinement(False, path[0], stream.group, stream.family, path, stream.cls)
