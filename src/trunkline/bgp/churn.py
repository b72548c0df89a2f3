"""What an event costs iBGP: UPDATEs, decisions, the time until all is quiet, and who is without a route meanwhile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from trunkline.bgp.alike import Alike
from trunkline.bgp.design import sessions
from trunkline.bgp.exchange import Exchange, Told
from trunkline.bgp.lockstep import bunches
from trunkline.bgp.outages import common
from trunkline.bgp.simulate import Scene, Simulation
from trunkline.bgp.solve import Unsettled, unsettled_table
from trunkline.bgp.stage import staged
from trunkline.bgp.timing import Timing, Ways
from trunkline.igp.solve import solve as converge_igp
from trunkline.model.event import Cut, Restore
from trunkline.model.event import after as condition_after
from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Condition, Family
from trunkline.model.tables import Table, table

DEFAULTS, NOTHING_DOWN = Timing(), Condition()


@dataclass(frozen=True)
class Without:
    """How long a router had no route to a group, microseconds until all was quiet; `after`: it has none in the end."""

    time: int
    after: bool


@dataclass(frozen=True, eq=False)
class Churn:
    """What followed from an event, both families together."""

    messages: int
    """UPDATEs sent: of those that leave a router for a neighbour at one time, one for each attribute set and one for
    all withdrawals of a family."""
    group_updates: int
    """Paths of groups that UPDATEs advertise or withdraw."""
    prefix_updates: int
    """The same, each counted as many times as the group has prefixes."""
    decisions: int
    """Runs of the decision process, one for each group at each router."""
    changes: int
    """How often a router's best route to a group changed."""
    depth: int
    """The longest sequence of UPDATEs from the event on, each sent because of the one before."""
    settled_at: int
    """When the last UPDATE was read or the last best route changed, microseconds after the event."""
    sent: Mapping[str, int]
    """UPDATEs by the router that sent them."""
    received: Mapping[str, int]
    """UPDATEs by the router that they were sent to."""
    without: Mapping[tuple[str, str, Family], Without]
    """By (router, group, family), where a router that is there in the end was without.  A route to the default stands
    in, as in `Routes.lookup`; who never had a route is not listed."""
    unsettled: tuple[Unsettled, ...]
    """Groups whose state came back in full.  From then on they are left alone and not counted, unless sessions of the
    event have yet to end or to come up: then they go on from there."""
    settled: tuple[tuple[Alike, Family, Told], ...]
    """What routers tell in the end, for each set of groups decided alike; of the first one's routes."""

    def tables(self) -> dict[str, Table]:
        """`churn`, `churn_routers`, `without` and `churn_unsettled`."""
        spec = "messages:int group_updates:int prefix_updates:int decisions:int changes:int depth:int settled_at:int:us"
        whole = (self.messages, self.group_updates, self.prefix_updates, self.decisions, self.changes, self.depth)
        routers = sorted({*self.sent, *self.received})
        without = [(*key, lost.time, lost.after) for key, lost in sorted(self.without.items())]
        return {
            "churn": table(spec, [(*whole, self.settled_at)]),
            "churn_routers": table(
                "router sent:int received:int", [(r, self.sent.get(r, 0), self.received.get(r, 0)) for r in routers]
            ),
            "without": table("router group family time:int:us after:bool", without),
            "churn_unsettled": unsettled_table(self.unsettled),
        }


def churn(
    net: Network, event: Cut | Restore | None, before: Condition = NOTHING_DOWN, timing: Timing = DEFAULTS
) -> Churn:
    """Return what follows when an event happens to a network that has settled under a condition.

    Sessions are those of the whole network: a router that is lost takes its own with it, and no other becomes a
    reflector in its place.  No event is the cold start, all sessions at once.  Raises KeyError with the name of what is
    not there, or is to be restored and not down.
    """
    then = condition_after(before, event) if event else before
    early, late = net.under(before), net.under(then)
    whole = net.under(replace(before, down=frozenset()))
    timing = timing if event else replace(timing, igp=0, connect=0)
    reach = {id(now): converge_igp(now) for now in (early, late)}
    design = sessions(whole)
    lost = frozenset(early.circuit) - frozenset(late.circuit)
    sims = []
    for family in Family:
        first, last = (Exchange(whole, reach[id(now)], family, design) for now in (early, late))
        ways = Ways(whole, family, reach[id(early)], reach[id(late)], timing.igp, lost)
        groups = bunches(early if isinstance(event, Cut) else late, early, late, family)
        sim = staged(Scene(first, last, groups, ways, event is None), timing)
        sim.run()
        sims.append(sim)
    return _result(sims)


def _result(sims: list[Simulation]) -> Churn:
    end = max(sim.settled_at for sim in sims)
    return Churn(
        messages=sum(sim.messages for sim in sims),
        group_updates=sum(sim.group_updates for sim in sims),
        prefix_updates=sum(sim.prefix_updates for sim in sims),
        decisions=sum(sim.decisions for sim in sims),
        changes=sum(sim.changes for sim in sims),
        depth=max(sim.depth for sim in sims),
        settled_at=end,
        sent=sum((sim.sent for sim in sims), Counter()),
        received=sum((sim.received for sim in sims), Counter()),
        without={key: lost for sim in sims for key, lost in _without(sim, end)},
        unsettled=tuple(u for sim in sims for u in _unsettled(sim)),
        settled=tuple(
            (Alike(bunch.groups, bunch.after), sim.scene.after.family, sim.told(number))
            for sim in sims
            for number, bunch in enumerate(sim.scene.bunches)
        ),
    )


def _unsettled(sim: Simulation) -> Iterator[Unsettled]:
    for number, cycle in sorted(sim.cycles.items()):
        for group in sim.scene.bunches[number].groups:
            yield Unsettled(group, sim.scene.after.family, cycle)


def _without(sim: Simulation, end: int) -> Iterator[tuple[tuple[str, str, Family], Without]]:
    """Return who was without a route; where there is a default, while that led nowhere either."""
    outages, groups = sim.outages, sim.scene.bunches
    default = next((n for n, bunch in enumerate(groups) if DEFAULT_GROUP in bunch.groups), None)
    for number, bunch in enumerate(groups):
        for router in sorted(sim.ribs):
            spans = outages.until(end, router, number)
            after, had = (router, number) in outages.since, (router, number) in outages.had
            if default is not None and (spans or after):
                spans_too = outages.until(end, router, default)
                after = after and (router, default) in outages.since
                had = had or (router, default) in outages.had
            else:
                spans_too = [(0, end)]
            time = common(spans, spans_too)
            if (time or after) and (had or not after or time < end):
                for group in bunch.groups:
                    yield (router, group, sim.scene.after.family), Without(time, after)
