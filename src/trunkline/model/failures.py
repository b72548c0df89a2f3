"""Failures from what was read: sets that fail together, maintenance, and how often things fail."""

from __future__ import annotations

from decimal import Decimal

from trunkline.model.document import Faults, Spot
from trunkline.model.failing import failing_of
from trunkline.model.names import Names
from trunkline.model.network import Network
from trunkline.model.rates import DEFAULTS, HOUR, Failures, FailureSet, OwnRate, Rates
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
    maintenance = tuple(sorted(set(entry.strings("maintenance"))))
    return Failures(tuple(sorted(sets, key=lambda s: s.name)), maintenance, _rates(entry.entry("rates")))


def _rates(entry: Entry | None) -> Rates:
    if entry is None:
        return Rates()
    kinds = [(kind, _own(said).over(rate)) for kind, rate in DEFAULTS.items() if (said := entry.entry(kind))]
    named = [(str(key.data), _own(said)) for key, said in entry.rows("named") if isinstance(said, Entry)]
    sea = entry.entry("submarine")
    return Rates(tuple(kinds), tuple(sorted(named, key=lambda n: n[0])), frozenset(sea.strings("of") if sea else ()))


def _own(entry: Entry) -> OwnRate:
    times = (entry.word(key, int) for key in ("repair", "detection", "convergence"))
    return OwnRate(entry.word("per_year", Decimal), *times)


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
    rates = entry.entry("rates")
    if rates is not None:
        _check_rates(net, rates, faults)


def _check_rates(net: Network, entry: Entry, faults: Faults) -> None:
    """Note every rate by which something would be down for more than all of its time."""
    spots = {str(key.data): (key.spot, value) for key, value in entry.rows("named")}
    for failing in failing_of(net):
        if failing.odds <= 1:
            continue
        spot, said = spots.get(failing.thing, (entry.at(failing.kind), entry.entry(failing.kind)))
        spot = said.at("per_year") if isinstance(said, Entry) else spot
        per_year, hours = float(failing.per_year), failing.rate.repair / HOUR
        message = f"'{failing.thing}' fails {per_year:g} times a year for {hours:g} h each: more than a year in a year"
        faults.error("range", spot, message, "failures a year times their repair of at most a year")


def _check(net: Network, what: str, things: tuple[str, ...], spot: Spot, faults: Faults) -> None:
    if not any(named for thing in things for named in net.names(thing).values()):
        faults.error("failure", spot, f"{what} takes away nothing", "something that has a router, circuit or port")
    elif net.routers and not net.without(*things).routers:
        faults.error("failure", spot, f"{what} takes away every router", "something that leaves a network")
