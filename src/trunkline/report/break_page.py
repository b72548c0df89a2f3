"""The page of a sweep: failures ranked, the network under the chosen one, what hurts each circuit, demand and class.

The worst failures and the lists are written from the tables here; the script draws the map, the details and the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trunkline.flow import settle
from trunkline.model.network import Network
from trunkline.model.nouns import Condition
from trunkline.model.tables import Cell, Table, table
from trunkline.report.break_kept import HIT, LISTED, MAPPED, Kept
from trunkline.report.break_terminal import MOMENTS
from trunkline.report.breaking import Broken
from trunkline.report.bundle import whole
from trunkline.report.geometry import geometry, ports
from trunkline.report.payload import Texts
from trunkline.report.summary import size
from trunkline.risk.impact import AFTER, Rows
from trunkline.risk.scenario import Scenario

LISTS = ("circuits_worst", "demands_worst", "classes_worst")


@dataclass(frozen=True)
class Moment:
    """One state of all failures: its name, when that is, and how many break a promise then."""

    state: str
    when: str
    broken: int


def break_page(found: Broken, kept: Kept) -> str:
    """Return the page: a whole HTML document."""
    worst = found.worst
    rows = _settled(found, "scenarios_worst")
    classes: dict[str, list[Mapping[str, Cell]]] = {}
    for row in _settled(found, "classes_worst"):
        classes.setdefault(str(row["class"]), []).append(row)
    return whole(
        "break.html",
        page_document(found, kept),
        title=found.name,
        size=size(found.loaded.network),
        kinds=found.document["scenarios"],
        total=kept.total,
        mapped=min(kept.total, MAPPED),
        listed=min(kept.total, LISTED),
        moments=_moments(found, kept),
        first=worst.first,
        worst=rows,
        classes=classes,
        captions=["the network then"],
    )


def _settled(found: Broken, name: str) -> list[Mapping[str, Cell]]:
    """The rows of a list of the worst that are about the settled network; the list has another state beside it."""
    return [row for row in found.tables[name].records() if row["state"] == AFTER]


def page_document(found: Broken, kept: Kept) -> dict[str, Any]:
    """Return what the script reads: schema `trunkline/break-page/1`, the tables packed as `Texts` says.

    `loads` has by failure and state the utilisation of every arc, ppm, in the order of the table `circuits`.
    """
    texts, net = Texts(), found.loaded.network
    drawn = kept.drawn
    of = {scenario.name: scenario for scenario in found.scenarios if scenario.name in drawn}
    rows = Rows(
        tuple(kept.scenarios),
        tuple(row for one in drawn.values() for row in one.demands),
        tuple(row for one in drawn.values() for row in one.lsps),
        (),
    ).tables(net)
    shown = {name: rows[name] for name in ("scenarios", "demands_hit", "lsps_hit")}
    shown |= {name: found.tables[name] for name in LISTS}
    on_map = {
        **geometry(net, net),
        "ports": ports(net),
        "circuits": _before(net, kept.arcs),
        "failing": _failing(net, list(of.values())),
    }
    return {
        "schema": "trunkline/break-page/1",
        "title": found.name,
        "states": [[moment.state, moment.when] for moment in _moments(found, kept)],
        "first": found.worst.first,
        "hit": HIT,
        "tables": {name: texts.table(one) for name, one in shown.items()},
        "geometry": {name: texts.table(one) for name, one in on_map.items()},
        "loads": {name: {state: load.tolist() for state, load in one.loads.items()} for name, one in drawn.items()},
        "texts": list(texts.found),
    }


def _moments(found: Broken, kept: Kept) -> list[Moment]:
    states = dict.fromkeys(str(row[1]) for row in kept.scenarios)
    return [Moment(state, MOMENTS.get(state, state), found.worst.broken[state]) for state in states]


def _before(net: Network, arcs: Sequence[str]) -> Table:
    """`circuits`: the settled network before any failure, an arc a row."""
    rows = {row["arc"]: row for row in settle(net, Condition()).tables["circuits"].records()}
    spec = "arc from to capacity:int:bit/s load:int:bit/s utilisation:int:ppm"
    names = [word.split(":")[0] for word in spec.split()]
    return table(spec, [tuple(rows[arc][name] for name in names) for arc in arcs])


def _failing(net: Network, scenarios: Sequence[Scenario]) -> Table:
    """`failing`: what is down in a scenario, with what hangs off it; `out` is what was down for maintenance already."""
    rows = [(one.name, *cells) for one in scenarios for cells in _down(net, one)]
    return table("scenario what name out:bool", rows)


def _down(net: Network, scenario: Scenario) -> Iterator[tuple[Cell, ...]]:
    before = net.without(scenario.during) if scenario.during else net
    now = before.without(*scenario.things)
    for was, left, out in ((net, before, True), (before, now, False)):
        yield from (("router", r.name, out) for r in was.routers if r.name not in left.router)
        yield from (("circuit", c.name, out) for c in was.circuits if c.name not in left.circuit)
        yield from (("port", p.name, out) for p in was.ports if p.name not in left.port)
        thinned = (c for c in was.circuits if c.name in left.circuit and left.circuit[c.name].members < c.members)
        yield from (("member", c.name, out) for c in thinned)
