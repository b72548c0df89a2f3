"""What can fail: every thing on its own, pairs, the file's own sets, and any single failure during maintenance.

A scenario is a value.  Its name is made of the names of what fails, so it is the same in every run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import combinations

from trunkline.model.network import Network
from trunkline.model.nouns import BILLION
from trunkline.model.problem import Problem, Problems, nearest
from trunkline.risk.causes import Effect, Effects
from trunkline.risk.likely import together, weighed


class Kind(StrEnum):
    """What fails in a scenario."""

    CIRCUIT = "circuit"
    MEMBER = "member"
    """One member of a bundle; below `min_links` that is the circuit."""
    CARD = "card"
    """A line card: the circuits and peer ports on it."""
    ROUTER = "router"
    SITE = "site"
    REGION = "region"
    PEER = "peer"
    PORT = "port"
    RISK = "risk"
    """A shared risk: every circuit of it."""
    SET = "set"
    """A set of the file's `failures`."""
    PAIR = "pair"
    LIKELY = "likely"
    """What two causes or more do together, among the likeliest of that."""
    MAINTENANCE = "maintenance"
    """A single failure while something is out for maintenance."""


SINGLES = tuple(kind for kind in Kind if kind not in (Kind.SET, Kind.PAIR, Kind.LIKELY, Kind.MAINTENANCE))
"""Kinds that are one thing failing."""
EVERY = (*SINGLES, Kind.SET, Kind.MAINTENANCE)
"""Kinds that are asked about unless told otherwise: `maintenance` is with every single failure."""


@dataclass(frozen=True, order=True)
class Scenario:
    """These things fail together, while `during` (where it names something) is out for maintenance.

    Things are names as `Network.without` takes them, sorted: `CIRCUIT:1` is one member of a bundle.
    """

    name: str
    kind: Kind
    things: tuple[str, ...]
    during: str = ""
    probability: int | None = field(default=None, compare=False)
    """That at a moment just this is down, ppb; None where nobody asked, and where it is too small to be listed."""


def scenarios(
    net: Network,
    kinds: Sequence[Kind] = EVERY,
    pairs: Kind | None = None,
    only: Sequence[str] = (),
    likeliest: int = 0,
) -> tuple[Scenario, ...]:
    """Return what is to fail, by kind in the order of `Kind` and then by name.

    Maintenance is with every single failure of `kinds` (of every kind, where it is asked for alone); `pairs` adds every
    pair of things of one kind, and `likeliest` so many of the likeliest effects that take two causes or more; a pair
    among those is one of them.  With `likeliest`, scenarios have their probability.  `only` keeps the scenarios of
    these names.  What leaves no router is no scenario.
    Raises Problems for a name that is no scenario, and where nothing can fail.
    """
    found = {scenario.name: scenario for scenario in _all(net, kinds, pairs)}
    if likeliest:
        found = _with_likeliest(net, found, likeliest)
    if only:
        _check(net, only, found)
        found = {name: found[name] for name in sorted(set(only))}
    if not found:
        raise Problems([Problem("", 0, 0, "failure", "nothing can fail: there is no such thing in the network")])
    order = tuple(Kind)
    return tuple(sorted(found.values(), key=lambda s: (order.index(s.kind), s.name)))


def _all(net: Network, kinds: Sequence[Kind], pairs: Kind | None) -> Iterator[Scenario]:
    singles = [s for kind in SINGLES if kind in kinds for s in single(net, kind)]
    yield from singles
    if Kind.SET in kinds:
        yield from (Scenario(s.name, Kind.SET, s.things) for s in net.failures.sets)
    if Kind.MAINTENANCE in kinds:
        for out in net.failures.maintenance:
            left = net.without(out)
            among = [kind for kind in SINGLES if kind in kinds] or SINGLES
            for scenario in (s for kind in among for s in single(left, kind)):
                yield Scenario(f"{out}+{scenario.name}", Kind.MAINTENANCE, scenario.things, out)
    if pairs is not None:
        for one, other in combinations(single(net, pairs), 2):
            things = tuple(sorted({*one.things, *other.things}))
            if net.without(*things).routers:
                yield Scenario(f"{one.name},{other.name}", Kind.PAIR, things)


def _with_likeliest(net: Network, found: dict[str, Scenario], most: int) -> dict[str, Scenario]:
    """The scenarios and the likeliest joint failures, by name; those that were listed with their probability."""
    effects = Effects(net)
    weights, total = weighed(effects, most)
    things = (effects.things(effect) for effect in together(effects, weights, most))
    more = {",".join(names): Scenario(",".join(names), Kind.LIKELY, names) for names in things}
    return {s.name: replace(s, probability=_ppb(effects, s, weights, total)) for s in (found | more).values()}


def _ppb(effects: Effects, scenario: Scenario, weights: Mapping[Effect, int], total: int) -> int | None:
    weight = weights.get(effects.joint(scenario.things)) if not scenario.during else None
    return (2 * BILLION * weight + total) // (2 * total) if weight is not None else None


def single(net: Network, kind: Kind) -> list[Scenario]:
    """Return every thing of one kind as a scenario, by name; what takes away nothing, or every router, is left out."""
    names = {
        Kind.CIRCUIT: (c.name for c in net.circuits),
        Kind.MEMBER: (f"{c.name}:1" for c in net.circuits if c.members > 1),
        Kind.CARD: (card.name for r in net.routers for card in r.cards),
        Kind.ROUTER: (r.name for r in net.routers),
        Kind.SITE: (s.name for s in net.sites),
        Kind.REGION: iter(net.regions),
        Kind.PEER: (p.name for p in net.peers),
        Kind.PORT: (p.name for p in net.ports),
        Kind.RISK: (risk for c in net.circuits for risk in c.risks),
    }[kind]
    return [Scenario(name, kind, (name,)) for name in sorted(set(names)) if _takes_some(net, kind, name)]


def _takes_some(net: Network, kind: Kind, name: str) -> bool:
    if kind is Kind.MEMBER:
        return True
    hit = net.names(name)
    return any(hit.values()) and len(hit["routers"]) < len(net.routers)


NAMES = "one that is asked for: a circuit, router, site, risk, ..., or with `--pairs` two of them as `A,B`"


def _check(net: Network, only: Iterable[str], found: dict[str, Scenario]) -> None:
    """Raise Problems for names that are no scenario, each with what is nearest."""
    problems = []
    for name in only:
        if name in found:
            continue
        message = f"no scenario is named '{name}'"
        near = nearest(name, found)
        hit = net.names(name)
        if any(hit.values()):
            why = (
                "it takes away every router" if len(hit["routers"]) == len(net.routers) else "its kind is not asked for"
            )
            message, near = f"'{name}' is no scenario here: {why}", ""
        problems.append(Problem("", 0, 0, "failure", message, "", NAMES, near))
    if problems:
        raise Problems(problems)
