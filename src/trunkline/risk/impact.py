"""What one failure does, as rows: the state once the network has settled again, and once head-ends have re-optimised.

Every figure compares with the state before the failure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from trunkline.flow import State
from trunkline.model.network import Network
from trunkline.model.nouns import MILLION
from trunkline.model.tables import Cell, Table, table
from trunkline.risk.bypassed import Bypassed
from trunkline.risk.scenario import Scenario
from trunkline.te.result import Placed, Unplaced

BYPASSED, AFTER, REOPTIMISED = "bypassed", "after", "reoptimised"
"""The states of a scenario: what was prepared in advance in use and nothing computed yet; re-converged, only what the
failure hit being signalled again; then re-optimised."""

Row = tuple[Cell, ...]


@dataclass(frozen=True)
class Rows:
    """Rows of the tables that a sweep yields, by table."""

    scenarios: tuple[Row, ...]
    demands: tuple[Row, ...]
    lsps: tuple[Row, ...]
    loads: tuple[Row, ...]
    seals: tuple[tuple[str, dict[str, Any]], ...] = field(default=(), kw_only=True)
    """Beside the rows, where they were asked for: what each scenario will do (`risk.seal`), by its name."""

    @staticmethod
    def joined(parts: Sequence[Rows]) -> Rows:
        """Return the rows of several, in order."""
        names = ("scenarios", "demands", "lsps", "loads")
        rows = (tuple(row for part in parts for row in getattr(part, name)) for name in names)
        return Rows(*rows, seals=tuple(seal for part in parts for seal in part.seals))

    def of_state(self, state: str) -> Rows:
        """Return the same rows as those of another state."""
        named = self.scenarios, self.demands, self.lsps, self.loads
        return Rows(*(tuple((row[0], state, *row[2:]) for row in rows) for rows in named))

    def tables(self, net: Network) -> dict[str, Table]:
        """`scenarios`, `demands_hit`, `lsps_hit` and `loads`."""
        return {
            "scenarios": table(_SCENARIOS + "".join(f" lost.{c.name}:int:bit/s" for c in net.classes), self.scenarios),
            "demands_hit": table(_DEMANDS, self.demands),
            "lsps_hit": table(_LSPS, self.lsps),
            "loads": table(_LOADS, self.loads),
        }


_SCENARIOS = (
    "scenario state kind ok:bool broken lost:int:bit/s moved:int unplaced:int displaced:int circuit "
    "circuit_utilisation:int:ppm port port_utilisation:int:ppm cut_off on_fallback confined:bool slowed "
    "slowed_by:int:us gone:int:bit/s probability:int:ppb"
)
_DEMANDS = (
    "scenario state demand family class lost:int:bit/s reason where latency:int:us latency_added:int:us gone:int:bit/s"
)
_LSPS = "scenario state lsp class what by circuit path"
_LOADS = "scenario state arc load:int:bit/s utilisation:int:ppm"


def impact(scenario: Scenario, before: State, states: Sequence[tuple[str, State]]) -> Rows:
    """Return the rows of a scenario; `states` are its states by name, `before` the one that the failure hit."""
    found: list[Rows] = []
    last = before
    for name, state in states:
        if name == REOPTIMISED and state.placement is last.placement:  # nothing has happened since
            found.append(found[-1].of_state(name))
            continue
        key, last = (scenario.name, name), state
        demands, lsps, loads = tuple(_demands(before, state)), tuple(_lsps(before, state)), _loads(state)
        row = (*key, str(scenario.kind), *_scenario(scenario, before, state, (demands, lsps)))
        found.append(Rows((row,), *(tuple((*key, *cells) for cells in rows) for rows in (demands, lsps, loads))))
    return Rows.joined(found)


def _scenario(
    scenario: Scenario, before: State, state: State, rows: tuple[Sequence[Row], Sequence[Row]]
) -> Iterator[Cell]:
    """The cells of the table `scenarios` behind its first three; `rows` are those of demands and LSPs."""
    demands, lsps = rows
    net, done = state.net, Counter(str(row[2]) for row in lsps)
    broken = [v.objective.name for v in state.objectives if not v.met]
    confined = all(holds for _, holds in state.confinement)
    broken += [] if confined else ["(confinement)"]
    broken += [f"(policy rule {rule.number})" for rule in state.policy if not rule.proof.holds]
    lost = state.loads.charged
    yield from (state.ok, " ".join(broken), lost.total())
    yield from (done["moved"], done["unplaced"], done["displaced"])
    yield from state.loads.hottest
    yield from state.loads.hottest_port
    stranded = sorted(set(state.routes.stranded) - set(before.routes.stranded))
    yield " ".join(f"{region}/{family}" for region, family in stranded)
    regions = {region for region, _, _ in set(state.loads.on_fallback) - set(before.loads.on_fallback)}
    yield from (" ".join(sorted(regions)), confined)
    slowed = sorted((-int(row[7] or 0), f"{row[0]}/{row[1]}") for row in demands if int(row[7] or 0) > 0)
    yield from (slowed[0][1], -slowed[0][0]) if slowed else (None, 0)
    yield from (sum([d.gone for d in state.loads.deliveries if d.dark]), scenario.probability)
    yield from (lost[c.name] for c in net.classes)


def _demands(before: State, state: State) -> Iterator[Row]:
    """Each family's part of a demand that loses traffic, or whose latency is another than before."""
    for then, d in zip(before.loads.deliveries, state.loads.deliveries, strict=True):  # the same demands, in order
        old, new = then.latency_max, d.latency_max
        if old != new or d.delivered != d.rate:
            added = new - old if old is not None and new is not None else None
            reason, where, _ = d.lost[0] if d.lost else (None, None, 0)
            lost = d.charged, reason and str(reason), where
            yield (d.demand.name, str(d.family), d.demand.cls, *lost, new, added, d.gone)


def _lsps(before: State, state: State) -> Iterator[Row]:
    """Each LSP that was displaced, has no path any more, or another one; one that was displaced may have both.

    While bypassed, each that is cut: on its bypasses, on its standby, or lost at a circuit.
    """
    if isinstance(state, Bypassed):
        yield from _cut(state)
        return
    now, then = state.placement, before.placement
    for event in now.history[len(then.history) :]:
        for lsp, line in event.displaced:
            yield (line.lsp, lsp.cls, "displaced", line.by, line.circuit, None)
    for i in now.changed(then):
        new = now.placed[i]
        if new.path != then.placed[i].path and (what := _became(new)):
            path = " ".join([arc.name for arc in new.path]) if new.path is not None else None
            yield (new.lsp.id, new.lsp.cls, what, None, None, path)


def _cut(state: Bypassed) -> Iterator[Row]:
    for lsp, now, what in state.cut():
        by = " ".join(b.name for b in now.bypasses) or None
        where = now.lost.name if now.lost is not None else None
        yield (lsp.id, lsp.cls, what, by, where, " ".join(arc.name for arc in now.path))


def _became(new: Placed) -> str | None:
    if new.path is not None:
        return "moved"
    return None if new.reason is Unplaced.ENDPOINT_DOWN else "unplaced"


def _loads(state: State) -> list[Row]:
    """Each arc that carries anything, by name."""
    circuit = state.net.circuit
    loaded = [(arc.circuit, arc.tail, load) for arc, load in state.loads.offered if load]
    return [
        (f"{name}@{tail}", load, -(-load * MILLION // circuit[name].capacity)) for name, tail, load in sorted(loaded)
    ]
