"""One prefix group's routes, passed from router to router over the sessions of a design until nothing changes.

What one router tells depends on what the others do: the solution is a fixed point.  Routers decide in turn, by name.
Where a state comes back (RFC 3345), the states are searched for a stable one; if none is found, that is reported.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count, islice, permutations, product
from typing import NamedTuple

from trunkline.bgp.decision import Candidate, Decision, Learned, best_of, decide, neighbour
from trunkline.bgp.design import Relation, Sessions, paths_to, sessions
from trunkline.bgp.enter import Own
from trunkline.bgp.policy import crosses
from trunkline.engine.graph import FAR
from trunkline.igp.solve import Reach
from trunkline.model.network import Network
from trunkline.model.nouns import Family, Kind

SEARCHED = 4096
"""How many states of a mesh are tried for a stable one where routers, in turn, chase each other."""
ROUNDS = 16
"""How many rounds routers get to come to rest before their states are remembered and compared."""
ORDERS = 120
"""How many orders of deciding are tried where there are reflectors or several paths a session."""


class Audience(NamedTuple):
    """Neighbours that a router tells the same: what they are to it, and their region.

    `router` names one of them where a reflector chooses for each client apart (RFC 9107).
    """

    relation: Relation
    region: str
    router: str = ""


Told = dict[str, dict[Audience, tuple[Candidate, ...]]]
"""What each router tells each audience; a router that tells nothing is not in it."""
Cycle = tuple[tuple[tuple[str, str], ...], ...]
"""The states that routers cycle through, each as (router, the exits that it tells of) pairs."""


@dataclass(frozen=True, eq=False)
class Exchange:
    """The sessions of a network in one family, ready to pass any group's routes."""

    net: Network
    reach: Reach
    family: Family
    sessions: Sessions
    _audience: dict[tuple[str, str], Audience | None] = field(default_factory=dict, repr=False)
    _audiences: dict[str, tuple[Audience, ...]] = field(default_factory=dict, repr=False)
    _listeners: dict[str, frozenset[str]] = field(default_factory=dict, repr=False)
    _alike: dict[tuple[str, ...], list[list[str]]] = field(default_factory=dict, repr=False)

    def settle(self, own: Own) -> tuple[Told, Cycle]:
        """Return what routers tell in the end, and the cycle of states if they never agree."""
        speakers = sorted({*own, *(r for r, clients in self.sessions.clients.items() if clients)})
        told = self._in_turn(own, speakers)
        if told is not None:
            return told, ()
        history: list[Told] = []
        told = self._in_turn(own, speakers, history) or self._search(own, speakers)
        if told is not None:
            return told, ()
        return history[-1], tuple(exits_told(state) for state in history[history.index(history[-1]) : -1])

    def _in_turn(self, own: Own, order: Sequence[str], history: list[Told] | None = None) -> Told | None:
        """Return what routers tell when each decides in turn from cold until nothing changes.

        None where they come to no rest: within `ROUNDS` rounds or, where a history is kept, by the time that a state
        comes back.  The history takes the state after each round.
        """
        told: Told = {}
        everyone = frozenset(order)
        stale = set(order)
        seen = set()
        for _ in range(ROUNDS) if history is None else count():
            for router in order:
                if router in stale:
                    stale.discard(router)
                    if self._retell(router, own, told):
                        stale |= everyone & self.listeners(router)
            if not stale:
                return told
            if history is not None:
                history.append(dict(told))
                state = tuple((r, tuple(told[r].items())) for r in sorted(told))
                if state in seen:
                    return None
                seen.add(state)
        return None

    def _retell(self, router: str, own: Own, told: Told) -> bool:
        """Let a router decide anew; return whether it tells something else than before."""
        before, says = told.pop(router, {}), self._says(router, own, told)
        if says:
            told[router] = says
        return says != before

    def _search(self, own: Own, speakers: Sequence[str]) -> Told | None:
        """Return a stable state that the turn by name did not come to; None where none was found.

        Routers that chase each other from cold may still come to rest if sessions come up in another order.
        """
        if self.sessions.reflects or self._many_paths:
            for order in islice(permutations(speakers), 1, ORDERS):
                told = self._in_turn(own, order)
                if told is not None:
                    return told
            return None
        choices = product(*((*own[router], None) for router in speakers))
        for choice in islice(choices, SEARCHED):
            given = dict(zip(speakers, choice, strict=True))
            told = {r: says for r, route in given.items() if route and (says := self._says(r, {r: [route]}, {}))}
            if all(self._says(router, own, told) == told.get(router, {}) for router in speakers):
                return told
        return None

    @cached_property
    def _many_paths(self) -> bool:
        paths = self.net.ibgp.add_path
        return self.net.ibgp.best_external or {paths.to_clients, paths.to_reflectors, paths.to_peers} != {"none"}

    def audience(self, speaker: str, listener: str) -> Audience | None:
        """Return the audience of a speaker that a listener belongs to, None where they have no session that is up."""
        key = speaker, listener
        if key not in self._audience:
            self._audience[key] = self._find_audience(speaker, listener)
        return self._audience[key]

    def _find_audience(self, speaker: str, listener: str) -> Audience | None:
        relation = self.sessions.relation(speaker, listener)
        if relation is None or not (self.connected or self._reach_each_other(speaker, listener)):
            return None
        alone = self.net.ibgp.optimal and relation is Relation.CLIENT
        return Audience(relation, self.net.router[listener].region, listener if alone else "")

    def _reach_each_other(self, one: str, other: str) -> bool:
        ways = (self.reach.distance(self.family, a, b) for a, b in ((one, other), (other, one)))
        return all(way is not None for way in ways)

    def listeners(self, speaker: str) -> frozenset[str]:
        """Return the routers that a router has a session with that is up."""
        if speaker not in self._listeners:
            some = self.sessions.neighbours(speaker)
            self._listeners[speaker] = frozenset(
                some if self.connected else (other for other in some if self.audience(speaker, other) is not None)
            )
        return self._listeners[speaker]

    def hearing_alike(self, speakers: tuple[str, ...]) -> list[list[str]]:
        """Return all routers in sets that each speaker counts to one audience: they hear the same of it.

        Reflectors drop what comes from their own cluster, so that those of another one, or of none, are another set.
        """
        if speakers not in self._alike:
            found: dict[Hashable, list[str]] = {}
            for router in sorted(self.net.router):
                audiences = tuple([self.audience(s, router) if s != router else None for s in speakers])
                key = audiences, self.sessions.clusters.get(router)
                found.setdefault(key, []).append(router)
            self._alike[speakers] = list(found.values())
        return self._alike[speakers]

    @cached_property
    def connected(self) -> bool:
        """Whether every router reaches every other, so that every session is up."""
        return self.net.router.keys() <= self.reach.node.keys() and not (self.reach.dist[self.family] == FAR).any()

    def audiences(self, speaker: str) -> tuple[Audience, ...]:
        """Return every audience of a router."""
        if speaker not in self._audiences:
            found = {self.audience(speaker, other) for other in self.sessions.neighbours(speaker)}
            self._audiences[speaker] = tuple(sorted(audience for audience in found if audience is not None))
        return self._audiences[speaker]

    def candidates(self, router: str, own: Own, told: Told) -> list[Candidate]:
        """Return the routes that a router may use: its own, and what its neighbours tell that it lets in."""
        heard = (self.heard(router, speaker, said) for speaker, said in self.said_to(router, told))
        return [*self.entered(router, own), *(candidate for candidate in heard if candidate is not None)]

    def said_to(self, router: str, told: Told) -> Iterator[tuple[str, Candidate]]:
        """Yield what a router is told, each after the neighbour that tells it."""
        for speaker in sorted(told):
            audience = self.audience(speaker, router) if speaker != router else None
            for said in told[speaker].get(audience, ()) if audience else ():
                yield speaker, said

    def entered(self, router: str, own: Own) -> list[Candidate]:
        """Return a router's own routes as it weighs them."""
        home = int(self.net.router[router].loopback)
        return [
            Candidate(r, Learned.EBGP if r.port else Learned.LOCAL, 0, home, r.port or "") for r in own.get(router, ())
        ]

    def heard(self, router: str, speaker: str, said: Candidate) -> Candidate | None:
        """Return what a router makes of a route that it is told; None where it came from here or has no next hop."""
        border = self.net.router[said.route.router]
        reflected = said.learned is Learned.IBGP
        clusters = (*said.clusters, self.sessions.clusters[speaker]) if reflected else said.clusters
        looped = router in (border.name, said.sender) or self.sessions.clusters.get(router, -1) in clusters
        metric = None if looped else self.reach.distance(self.family, router, border.name)
        if metric is None:
            return None
        address, next_hop = (self._loopback(name) for name in (speaker, border.name))
        router_id = int(border.loopback)
        return Candidate(said.route, Learned.IBGP, metric, router_id, address, speaker, clusters, next_hop)

    def _loopback(self, router: str) -> int:
        found = self.net.router[router]
        return int(found.loopback if self.family is Family.V4 else found.loopback6)

    def decide(self, router: str, own: Own, told: Told) -> Decision | None:
        """Return a router's decision given what the others tell, None where it has no route at all."""
        candidates = self.candidates(router, own, told)
        return decide(candidates, self.net.ibgp) if candidates else None

    def _says(self, router: str, own: Own, told: Told) -> dict[Audience, tuple[Candidate, ...]]:
        candidates = self.candidates(router, own, told)
        return self.says(router, candidates, best_of(candidates)) if candidates else {}

    def says(self, router: str, candidates: list[Candidate], best: Candidate) -> dict[Audience, tuple[Candidate, ...]]:
        """Return what a router tells each audience of these candidates, the best of them being `best`."""
        region = self.net.router[router].region
        chosen: dict[tuple[Relation, str], list[Candidate]] = {}
        says = {}
        for audience in self.audiences(router):
            key = audience.relation, audience.router
            if key not in chosen:
                chosen[key] = self._choose(router, audience, candidates, best)
            arrived = ((c, crosses(self.net, c.route, region, audience.region)) for c in chosen[key])
            passed = tuple(c if route is c.route else c._replace(route=route) for c, route in arrived if route)
            if passed:
                says[audience] = passed
        return says

    def _choose(self, router: str, audience: Audience, candidates: list[Candidate], best: Candidate) -> list[Candidate]:
        """Return the paths that a router would tell an audience before policy, as Add-Path and the like have it."""
        relation = audience.relation
        mode = paths_to(self.net.ibgp, relation)
        if audience.router:
            candidates = self._as_from(audience.router, candidates)
        allowed = [c for c in candidates if self._may_tell(router, c, relation)]
        if mode == "all" and best.route.kind is Kind.DEFAULT and best.learned is Learned.LOCAL:
            mode = "none"  # who originates the default tells of no other's: FRR's default-originate takes their place
        if mode == "all":
            return allowed
        if mode == "none":
            if audience.router and candidates:
                best = best_of(candidates)
            if best in allowed:
                return [best]
            external = self.net.ibgp.best_external and allowed
            return [best_of(allowed)] if external else []
        several = self._best_of_each_as(candidates) if mode == "per-as" else self._best_few(candidates, int(mode))
        return [c for c in several if c in allowed]

    def _as_from(self, client: str, candidates: Iterable[Candidate]) -> list[Candidate]:
        """Return the candidates with the client's own metrics; those that it cannot reach are left out."""
        metrics = [(c, self.reach.distance(self.family, client, c.route.router)) for c in candidates]
        return [c._replace(metric=metric) for c, metric in metrics if metric is not None]

    def _may_tell(self, router: str, candidate: Candidate, to: Relation) -> bool:
        """Whether a route may go on at all: its own to everybody, a client's too, another's to clients (RFC 4456 6)."""
        if candidate.learned is not Learned.IBGP:
            return True
        if self.sessions.relation(router, candidate.sender) is Relation.CLIENT:
            return to is not Relation.CLIENT or self.sessions.between_clients
        return to is Relation.CLIENT

    def _best_of_each_as(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        by_as: dict[int, list[Candidate]] = {}
        for candidate in candidates:
            by_as.setdefault(neighbour(candidate), []).append(candidate)
        return [best_of(found) for _, found in sorted(by_as.items())]

    def _best_few(self, candidates: Iterable[Candidate], most: int) -> list[Candidate]:
        left = list(candidates)
        found: list[Candidate] = []
        while left and len(found) < most:
            found.append(best_of(left))
            left.remove(found[-1])
        return found


def exchange(net: Network, reach: Reach, family: Family, known: Iterable[Exchange] = ()) -> Exchange:
    """Return the exchange of a network's own design.

    The `known` ones, of other states or families, change nothing but the time it takes: where the same routers all
    reach each other, the same ones hear of each other.
    """
    alike = next((one for one in known if (one.net.routers, one.net.ibgp) == (net.routers, net.ibgp)), None)
    if alike is None:
        return Exchange(net, reach, family, sessions(net))
    found = replace(alike, net=net, reach=reach, family=family)
    return found if found.connected and alike.connected else Exchange(net, reach, family, alike.sessions)


def exits_told(told: Told) -> tuple[tuple[str, str], ...]:
    """Return what each router tells of, as the names of ports."""
    found = []
    for router, says in sorted(told.items()):
        names = sorted({c.route.port or "local" for several in says.values() for c in several})
        found.append((router, "+".join(names)))
    return tuple(found)
