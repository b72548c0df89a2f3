"""What differs between two networks, noun by noun, and between two tables, row by row.

Everything is compared as it was read: derived defaults (metrics, addresses, reservable bandwidth) count, since they are
what routers will be told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from trunkline.model.network import Network
from trunkline.model.nouns import Announcement, Hop, Measure, Objective
from trunkline.model.policy import NOTHING, PrefixRange
from trunkline.model.tables import Cell, Column, Table
from trunkline.model.units import exact_rate, exact_share, exact_time, show_availability


@dataclass(frozen=True, order=True)
class Change:
    """One field of one thing that differs, or a thing that one side lacks, with all it says.  Values are exact."""

    kind: str
    """`circuit`, `router`, `lsp`, ...; `igp`, `ibgp`, `te`, `protection`, `prices` for settings, of empty `name`."""
    name: str
    action: str
    """`added`, `removed` or `changed`."""
    field: str = ""
    before: str = ""
    after: str = ""


def changes(a: Network, b: Network) -> tuple[Change, ...]:
    """Return what must change to make network `b` of network `a`, by kind, name and field."""
    found: list[Change] = []
    before, after = _things(a), _things(b)
    for kind in before:
        found += _between(kind, before[kind], after[kind])
    return tuple(found)


def _things(net: Network) -> dict[str, dict[str, Any]]:
    """Every thing of a network by kind and name; what a peer holds stands on its own."""
    return {
        "igp": {"": net.igp},
        "ibgp": {"": net.ibgp},
        "te": {"": net.te},
        "protection": {"": net.protection},
        "prices": {"": net.prices} if net.prices is not None else {},
        "region": dict.fromkeys(net.regions),
        "site": {s.name: s for s in net.sites},
        "router": dict(net.router),
        "card": {card.name: card for r in net.routers for card in r.cards},
        "circuit": dict(net.circuit),
        "prefix group": dict(net.group),
        "peer": dict(net.peer),
        "port": dict(net.port),
        "announcement": _announced(net),
        "addresses": {link.name: link for link in net.links},
        "datacenter": dict(net.datacenter),
        "class": dict(net.cls),
        "lsp": {p.id: p for p in net.lsps},
        "demand": {d.name: d for d in net.demands},
        "objective": {o.name: o for o in net.objectives},
    }


def _announced(net: Network) -> dict[str, Announcement]:
    """What peers announce as `PEER GROUP`, and from the second time on as `PEER GROUP#2`."""
    found: dict[str, Announcement] = {}
    for peer in net.peers:
        times: Counter[str] = Counter()
        for said in peer.announces:
            times[said.group] += 1
            again = f"#{times[said.group]}" if times[said.group] > 1 else ""
            found[f"{peer.name} {said.group}{again}"] = said
    return found


def _between(kind: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterable[Change]:
    for name in sorted({*before, *after}):
        if name not in after:
            yield Change(kind, name, "removed", before=_summary(before[name]))
        elif name not in before:
            yield Change(kind, name, "added", after=_summary(after[name]))
        elif before[name] != after[name]:
            old, new = _fields(before[name]), _fields(after[name])
            yield from (Change(kind, name, "changed", f, old[f], new[f]) for f in old if old[f] != new[f])


NESTED = {"ports", "announces", "cards"}
"""Fields whose things are compared on their own."""
RATES = {"capacity", "reservable", "bandwidth", "rate", "commit", "largest_flow"}
TIMES = {"latency"}
SHARES = {"v6_ppm", "share"}

_LIMITS = {Measure.LATENCY: exact_time, Measure.AVAILABILITY: show_availability}
"""How the limit of an objective is written, where it is no share in ppm."""


def _fields(thing: Any) -> dict[str, str]:
    own = {f.name: getattr(thing, f.name) for f in fields(thing) if f.name not in {"name", *NESTED}}
    shown = {name: _text(name, value) for name, value in own.items()}
    if isinstance(thing, Objective) and thing.measure is not Measure.CONFINED:
        shown["limit"] = _LIMITS.get(thing.measure, exact_share)(thing.limit)
    return shown


def _summary(thing: Any) -> str:
    """A thing that one side lacks, on one line: the fields that say something."""
    said = _fields(thing) if thing is not None else {}
    return ", ".join(f"{name} {value}" for name, value in said.items() if value not in ("", "none"))


def _text(name: str, value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Hop):
        return f"{value.name} (loose)" if value.loose else value.name
    if isinstance(value, tuple):
        return " ".join(_text(name, item) or "dynamic" for item in value) if value else ""
    for names, show in ((RATES, exact_rate), (TIMES, exact_time), (SHARES, exact_share)):
        if name in names:
            return show(value)
    plain = isinstance(value, PrefixRange) or not hasattr(value, "__dataclass_fields__")
    return str(value) if plain else _rule(value)


def _rule(rule: Any) -> str:
    """A policy rule on one line: only what it says."""
    said = {f.name: getattr(rule, f.name) for f in fields(rule)}
    return "{" + ", ".join(f"{k}: {_text(k, v)}" for k, v in said.items() if v not in (None, (), NOTHING)) + "}"


def rows_that_differ(a: Table, b: Table, key: tuple[str, ...]) -> Table:
    """Return the rows of two tables that differ: the key, `change`, and every other column `.before` and `.after`.

    A column that one side lacks (a class that only one network has) is empty there.  Rows are sorted by key.
    """
    old, new = _by_key(a, key), _by_key(b, key)
    columns = {c.name: c for c in (*a.columns, *b.columns)}
    rest = [name for name in columns if name not in key]
    rows: list[tuple[Cell, ...]] = []
    for at in sorted({*old, *new}, key=lambda cells: tuple(map(str, cells))):
        was, now = old.get(at), new.get(at)
        if was == now:
            continue
        action = "added" if was is None else "removed" if now is None else "changed"
        pairs = ((side or {}).get(name) for name in rest for side in (was, now))
        rows.append((*at, action, *pairs))
    paired = [Column(f"{name}.{when}", columns[name].type, columns[name].unit) for name in rest for when in WHEN]
    return Table((*(columns[name] for name in key), Column("change", "str"), *paired), tuple(rows))


WHEN = ("before", "after")


def _by_key(found: Table, key: tuple[str, ...]) -> dict[tuple[Cell, ...], dict[str, Cell]]:
    return {tuple(row[name] for name in key): row for row in found.records()}
