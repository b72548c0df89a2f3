"""CSPF by the plain definition: of all admissible paths the cheapest, then the widest, then the first by rank.

"Cheapest" compares (metric, hops).  A path is admissible where each arc is up, has the affinities and the room, and
where no node in the middle has the overload bit.  "Widest" is the largest bottleneck of what is unreserved at the
setup priority before booking.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush

from trunkline.engine.graph import FAR
from trunkline.engine.placement import NO_LIMIT, Links, Lsps


@dataclass(frozen=True)
class Terrain:
    """The links as lists, for loops in Python."""

    links: Links
    start: list[int] = field(init=False)
    head: list[int] = field(init=False)
    tail: list[int] = field(init=False)
    weight: list[int] = field(init=False)
    """Metric and hops in one number: comparing sums of it compares (metric, hops)."""
    rank: list[int] = field(init=False)
    transit: list[bool] = field(init=False)
    into: list[list[int]] = field(init=False)
    _usable: dict[tuple[int, int, int], list[bool]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        graph = self.links.graph
        columns: dict[str, object] = {
            "start": graph.start.tolist(),
            "head": graph.head.tolist(),
            "tail": graph.tail.tolist(),
            "weight": [metric * (graph.nodes + 1) + 1 for metric in graph.metric.tolist()],
            "rank": graph.rank.tolist(),
            "transit": graph.transit.tolist(),
            "into": [[] for _ in range(graph.nodes)],
        }
        for name, column in columns.items():
            object.__setattr__(self, name, column)
        for arc, head in enumerate(self.head):
            self.into[head].append(arc)

    def usable(self, include_any: int, include_all: int, exclude: int) -> list[bool]:
        """Return which arcs are up and have these affinities (RFC 3209 4.7.4)."""
        key = include_any, include_all, exclude
        if key not in self._usable:
            self._usable[key] = [
                up
                and not groups & exclude
                and groups & include_all == include_all
                and (not include_any or bool(groups & include_any))
                for up, groups in zip(self.links.up.tolist(), self.links.groups.tolist(), strict=True)
            ]
        return self._usable[key]

    def total(self, path: list[int]) -> int:
        """Return the weight of a path."""
        return sum(self.weight[arc] for arc in path)


@dataclass(frozen=True)
class Search:
    """One CSPF: the arcs that may be used, and the room on each at the setup priority."""

    land: Terrain
    usable: list[bool]
    room: list[int]
    bandwidth: int

    def opens(self, arc: int) -> bool:
        """Whether the LSP may use the arc."""
        return self.usable[arc] and self.room[arc] >= self.bandwidth

    def path(self, source: int, target: int, limit: int = NO_LIMIT) -> list[int] | None:
        """Return the best path within a number of hops, None where there is none."""
        if source == target:
            return []
        cost = self._costs(source, target)
        if cost[target] == FAR:
            return None
        if cost[target] % (self.land.links.graph.nodes + 1) > limit:
            return self._path_within(source, target, limit)

        def before(node: int) -> list[tuple[int, int]]:
            return [(arc, self.land.tail[arc]) for arc in self._tight(node, source, cost, cost[node])]

        return self._best(source, target, before, lambda node: cost[node])

    def _path_within(self, source: int, target: int, limit: int) -> list[int] | None:
        """The cheapest path within the limit; a place is a node after so many hops, `hops * nodes + node`."""
        nodes = self.land.links.graph.nodes
        levels = self._levels(source, min(limit, nodes - 1))
        reached = [(level[target], hops) for hops, level in enumerate(levels) if level[target] != FAR]
        if not reached:
            return None
        hops = min(reached)[1]

        def before(place: int) -> list[tuple[int, int]]:
            hop, node = divmod(place, nodes)
            if not hop:
                return []
            arcs = self._tight(node, source, levels[hop - 1], levels[hop][node])
            return [(arc, (hop - 1) * nodes + self.land.tail[arc]) for arc in arcs]

        return self._best(source, hops * nodes + target, before, lambda place: place)

    def _levels(self, source: int, limit: int) -> list[list[int]]:
        """Weights of the best walks of exactly 0, 1, ... hops (a best walk to a node is a path: no cycle is free)."""
        land = self.land
        level = [FAR] * land.links.graph.nodes
        level[source] = 0
        levels = [level]
        for _ in range(limit):
            following = [FAR] * len(level)
            for arc, tail in enumerate(land.tail):
                if level[tail] != FAR and (land.transit[tail] or tail == source) and self.opens(arc):
                    head = land.head[arc]
                    following[head] = min(following[head], level[tail] + land.weight[arc])
            level = following
            levels.append(level)
        return levels

    def _tight(self, node: int, source: int, cost: list[int], total: int) -> list[int]:
        """The arcs into a node by which a best path may come."""
        land = self.land
        return [
            arc
            for arc in land.into[node]
            if cost[land.tail[arc]] != FAR
            and cost[land.tail[arc]] + land.weight[arc] == total
            and (land.transit[land.tail[arc]] or land.tail[arc] == source)
            and self.opens(arc)
        ]

    def _best(
        self, source: int, target: int, before: Callable[[int], list[tuple[int, int]]], far: Callable[[int], int]
    ) -> list[int]:
        """Return the best of all equally cheap paths: the widest, then the first by rank.

        `before` gives the last arcs of the cheapest paths to a place and the places they come from, `far` orders the
        places from source to target.
        """
        onward: dict[int, list[tuple[int, int]]] = {target: []}
        found = [target]
        for place in found:
            for arc, previous in before(place):
                if previous not in onward:
                    onward[previous] = []
                    found.append(previous)
                onward[previous].append((arc, place))
        widest = self._widest(sorted(found, key=far, reverse=True), onward)
        best, place, path = widest[source], source, []
        while place != target:
            wide = [(arc, then) for arc, then in onward[place] if min(self.room[arc], widest[then]) >= best]
            arc, place = min(wide, key=lambda step: self.land.rank[step[0]])
            path.append(arc)
        return path

    def _widest(self, places: list[int], onward: dict[int, list[tuple[int, int]]]) -> dict[int, int]:
        """The largest bottleneck from each place on; `places` begins with the target."""
        widest = {places[0]: FAR}
        for place in places[1:]:
            widest[place] = max(min(self.room[arc], widest[then]) for arc, then in onward[place])
        return widest

    def _costs(self, source: int, target: int) -> list[int]:
        """Weights from the source, final for every node that is nearer than the target (Dijkstra)."""
        land, usable, room, bandwidth = self.land, self.usable, self.room, self.bandwidth
        start, head, weight = land.start, land.head, land.weight
        cost = [FAR] * (len(start) - 1)
        cost[source] = 0
        heap = [(0, source)]
        while heap:
            near, node = heappop(heap)
            if node == target:
                break
            if near > cost[node] or not (land.transit[node] or node == source):
                continue
            for arc in range(start[node], start[node + 1]):
                far = near + weight[arc]
                if far < cost[head[arc]] and usable[arc] and room[arc] >= bandwidth:
                    cost[head[arc]] = far
                    heappush(heap, (far, head[arc]))
        return cost


def follow(search: Search, lsps: Lsps, lsp: int) -> tuple[int, list[int]] | None:
    """Return the first path option of an LSP that can be followed, from 0, and its path; None where none can."""
    first = lsps.options.first
    for option in range(int(first[lsp]), int(first[lsp + 1])):
        path = _explicit(search, lsps, lsp, option)
        if path is not None:
            return option - int(first[lsp]), path
    return None


def _explicit(search: Search, lsps: Lsps, lsp: int, option: int) -> list[int] | None:
    """One SPF per segment, the destination at the end; a node that is visited twice rejects the option."""
    land, hops = search.land, lsps.options
    source, tail, limit = int(lsps.head[lsp]), int(lsps.tail[lsp]), int(lsps.hop_limit[lsp])
    path: list[int] = []
    at = source
    for hop in range(int(hops.hop[option]), int(hops.hop[option + 1])):
        segment = _segment(search, lsps, hop, at, limit - len(path))
        if segment is None:
            return None
        path += segment
        at = land.head[path[-1]] if path else source
    rest = search.path(at, tail, limit - len(path))
    if rest is None:
        return None
    path += rest
    visited = [source] + [land.head[arc] for arc in path]
    fit = len(set(visited)) == len(visited) and all(land.transit[node] for node in visited[1:-1])
    return path if fit and len(path) <= limit else None


def _segment(search: Search, lsps: Lsps, hop: int, at: int, limit: int) -> list[int] | None:
    """The way from a node to, or over, the next hop."""
    land, loose = search.land, bool(lsps.options.loose[hop])
    node = int(lsps.options.node[hop])
    if node >= 0:
        if loose or node == at:
            return search.path(at, node, limit)
        arcs = [a for a in range(land.start[at], land.start[at + 1]) if land.head[a] == node and search.opens(a)]
        return [min(arcs, key=lambda a: order(search, [a]))] if arcs else None
    found = []
    for arc in lsps.options.arcs[hop].tolist():
        if search.opens(arc) and (loose or land.tail[arc] == at):
            way = search.path(at, land.tail[arc], limit - 1)
            if way is not None and (not way or land.transit[land.tail[arc]]):
                found.append([*way, arc])
    return min(found, key=lambda way: order(search, way)) if found else None


def order(search: Search, path: list[int]) -> tuple[int, int, list[int]]:
    """What paths are compared by, least first: (metric, hops), the bottleneck, the ranks from head to tail."""
    width = min(search.room[arc] for arc in path)
    return search.land.total(path), -width, [search.land.rank[arc] for arc in path]
