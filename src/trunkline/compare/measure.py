"""What one design costs every router and gives it: sessions, routes, exits, and how far its traffic is carried.

Groups that are decided alike are solved once; nothing is kept of a group but what it adds to the sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from trunkline.bgp.alike import Alike, alike
from trunkline.bgp.choices import Choice, choices, exits_of
from trunkline.bgp.decision import Exit
from trunkline.bgp.enter import entries
from trunkline.bgp.exchange import Exchange, Told, exchange
from trunkline.compare.memory import router_memory
from trunkline.compare.yardstick import Yardstick
from trunkline.igp.solve import Reach
from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Family


@dataclass
class Tally:
    """One router in one family; routes and exits are counted in prefixes."""

    ibgp_sessions: int = 0
    ebgp_sessions: int = 0
    received: int = 0
    """Routes that neighbours inside and outside tell it, before it drops any."""
    held: int = 0
    used: int = 0
    told: int = 0
    """Routes that it tells inside, once for each set of neighbours that are told the same."""
    usable: int = 0
    """Exits that it could use, over all prefixes that have any."""
    existing: int = 0
    """Exits that there are."""
    missed: int = 0
    """Prefixes that it has no route to, though there is an exit that it reaches."""
    elsewhere: int = 0
    """Prefixes whose traffic it sends to other exits than full knowledge would choose."""
    counted: int = 0
    """Prefixes whose exits were held against full knowledge."""
    latency: int = 0
    """Microseconds to the exits it uses, times prefixes."""
    least: int = 0
    """The same to the exits of full knowledge, over the same prefixes."""
    excess: int = 0
    """The most that any prefix loses by it, microseconds."""


@dataclass
class GroupTally:
    """Groups decided alike, in one family: how many exits there are, and how many a router can use."""

    groups: int
    prefixes: int
    existing: int
    hidden: int
    """Exits that no other router hears of."""
    usable: list[int] = field(default_factory=list)
    """Of each router that reaches any, in order of name."""


@dataclass
class Measured:
    """What a design comes to on a network."""

    routers: dict[tuple[str, Family], Tally] = field(default_factory=dict)
    groups: dict[tuple[str, Family], GroupTally] = field(default_factory=dict)
    exits: Counter[tuple[Exit, Family]] = field(default_factory=Counter)
    """Prefixes that leave there, summed over routers."""
    unsettled: list[tuple[str, Family]] = field(default_factory=list)

    def total(self, figure: Callable[[Tally], int]) -> int:
        """Return a figure summed over routers and families."""
        return sum(map(figure, self.routers.values()))

    def most(self, figure: Callable[[Tally], int]) -> int:
        """Return the most of a figure that any router has, both families together."""
        return max((sum(map(figure, both)) for both in self._by_router().values()), default=0)

    def memory(self) -> dict[str, int]:
        """Return what bgpd takes on each router by the memory model, bytes."""
        return {router: router_memory(both) for router, both in self._by_router().items()}

    def _by_router(self) -> dict[str, list[Tally]]:
        return {
            router: [self.routers[router, f] for f in Family] for router in dict.fromkeys(r for r, _ in self.routers)
        }


Alikes = Mapping[Family, tuple[Alike, ...]]
"""The groups of each family by how they are decided; the default comes first."""


def alikes(net: Network) -> Alikes:
    """Return the groups of a network by how they are decided: the same for every design with one policy."""
    found = {family: alike(net, entries(net, family)) for family in Family}
    return {f: tuple(sorted(some, key=lambda a: (a.groups != (DEFAULT_GROUP,), a.groups))) for f, some in found.items()}


def measure(
    net: Network, reach: Reach, yardsticks: Mapping[Family, Yardstick], groups: Alikes | None = None
) -> Measured:
    """Return what the network's own design comes to; `groups` are its groups, where they are known already."""
    found = Measured()
    groups = alikes(net) if groups is None else groups
    for family in Family:
        mesh = exchange(net, reach, family)
        _count_sessions(found, net, mesh)
        defaults: dict[str, tuple[Exit, ...]] = {}
        for one in groups[family]:  # where a router has no route of its own to a group, it follows the default
            told, cycle = mesh.settle(one.own)
            if cycle:
                found.unsettled += [(group, family) for group in one.groups]
            _Group(found, mesh, yardsticks[family], one, told, defaults).count()
    return found


