"""Failures from what was read: sets that fail together, and maintenance."""

from __future__ import annotations

from trunkline.model.document import Faults, Spot
from trunkline.model.names import Names
from trunkline.model.network import Network
from trunkline.model.nouns import Failures, FailureSet
from trunkline.model.read import Entry, Items, Word


def failures_of(root: Entry, names: Names) -> Failures:
    """Return what the file says of failures; a set's name is one that can be cut, so nothing else may have it."""
    entry = root.entry("failures")
    if entry is None:
        return Failures()
    sets = []
    for key, value in entry.rows("sets"):
        names.define("failure set", str(key.data), key.spot)
        words = value.items if isinstance(value, Items) else ()
        things = {str(word.data) for word in words if isinstance(word, Word)}
        sets.append(FailureSet(str(key.data), tuple(sorted(things))))
    return Failures(tuple(sorted(sets, key=lambda s: s.name)), tuple(sorted(set(entry.strings("maintenance")))))


def check_failures(net: Network, root: Entry, faults: Faults) -> None:
    """Note every set, and every thing to maintain, that takes away nothing or everything."""
    entry = root.entry("failures")
    if entry is None:
        return
    spots = {str(key.data): key.spot for key, _ in entry.rows("sets")}
    for one in net.failures.sets:
        _check(net, f"the set '{one.name}'", one.things, spots[one.name], faults)
    for word in entry.words("maintenance"):
        _check(net, f"maintenance of '{word.data}'", (str(word.data),), word.spot, faults)


def _check(net: Network, what: str, things: tuple[str, ...], spot: Spot, faults: Faults) -> None:
    if not any(named for thing in things for named in net.names(thing).values()):
        faults.error("failure", spot, f"{what} takes away nothing", "something that has a router, circuit or port")
    elif net.routers and not net.without(*things).routers:
        faults.error("failure", spot, f"{what} takes away every router", "something that leaves a network")
