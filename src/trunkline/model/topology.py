"""Sites, routers and circuits from what was read: counts and wiring written out, metrics and addresses derived."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from decimal import Decimal
from ipaddress import IPv4Address, IPv6Address
from itertools import chain, count, takewhile

from trunkline.model.address import is_routers, loopback, loopback6
from trunkline.model.document import Faults, Spot
from trunkline.model.keys.words import MAX_METRIC
from trunkline.model.names import Names
from trunkline.model.nouns import MILLION, Circuit, Family, Role, Router, Site
from trunkline.model.read import Entry, Word
from trunkline.model.units import show_rate

LOCAL_LATENCY = 10
"""Microseconds between two routers of one site: a few hundred metres of fibre and two ports."""
REFERENCE_RATE = 10**13
"""What the metric rule `capacity` divides."""


@dataclass(frozen=True)
class Plain:
    """A circuit's entry with its ends and name, before anything is derived."""

    name: str
    a: str
    b: str
    entry: Entry
    spot: Spot


def sites_of(root: Entry, names: Names) -> dict[str, Site]:
    """Return the sites whose region is known, by name."""
    sites = {}
    for key, entry in root.rows("sites"):
        name = str(key.data)
        names.define("site", name, key.spot)
        region = entry.word("region", str) if isinstance(entry, Entry) else None
        if isinstance(entry, Entry) and region is not None:
            at = [word.data for word in entry.words("at") if isinstance(word.data, Decimal)]
            if len(at) > 2 or (at and abs(at[0]) > 90):
                names.faults.error("range", entry.at("at"), "this is no place", "[latitude, longitude] in degrees")
            lat, lon = (float(at[0]), float(at[1])) if len(at) == 2 else (None, None)
            sites[name] = Site(name, region, lat, lon)
    return sites


def routers_of(root: Entry, sites: dict[str, Site], names: Names) -> dict[str, Router]:
    """Return the routers whose site is known, by name: those of `routers` and those that sites count."""
    routers = {}
    for key, entry in root.rows("routers"):
        name = str(key.data)
        names.define("router", name, key.spot)
        site, role = (entry.word("site", str), entry.word("role", str)) if isinstance(entry, Entry) else (None, None)
        if isinstance(entry, Entry) and site in sites and role is not None:
            four, six = _pinned(entry, names.faults)
            overload = entry.word("overload", bool) or False
            place = sites[str(site)]
            routers[name] = Router(
                name, place.name, place.region, Role(role), overload, four or loopback(name), six or loopback6(name)
            )
    for key, entry in root.rows("sites"):
        counts = entry.entry("routers") if isinstance(entry, Entry) else None
        for role in Role if counts else ():
            for i in range(1, (counts.word(role, int) or 0) + 1 if counts else 1):
                name = f"{key.data}-{role}{i}"
                if names.define("router", name, counts.at(role) if counts else key.spot) and key.data in sites:
                    region = sites[str(key.data)].region
                    routers[name] = Router(name, str(key.data), region, role, False, loopback(name), loopback6(name))
    _check_loopbacks(routers, names)
    return routers


def _pinned(entry: Entry, faults: Faults) -> tuple[IPv4Address | None, IPv6Address | None]:
    four: IPv4Address | None = None
    six: IPv6Address | None = None
    for word in entry.words("loopback"):
        if isinstance(word.data, IPv4Address | IPv6Address) and not is_routers(word.data):
            faults.error("address", word.spot, f"no router may have the address {word.data}", "one for hosts")
        elif isinstance(word.data, IPv4Address) and four is None:
            four = word.data
        elif isinstance(word.data, IPv6Address) and six is None:
            six = word.data
        else:
            faults.error("address", word.spot, f"a second address of one family: {word.data}", "one of each family")
    return four, six


def _free(address: IPv4Address | IPv6Address, used: Container[object]) -> IPv4Address | IPv6Address:
    """The next address that nobody has, below where there is none above."""
    above = takewhile(is_routers, (address + i for i in count(1)))
    below = (address - i for i in count(1))
    return next(a for a in chain(above, below) if a not in used)


def _check_loopbacks(routers: dict[str, Router], names: Names) -> None:
    held: dict[IPv4Address | IPv6Address, str] = {}
    used = {a for r in routers.values() for a in (r.loopback, r.loopback6)}
    for name in sorted(routers):
        router = routers[name]
        for address in (router.loopback, router.loopback6):
            if address in held:
                message = f"{address} is the loopback of '{held[address]}' and of '{name}'"
                expected = f"another one, such as loopback: [{_free(address, used)}]"
                names.faults.error("loopback", names.spots["router", name], message, expected)
            held.setdefault(address, name)


def circuits_of(root: Entry, routers: dict[str, Router], names: Names) -> list[Circuit]:
    """Return the circuits that can be told: wiring and `count` written out, latency and metrics derived."""
    found = []
    for plain in _listed(root.entries("circuits"), names) + _wired(root, routers):
        again = "a `name` for this one, or `count: n` for n alike"
        defined = names.define("circuit", plain.name, plain.spot, again)
        for key, kind in (("risks", "risk"), ("groups", "admin group")):
            for word in plain.entry.words(key):
                names.mention(kind, str(word.data), word.spot)
        circuit = _circuit(plain, root, routers, names.faults)
        if defined and circuit:
            found.append(circuit)
    if len(names.by_kind["admin group"]) > 32:
        last = names.by_kind["admin group"][32]
        spot = names.spots["admin group", last]
        names.faults.error("range", spot, f"'{last}' is the 33rd admin group", "at most 32 (RFC 3209 4.7.4)")
    return found


