"""Single failures while something is drained: those that lose more than they would with everything in order."""

from __future__ import annotations

from dataclasses import dataclass

from trunkline.flow import Watch
from trunkline.model.tables import Table, table
from trunkline.risk.drain import Drain
from trunkline.risk.scenario import SINGLES, Scenario, scenarios
from trunkline.risk.sweep import Sweep


@dataclass(frozen=True)
class Exposure:
    """A failure, and what is lost once the network has settled: with the thing drained, and in order, bit/s."""

    scenario: Scenario
    lost: int
    lost_in_order: int


def exposed(found: Drain, watch: Watch = lambda _: None) -> tuple[Exposure, ...]:
    """Return the single failures that lose more while the thing is down than they would otherwise, the worst first."""
    drained = Sweep(found.net, (found.condition, found.steps[-1].state))
    whole = Sweep(found.net)
    every = scenarios(found.net.without(found.thing.name), SINGLES)
    exposures = []
    for number, scenario in enumerate(every, 1):
        watch(f"failure {number} of {len(every)}")
        then, now = _lost(whole, scenario), _lost(drained, scenario)
        if now > then:
            exposures.append(Exposure(scenario, now, then))
    return tuple(sorted(exposures, key=lambda e: (e.lost_in_order - e.lost, e.scenario)))


def _lost(sweep: Sweep, scenario: Scenario) -> int:
    return sweep.settled(scenario).loads.charged.total()


def exposed_table(found: tuple[Exposure, ...]) -> Table:
    """`drain_failures`: each such failure, what it loses while the thing is down, and what it would lose otherwise."""
    rows = [(e.scenario.name, str(e.scenario.kind), e.lost, e.lost_in_order) for e in found]
    return table("scenario kind lost:int:bit/s lost_in_order:int:bit/s", rows)
