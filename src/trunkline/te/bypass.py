"""Facility bypasses (RFC 4090): for each circuit that carries LSPs, paths to the next hop or to the one behind it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from trunkline.engine.placement import Lsps
from trunkline.igp.solve import Arc
from trunkline.model.protection import Guard, Protection
from trunkline.te.around import Around, Avoid, trials, why
from trunkline.te.repairs import Bypass, Unprotected
from trunkline.te.result import Placed

Ridden = tuple[Placed, ...]
Path = tuple[Arc, ...]


@dataclass(frozen=True, eq=False)
class Bypasses:
    """Bypasses as they are set up, arc by arc in order of name; `lacking` says why an LSP has none at an arc."""

    around: Around
    plan: Protection
    made: list[Bypass] = field(default_factory=list)
    lacking: dict[tuple[Guard, str, Arc], Unprotected] = field(default_factory=dict)

    def all(self, placed: Sequence[Placed]) -> None:
        """Set up what the LSPs ask for."""
        riders: dict[Arc, list[tuple[Placed, str | None]]] = defaultdict(list)
        for p in placed:
            path = p.path or ()
            behind = [arc.head for arc in path[1:]]
            for arc, merge in zip(path, [*behind, None], strict=True) if self.plan.asks(p.lsp.cls) else ():
                riders[arc].append((p, merge))
        for arc in sorted(riders):
            self._arc(arc, riders[arc])

    def _arc(self, arc: Arc, riders: Sequence[tuple[Placed, str | None]]) -> None:
        """Around the router first, where that is asked for; whoever has no such bypass gets one around the arc."""
        groups: dict[str, list[Placed]] = defaultdict(list)
        for p, merge in riders if self.plan.bypass is Guard.NODE else ():
            if merge is not None:
                groups[merge].append(p)
        done: set[str] = set()
        for merge in sorted(groups):
            left = self._group(Guard.NODE, arc, merge, groups[merge])
            done.update({p.lsp.id for p in groups[merge]} - {p.lsp.id for p in left})
        if rest := [p for p, _ in riders if p.lsp.id not in done]:
            self._group(Guard.LINK, arc, arc.head, rest)

    def _group(self, guard: Guard, arc: Arc, merge: str, members: Sequence[Placed]) -> Ridden:
        """Set up the bypasses of LSPs with the same arc and merge point; return those that have none."""
        left = tuple(sorted(members, key=lambda p: (-p.reserved, p.lsp.id)))
        asked = self.around.bare(arc.tail, merge)
        bare = Avoid(frozenset((arc.circuit,)), frozenset((arc.head,) if guard is Guard.NODE else ()))
        sharing, count = self.around.sharing((arc.circuit,)), 0
        for avoids in trials(self.plan.risks):
            found, left = self._share(asked, left, bare.plus(sharing if avoids else ()), self.plan.per_circuit - count)
            for mine, path in found:
                count += 1
                protected = sum(p.reserved for p in mine)
                bandwidth = self.plan.reserves(protected)
                self.around.book(path, bandwidth)
                shares = tuple(sorted({a.circuit for a in path} & sharing))
                name, lsps = f"{arc.name}>{merge}.{count}", tuple(p.lsp for p in mine)
                self.made.append(Bypass(name, guard, arc, merge, path, bandwidth, lsps, protected, shares))
            if not left:
                return ()
        reason = why(self.around, asked, bare, bare.plus(sharing) if trials(self.plan.risks)[-1] else None)
        self.lacking.update({(guard, p.lsp.id, arc): reason for p in left})
        return left

    def _share(
        self, asked: Lsps, members: Ridden, avoid: Avoid, most: int
    ) -> tuple[Sequence[tuple[Ridden, Path]], Ridden]:
        """Return bypasses with the LSPs of each, and the LSPs left over.

        As many as are asked for where so many find paths that share no circuit, else fewer; and where one alone has no
        room for all, it takes as many as it can, the largest first.
        """
        for count in range(min(most, len(members)), 0, -1):
            if found := self._disjoint(asked, bins(members, count), avoid):
                return found, ()
        fits, too_many = 0, len(members)
        best: Path = ()
        while most > 0 and self.plan.share and too_many - fits > 1:
            half = (fits + too_many) // 2
            path = self.around.path(asked, self.plan.reserves(sum(p.reserved for p in members[:half])), avoid)
            fits, too_many, best = (fits, half, best) if path is None else (half, too_many, path)
        return ([(members[:fits], best)] if fits else []), members[fits:]

    def _disjoint(self, asked: Lsps, parts: Sequence[Ridden], avoid: Avoid) -> list[tuple[Ridden, Path]]:
        """Return a path for each part, none with a circuit of another; empty where one has none."""
        found = []
        for mine in parts:
            path = self.around.path(asked, self.plan.reserves(sum(p.reserved for p in mine)), avoid)
            if path is None:
                return []
            found.append((mine, path))
            avoid = avoid.plus(arc.circuit for arc in path)
        return found


def bins(members: Ridden, count: int) -> list[Ridden]:
    """Return LSPs, the largest first, in so many parts: each goes to the part that reserves least until then."""
    parts: list[list[Placed]] = [[] for _ in range(count)]
    least = [(0, 0, number) for number in range(count)]  # what a part reserves, how many it has, which it is
    for p in members:
        reserved, many, number = heappop(least)
        parts[number].append(p)
        heappush(least, (reserved + p.reserved, many + 1, number))
    return [tuple(part) for part in parts]
