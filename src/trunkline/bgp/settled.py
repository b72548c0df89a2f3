"""How a group's routes settled, and what of it still holds in another state of the network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from trunkline.bgp.decision import Decision, Learned
from trunkline.bgp.enter import Own, entries
from trunkline.bgp.exchange import Cycle, Exchange, Told
from trunkline.bgp.hearing import Hearing, hearings
from trunkline.engine.graph import Int64
from trunkline.model.network import differing
from trunkline.model.nouns import DEFAULT_GROUP
from trunkline.model.route import Route

if TYPE_CHECKING:
    from trunkline.bgp.solve import Routes


@dataclass(frozen=True, eq=False)
class Settled:
    """How a group's routes enter, what routers tell each other of them in the end, and what each hears."""

    own: Own
    told: Told
    cycle: Cycle
    heard: Mapping[str, Hearing]
    """By router; empty where not every router reaches every other."""

    @cached_property
    def hidden(self) -> tuple[Route, ...]:
        """The routes of border routers that tell of none of their own, by router."""
        found: list[Route] = []
        for router, routes in self.own.items():
            said = [c for several in self.told.get(router, {}).values() for c in several]
            if all(c.learned is Learned.IBGP for c in said):
                found += routes
        return tuple(found)


class Earlier:
    """What an earlier answer says of this network as it is now, in one family."""

    def __init__(self, mesh: Exchange, before: Routes | None) -> None:
        self.mesh = mesh
        self._gone = {*before.net.router} - {*mesh.net.router} if before is not None else set[str]()
        self.before = before if before is not None and _comparable(mesh, before) else None
        self._alike: dict[str, bool] = {}

    def entries(self) -> Mapping[str, Own]:
        """Return how the routes of each group enter."""
        net, before, family = self.mesh.net, self.before, self.mesh.family
        if before is None or not self._steady:
            return entries(net, family)
        old = before.net
        others = differing(net.datacenter, old.datacenter)
        for name in differing(net.peer, old.peer):
            peers = [found.peer[name] for found in (net, old) if name in found.peer]
            others |= {said.group for peer in peers for said in peer.announces}
        others |= {DEFAULT_GROUP} if others else set()
        known = {g: one.own for (g, f), one in before.settled.items() if f is family and g not in others}
        return entries(net, family, known) if others else known

    def settled(self, group: str, own: Own) -> Settled:
        """Return how a group settles that enters so."""
        found = self._then(group)
        entered_so = found is not None and (own is found.own or own == found.own)
        if found is not None and entered_so and self._told_alike(found):
            return found if self._same_routers else replace(found, heard=self._left(found.heard))
        told, cycle = self.mesh.settle(own)
        if found is not None and entered_so and self._same_routers and (told, cycle) == (found.told, found.cycle):
            return found
        known = found.heard if found is not None else {}
        heard = hearings(self.mesh, own, told, known, self._steady) if self.mesh.connected else {}
        return Settled(own, told, cycle, heard)

    def stale(self, group: str, now: Settled) -> Iterable[str]:
        """Return the routers, gone ones too, whose decision may be another: the others hear the same, from as far."""
        if self.before is None:
            return (*self.mesh.net.router, *self._gone)
        then = self._then(group)
        old, new = then.heard if then is not None else {}, now.heard
        if then is not None and now.told is then.told:  # all that are left hear what they did
            differ = [router for router in self._gone if router in old]
        else:
            differ = [router for router in {**old, **new} if old.get(router) is not new.get(router)]
        far = (r for r, exits in self._moved.items() if r in new and not exits.isdisjoint(new[r].exits))
        return {**dict.fromkeys(differ), **dict.fromkeys(far)}

    def decide(self, router: str, now: Settled) -> Decision | None:
        """Return a router's decision, None where it has no route or is gone."""
        if router not in self.mesh.net.router:
            return None
        if not self.mesh.connected:
            return self.mesh.decide(router, now.own, now.told)
        hearing = now.heard.get(router)
        if hearing is None:
            return None
        node, row = self.mesh.reach.node, self.mesh.reach.row(self.mesh.family, router)
        return hearing.decide({exit_: row[node[exit_]] for exit_ in hearing.exits})

    def _then(self, group: str) -> Settled | None:
        return self.before.settled.get((group, self.mesh.family)) if self.before is not None else None

    def _left(self, heard: Mapping[str, Hearing]) -> dict[str, Hearing]:
        return {router: one for router, one in heard.items() if router not in self._gone}

    def _told_alike(self, found: Settled) -> bool:
        """Whether routers tell the same of a group that enters as it did.

        Where nobody reflects, nor did, they tell of their own routes alone.  Those win or lose before the IGP is
        asked, so that only a limit on how many are told asks it.
        """
        mesh, own = self.mesh, found.own
        paths = mesh.net.ibgp.add_path
        numbers = {paths.to_clients, paths.to_reflectors, paths.to_peers} - {"none", "all", "per-as"}
        if not (self._reflects or numbers):
            return self._same_routers or (self._steady and all(map(self._audiences_alike, own)))
        if not self._same_routers:
            return False
        speakers = {*own, *(r for r, clients in mesh.sessions.clients.items() if clients)}
        if mesh.net.ibgp.optimal:
            speakers |= mesh.net.router.keys()
        return all(exits.isdisjoint(own) for r, exits in self._moved.items() if r in speakers)

    def _audiences_alike(self, router: str) -> bool:
        """Whether it has neighbours in the regions where it had, which is all that tells its audiences apart."""
        if router not in self._alike:
            then = self.before.meshes[self.mesh.family] if self.before is not None else self.mesh
            regions = (
                {mesh.net.router[other].region for other in mesh.sessions.neighbours(router)}
                for mesh in (self.mesh, then)
            )
            self._alike[router] = next(regions) == next(regions)
        return self._alike[router]

    @cached_property
    def _reflects(self) -> bool:
        """Whether anybody reflects, or did: what the last reflector told of others' routes goes with it."""
        then = self.before.meshes[self.mesh.family] if self.before is not None else self.mesh
        return self.mesh.sessions.reflects or then.sessions.reflects

    @cached_property
    def _same_routers(self) -> bool:
        return self.before is not None and self.mesh.net.routers == self.before.net.routers

    @cached_property
    def _steady(self) -> bool:
        """Whether the routers are those of before, but for some that failed."""
        then = self.before.net.router if self.before is not None else {}
        return all(then.get(router.name) == router for router in self.mesh.net.routers)

    @cached_property
    def _moved(self) -> dict[str, frozenset[str]]:
        """The routers that another router is not as far from as it was, for each that there are any for."""
        if self.before is None:
            return {}
        return _moved(self.mesh.reach.nodes, self.before.reach.nodes, *self._distances(self.before))

    def _distances(self, before: Routes) -> tuple[Int64, Int64]:
        return self.mesh.reach.dist[self.mesh.family], before.reach.dist[self.mesh.family]


def _comparable(mesh: Exchange, before: Routes) -> bool:
    """Whether every session is up, now and then: who hears whom is then the design's alone to say."""
    now, old, then = mesh.net, before.net, before.meshes.get(mesh.family)
    same = now.ibgp == old.ibgp and now.groups == old.groups
    return same and then is not None and then.connected and mesh.connected


def _moved(nodes: tuple[str, ...], old: tuple[str, ...], now: Int64, then: Int64) -> dict[str, frozenset[str]]:
    both = nodes
    if nodes != old:
        place = {name: i for i, name in enumerate(old)}
        both = tuple(name for name in nodes if name in place)
        rows = [i for i, name in enumerate(nodes) if name in place]
        columns = [place[name] for name in both]
        now, then = now[np.ix_(rows, rows)], then[np.ix_(columns, columns)]
    found: dict[str, list[str]] = {}
    for i, j in np.argwhere(now != then).tolist():
        found.setdefault(both[i], []).append(both[j])
    return {name: frozenset(several) for name, several in found.items()}
