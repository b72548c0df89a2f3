"""What a router would choose that knew every exit there is: hot potato's best, which designs are held against."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from trunkline.bgp.alike import Alike
from trunkline.bgp.choices import choose, exits_of
from trunkline.bgp.decision import Candidate, Exit, Learned, contenders, nearest
from trunkline.bgp.enter import Own
from trunkline.igp.latency import Latencies
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

    def exits(self, one: Alike) -> dict[str, tuple[Exit, ...]]:
        """Return the exits that each router would share over if it heard every route, whatever the policy.

        The decision process is the network's own: customers before peers before transit, then the nearest.
        """
        name = one.groups[0]
        if name not in self._exits:
            self._exits[name] = self._full_knowledge(one.own)
        return self._exits[name]

    def _full_knowledge(self, own: Own) -> dict[str, tuple[Exit, ...]]:
        numbers = {r: int(self.net.router[r].loopback) for r in sorted(own)}
        heard = [Candidate(route, Learned.IBGP, 0, n, n, r) for r, n in numbers.items() for route in own[r]]
        left = set(map(id, contenders(heard)))
        everyone = dict.fromkeys(sorted(self.net.router))
        found: dict[str, tuple[Exit, ...]] = {}
        for router in sorted(own):
            if all(route.port is None for route in own[router]):  # what is originated here leads nowhere else
                found[router] = ((router, ""),)
            elif any(id(c) in left for c in heard if c.sender == router):  # eBGP over iBGP
                mine = [c for c in heard if c.sender == router]
                found[router] = exits_of(nearest([c for c in mine if id(c) in left], mine, self.net.ibgp))
        others = [router for router in everyone if router not in found]
        chosen = choose(self.reach, self.family, others, heard, self.net.ibgp)
        return found | {router: choice.exits for router, choice in chosen.items()}

    def latency(self, router: str, exits: tuple[Exit, ...]) -> int:
        """Return the mean latency from a router to exits that share its traffic, microseconds, rounded down."""
        return sum(self.delay(router, border) for border, _ in exits) // len(exits)

    def delay(self, router: str, target: str) -> int:
        """Return the latency along IS-IS from a router to one that it reaches, us: of equal paths the longest."""
        return self._latencies.to(router, target)

    @cached_property
    def _latencies(self) -> Latencies:
        return Latencies(self.net, self.reach, self.family)
