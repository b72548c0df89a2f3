"""What a full iBGP mesh, segmented by region through policy, converges to.

A border router advertises its best route and only where it learned it itself (RFC 4271 9.2), so what one advertises
depends on what the others do: the solution is a fixed point.  Routers decide in turn, by name, until nothing changes.
Where a state comes back (RFC 3345), the states are searched for a stable one; if none is found, that is reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product

from trunkline.bgp.decision import Candidate, Decision, Learned, Route, decide
from trunkline.bgp.policy import LOCAL_PREF, crosses
from trunkline.igp.solve import Reach
from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Family, Kind
from trunkline.model.tables import Table, table

Advertised = dict[str, Route]
"""What each border router says into the mesh, by router."""

SEARCHED = 4096
"""How many states are tried for a stable one where routers, in turn, chase each other."""


@dataclass(frozen=True)
class Unsettled:
    """A group whose border routers never agree: the states they cycle through, each as (router, exit) pairs."""

    group: str
    family: Family
    cycle: tuple[tuple[tuple[str, str], ...], ...]


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
    decisions: dict[tuple[str, str, Family], Decision]
    """By (router, group, family)."""
    hidden: tuple[Route, ...]
    """External routes that a border router does not advertise because it prefers an iBGP route: the mesh hides them."""
    unsettled: tuple[Unsettled, ...]

    def best(self, router: str, group: str, family: Family) -> Decision | None:
        """Return the decision for exactly this group."""
        return self.decisions.get((router, group, family))

    def lookup(self, router: str, group: str, family: Family) -> Decision | None:
        """Return what the longest match decides: the group's own routes, else the default's, else None."""
        return self.best(router, group, family) or self.best(router, DEFAULT_GROUP, family)

    @cached_property
    def confined(self) -> Confinement:
        """The proof over the routes: no router outside the region of entry holds a transit route, used or not."""
        for (router, group, family), decision in sorted(self.decisions.items()):
            for candidate in held(decision):
                route = candidate.route
                if route.kind is Kind.TRANSIT and route.region != self.net.router[router].region:
                    path = (route.port or "", route.router, router)
                    return Confinement(False, router, group, family, path)
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
            "unsettled": self._unsettled_table(),
        }

    def _routes_table(self) -> Table:
        rows = []
        for (router, group, family), d in sorted(self.decisions.items()):
            r = d.best.route
            exits = " ".join(dict.fromkeys(c.route.router for c in d.multipath))
            path = " ".join(map(str, r.path))
            rows.append(
                (router, group, family, r.router, r.port, r.kind, r.local_pref, path, r.med, d.best.learned, exits)
            )
        spec = "router group family exit port kind local_pref:int as_path med:int learned multipath"
        return table(spec, rows)

    def _held_table(self) -> Table:
        counts = {r.name: [0, 0, 0, 0] for r in self.net.routers}
        for (router, group, family), decision in self.decisions.items():
            size = self.net.group.get(group)
            prefixes = 1 if size is None else size.v4 if family is Family.V4 else size.v6
            column = 0 if family is Family.V4 else 2
            counts[router][column] += prefixes * len(held(decision))
            counts[router][column + 1] += prefixes
        spec = "router held_v4:int used_v4:int held_v6:int used_v6:int"
        return table(spec, [(router, *numbers) for router, numbers in sorted(counts.items())])

    def _hidden_table(self) -> Table:
        rows = [(r.router, r.group, r.family, r.port, r.kind) for r in self.hidden]
        return table("router group family port kind", rows)

    def _unsettled_table(self) -> Table:
        """One row per state of the cycle: what each border router then advertises, as `router=port`."""
        rows = [
            (u.group, u.family, step, " ".join(f"{router}={port}" for router, port in state))
            for u in self.unsettled
            for step, state in enumerate(u.cycle)
        ]
        return table("group family step:int advertised", rows)


def held(decision: Decision) -> list[Candidate]:
    """Return every route the router holds after import: the best, and all it beat."""
    return [decision.best, *(c for c, _ in decision.beaten)]


def solve(net: Network, reach: Reach) -> Routes:
    """Return what BGP converges to.  Raises nothing: what does not settle is in `unsettled`."""
    decisions: dict[tuple[str, str, Family], Decision] = {}
    hidden: list[Route] = []
    unsettled: list[Unsettled] = []
    for family in Family:
        for group, own in sorted(_entries(net, family).items()):
            mesh = _Mesh(net, reach, family, own)
            said, cycle = mesh.settle()
            if cycle:
                unsettled.append(Unsettled(group, family, cycle))
            for router in net.routers:
                decision = mesh.decide(router.name, said)
                if decision is None:
                    continue
                decisions[router.name, group, family] = decision
                if router.name in own and decision.best.learned is Learned.IBGP:
                    hidden += own[router.name]
    return Routes(net, reach, decisions, tuple(hidden), tuple(unsettled))


def _entries(net: Network, family: Family) -> dict[str, dict[str, list[Route]]]:
    """Return the routes that enter the network: {group: {border router: routes, by port}}."""
    found: dict[str, dict[str, list[Route]]] = {}

    def enter(route: Route) -> None:
        found.setdefault(route.group, {}).setdefault(route.router, []).append(route)

    live: dict[str, str] = {}
    for port in net.ports:
        peer = net.peer[port.peer]
        for said in peer.announces:
            if net.group[said.group].has(family) and (said.at is None or port.name in said.at):
                med = port.med if port.med is not None else said.med or 0
                pref = port.local_pref if port.local_pref is not None else LOCAL_PREF[peer.kind]
                region = net.router[port.router].region
                enter(
                    Route(
                        said.group, family, port.router, port.name, peer.kind, region, pref, said.path, med, said.origin
                    )
                )
                if peer.kind is Kind.TRANSIT:
                    live[port.router] = region
    for dc in net.datacenters:
        for router in dc.attach:
            if net.group[dc.name].has(family):
                enter(_own(dc.name, family, router, Kind.DATACENTER, net.router[router].region))
    if net.ibgp.fallback_default:
        for router, region in sorted(live.items()):
            enter(_own(DEFAULT_GROUP, family, router, Kind.DEFAULT, region))
    return found


def _own(group: str, family: Family, router: str, kind: Kind, region: str) -> Route:
    return Route(group, family, router, None, kind, region, LOCAL_PREF[kind])


@dataclass(frozen=True)
class _Mesh:
    """One group's decision problem in one family: who has routes of its own, and who hears whom."""

    net: Network
    reach: Reach
    family: Family
    own: dict[str, list[Route]]

    def settle(self) -> tuple[Advertised, tuple[tuple[tuple[str, str], ...], ...]]:
        """Return what border routers advertise in the end, and the cycle of states if they never agree."""
        said, cycle = self._in_turn()
        found = self._search() if cycle else None
        return (said, cycle) if found is None else (found, ())

    def _in_turn(self) -> tuple[Advertised, tuple[tuple[tuple[str, str], ...], ...]]:
        """Return what they advertise when each decides in turn, by name, from cold; the cycle where that comes back."""
        said: Advertised = {}
        seen: dict[tuple[tuple[str, Route], ...], int] = {}
        history: list[tuple[tuple[str, str], ...]] = []
        while True:
            before = dict(said)
            for router in sorted(self.own):
                route = self._says(router, said)
                said.pop(router, None)
                if route is not None:
                    said[router] = route
            if said == before:
                return said, ()
            key = tuple(sorted(said.items(), key=lambda item: item[0]))
            history.append(tuple((router, route.port or "local") for router, route in key))
            if key in seen:
                return said, tuple(history[seen[key] : -1])
            seen[key] = len(history) - 1

    def _search(self) -> Advertised | None:
        """Return the first stable state, by router and route; None where none is among the first `SEARCHED` states.

        Routers that chase each other from cold may still come to rest if sessions come up in another order.
        """
        border = sorted(self.own)
        choices = product(*((*self.own[router], None) for router in border))
        for choice in islice(choices, SEARCHED):
            said = {router: route for router, route in zip(border, choice, strict=True) if route is not None}
            if all(self._says(router, said) == said.get(router) for router in border):
                return said
        return None

    def _says(self, router: str, said: Advertised) -> Route | None:
        """Return what a border router advertises given what the others do: its best, if it is one of its own."""
        decision = self.decide(router, said)
        if decision is None or decision.best.learned is Learned.IBGP:
            return None
        return decision.best.route

    def decide(self, router: str, said: Advertised) -> Decision | None:
        """Return a router's decision given what the others advertise, None where it has no route at all."""
        home = self.net.router[router]
        number = int(home.loopback)
        candidates = [
            Candidate(r, Learned.EBGP if r.port else Learned.LOCAL, 0, number, r.port or "")
            for r in self.own.get(router, ())
        ]
        for sender, route in sorted(said.items()):
            if sender == router:
                continue
            metric = self.reach.distance(self.family, router, sender)
            back = self.reach.distance(self.family, sender, router)
            origin = self.net.router[sender]
            if metric is None or back is None or not crosses(self.net, route, origin.region, home.region):
                continue
            loopback = int(origin.loopback)
            candidates.append(Candidate(route, Learned.IBGP, metric, loopback, loopback))
        return decide(candidates, self.net.ibgp) if candidates else None


def explain(routes: Routes, router: str, group: str, family: Family) -> list[tuple[Candidate, str]]:
    """Return every candidate a router weighed, and the step that beat it; `best` or `shares` where none did."""
    decision = routes.lookup(router, group, family)
    if decision is None:
        return []
    lines = [(decision.best, "best")]
    shared = [c for c in decision.multipath if c is not decision.best]
    return lines + [(c, "shares the load" if c in shared else f"loses on {step}") for c, step in decision.beaten]
