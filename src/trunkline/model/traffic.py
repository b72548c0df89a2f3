"""Classes, LSPs and objectives from what was read: priorities from the class, meshes written out."""

from __future__ import annotations

from dataclasses import dataclass

from trunkline.model.document import Faults, Spot
from trunkline.model.names import Names
from trunkline.model.nouns import Hop, Lsp, Measure, Objective, Router, TrafficClass
from trunkline.model.read import Entry, Items, Table, Value, Word

MAX_LSPS = 1_000_000


def classes_of(root: Entry, names: Names) -> list[TrafficClass]:
    """Return the traffic classes."""
    found = []
    for key, entry in root.rows("classes"):
        names.define("class", str(key.data), key.spot)
        if not isinstance(entry, Entry):
            continue
        both, one = entry.entry("lsp_priority"), entry.word("lsp_priority", int)
        setup = both.word("setup", int) if both else one
        hold = both.word("hold", int) if both else one
        setup, hold = 7 if setup is None else setup, 7 if hold is None else hold
        _check_hold(setup, hold, both.at("hold") if both else entry.spot, names.faults)
        queue = entry.entry("queue")
        weight = None if entry.word("queue", str) else (queue.word("weight", int) if queue else 1)
        dscp, tc = entry.word("dscp", int) or 0, entry.word("tc", int) or 0
        found.append(TrafficClass(str(key.data), dscp, tc, weight, setup, hold, entry.strings("fallback")))
        for i, word in enumerate(entry.words("fallback")):
            if word.data == "drop" and i + 1 < len(entry.words("fallback")):
                names.faults.error(
                    "fallback", word.spot, "nothing comes after `drop`", "`drop` as the last of the list"
                )
            if word.data == key.data:
                names.faults.error("fallback", word.spot, "a class cannot fall back on itself", "another class")
    return found


def _check_hold(setup: int, hold: int, spot: Spot, faults: Faults) -> None:
    if hold > setup:
        message = f"hold {hold} is worse than setup {setup}: the LSP could be preempted by its equals for ever"
        faults.error("hold", spot, message, f"at most {setup} (RFC 3209 4.7.1)")


@dataclass(frozen=True)
class Ends:
    """One LSP to make: where, its name, and the entry that asks for it."""

    head: str
    tail: str
    name: str
    entry: Entry


def lsps_of(root: Entry, routers: dict[str, Router], classes: dict[str, TrafficClass], names: Names) -> list[Lsp]:
    """Return the LSPs that can be told, meshes written out."""
    ends: list[Ends] = []
    for entry in root.entries("lsps"):
        mesh = entry.entry("mesh")
        ends += (
            _single(entry, names.faults)
            if not entry.has("mesh")
            else _mesh(entry, mesh, routers, names)
            if mesh
            else []
        )
    if len(ends) > MAX_LSPS:
        names.faults.error("range", root.at("lsps"), f"{len(ends)} LSPs", f"at most {MAX_LSPS}")
        return []
    options = {id(e.entry): e.entry for e in ends}
    made = {key: _template(entry, classes, names.faults) for key, entry in options.items()}
    found = []
    for e in ends:
        lsp = made[id(e.entry)]
        if names.define("lsp", f"{e.head}/{e.name}", e.entry.at("name"), "another `name`") and lsp:
            found.append(Lsp(**{**vars(lsp), "head": e.head, "name": e.name, "tail": e.tail}))
    return found


def _single(entry: Entry, faults: Faults) -> list[Ends]:
    head, tail, name = entry.word("from", str), entry.word("to", str), entry.word("name", str)
    if head is None or tail is None or name is None:
        return []
    if head == tail:
        faults.error("head-tail", entry.at("to"), f"the LSP starts and ends at '{head}'", "two routers")
    return [Ends(head, tail, name, entry)]