def candidates_of(prices: Entry, root: Entry, routers: dict[str, Router], names: Names) -> list[tuple[Circuit, Entry]]:
    """Return the circuits that could be built and can be told, each with its entry."""
    found = []
    for plain in _listed(prices.entries("candidates"), names):
        defined = names.define("candidate", plain.name, plain.spot, "a `name` for this one")
        circuit = _circuit(plain, root, routers, names.faults)
        if defined and circuit:
            found.append((circuit, plain.entry))
    return found


def _listed(entries: Iterable[Entry], names: Names) -> list[Plain]:
    plains = []
    for entry in entries:
        a, b = entry.word("a", str), entry.word("b", str)
        if a is None or b is None:
            continue
        if a == b:
            names.faults.error("self-loop", entry.at("b"), f"both ends are '{a}'", "two routers")
            continue
        name = entry.word("name", str) or "--".join(sorted((a, b)))
        spot = entry.at("name") if entry.has("name") else entry.spot
        count = entry.word("count", int)
        each = [name] if count is None else [f"{name}-{i}" for i in range(1, count + 1)]
        plains += [Plain(one, a, b, entry, spot) for one in each]
    return plains


def _wired(root: Entry, routers: dict[str, Router]) -> list[Plain]:
    plains = []
    for key, site in root.rows("sites"):
        wiring = site.entry("wiring") if isinstance(site, Entry) else None
        if wiring is None:
            continue
        local = sorted(r.name for r in routers.values() if r.site == key.data)
        for i, a in enumerate(local):
            others = (b for b in local[i + 1 :] if Role.BB in (routers[a].role, routers[b].role))
            plains += [Plain(f"{a}--{b}", a, b, wiring, wiring.spot) for b in others]
    return plains


def _circuit(plain: Plain, root: Entry, routers: dict[str, Router], faults: Faults) -> Circuit | None:
    entry = plain.entry
    capacity = entry.word("capacity", int)
    latency = _latency(plain, routers, faults)
    if capacity is None or latency is None or plain.a not in routers or plain.b not in routers:
        return None
    metric = _metrics(entry, "metric") or (_rule(root, capacity, latency, entry.spot, faults),) * 2
    te_metric = _metrics(entry, "te_metric") or metric
    members, least = entry.word("members", int) or 1, entry.word("min_links", int) or 1
    if least > members:
        faults.error(
            "min-links", entry.at("min_links"), f"{least} links of {members}", f"at most {members}, the members"
        )
    families = tuple(f for f in Family if f in entry.strings("families")) or tuple(Family)
    _check_families(entry, families, root, faults)
    return Circuit(
        plain.name,
        plain.a,
        plain.b,
        capacity,
        latency,
        *metric,
        *te_metric,
        _reservable(entry, capacity, faults),
        tuple(sorted(set(entry.strings("risks")))),
        tuple(sorted(set(entry.strings("groups")))),
        members,
        least,
        families,
    )


def _latency(plain: Plain, routers: dict[str, Router], faults: Faults) -> int | None:
    entry = plain.entry
    for key in ("latency", "length"):
        if entry.has(key):
            return entry.word(key, int)
    if plain.a not in routers or plain.b not in routers:
        return None
    if routers[plain.a].site == routers[plain.b].site:
        return LOCAL_LATENCY
    faults.error("missing-key", entry.spot, "`latency` or `length` is missing", "one of them, between two sites")
    return None


def _metrics(entry: Entry, key: str) -> tuple[int, int] | None:
    both = entry.entry(key)
    if both is not None:
        ab, ba = both.word("ab", int), both.word("ba", int)
        return (ab, ba) if ab is not None and ba is not None else None
    one = entry.word(key, int)
    return None if one is None else (one, one)


def _rule(root: Entry, capacity: int, latency: int, spot: Spot, faults: Faults) -> int:
    igp = root.entry("igp")
    value = igp.values.get("metric_rule") if igp else None
    rule = value.data if isinstance(value, Word) else "latency"
    if isinstance(rule, int):
        return rule
    metric = max(1, REFERENCE_RATE // capacity if rule == "capacity" else (latency + 5) // 10)
    if metric > MAX_METRIC:
        faults.error(
            "range", spot, f"igp.metric_rule gives the metric {metric}", f"at most {MAX_METRIC}: give `metric`"
        )
    return metric


def _reservable(entry: Entry, capacity: int, faults: Faults) -> int:
    given = entry.word("reservable", int)
    if given is None:
        return capacity
    value = capacity * -given // MILLION if given < 0 else given
    if value > capacity:
        faults.error(
            "reservable", entry.at("reservable"), f"{show_rate(value)} of {show_rate(capacity)}", "at most the capacity"
        )
    return value


def _check_families(entry: Entry, families: tuple[Family, ...], root: Entry, faults: Faults) -> None:
    igp = root.entry("igp")
    if igp is not None and igp.word("topology", str) == "multi":
        return
    if Family.V4 not in families:
        message = "a circuit without IPv4 in a single topology: IPv4 would be sent into it and lost"
        faults.error("families", entry.at("families"), message, "v4 among them, or `igp: {topology: multi}`")
    elif Family.V6 not in families:
        faults.warn(
            "families",
            entry.at("families"),
            "in a single topology IPv6 is sent into this circuit and lost",
            "`igp: {topology: multi}`",
        )
