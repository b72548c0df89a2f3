"""What one failure does, as rows: the state once the network has settled again, and once head-ends have re-optimised.

Every figure compares with the state before the failure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trunkline.flow import State
from trunkline.model.network import Network
from trunkline.model.nouns import MILLION
from trunkline.model.tables import Cell, Table, table
from trunkline.risk.scenario import Scenario
from trunkline.te.result import Action, Placed, Unplaced

AFTER, REOPTIMISED = "after", "reoptimised"
"""The two states of a scenario: re-converged, only what the failure hit being signalled again; then re-optimised."""

Row = tuple[Cell, ...]


@dataclass(frozen=True)
class Rows:
    """Rows of the tables that a sweep yields, by table."""

    scenarios: tuple[Row, ...]
    demands: tuple[Row, ...]
    lsps: tuple[Row, ...]
    loads: tuple[Row, ...]

    @staticmethod
    def joined(parts: Sequence[Rows]) -> Rows:
        """Return the rows of several, in order."""
        names = ("scenarios", "demands", "lsps", "loads")
        return Rows(*(tuple(row for part in parts for row in getattr(part, name)) for name in names))

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
    "slowed_by:int:us"
)
_DEMANDS = "scenario state demand family class lost:int:bit/s reason where latency:int:us latency_added:int:us"
_LSPS = "scenario state lsp class what by circuit path"
_LOADS = "scenario state arc load:int:bit/s utilisation:int:ppm"


def impact(scenario: Scenario, before: State, states: Sequence[tuple[str, State]]) -> Rows:
    """Return the rows of a scenario; `states` are its states by name, `before` the one that the failure hit."""
    found: list[Rows] = []
    settled: State | None = None
    for name, state in states:
        if settled is not None and state.placement.log == settled.placement.log:  # nothing has happened since
            found.append(found[-1].of_state(name))
            continue
        key, settled = (scenario.name, name), state
        demands, lsps, loads = tuple(_demands(before, state)), tuple(_lsps(before, state)), tuple(_loads(state))
        row = (*key, str(scenario.kind), *_scenario(before, state, demands, lsps, loads))
        found.append(Rows((row,), *(tuple((*key, *cells) for cells in rows) for rows in (demands, lsps, loads))))
    return Rows.joined(found)


def _scenario(
    before: State, state: State, demands: Sequence[Row], lsps: Sequence[Row], loads: Sequence[Row]
) -> Iterator[Cell]:
    """The cells of the table `scenarios` behind its first three."""
    net, done = state.net, Counter(str(row[2]) for row in lsps)
    broken = [v.objective.name for v in state.objectives if not v.met]
    confined = state.routes.confined.holds and state.loads.confined.holds
    broken += [] if confined else ["(confinement)"]
    broken += [f"(policy rule {rule.number})" for rule in state.policy if not rule.proof.holds]
    lost: Counter[str] = Counter()
    for d in state.loads.deliveries:
        lost[d.demand.cls] += d.missing
    yield from (state.ok, " ".join(broken), lost.total())
    yield from (done["moved"], done["unplaced"], done["displaced"])
    yield from _hottest([(int(row[2] or 0), str(row[0])) for row in loads])
    ports = Counter[tuple[str, str]]()
    for (way, port, _), rate in state.loads.ports.items():
        ports[way, port] += rate
    yield from _hottest([(-(-rate * MILLION // net.port[port].capacity), port) for (_, port), rate in ports.items()])
    stranded = sorted(set(state.routes.stranded) - set(before.routes.stranded))
    yield " ".join(f"{region}/{family}" for region, family in stranded)
    regions = {region for region, _, _ in set(state.loads.on_fallback) - set(before.loads.on_fallback)}
    yield from (" ".join(sorted(regions)), confined)
    slowed = sorted((-int(row[7] or 0), f"{row[0]}/{row[1]}") for row in demands if int(row[7] or 0) > 0)
    yield from (slowed[0][1], -slowed[0][0]) if slowed else (None, 0)
    yield from (lost[c.name] for c in net.classes)


def _hottest(found: list[tuple[int, str]]) -> tuple[str | None, int]:
    """The name and the utilisation of the hottest, the first by name among equals."""
    if not found:
        return None, 0
    use, name = min((-use, name) for use, name in found)
    return (name, -use) if use else (None, 0)


def _demands(before: State, state: State) -> Iterator[Row]:
    """Each family's part of a demand that loses traffic, or whose latency is another than before."""
    was = {(d.demand.name, d.family): d.latency_max for d in before.loads.deliveries}
    for d in state.loads.deliveries:
        old, new = was[d.demand.name, d.family], d.latency_max
        added = new - old if old is not None and new is not None else None
        if d.missing or old != new:
            reason, where, _ = d.lost[0] if d.lost else (None, None, 0)
            yield (d.demand.name, str(d.family), d.demand.cls, d.missing, reason and str(reason), where, new, added)


def _lsps(before: State, state: State) -> Iterator[Row]:
    """Each LSP that was displaced, has no path any more, or another one; one that was displaced may have both."""
    log = state.placement.log[len(before.placement.log) :]
    cls = {p.lsp.id: p.lsp.cls for p in state.placement.placed}
    for line in log:
        if line.action is Action.PREEMPTED:
            yield (line.lsp, cls[line.lsp], "displaced", line.by, line.circuit, None)
    for old, new in zip(before.placement.placed, state.placement.placed, strict=True):
        if new.path != old.path and (what := _became(new)):
            path = " ".join(arc.name for arc in new.path) if new.path is not None else None
            yield (new.lsp.id, new.lsp.cls, what, None, None, path)


def _became(new: Placed) -> str | None:
    if new.path is not None:
        return "moved"
    return None if new.reason is Unplaced.ENDPOINT_DOWN else "unplaced"


def _loads(state: State) -> Iterator[Row]:
    """Each arc that carries anything, by name."""
    net, total = state.net, (state.loads.igp + state.loads.lsp).sum(axis=1).tolist()
    for arc, load in sorted(zip(state.reach.arcs, total, strict=True)):
        if load:
            yield (arc.name, load, -(-load * MILLION // net.circuit[arc.circuit].capacity))
