"""Which steps of FIBs stay what they were from one state of a network to another: those that nothing has touched.

A step depends on the router's own decision for the group, on its next hops and distances to the exits, and on its LSPs
to them.  Each dependency knows its steps, so a failure is looked up by what it changed, not step by step.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Set
from typing import TYPE_CHECKING, NamedTuple

from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Family

if TYPE_CHECKING:
    from trunkline.demand.reason import Reason
    from trunkline.traffic.fib import Bound, Fib, Key, Step, Turn


Choice = tuple[str, str, Family]
"""What a router makes of a group."""


class Differs(NamedTuple):
    """What is another than in another state of the network: choices, and steps that were looked up there."""

    choices: Set[Choice] = frozenset()
    steps: Set[Key] = frozenset()
    beneath: Set[Key] = frozenset()
    """Steps over a single LSP that are what they were, and may be others without it."""


SAME = Differs()


class Steps:
    """The steps of some FIBs as they are now, and the turns that they are made of, by what each depends on."""

    def __init__(self, fib: Fib, steps: Mapping[Key, Step], turns: Mapping[Bound, Turn | Reason]) -> None:
        self.fib, self.steps, self.turns = fib, dict(steps), dict(turns)
        self._of: dict[Hashable, list[Key]] = defaultdict(list)
        self._bound: dict[Hashable, list[Bound]] = defaultdict(list)
        for key, step in self.steps.items():
            for what in (*_dependencies(fib, key), *_uses(step)):
                self._of[what].append(key)
        for bound in self.turns:
            for what in _ends(fib, bound):
                self._bound[what].append(bound)

    def on(self, names: Iterable[str]) -> set[Key]:
        """Return the keys of the steps that use any of these circuits and peer ports, or are of these routers."""
        return self.steps_of(what for name in names for what in (name, ("use", name)))

    def steps_of(self, changed: Iterable[Hashable]) -> set[Key]:
        """Return the keys of the steps that depend on something that has changed, a turn among that."""
        return {key for what in changed for key in self._of.get(what, ())}

    def turns_of(self, changed: Iterable[Hashable], now: Fib) -> set[Bound]:
        """Return the turns that depend on something that has changed."""
        if now.net.te.v6_over_lsp == "shortcuts":  # those depend on LSPs to any tail on the way
            return {bound for bound in self.turns if bound[3] is Family.V6} | self._turns_of(changed)
        return self._turns_of(changed)

    def _turns_of(self, changed: Iterable[Hashable]) -> set[Bound]:
        return {bound for what in changed for bound in self._bound.get(what, ())}


def _dependencies(fib: Fib, key: Key) -> Iterator[Hashable]:
    router, group, cls, family = key
    exits: tuple[str, ...] = (group,)
    yield router
    if group in fib.net.router or group not in fib.net.group:
        yield ("router", group)
    else:
        yield ("group", group)
        yield (router, group, family)
        yield (router, DEFAULT_GROUP, family)
        decision = fib.routes.lookup(router, group, family)
        exits = decision.exits if decision is not None else ()
    for exit_ in exits:
        yield ("turn", router, exit_, cls, family)


def _ends(fib: Fib, bound: Bound) -> Iterator[Hashable]:
    """What the turn of a router towards an exit depends on."""
    router, exit_, cls, family = bound
    yield from (router, exit_)
    yield ("way", family, router, exit_)
    yield ("way", Family.V4, router, exit_)  # it tells whether an LSP is longer
    yield from (("lsp", router, exit_, name) for name in (cls, *fib.net.cls[cls].fallback))


def _uses(step: Step) -> Iterator[Hashable]:
    yield from (("use", port) for port in step.ports)
    arcs = (arc for turn in step.turns for way in turn.ways for arc in way.arcs)
    yield from {("use", arc.circuit): None for arc in arcs}


def decided(then: Fib, now: Fib) -> Set[Choice]:
    """Return every choice that is another, or there in one of them only; at which metrics it was made is no matter."""
    if now.routes.before is then.routes:
        return now.routes.turned
    old, new = then.routes.decisions, now.routes.decisions
    both = {key for key in old.keys() & new.keys() if old[key].outcome is new[key].outcome}
    return (old.keys() | new.keys()) - both


def changed(then: Fib, now: Fib) -> Iterator[Hashable]:
    """Yield what steps and turns depend on and is another, but for choices."""
    yield from _there(then.net) ^ _there(now.net)
    families = tuple(Family) if now.net.igp.multi_topology else (Family.V4,)
    for family in families:
        pairs = now.reach.changed(then.reach, family)
        yield from _ways(pairs, Family if len(families) == 1 else (family,))
    lsps = now.net.lsps
    yield from (("lsp", lsps[i].head, lsps[i].tail, lsps[i].cls) for i in now.placement.changed(then.placement))


def _there(net: Network) -> set[Hashable]:
    """Routers, and the groups that something would originate."""
    there = {d.name for d in net.datacenters if d.attach}
    there |= {a.group for peer in net.peers if peer.ports for a in peer.announces}
    routers = (name for router in net.router for name in (router, ("router", router)))
    return {*routers, *(("group", name) for name in there)}


def _ways(pairs: Iterable[tuple[str, str]], families: Iterable[Family]) -> Iterator[Hashable]:
    for family in families:
        yield from (("way", family, *pair) for pair in pairs)
