"""What a router would choose that knew every exit there is: hot potato's best, which designs are held against."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from trunkline.bgp.alike import Alike
from trunkline.bgp.choices import Choice, Exit, choose, exits_of
from trunkline.bgp.decision import Candidate, Learned, decide
from trunkline.bgp.exchange import Own
from trunkline.igp.solve import Reach
from trunkline.model.network import Network
from trunkline.model.nouns import Family


@dataclass(frozen=True, eq=False)
class Yardstick:
    """Latencies along IS-IS, and the exits of full knowledge, in one family."""

    net: Network
    reach: Reach
    family: Family
    _exits: dict[str, dict[str, tuple[Exit, ...]]] = field(default_factory=dict, repr=False)
    _delay: dict[tuple[str, str], int] = field(default_factory=dict, repr=False)

    def exits(self, one: Alike) -> dict[str, tuple[Exit, ...]]:
        """Return the exits that each router would share over if it heard every route, whatever the policy.

        The decision process is the network's own: customers before peers before transit, then the nearest.
        """
        name = one.groups[0]
        if name not in self._exits:
            everyone = sorted(self.net.router)
            inner = [r for r in everyone if r not in one.own]
            found = choose(self.reach, self.family, inner, self._heard("", one.own), self.net.ibgp)
            for router in sorted(set(everyone) & set(one.own)):
                found[router] = self._border(router, one.own)
            self._exits[name] = {router: choice.exits for router, choice in found.items()}
        return self._exits[name]

    def _heard(self, router: str, own: Own) -> list[Candidate]:
        """Return every other border router's routes as one that hears them all by iBGP; metrics are left open."""
        numbers = {r: int(self.net.router[r].loopback) for r in sorted(own) if r != router}
        return [Candidate(route, Learned.IBGP, 0, n, n, r) for r, n in numbers.items() for route in own[r]]

    def _border(self, router: str, own: Own) -> Choice:
        number = int(self.net.router[router].loopback)
        mine = [Candidate(r, Learned.EBGP if r.port else Learned.LOCAL, 0, number, r.port or "") for r in own[router]]
        heard = [
            replace(c, metric=metric)
            for c in self._heard(router, own)
            if (metric := self.reach.distance(self.family, router, c.route.router)) is not None
        ]
        return Choice((), exits_of(decide([*mine, *heard], self.net.ibgp).multipath))

    def latency(self, router: str, exits: tuple[Exit, ...]) -> int:
        """Return the mean latency from a router to exits that share its traffic, microseconds, rounded down."""
        return sum(self.delay(router, border) for border, _ in exits) // len(exits)

    def delay(self, router: str, target: str) -> int:
        """Return the latency along IS-IS from a router to one that it reaches, us: of equal paths the longest."""
        key = router, target
        if key not in self._delay:
            self._follow(target)
        return self._delay[key]

    def _follow(self, target: str) -> None:
        """Fill in every router's latency to a target, the nearest first: next hops are always nearer."""
        found = ((self.reach.distance(self.family, r, target), r) for r in self.reach.nodes)
        self._delay[target, target] = 0
        for _, router in sorted((metric, r) for metric, r in found if metric is not None and r != target):
            hops = self.reach.next_hops(self.family, router, target)
            self._delay[router, target] = max(
                self.net.circuit[arc.circuit].latency + self._delay[arc.head, target] for arc in hops
            )
