"""What iBGP converges to, under the network's design and policy: every router's routes, and what they prove."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from functools import cached_property

from trunkline.bgp.decision import Candidate, Decision, Learned, held
from trunkline.bgp.exchange import Cycle, Exchange, exchange
from trunkline.bgp.settled import Earlier, Settled
from trunkline.igp.solve import Reach
from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Family, Kind
from trunkline.model.route import Route
from trunkline.model.tables import Table, Tables, table

Key = tuple[str, str, Family]
"""Router, group and family."""


@dataclass(frozen=True)
class Unsettled:
    """A group whose border routers never agree: the states they cycle through, each as (router, exit) pairs."""

    group: str
    family: Family
    cycle: Cycle


def unsettled_table(unsettled: Iterable[Unsettled]) -> Table:
    """One row per state of each cycle: what each border router then advertises, as `router=port`."""
    rows = [
        (u.group, u.family, step, " ".join(f"{router}={port}" for router, port in state))
        for u in unsettled
        for step, state in enumerate(u.cycle)
    ]
    return table("group family step:int advertised", rows)


@dataclass(frozen=True)
class Confinement:
    """Whether transit routes stay in the region where they entered; if not, the route that shows it.

    `path` is the session path (port, border router, router) or, over the FIBs, the routers a packet crosses.
    """

    holds: bool
    router: str = ""
    group: str = ""
    family: Family = Family.V4
    path: tuple[str, ...] = ()
    cls: str = ""
    lsp_down: str = ""


@dataclass(frozen=True, eq=False)
class Routes:
    """Every router's decision for every prefix group and family it has a route to."""

    net: Network
    reach: Reach
    decisions: dict[Key, Decision]
    """By (router, group, family)."""
    hidden: tuple[Route, ...]
    """External routes that a border router does not advertise because it prefers an iBGP route: the mesh hides them."""
    unsettled: tuple[Unsettled, ...]
    settled: dict[tuple[str, Family], Settled] = field(default_factory=dict, repr=False)
    """By (group, family)."""
    meshes: dict[Family, Exchange] = field(default_factory=dict, repr=False)
    before: Routes | None = field(default=None, repr=False)
    """Another state of the network, whose decisions are kept but for those `changed`."""
    changed: Set[Key] = field(default_factory=frozenset, repr=False)
    """Whose decisions are made anew, or are gone."""

    @cached_property
    def turned(self) -> frozenset[Key]:
        """Those of `changed` that came to something else, not only to the same at other metrics."""
        then = self.before.decisions if self.before is not None else {}
        pairs = ((key, self.decisions.get(key), then.get(key)) for key in self.changed)
        return frozenset(
            key for key, one, other in pairs if one is None or other is None or one.outcome is not other.outcome
        )

    def best(self, router: str, group: str, family: Family) -> Decision | None:
        """Return the decision for exactly this group."""
        return self.decisions.get((router, group, family))

    def lookup(self, router: str, group: str, family: Family) -> Decision | None:
        """Return what the longest match decides: the group's own routes, else the default's, else None."""
        return self.best(router, group, family) or self.best(router, DEFAULT_GROUP, family)

    def session_path(self, router: str, candidate: Candidate) -> tuple[str, ...]:
        """Return how a router came by what it holds: the port (where there is one), then router by router."""
        path = [router]
        route = candidate.route
        while candidate.sender:
            path.append(candidate.sender)
            before = self.decisions.get((candidate.sender, route.group, route.family))
            known = [c for c in held(before) if _same(c, candidate)] if before else []
            if not known:  # no state of a cycle explains itself
                break
            candidate = known[0]
        return (*([route.port] if route.port else []), *reversed(path))

    @cached_property
    def confined(self) -> Confinement:
        """The proof over the routes: no router outside the region of entry holds a transit route, used or not."""
        asked: Set[Key] = self.decisions.keys()
        if self.before is not None and "confined" in vars(self.before) and self.before.confined.holds:
            asked = self.changed & asked  # what nobody has decided anew is as it was
        region = {router.name: router.region for router in self.net.routers}
        leaks = (key for key in asked if self.decisions[key].outcome.transit - {region[key[0]]})
        first = min(leaks, default=None)
        if first is None:
            return Confinement(True)
        router = first[0]
        routes = held(self.decisions[first])
        one = next(c for c in routes if c.route.kind is Kind.TRANSIT and c.route.region != region[router])
        return Confinement(False, *first, self.session_path(router, one))

    @cached_property
    def stranded(self) -> tuple[tuple[str, Family], ...]:
        """Regions with a router that has no transit route and no default, per family: no way to the Internet."""
        announced = {
            (a.group, family)
            for peer in self.net.peers
            if peer.kind is Kind.TRANSIT
            for a in peer.announces
            for family in Family
            if self.net.group[a.group].has(family)
        }
        found = {
            (router.region, family)
            for group, family in announced
            for router in self.net.routers
            if self.lookup(router.name, group, family) is None
        }
        return tuple(sorted(found))

    def tables(self) -> Tables:
        """`routes` (each router's choice), `held` (what each holds, in prefixes), `hidden` and `unsettled`."""
        return Tables(
            {
                "routes": self._routes_table,
                "held": self._held_table,
                "hidden": self._hidden_table,
                "unsettled": lambda: unsettled_table(self.unsettled),
            }
        )

    def _routes_table(self) -> Table:
        rows = []
        for (router, group, family), d in sorted(self.decisions.items()):
            r = d.best.route
            exits = " ".join(dict.fromkeys(c.route.router for c in d.multipath))
            path = " ".join(map(str, r.path))
            chosen = r.router, r.port, r.kind, r.local_pref, path, r.med, " ".join(r.communities)
            rows.append((router, group, family, *chosen, d.best.learned, exits))
        spec = "router group family exit port kind local_pref:int as_path med:int communities learned multipath"
        return table(spec, rows)

    def _held_table(self) -> Table:
        counts = {r.name: [0, 0, 0, 0] for r in self.net.routers}
        for (router, group, family), decision in self.decisions.items():
            prefixes = self.net.prefixes(group, family)
            column = 0 if family is Family.V4 else 2
            counts[router][column] += prefixes * len(held(decision))
            counts[router][column + 1] += prefixes
        spec = "router held_v4:int used_v4:int held_v6:int used_v6:int"
        return table(spec, [(router, *numbers) for router, numbers in sorted(counts.items())])

    def _hidden_table(self) -> Table:
        rows = [(r.router, r.group, r.family, r.port, r.kind) for r in self.hidden]
        return table("router group family port kind", rows)


