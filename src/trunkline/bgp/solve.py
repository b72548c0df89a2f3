"""What iBGP converges to, under the network's design and policy: every router's routes, and what they prove."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from trunkline.bgp.decision import Candidate, Decision, Learned, held
from trunkline.bgp.enter import entries
from trunkline.bgp.exchange import Cycle, Exchange, Own, Told, exchange
from trunkline.engine.graph import FAR
from trunkline.igp.solve import Reach
from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Family, Kind
from trunkline.model.route import Route
from trunkline.model.tables import Table, table


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
class Settled:
    """How a group's routes enter, and what routers tell each other of them in the end."""

    own: Own
    told: Told
    cycle: Cycle


@dataclass(frozen=True, eq=False)
class Routes:
    """Every router's decision for every prefix group and family it has a route to."""

    net: Network
    reach: Reach
    decisions: dict[tuple[str, str, Family], Decision]
    """By (router, group, family)."""
    hidden: tuple[Route, ...]
    """External routes that a border router does not advertise because it prefers an iBGP route: the mesh hides them."""
    unsettled: tuple[Unsettled, ...]
    settled: dict[tuple[str, Family], Settled] = field(default_factory=dict, repr=False)
    """By (group, family)."""

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
        for (router, group, family), decision in sorted(self.decisions.items()):
            for candidate in held(decision):
                route = candidate.route
                if route.kind is Kind.TRANSIT and route.region != self.net.router[router].region:
                    return Confinement(False, router, group, family, self.session_path(router, candidate))
        return Confinement(True)

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

    def tables(self) -> dict[str, Table]:
        """`routes` (each router's choice), `held` (what each holds, in prefixes), `hidden` and `unsettled`."""
        return {
            "routes": self._routes_table(),
            "held": self._held_table(),
            "hidden": self._hidden_table(),
            "unsettled": unsettled_table(self.unsettled),
        }

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
    enter as they did are not passed around again, and routers to which all exits are as far as they were decide alike.
    """
    decisions: dict[tuple[str, str, Family], Decision] = {}
    hidden: list[Route] = []
    unsettled: list[Unsettled] = []
    settled: dict[tuple[str, Family], Settled] = {}
    for family in Family:
        mesh = exchange(net, reach, family)
        earlier = _Earlier(mesh, before)
        for group, own in sorted(entries(net, family).items()):
            told, cycle = earlier.told(group, own) or mesh.settle(own)
            settled[group, family] = Settled(own, told, cycle)
            if cycle:
                unsettled.append(Unsettled(group, family, cycle))
            known = earlier.decided(group, own, told)
            for router in net.routers:
                key = router.name, group, family
                if before is not None and router.name in known:
                    decision = before.decisions.get(key)
                else:
                    decision = mesh.decide(router.name, own, told)
                if decision is not None:
                    decisions[key] = decision
            hidden += _hidden(own, told)
    return Routes(net, reach, decisions, tuple(hidden), tuple(unsettled), settled)


class _Earlier:
    """What an earlier answer says of this network as it is now, in one family."""

    def __init__(self, mesh: Exchange, before: Routes | None) -> None:
        self.mesh, self.before = mesh, before
        self._same_routers = False
        self._unchanged: dict[tuple[str, ...], frozenset[str]] = {}
        if before is None or mesh.net.ibgp != before.net.ibgp or not self._connected(before):
            self.before = None
            return
        self._same_routers = mesh.net.routers == before.net.routers
        if not self._same_routers and mesh.sessions.reflects:
            self.before = None

    def _connected(self, before: Routes) -> bool:
        """Whether every session is up, now and then: who hears whom is then the design's alone to say."""
        then = before.reach.dist[self.mesh.family]
        return self.mesh.connected and not (then == FAR).any()

    def _entered(self, group: str, own: Own) -> Settled | None:
        found = self.before.settled.get((group, self.mesh.family)) if self.before is not None else None
        return found if found is not None and found.own == own else None

    def told(self, group: str, own: Own) -> tuple[Told, Cycle] | None:
        """Return what routers tell of a group where nothing that they decide by has changed, None where it may have."""
        found = self._entered(group, own)
        if found is None or not self._same_routers:
            return None
        speakers = {*own, *(r for r, clients in self.mesh.sessions.clients.items() if clients)}
        if self.mesh.net.ibgp.optimal:
            speakers |= self.mesh.net.router.keys()
        return (found.told, found.cycle) if speakers <= self._as_far(own) else None

    def decided(self, group: str, own: Own, told: Told) -> frozenset[str]:
        """Return the routers that decide as they did: they hear the same, and every exit is as far as it was."""
        found = self._entered(group, own)
        return self._as_far(own) if found is not None and found.told == told else frozenset()

    def _as_far(self, own: Own) -> frozenset[str]:
        """The routers to which all exits of these routes are as far as they were."""
        exits = tuple(sorted(own))
        if exits not in self._unchanged and self.before is not None:
            now, then, family = self.mesh.reach, self.before.reach, self.mesh.family
            both = [name for name in now.nodes if name in then.node]
            far = [
                reach.dist[family][np.ix_([reach.node[r] for r in both], [reach.node[e] for e in exits])]
                for reach in (now, then)
            ]
            same = (far[0] == far[1]).all(axis=1).tolist()
            self._unchanged[exits] = frozenset(name for name, is_same in zip(both, same, strict=True) if is_same)
        return self._unchanged[exits]


def _hidden(own: Own, told: Told) -> list[Route]:
    """Return the routes of border routers that tell of none of their own, by router."""
    found: list[Route] = []
    for router, routes in own.items():
        said = [c for several in told.get(router, {}).values() for c in several]
        if all(c.learned is Learned.IBGP for c in said):
            found += routes
    return found


def explain(routes: Routes, router: str, group: str, family: Family) -> list[tuple[Candidate, str]]:
    """Return every candidate a router weighed, and the step that beat it; `best` or `shares` where none did."""
    decision = routes.lookup(router, group, family)
    if decision is None:
        return []
    lines = [(decision.best, "best")]
    shared = [c for c in decision.multipath if c is not decision.best]
    return lines + [(c, "shares the load" if c in shared else f"loses on {step}") for c, step in decision.beaten]
