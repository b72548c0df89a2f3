"""The figures that fit on a screen, computed from the tables alone; the terminal and the JSON both show these."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from trunkline.flow import Proof, State
from trunkline.model.event import describe
from trunkline.model.network import Network
from trunkline.model.nouns import MILLION
from trunkline.model.tables import Cell
from trunkline.te.result import Action
from trunkline.verdict import number

Row = Mapping[str, Cell]
HOTTEST = 6
"""How many circuits the screen shows."""


def summarise(proof: Proof) -> dict[str, Any]:
    """Return the summary of a proof: plain dictionaries and lists, ready for JSON."""
    before = proof.states[-2] if len(proof.states) > 1 else None
    events = [describe(s.event) for s in proof.states if s.event is not None]
    return {
        "size": size(proof.net),
        "events": events,
        "order_fragile": fragile(proof),
        **summarise_state(proof.settled, before),
    }


def summarise_state(last: State, before: State | None) -> dict[str, Any]:
    """Return what a summary says of one state, and of what the event since the state before it has changed."""
    victims = displaced(last, before)
    return {
        "traffic": traffic(last.records["demands"]),
        "lsps": lsps(last, before, {str(line["lsp"]) for line in victims}),
        "displaced": victims,
        "hottest": hottest(last, before),
        "over_commit": over_commit(last.records["ports"]),
        "confinement": {"routes": last.routes.confined.holds, "fib": last.loads.confined.holds},
        "policy": policy(last),
    }


def policy(last: State) -> list[dict[str, Any]]:
    """Return each rule that keeps routes from crossing, whether it holds, and who holds what by which way if not."""
    return [
        {
            "rule": rule.number,
            "says": rule.says,
            "holds": rule.proof.holds,
            "router": rule.proof.router or None,
            "group": rule.proof.group or None,
            "family": None if rule.proof.holds else str(rule.proof.family),
            "path": list(rule.proof.path),
        }
        for rule in last.policy
    ]


def size(net: Network) -> dict[str, int]:
    """Return how many of each thing there are."""
    counted = ("regions", "sites", "routers", "circuits", "peers", "ports", "datacenters", "lsps", "demands")
    return {name: len(getattr(net, name)) for name in counted} | {"offered": sum(d.rate for d in net.demands)}


def traffic(demands: Sequence[Row]) -> list[dict[str, Any]]:
    """Return offered, delivered and lost bit/s per class, and gone: what has an end that failed itself."""
    total: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for row in demands:
        for place, column in enumerate(("rate", "delivered", "lost", "gone")):
            total[str(row["class"])][place] += number(row[column])
    return [
        {"class": cls, "offered": o, "delivered": d, "lost": x, "gone": g}
        for cls, (o, d, x, g) in sorted(total.items())
    ]


def lsps(last: State, before: State | None, victims: set[str]) -> list[dict[str, Any]]:
    """Return per class and priorities: LSPs, placed, off their shortest path, displaced, moved, unplaced, bandwidth.

    `displaced` counts those among `victims`, preempted in the last event (from cold: in the race); `moved` those whose
    path is another than before the last event.
    """
    was = {(r["head"], r["name"]): r["path"] for r in before.records["lsps"]} if before else {}
    return _lsp_rows(last.records["lsps"], was, victims)


def displaced(last: State, before: State | None) -> list[dict[str, Any]]:
    """Return who displaced whom on which circuit in the last event (from cold: in the race), in order.

    Where `before` is no earlier state of the same history, but another network's, all of the history counts.
    """
    log, earlier = last.placement.log, before.placement.log if before else ()
    lines = log[len(earlier) :] if log[: len(earlier)] == earlier else log
    return [
        {"lsp": line.lsp, "by": line.by, "circuit": line.circuit, "bandwidth": line.bandwidth}
        for line in lines
        if line.action is Action.PREEMPTED
    ]


def fragile(proof: Proof) -> dict[str, Any]:
    """Return which LSPs depend on the order of the cold race, in how many of the orders tried, and if those are all."""
    found = proof.fragility
    lsps = [{"lsp": f.lsp, "differs": f.differs, "matters": f.matters} for f in found.lsps]
    return {"orders": found.orders, "exhaustive": found.exhaustive, "lsps": lsps}


def _lsp_rows(rows: Sequence[Row], was: Mapping[Any, Cell], victims: set[str]) -> list[dict[str, Any]]:
    groups: dict[tuple[int, int, str], list[Row]] = defaultdict(list)
    for row in rows:
        groups[number(row["setup"]), number(row["hold"]), str(row["class"])].append(row)
    found = []
    for (setup, hold, cls), mine in sorted(groups.items()):
        up = [r for r in mine if r["state"] == "up"]
        found.append(
            {
                "class": cls,
                "setup": setup,
                "hold": hold,
                "lsps": len(mine),
                "placed": len(up),
                "off_shortest": sum(r["cost"] != r["shortest"] for r in up),
                "displaced": sum(f"{r['head']}/{r['name']}" in victims for r in mine),
                "moved": sum(was.get((r["head"], r["name"]), r["path"]) != r["path"] for r in up),
                "unplaced": sum(r["state"] == "down" for r in mine),
                "gone": sum(r["state"] == "gone" for r in mine),
                "undersized": sum(r["reserved"] != r["wanted"] for r in up),
                "wanted": sum(number(r["wanted"]) for r in mine),
                "reserved": sum(number(r["reserved"]) for r in mine),
            }
        )
    return found


def hottest(last: State, before: State | None) -> list[dict[str, Any]]:
    """Return the most utilised arcs, hottest first, each class's part of the load, and the utilisation before."""
    was = {r["arc"]: r["utilisation"] for r in before.records["circuits"]} if before else {}
    loaded = [r for r in last.records["circuits"] if r["load"]]
    rows = sorted(loaded, key=lambda r: (-number(r["utilisation"]), str(r["arc"])))
    return [
        {
            "arc": r["arc"],
            "capacity": r["capacity"],
            "load": r["load"],
            "utilisation": r["utilisation"],
            "before": was.get(r["arc"]),
            "lost": r["lost"],
            "classes": {cls.name: r[f"load.{cls.name}"] for cls in last.net.classes},
        }
        for r in rows[:HOTTEST]
    ]


def over_commit(ports: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the peer ports that carry more than their commit, worst first."""
    found = []
    for row in ports:
        load = max(number(row["in"]), number(row["out"]))
        if row["commit"] and load > number(row["commit"]):
            found.append({"port": row["port"], "load": load, "commit": row["commit"], "capacity": row["capacity"]})
    return sorted(found, key=lambda r: (-r["load"] * MILLION // r["commit"], r["port"]))