def _same(sent: Candidate, heard: Candidate) -> bool:
    """Whether what one router holds is what it sent another, before the reflector's mark (RFC 4456 8)."""
    one, other = sent.route, heard.route
    marked = heard.clusters[:-1] if sent.learned is Learned.IBGP else heard.clusters
    return (one.router, one.port, one.path, sent.clusters) == (other.router, other.port, other.path, marked)


def solve(net: Network, reach: Reach, before: Routes | None = None) -> Routes:
    """Return what BGP converges to.  Raises nothing: what does not settle is in `unsettled`.

    `before` is the answer for another state of the network, which changes nothing but the time it takes: groups that
    enter as they did are not passed around again, and routers that hear the same, from as far, decide as they did.
    """
    decisions = dict(before.decisions) if before is not None else {}
    changed: set[Key] = set()
    settled: dict[tuple[str, Family], Settled] = {}
    meshes: dict[Family, Exchange] = {}

    def put(key: Key, decision: Decision | None) -> None:
        if decision is not None:
            decisions[key] = decision
            changed.add(key)
        elif decisions.pop(key, None) is not None:
            changed.add(key)

    for family in Family:
        known = (*meshes.values(), *(before.meshes.values() if before is not None else ()))
        mesh = meshes[family] = exchange(net, reach, family, known)
        earlier = Earlier(mesh, before)
        for group, own in sorted(earlier.entries().items()):
            now = settled[group, family] = earlier.settled(group, own)
            for router in earlier.stale(group, now):
                put((router, group, family), earlier.decide(router, now))
    if before is not None:
        for group, family in before.settled.keys() - settled.keys():
            for router in before.net.router:
                put((router, group, family), None)
    hidden = tuple(route for now in settled.values() for route in now.hidden)
    unsettled = tuple(Unsettled(*key, now.cycle) for key, now in settled.items() if now.cycle)
    return Routes(net, reach, decisions, hidden, unsettled, settled, meshes, before, changed)


def explain(routes: Routes, router: str, group: str, family: Family) -> list[tuple[Candidate, str]]:
    """Return every candidate a router weighed, and the step that beat it; `best` or `shares` where none did."""
    decision = routes.lookup(router, group, family)
    if decision is None:
        return []
    lines = [(decision.best, "best")]
    shared = [c for c in decision.multipath if c != decision.best]
    return lines + [(c, "shares the load" if c in shared else f"loses on {step}") for c, step in decision.beaten]