def _mesh(entry: Entry, mesh: Entry, routers: dict[str, Router], names: Names) -> list[Ends]:
    prefix = entry.word("name", str) or entry.word("class", str)
    heads = _selected(mesh.values.get("from"), routers)
    tails = _selected(mesh.values["to"], routers) if "to" in mesh.values else heads
    if prefix is None or mesh.broken:
        return []
    for key, chosen in (("from", heads), ("to", tails)):
        if not chosen and mesh.has(key) and _known(mesh.values[key], names):
            names.faults.error("selection", mesh.at(key), "this selects no router", "a selection with a router in it")
    pairs = [(head, tail) for head in heads for tail in tails if head != tail]
    if heads and tails and not pairs:
        names.faults.error("selection", mesh.spot, "a mesh needs two routers", "more than one router")
    each = mesh.word("per_pair", int) or 1
    if len(pairs) * each > MAX_LSPS:
        names.faults.error("range", mesh.spot, f"{len(pairs) * each} LSPs", f"at most {MAX_LSPS}")
        return []
    return [Ends(head, tail, f"{prefix}.{tail}.{k}", entry) for head, tail in pairs for k in range(1, each + 1)]


def _known(value: Value, names: Names) -> bool:
    """Whether every region and site of a selection is defined, so that its being empty is the fault to name."""
    if isinstance(value, Items):
        return all(_known(item, names) for item in value.items)
    keys = ("region", "site") if isinstance(value, Entry) else ()
    return all(names.known(k, s) for k in keys if isinstance(value, Entry) for s in value.strings(k))


def _selected(value: Value | None, routers: dict[str, Router]) -> list[str]:
    match value:
        case Word(data=data):
            return sorted(routers) if data == "all" else [str(data)]
        case Items(items=items):
            return sorted({name for item in items for name in _selected(item, routers)})
        case Entry():
            wanted = {key: value.strings(key) for key in ("role", "region", "site") if value.has(key)}
            return [n for n in sorted(routers) if all(getattr(routers[n], k) in v for k, v in wanted.items())]
        case Table() | None:
            return []


def _template(entry: Entry, classes: dict[str, TrafficClass], faults: Faults) -> Lsp | None:
    cls = classes.get(entry.word("class", str) or "")
    if cls is None:
        return None
    setup, hold = entry.word("setup", int), entry.word("hold", int)
    if setup is not None or hold is not None:
        setup, hold = cls.setup if setup is None else setup, cls.hold if hold is None else hold
        _check_hold(setup, hold, entry.at("hold" if entry.has("hold") else "setup"), faults)
    paths = tuple(_path(option) for option in entry.items("paths")) or ((),)
    any_of, all_of, none_of = (
        tuple(sorted(set(entry.strings(key)))) for key in ("include_any", "include_all", "exclude")
    )
    return Lsp(
        "",
        "",
        "",
        cls.name,
        cls.setup if setup is None else setup,
        cls.hold if hold is None else hold,
        entry.word("bandwidth", int),
        any_of,
        all_of,
        none_of,
        entry.word("hop_limit", int),
        paths,
        entry.word("standby", str) or "none",
    )


def _path(option: Value) -> tuple[Hop, ...]:
    if not isinstance(option, Items):
        return ()
    words = [str(w.data) for w in option.items if isinstance(w, Word)]
    return tuple(Hop(w.removeprefix("loose:"), w.startswith("loose:")) for w in words)


def objectives_of(root: Entry, names: Names) -> list[Objective]:
    """Return the objectives."""
    found = []
    for entry in root.entries("objectives"):
        measure = next((m for m in Measure if entry.has(m)), None)
        if measure is None:
            expects = ", ".join(Measure)
            names.faults.error("missing-key", entry.spot, "an objective needs a measure", f"one of {expects}")
            continue
        cls = entry.word("class", str)
        if cls is not None and measure in (Measure.CONFINED, Measure.COMMIT):
            names.faults.error("exclusive", entry.at("class"), f"`{measure}` is not about one class", "no `class`")
        name = entry.word("name", str) or (f"{measure}.{cls}" if cls else str(measure))
        if measure is Measure.CONFINED and entry.word(measure, bool) is False:
            names.faults.error(
                "choice", entry.at(measure), "an objective that may fail is none", "true, or no such line"
            )
        limit = 0 if measure is Measure.CONFINED else entry.word(measure, int) or 0
        if names.define("objective", name, entry.spot, "a `name` of its own"):
            found.append(Objective(name, measure, cls, limit))
    return found
