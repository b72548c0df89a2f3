"""The whole program on one page: each stage reads only what stands to its left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from trunkline.bgp.proofs import RuleProof, rule_proofs
from trunkline.bgp.solve import Routes
from trunkline.bgp.solve import solve as converge_bgp
from trunkline.demand.aim import aim
from trunkline.demand.flows import Flows
from trunkline.igp.solve import Reach
from trunkline.igp.solve import solve as converge_igp
from trunkline.model.event import Event, Reoptimize, after, describe
from trunkline.model.listing import Listing
from trunkline.model.network import Network
from trunkline.model.nouns import Condition, Family
from trunkline.model.problem import Problem
from trunkline.model.tables import Tables
from trunkline.te.fragile import Fragility, order_fragile
from trunkline.te.place import place
from trunkline.te.protect import protect
from trunkline.te.repairs import Repairs
from trunkline.te.result import Placement
from trunkline.traffic.carry import Loads, carry
from trunkline.verdict import Records, Verdict, judge, records, warn, warnings

Watch = Callable[[str], None]
"""Told the name of each stage as it begins."""


@dataclass(frozen=True, eq=False, repr=False)
class State:
    """What the network has settled on, after the cold start or after an event."""

    event: Event | None
    net: Network
    reach: Reach
    routes: Routes
    flows: Flows
    placement: Placement
    before: State | None = None
    """The state that the event acted on."""

    def __repr__(self) -> str:
        return f"<State {'after ' + describe(self.event) if self.event else 'from cold'}: {self.placement!r}>"

    @cached_property
    def loads(self) -> Loads:
        """The walk through every router's FIB."""
        earlier = vars(self.before).get("loads") if self.before is not None else None  # if they were asked for
        return carry(self.net, self.reach, self.routes, self.flows, self.placement, earlier)

    @cached_property
    def repairs(self) -> Repairs:
        """Bypasses and standby paths: set up on what is left, so that nothing else depends on them."""
        return protect(self.net, self.reach, self.placement)

    @cached_property
    def tables(self) -> Tables:
        """Every result as a table, by name; terminal, JSON and CSV read only these."""
        routes, placement, loads = (found.tables().makers for found in (self.routes, self.placement, self.loads))
        return Tables({**routes, **placement, **loads})

    @cached_property
    def policy(self) -> tuple[RuleProof, ...]:
        """The proof of each of the file's rules that keep routes from crossing between regions."""
        return rule_proofs(self.routes)

    @cached_property
    def records(self) -> Records:
        """The rows of every table as dictionaries."""
        return records(self.tables)

    @cached_property
    def objectives(self) -> tuple[Verdict, ...]:
        """Every objective of the file, met or broken."""
        figures = {**self.placement.figures(), **self.loads.figures()}
        return judge(self.net.objectives, figures, self.confinement)

    @property
    def confinement(self) -> tuple[tuple[str, bool], ...]:
        """Whether transit stays in its region, by each of the two proofs."""
        return ("over the routes", self.routes.confined.holds), ("over the FIBs", self.loads.confined.holds)

    @property
    def ok(self) -> bool:
        """Whether every objective is met, both confinement proofs hold, and every rule that rejects."""
        proofs = (*(holds for _, holds in self.confinement), *(rule.proof.holds for rule in self.policy))
        return all(v.met for v in self.objectives) and all(proofs)

    @cached_property
    def warnings(self) -> tuple[Problem, ...]:
        """What breaks no objective and will hurt all the same."""
        found = warnings(self.net, self.records)
        for family in Family:
            if where := [region for region, lost in self.routes.stranded if lost is family]:
                message = f"no way to the Internet for {family} in {', '.join(where)}: no transit and no default"
                found.append(warn("stranded", message))
        found += [
            warn(
                "unsettled", f"BGP does not settle for {u.group} ({u.family}); it cycles through {len(u.cycle)} states"
            )
            for u in self.routes.unsettled
        ]
        return tuple(sorted(found))


@dataclass(frozen=True, eq=False, repr=False)
class Proof:
    """The cold start and the state after every event of the history; the last one is the answer."""

    net: Network
    states: tuple[State, ...]
    workers: int = 1

    def __repr__(self) -> str:
        return "\n  ".join([f"<Proof of {self.net!r}", *(repr(state) for state in self.states)]) + ">"

    def _repr_html_(self) -> str:
        verdicts = self.settled.objectives
        rows = tuple((v.objective.name, "met" if v.met else "BROKEN", v.text, v.worst) for v in verdicts)
        return Listing(("objective", "", "value", "worst"), (False,) * 4, rows, len(rows), f"{self.settled!r}").html()

    @cached_property
    def fragility(self) -> Fragility:
        """Which LSPs owe their path from cold to the order in which head-ends signal."""
        cold = self.cold
        return order_fragile(self.net, cold.net, cold.reach, cold.flows, workers=self.workers)

    @property
    def cold(self) -> State:
        """The state before any event."""
        return self.states[0]

    @property
    def settled(self) -> State:
        """The state after the last event."""
        return self.states[-1]

    @property
    def ok(self) -> bool:
        """Whether the state after the last event keeps every promise."""
        return self.settled.ok


def settle(
    base: Network,
    condition: Condition,
    event: Event | None = None,
    before: State | None = None,
    watch: Watch = lambda _: None,
) -> State:
    """Return what a network settles on under a condition: from cold, or as an event leaves the state before it."""
    if isinstance(event, Reoptimize) and before is not None:  # it is RSVP-TE's alone
        now, reach, routes, flows = before.net, before.reach, before.routes, before.flows
    else:
        now = base.under(condition)
        watch("IS-IS")
        reach = converge_igp(now)
        watch("iBGP")
        routes = converge_bgp(now, reach, before.routes if before else None)
        flows = aim(now, reach, routes, before.flows if before else None)
    watch("RSVP-TE")
    placement = place(base, now, reach, flows, event, before.placement if before else None)
    return State(event, now, reach, routes, flows, placement, before)


def prove(net: Network, history: Sequence[Event] = (), watch: Watch = lambda _: None, workers: int = 1) -> Proof:
    """Return what the network converges to from cold, and then after each event in turn."""
    states: list[State] = []
    condition = Condition()
    for number, event in enumerate((None, *history)):
        condition = after(condition, event) if event else condition
        which = f" (event {number} of {len(history)})" if number else ""
        before = states[-1] if states else None
        states.append(settle(net, condition, event, before, lambda stage, which=which: watch(stage + which)))  # type: ignore[misc]
    watch("FIB walk")
    return Proof(net, tuple(states), workers)
