"""Prefix groups that every router decides alike: one of them is solved, and its answer is all of theirs.

The decision process compares and never computes: local preferences, AS-path lengths, origins and MEDs matter by their
order alone, neighbour ASes and paths by which are the same.  Groups whose routes enter at the same ports and agree in
that are one, be they a million prefixes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass

from trunkline.bgp.decision import ORIGINS
from trunkline.bgp.enter import Own
from trunkline.bgp.policy import told_apart
from trunkline.model.network import Network
from trunkline.model.route import Route


@dataclass(frozen=True)
class Alike:
    """Groups that are decided alike, by name; `own` is how the first one's routes enter."""

    groups: tuple[str, ...]
    own: Own


def alike(net: Network, entered: Mapping[str, Own]) -> tuple[Alike, ...]:
    """Return the groups of one family by how they are decided, by the first one's name."""
    look = told_apart(net)
    found: dict[Hashable, list[str]] = {}
    for group in sorted(entered):
        found.setdefault(pattern(entered[group], look), []).append(group)
    return tuple(Alike(tuple(groups), entered[groups[0]]) for groups in found.values())


def pattern(own: Own, look: Callable[[Route], Hashable]) -> tuple[Hashable, ...]:
    """Return what a group is decided by: equal for groups that are decided alike.

    `look` is what rules between regions tell routes by (`told_apart`); routes of a router are in one order of ports.
    """
    routes = [route for _, several in sorted(own.items()) for route in several]
    neighbours = [route.path[0] if route.path else 0 for route in routes]
    return tuple(
        zip(
            [(route.router, route.port, route.kind, route.region) for route in routes],
            ranked([route.local_pref for route in routes]),
            ranked([len(route.path) for route in routes]),
            ranked([ORIGINS.index(route.origin) for route in routes]),
            labels(neighbours),
            labels([route.path for route in routes]),
            within(neighbours, [route.med for route in routes]),
            [look(route) for route in routes],
            strict=True,
        )
    )


def ranked(values: Sequence[int]) -> list[int]:
    """Return each value's place among the different ones, the least first: all that an order tells of them."""
    place = {value: rank for rank, value in enumerate(sorted(set(values)))}
    return [place[value] for value in values]


def within(neighbours: Sequence[int], meds: Sequence[int]) -> list[int]:
    """Return each MED's place among those of the same neighbour AS (RFC 4271 9.1.2.2 c)."""
    of: dict[int, set[int]] = {}
    for neighbour, med in zip(neighbours, meds, strict=True):
        of.setdefault(neighbour, set()).add(med)
    place = {neighbour: sorted(values) for neighbour, values in of.items()}
    return [place[neighbour].index(med) for neighbour, med in zip(neighbours, meds, strict=True)]


def labels(values: Sequence[Hashable]) -> list[int]:
    """Return a number for each value, equal for equal ones, by where it comes first."""
    first = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return [first[value] for value in values]
