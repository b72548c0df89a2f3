"""What the path of every LSP costs, and what it would cost if every circuit were empty."""

from __future__ import annotations

import numpy as np

from trunkline.engine.graph import Bool, Int64, frozen
from trunkline.engine.placement import Links, Paths, routes
from trunkline.te.result import Basis
from trunkline.te.subject import Subject


def costs(table: Links, paths: Paths) -> Int64:
    """Return int64 (lsps,): the TE metric of each path, -1 where there is none."""
    total = np.append(0, np.cumsum(table.graph.metric[paths.arc]))
    found: Int64 = np.where(paths.option >= 0, total[paths.start[1:]] - total[paths.start[:-1]], -1)
    return found


def passable(table: Links, paths: Paths) -> Bool:
    """Return bool (lsps,): whether no router between a path's ends is overloaded; an LSP stays where one is set so."""
    shut = ~table.graph.transit[table.graph.tail[paths.arc]]
    shut[paths.start[:-1][paths.start[:-1] < paths.start[1:]]] = False  # a path may begin anywhere
    total = np.append(0, np.cumsum(shut))
    found: Bool = total[paths.start[1:]] == total[paths.start[:-1]]
    return found


def shortest(about: Subject, table: Links, stays: Bool, before: Basis | None = None) -> Int64:
    """Return int64 (lsps,): the TE metric of each LSP's path in an empty network, -1 where there is none.

    `stays` is bool (lsps,): whether an LSP has the path that it had `before`, and may take in an empty network.  Where
    arcs have gone since, and nothing else has changed, no path has become cheaper: who still has one of the cheapest
    needs no search.
    """
    alone, own = about.alone
    found = np.full(len(own), -1, np.int64)
    known = np.zeros(len(own), np.bool_)
    if before is not None and _less(table, before.links):
        known = stays & about.dynamic & (before.cost >= 0) & (before.cost == before.shortest)
        found[known] = before.shortest[known]
    needed = np.zeros(len(alone), np.bool_)
    needed[own[~known]] = True
    asked, cost = alone.only(needed), np.full(len(alone), -1, np.int64)
    cost[needed] = costs(table, routes(table, asked, frozen(np.zeros(len(asked)), np.int64)))
    found[~known] = cost[own[~known]]
    return found


def _less(now: Links, then: Links) -> bool:
    """Whether arcs are down that were up, at most, of all that decides what a path may cost."""
    one, other = now.graph, then.graph
    same = np.array_equal(one.metric, other.metric) and np.array_equal(one.transit, other.transit)
    return same and not bool((now.up & ~then.up).any())