def _count_sessions(found: Measured, net: Network, mesh: Exchange) -> None:
    outside = Counter(port.router for port in net.ports)
    for router in net.routers:
        found.routers[router.name, mesh.family] = Tally(len(mesh.listeners(router.name)), outside[router.name])


@dataclass(frozen=True, eq=False)
class _Group:
    """One set of groups decided alike, as it adds to the sums."""

    found: Measured
    mesh: Exchange
    yardstick: Yardstick
    alike: Alike
    told: Told
    defaults: dict[str, tuple[Exit, ...]]
    """Where each router's default leads, once that is known."""

    def count(self) -> None:
        """Add what every router makes of these groups."""
        net, own = self.mesh.net, self.alike.own
        prefixes = sum(net.prefixes(group, self.mesh.family) for group in self.alike.groups)
        existing = sum(len(routes) for routes in own.values())
        tally = GroupTally(len(self.alike.groups), prefixes, existing, self._hidden())
        self.found.groups[self.alike.groups[0], self.mesh.family] = tally
        heard: dict[str, int] = {}
        for routers in self.mesh.hearing_alike(tuple(sorted(self.told))):
            count = None if set(routers) & {*own, *self.told} else self._heard(routers[0])
            heard |= {r: self._heard(r) if count is None else count for r in routers}
        made = choices(self.mesh, own, self.told)
        for router, choice in sorted(made.items()):
            self._add(router, tally, choice, heard[router])
            if self.alike.groups == (DEFAULT_GROUP,):
                self.defaults[router] = choice.exits
            else:
                self._compare(router, tally, choice, choice.exits or self._by_default(router, made))

    def _by_default(self, router: str, made: Mapping[str, Choice]) -> tuple[Exit, ...]:
        """Return where packets leave that follow the default: as the routers that originate it send them on."""
        found = (made[border].exits for border, _ in self.defaults.get(router, ()))
        return tuple(dict.fromkeys(exit_ for exits in found for exit_ in exits))

    def _add(self, router: str, tally: GroupTally, choice: Choice, heard: int) -> None:
        row = self.found.routers[router, self.mesh.family]
        row.received += tally.prefixes * (len(self.alike.own.get(router, ())) + heard)
        row.told += tally.prefixes * sum(len(paths) for paths in self.told.get(router, {}).values())
        row.held += tally.prefixes * len(choice.held)
        row.used += tally.prefixes * bool(choice.held)

    def _compare(self, router: str, tally: GroupTally, choice: Choice, used: tuple[Exit, ...]) -> None:
        """Hold a router's exits against those that there are, and those used against full knowledge's."""
        row = self.found.routers[router, self.mesh.family]
        best = self.yardstick.exits(self.alike)[router]
        if not best:
            return
        usable = len(exits_of(choice.held))
        tally.usable.append(usable)
        row.usable += tally.prefixes * usable
        row.existing += tally.prefixes * tally.existing
        if not used:
            row.missed += tally.prefixes
            return
        for exit_, part in zip(used, _parts(tally.prefixes, len(used)), strict=True):
            self.found.exits[exit_, self.mesh.family] += part
        row.counted += tally.prefixes
        row.elsewhere += tally.prefixes * (not set(used) <= set(best))
        latency, least = (self.yardstick.latency(router, exits) for exits in (used, best))
        row.latency += latency * tally.prefixes
        row.least += least * tally.prefixes
        row.excess = max(row.excess, latency - least)

    def _heard(self, router: str) -> int:
        """How many routes a router's neighbours tell it, those that it drops included."""
        count = 0
        for speaker, says in self.told.items():
            audience = self.mesh.audience(speaker, router) if speaker != router else None
            count += sum(c.sender != router for c in says.get(audience, ())) if audience is not None else 0
        return count

    def _hidden(self) -> int:
        """How many exits no router but their own hears of."""
        heard = {
            (c.route.router, c.route.port) for says in self.told.values() for paths in says.values() for c in paths
        }  # whatever rules between regions made of the route
        return sum((r.router, r.port) not in heard for routes in self.alike.own.values() for r in routes)


def _parts(whole: int, ways: int) -> list[int]:
    part, rest = divmod(whole, ways)
    return [part + (number < rest) for number in range(ways)]
