"""Prefix groups that a simulation moves as one: they change at the same times, in the same messages.

Groups that are decided alike (`alike`) stay alike through an event, which takes routes from all of them or gives them
back.  So they need one simulation, so long as UPDATEs that leave at one time are read at one time; what they differ in,
their attributes, says how many UPDATEs that is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from trunkline.bgp.alike import alike
from trunkline.bgp.decision import Exit
from trunkline.bgp.enter import Own, entries
from trunkline.model.network import Network
from trunkline.model.nouns import Family
from trunkline.model.route import Route


@dataclass(frozen=True, eq=False)
class Bunch:
    """Groups in lockstep; `before` and `after` the event is how the first one's routes enter."""

    groups: tuple[str, ...]
    before: Own
    after: Own
    prefixes: int
    attributes: Mapping[Exit, frozenset[int]]
    """The attribute sets that the groups' routes have at each exit, as numbers."""


def bunches(whole: Network, before: Network, after: Network, family: Family) -> tuple[Bunch, ...]:
    """Return the groups of a family in bunches, by the first one's name; `whole` is the one that lacks less."""
    own = [entries(net, family) for net in (before, after)]
    entered = entries(whole, family)
    numbers: dict[Route, int] = {}
    found = []
    for one in alike(whole, entered):
        first = one.groups[0]
        attributes: dict[Exit, set[int]] = {}
        for group in one.groups:
            for route in (r for routes in entered[group].values() for r in routes):
                # what an UPDATE says of it: all but which prefixes, and where the next hop learned it
                said = replace(route, group="", port=None)
                exit_ = route.router, route.port or ""
                attributes.setdefault(exit_, set()).add(numbers.setdefault(said, len(numbers)))
        prefixes = sum(whole.prefixes(group, family) for group in one.groups)
        sets = {exit_: frozenset(several) for exit_, several in attributes.items()}
        found.append(Bunch(one.groups, own[0].get(first, {}), own[1].get(first, {}), prefixes, sets))
    return tuple(found)
