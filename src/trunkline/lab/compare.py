"""Predicted against seen: every difference by router and subject, with both sides' reasons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from trunkline.lab.netlink import Prefix
from trunkline.lab.predict import Choice, Prediction, attributes
from trunkline.lab.seen import Path, Seen, Source
from trunkline.model.tables import Table, table


@dataclass(frozen=True, order=True)
class Difference:
    """One thing that is not as predicted.  `what` is daemon, circuit, distance, bgp, fib, told or packet."""

    router: str
    what: str
    subject: str
    """The prefix, router, circuit or flow that it is about."""
    predicted: str
    seen: str
    why_predicted: str = ""
    why_seen: str = ""

    def __str__(self) -> str:
        def side(said: str, why: str) -> str:
            return f"{said} ({why})" if why else said

        predicted, seen = side(self.predicted, self.why_predicted), side(self.seen, self.why_seen)
        return f"{self.router}: {self.what} {self.subject}: predicted {predicted}; seen {seen}"


def differences_table(found: Iterable[Difference]) -> Table:
    """Return differences as a table."""
    spec = "router what subject predicted seen why_predicted why_seen"
    return table(spec, [(d.router, d.what, d.subject, d.predicted, d.seen, d.why_predicted, d.why_seen) for d in found])


def compare(router: str, predicted: Prediction, seen: Seen, loopbacks: Collection[Prefix]) -> list[Difference]:
    """Return what a router holds that was not predicted, and what it lacks.

    `loopbacks` are those of the whole lab: IS-IS also carries link networks, which nothing depends on.
    """
    found = [*_distances(router, predicted, seen), *_choices(router, predicted, seen)]
    return sorted([*found, *_fib(router, predicted, seen, loopbacks)])


def _distances(router: str, predicted: Prediction, seen: Seen) -> Iterator[Difference]:
    for key in sorted({*predicted.distances, *seen.distances}):
        family, other = key
        ours, theirs = predicted.distances.get(key), seen.distances.get(key)
        if ours != theirs and other != router:
            yield Difference(router, "distance", f"{other} ({family})", _or_none(ours), _or_none(theirs))


def _or_none(value: object) -> str:
    return "none" if value is None else str(value)


def _choices(router: str, predicted: Prediction, seen: Seen) -> Iterator[Difference]:
    for prefix in sorted({*predicted.choices, *seen.paths} - predicted.unsaid, key=_order):
        choice, paths = predicted.choices.get(prefix), seen.paths.get(prefix, ())
        best = next((p for p in paths if p.best), None)
        if choice is None:
            if best is not None:
                yield Difference(router, "bgp", str(prefix), "no path", str(best.source), "", _why(best))
            continue
        sharing = frozenset(p.source.next_hop for p in paths if p.best or p.multipath)
        if best is None or (best.source, sharing) != (choice.best, choice.sharing):
            theirs = _set(best.source, sharing) if best else "no path"
            ours = _set(choice.best, choice.sharing)
            yield Difference(router, "bgp", str(prefix), ours, theirs, choice.why, _why(best) if best else "")
        elif (carried := attributes(best.local_pref, best.as_path, best.med)) != choice.carries:
            yield Difference(router, "bgp", f"best path to {prefix}", choice.carries, carried, choice.why, _why(best))
        yield from _held(router, prefix, choice, frozenset(p.source for p in paths))


def _held(router: str, prefix: Prefix, choice: Choice, there: frozenset[Source]) -> Iterator[Difference]:
    """Paths that should not be there, or lack: what a filter let through, though nothing uses it yet."""
    for said, sources in (("not held", there - choice.held), ("held", choice.held - there)):
        if sources:
            seen = "held" if said == "not held" else "not held"
            whose = ", ".join(str(source) for source in sorted(sources))
            yield Difference(router, "bgp", f"{prefix} from {whose}", said, seen)


def _set(best: Source, sharing: Iterable[str]) -> str:
    others = sorted({*sharing} - {best.next_hop})
    return str(best) + (f" with {' '.join(others)}" if others else "")


def _why(best: Path) -> str:
    return f"preference {best.local_pref}, AS path {' '.join(map(str, best.as_path)) or 'empty'}, by {best.why}"


def _fib(router: str, predicted: Prediction, seen: Seen, loopbacks: Collection[Prefix]) -> Iterator[Difference]:
    routes = {route.prefix: route for route in seen.fib}
    for prefix, way in sorted(predicted.fib.items(), key=lambda item: _order(item[0])):
        route = routes.get(prefix)
        there = frozenset(hop.interface for hop in route.hops) if route else frozenset()
        if route is None or there != way.interfaces:
            said = "no route" if route is None else led(there)
            yield Difference(
                router, "fib", str(prefix), led(way.interfaces), said, way.why, route.protocol if route else ""
            )
    for route in seen.fib:
        wrong = route.protocol == "bgp" or (route.protocol == "isis" and route.prefix in loopbacks)
        if wrong and route.prefix not in predicted.fib and route.prefix not in predicted.unsaid:
            there = frozenset(hop.interface for hop in route.hops)
            yield Difference(router, "fib", str(route.prefix), "no route", led(there), "", route.protocol)


def compare_told(router: str, predicted: Prediction, port: str, heard: Collection[Prefix]) -> list[Difference]:
    """Return what the peer behind a port hears and should not, a leak, and what it should hear and does not."""
    told = predicted.told[port]
    found = []
    for prefix in sorted((told ^ frozenset(heard)) - predicted.unsaid, key=_order):
        said, seen = ("told", "not heard") if prefix in told else ("not told", "heard")
        choice = predicted.choices.get(prefix)
        found.append(Difference(router, "told", f"{prefix} to {port}", said, seen, choice.why if choice else ""))
    return found


def led(interfaces: Iterable[str]) -> str:
    """Return where a route leads, for people: its interfaces, or that it drops what it matches."""
    return " ".join(sorted(interfaces)) or "dropped"


def _order(prefix: Prefix) -> tuple[int, int, int]:
    return prefix.version, int(prefix.network_address), prefix.prefixlen
