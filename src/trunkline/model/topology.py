"""Regions, sites, routers and circuits: from the typed file to nouns, defaults filled in."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address

from trunkline.model.address import loopbacks
from trunkline.model.draft import Draft
from trunkline.model.nouns import MILLION, Circuit, Family, Role, Router, Site
from trunkline.model.schema import METRIC, NAME
from trunkline.model.shape import Part, Unreadable
from trunkline.model.typed import BAD, Row

LOCAL_LATENCY = 10
"""Microseconds between two routers of one site, where the file says nothing."""
REFERENCE_RATE = 10**13
MAX_ADMIN_GROUPS = 32


@dataclass(frozen=True)
class Topology:
    """What was built, and where the file says so."""

    regions: tuple[str, ...]
    sites: dict[str, Site]
    routers: dict[str, Router]
    circuits: dict[str, Circuit]
    fields: dict[str, str]
    """Field path by name of site or router."""
    line_fields: dict[str, str]
    """Field path by name of circuit, those that could not be built included."""

    @property
    def circuit_names(self) -> Collection[str]:
        """Every circuit name that the file means."""
        return self.line_fields.keys()


def build(draft: Draft) -> Topology:
    """Return the topology; problems go to the draft."""
    found = draft.root.get("regions") or []
    regions = tuple(sorted({name for name in found if name is not BAD}))
    fields: dict[str, str] = {}
    if isinstance(found, list):
        for i, name in enumerate(found):
            if name is not BAD and name in found[:i]:
                draft.error(f"regions[{i}]", "duplicate-name", f"region '{name}' is given twice")
    sites = {}
    for name, row in draft.rows("sites"):
        fields[name] = f"sites.{name}"
        draft.known(row.at("region"), row.get("region", BAD), regions, "region")
        lat, lon = _coordinates(draft, row)
        sites[name] = Site(name, row.get("region", ""), lat, lon)
    routers = {r.name: r for r in _routers(draft, sites, fields)}
    _check_loopbacks(draft, routers, fields)
    lines = Lines(draft, routers)
    lines.explicit()
    lines.wired(sites)
    return Topology(regions, sites, routers, lines.circuits, fields, lines.names)


def _coordinates(draft: Draft, row: Row) -> tuple[float | None, float | None]:
    at = row.get("at")
    if at is None or BAD in at:
        return None, None
    if len(at) != 2 or abs(at[0]) > 90:
        draft.error(row.at("at"), "range", "no place on Earth", "[latitude -90 to 90, longitude -180 to 180]")
        return None, None
    return at[0], at[1]


def _routers(draft: Draft, sites: dict[str, Site], fields: dict[str, str]) -> Iterator[Router]:
    for name, row in draft.rows("routers"):
        fields[name] = f"routers.{name}"
        if draft.known(row.at("site"), row.get("site", BAD), draft.section("sites"), "site") and row["site"] in sites:
            yield _router(draft, name, sites[row["site"]], row)
        else:
            yield _router(draft, name, Site("", ""), row)
    for name, row in draft.rows("sites"):
        for role, count in sorted((row.get("routers") or {}).items()):
            for k in range(1, count + 1):
                one = f"{name}-{role}{k}"
                field = f"sites.{name}.routers.{role}"
                if one in fields and fields[one].startswith("routers."):
                    draft.error(field, "duplicate-name", f"this makes router '{one}', which `routers` has too")
                    continue
                fields[one] = field
                yield _router(draft, one, sites[name], Row(field) | {"role": role})


def _router(draft: Draft, name: str, site: Site, row: dict[str, object]) -> Router:
    v4, v6 = loopbacks(name)
    pins = row.get("loopback")
    pins = [pin for pin in pins if pin is not BAD] if isinstance(pins, list) else []
    for family in (IPv4Address, IPv6Address):
        if sum(isinstance(pin, family) for pin in pins) > 1:
            draft.error(f"routers.{name}.loopback", "conflict", "two addresses of one family", "one of each at most")
    for pin in pins:
        if isinstance(pin, IPv4Address):
            v4 = pin
        elif isinstance(pin, IPv6Address):
            v6 = pin
    role = Role(str(row.get("role", "bb")))
    return Router(name, site.name, site.region, role, row.get("overload") is True, v4, v6)


def _check_loopbacks(draft: Draft, routers: dict[str, Router], fields: dict[str, str]) -> None:
    owner: dict[IPv4Address | IPv6Address, str] = {}
    for name, router in sorted(routers.items()):
        for address in (router.loopback, router.loopback6):
            first = owner.setdefault(address, name)
            if first != name:
                pin = f"routers.{name}: {{loopback: [...]}}"
                what = f"router '{name}' has the loopback {address} of router '{first}'"
                draft.error(fields[name], "conflict", what, f"another address, pinned by `{pin}`")


class Lines:
    """Builds circuits, those written out and those that wire a site."""

    def __init__(self, draft: Draft, routers: dict[str, Router]) -> None:
        self.draft = draft
        self.routers = routers
        self.circuits: dict[str, Circuit] = {}
        self.names: dict[str, str] = {}
        self.groups: set[str] = set()
        igp = draft.root.get("igp") or {}
        self.rule = igp.get("metric_rule", "latency")
        self.single = igp.get("topology", "single") == "single"

    def explicit(self) -> None:
        """Build the circuits of the list."""
        for row in self.draft.entries("circuits"):
            ends = [self.draft.known(row.at(e), row.get(e, BAD), self.routers, "router") for e in ("a", "b")]
            a, b = row.get("a"), row.get("b")
            if all(ends) and a == b:
                self.draft.error(row.at("b"), "self-loop", f"both ends are router '{a}'", "two different routers")
                ends = [False, False]
            name = row.get("name") or (f"{min(a, b)}--{max(a, b)}" if a and b else None)
            if name is None or ("name" in row.bad):
                continue
            count = row.get("count", 1)
            names = [name] if "count" not in row else [f"{name}-{k}" for k in range(1, count + 1)]
            for one in names:
                if self._claim(one, row) and all(ends):
                    self._build(one, str(a), str(b), row)

    def wired(self, sites: dict[str, Site]) -> None:
        """Build what joins the routers of each site."""
        default = (self.draft.root.get("defaults") or {}).get("wiring")
        by_site: dict[str, list[Router]] = {name: [] for name in sites}
        for router in sorted(self.routers.values(), key=lambda r: r.name):
            by_site.get(router.site, []).append(router)
        for site, row in self.draft.rows("sites"):
            wiring = row.get("wiring", True)
            if wiring is True:
                if default is None and "wiring" in row:
                    what = "there is no `defaults.wiring` to wire the site by"
                    self.draft.error(row.at("wiring"), "conflict", what, "a map such as {capacity: 800G}")
                wiring = default
            if not isinstance(wiring, Row):
                continue
            if "capacity" not in wiring and "capacity" not in wiring.bad:
                self.draft.error(wiring.path, "missing-key", "'capacity' is missing in a site's wiring")
                continue
            for a, b in _pairs(by_site[site]):
                name = f"{min(a, b)}--{max(a, b)}"
                if self._claim(name, wiring):
                    self._build(name, min(a, b), max(a, b), wiring)

    def _claim(self, name: str, row: Row) -> bool:
        try:
            NAME.read(name)
        except Unreadable as error:
            self.draft.error(row.path, error.code, error.message, error.expected)
            return False
        if name in self.names:
            at = self.draft.document.where(self.names[name])
            what = f"circuit '{name}' is there already, at {at.file}:{at.line}:{at.column}"
            self.draft.error(row.path, "duplicate-name", what, "a `name`, or `count` for parallel ones")
            return False
        self.names[name] = row.path
        return True

    def _build(self, name: str, a: str, b: str, row: Row) -> None:
        if "capacity" not in row:
            return
        capacity, members = row["capacity"], row.get("members", 1)
        latency = self._latency(row, a, b)
        ab, ba = self._metrics(row, "metric", self._ruled(capacity, latency))
        te = self._metrics(row, "te_metric", (ab, ba))
        families = tuple(Family(f) for f in ("v4", "v6") if f in row.get("families", ("v4", "v6")))
        if self.single and "families" in row and BAD not in row["families"] and Family.V4 not in families:
            what = "a circuit without v4 cannot be used: one topology routes both families"
            self.draft.error(row.at("families"), "conflict", what, "v4 among them, or `igp.topology: multi`")
        if row.get("min_links", 1) > members:
            what = f"min_links {row['min_links']} is more than the {members} members"
            self.draft.error(row.at("min_links"), "conflict", what)
        risks, groups = (tuple(sorted({n for n in row.get(k, ()) if n is not BAD})) for k in ("risks", "groups"))
        fresh = set(groups) - self.groups
        self.groups |= fresh
        if fresh and len(self.groups) > MAX_ADMIN_GROUPS:
            what = f"this makes {len(self.groups)} different admin groups"
            self.draft.error(row.at("groups"), "range", what, "32 at most (RFC 3209 4.7.4 carries 32 bits)")
        self.circuits[name] = Circuit(
            name, a, b, capacity, latency, ab, ba, te[0], te[1], self._reservable(row, capacity), risks, groups,
            members, row.get("min_links", 1), families,
        )  # fmt: skip

    def _latency(self, row: Row, a: str, b: str) -> int:
        if "latency" in row and "length" in row:
            self.draft.error(row.at("length"), "conflict", "both `latency` and `length` are given", "one of them")
        for key in ("latency", "length"):
            if key in row:
                return int(row[key])
        if not row.bad & {"latency", "length"} and self.routers[a].site != self.routers[b].site:
            what = f"neither `latency` nor `length` is given between two sites ({a}, {b})"
            self.draft.error(row.path, "missing-key", what, "one of them")
        return LOCAL_LATENCY

    def _ruled(self, capacity: int, latency: int) -> tuple[int, int]:
        match self.rule:
            case "latency":
                metric = max(1, latency // 10)
            case "capacity":
                metric = max(1, REFERENCE_RATE // capacity)
            case _:
                metric = self.rule
        metric = min(metric, METRIC.high or metric)
        return metric, metric

    def _metrics(self, row: Row, key: str, default: tuple[int, int]) -> tuple[int, int]:
        given = row.get(key)
        if isinstance(given, Row):
            return given.get("ab", default[0]), given.get("ba", default[1])
        return default if given is None else (given, given)

    def _reservable(self, row: Row, capacity: int) -> int:
        given = row.get("reservable")
        if given is None:
            return capacity
        if isinstance(given, Part):
            return capacity * given.ppm // MILLION
        if given > capacity:
            what = "more is reservable than the circuit carries"
            self.draft.error(row.at("reservable"), "conflict", what, "at most its capacity")
        return int(given)


def _pairs(routers: list[Router]) -> Iterator[tuple[str, str]]:
    backbone = [r.name for r in routers if r.role is Role.BB]
    for i, bb in enumerate(backbone):
        for other in backbone[i + 1 :]:
            yield bb, other
    for router in routers:
        if router.role is not Role.BB:
            for bb in backbone:
                yield router.name, bb
