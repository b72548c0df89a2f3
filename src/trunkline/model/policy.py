"""Traffic classes, objectives, IGP, iBGP and TE settings: from the typed file to nouns."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from trunkline.model.draft import Draft
from trunkline.model.nouns import Ibgp, Igp, Kind, Measure, Objective, PolicyRule, Te, TrafficClass
from trunkline.model.topology import Topology
from trunkline.model.typed import BAD, Row

Priorities = tuple[int, int]


def classes(draft: Draft) -> tuple[TrafficClass, ...]:
    """Return the traffic classes; problems go to the draft."""
    return tuple(_class(draft, name, row) for name, row in draft.rows("classes"))


def _class(draft: Draft, name: str, row: Row) -> TrafficClass:
    priority = row.get("lsp_priority", 7)
    if isinstance(priority, Row):
        setup = priority.get("setup", 7)
        hold = priority.get("hold", setup)
        check_priorities(draft, priority, (setup, hold))
    else:
        setup = hold = priority
    queue = row.get("queue")
    weight = None if queue == "strict" else queue.get("weight", 1) if isinstance(queue, Row) else 1
    valid = {other for other in draft.section("classes") if other != name} | {"drop"}
    fallback = draft.all_known(row, "fallback", valid, "class to fall back to")
    if "drop" in fallback[:-1]:
        draft.error(row.at("fallback"), "conflict", "`drop` is not the last", "`drop` at the end, or not at all")
    return TrafficClass(name, row.get("dscp", 0), row.get("tc", 0), weight, setup, hold, tuple(fallback))


def check_priorities(draft: Draft, row: Row, priorities: Priorities) -> None:
    """Report a hold priority that is numerically above the setup priority."""
    setup, hold = priorities
    if hold > setup:
        what = f"hold {hold} is numerically above setup {setup}: set up, it would be preempted by its own like"
        key = "hold" if "hold" in row else "setup"
        draft.error(row.at(key), "conflict", what, "hold at most setup (RFC 3209 4.7)")


def objectives(draft: Draft, known: Collection[str]) -> tuple[Objective, ...]:
    """Return the objectives sorted by name; problems go to the draft."""
    found: dict[str, Objective] = {}
    for row in draft.entries("objectives"):
        given = [measure for measure in Measure if measure.value in row]
        if len(given) != 1:
            if not row.bad:
                names = ", ".join(measure.value for measure in Measure)
                what = f"{len(given)} measures in one objective"
                draft.error(row.path, "conflict", what, f"exactly one of {names}")
            continue
        cls = row.get("class")
        if cls is not None:
            draft.known(row.at("class"), cls, known, "class")
        name = row.get("name") or given[0].value + (f".{cls}" if cls else "")
        if name in found:
            draft.error(row.path, "duplicate-name", f"objective '{name}' is there already", "a `name`")
        if given[0] is Measure.CONFINED and row["confined"] is False:
            draft.error(row.at("confined"), "choice", "an objective that nothing can break", "yes")
        found[name] = Objective(name, given[0], cls, int(row[given[0].value]))
    return tuple(found[name] for name in sorted(found))


def igp(draft: Draft) -> Igp:
    """Return the IGP settings."""
    return Igp((draft.root.get("igp") or {}).get("topology") == "multi")


def te(draft: Draft) -> Te:
    """Return the TE settings."""
    row = draft.root.get("te") or {}
    return Te(row.get("v6_over_lsp", "off"), row.get("parallel", "bandwidth"))


def ibgp(draft: Draft, topology: Topology) -> Ibgp:
    """Return the iBGP settings; problems go to the draft."""
    row: dict[str, Any] = draft.root.get("ibgp") or {}
    rules = tuple(_rule(draft, topology, rule) for rule in row.get("policy", ()) if rule is not BAD)
    return Ibgp(
        row.get("design", "regional"),
        row.get("profile", "rfc"),
        rules,
        row.get("fallback_default", False),
        row.get("multipath", 8),
        row.get("as_path_relax", False),
    )


def _rule(draft: Draft, topology: Topology, row: Row) -> PolicyRule:
    groups = {*draft.section("prefix_groups"), *draft.section("datacenters"), "default"}
    valid: dict[str, tuple[Collection[str], str]] = {
        "from": (topology.regions, "region"),
        "to": (topology.regions, "region"),
        "peer": (draft.section("peers"), "peer"),
        "group": (groups, "prefix group"),
    }
    for key, (names, noun) in valid.items():
        if key in row:
            draft.known(row.at(key), row[key], names, noun)
    kind = row.get("kind")
    return PolicyRule(
        row.get("cross", False),
        Kind(kind) if kind else None,
        row.get("from"),
        row.get("to"),
        row.get("peer"),
        row.get("group"),
        row.get("side", "both"),
    )
