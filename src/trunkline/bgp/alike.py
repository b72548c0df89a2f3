"""Prefix groups that every router decides alike: one of them is solved, and its answer is all of theirs.

The decision process compares and never computes: local preferences, AS-path lengths, origins and MEDs matter by their
order alone, neighbour ASes and paths by which are the same.  Groups whose routes enter at the same ports and agree in
that are one, be they a million prefixes.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from trunkline.bgp.decision import ORIGINS, Route
from trunkline.bgp.exchange import Own
from trunkline.model.network import Network


@dataclass(frozen=True)
class Alike:
    """Groups that are decided alike, by name; `own` is how the first one's routes enter."""

    groups: tuple[str, ...]
    own: Own


def alike(net: Network, entered: Mapping[str, Own]) -> tuple[Alike, ...]:
    """Return the groups of one family by how they are decided, by the first one's name."""
    named = {rule.group for rule in net.ibgp.rules}
    found: dict[Hashable, list[str]] = {}
    for group in sorted(entered):
        found.setdefault((group if group in named else "", *_pattern(entered[group])), []).append(group)
    return tuple(Alike(tuple(groups), entered[groups[0]]) for groups in found.values())


def _pattern(own: Own) -> tuple[Hashable, ...]:
    routes = [route for _, several in sorted(own.items()) for route in several]
    neighbours = [route.path[0] if route.path else 0 for route in routes]
    meds: dict[int, list[int]] = {}
    for route, neighbour in zip(routes, neighbours, strict=True):
        meds.setdefault(neighbour, []).append(route.med)
    ranked = {neighbour: _ranks(values) for neighbour, values in meds.items()}
    return tuple(
        zip(
            [_where(route) for route in routes],
            *([_ranks(values)[value] for value in values] for values in _ordered(routes)),
            _labels(neighbours),
            _labels([route.path for route in routes]),
            [ranked[n][route.med] for route, n in zip(routes, neighbours, strict=True)],
            strict=True,
        )
    )


def _where(route: Route) -> Hashable:
    return route.router, route.port, route.kind, route.region


def _ordered(routes: Sequence[Route]) -> tuple[list[int], ...]:
    """Return what is compared by order over all routes."""
    return (
        [route.local_pref for route in routes],
        [len(route.path) for route in routes],
        [ORIGINS.index(route.origin) for route in routes],
    )


def _ranks(values: Iterable[int]) -> dict[int, int]:
    return {value: rank for rank, value in enumerate(sorted(set(values)))}


def _labels(values: Sequence[Hashable]) -> list[int]:
    """Return a number for each value, equal for equal ones, by where it comes first."""
    first = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return [first[value] for value in values]
