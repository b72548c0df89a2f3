"""What an external session lets in and out, as route-map entries, and the lists that they match."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from trunkline.devices.device import Device, External
from trunkline.devices.policy import KIND, KINDS, REGION, Clause, community, number, tags
from trunkline.model.network import Network
from trunkline.model.nouns import Family, Kind
from trunkline.model.route import VERSION

NEVER = {
    4: ("0.0.0.0/0", "0.0.0.0/8 le 32", "10.0.0.0/8 le 32", "127.0.0.0/8 le 32", "169.254.0.0/16 le 32",
        "172.16.0.0/12 le 32", "192.168.0.0/16 le 32", "224.0.0.0/3 le 32", "0.0.0.0/0 ge 25"),
    6: ("::/0", "fc00::/7 le 128", "fe80::/10 le 128", "ff00::/8 le 128", "::/0 ge 49"),
}  # fmt: skip
"""What no peer may announce unless the file lists it: defaults, private space (RFC 1918, RFC 4193), and specifics;
`_ours` adds what is our own."""


@dataclass(frozen=True)
class Entry:
    """One entry of an import route-map."""

    number: int
    passes: bool
    says: str
    family: str = ""
    prefixes: str = ""
    """The name of the prefix list to match; empty matches everything."""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class PrefixList:
    """A prefix list: its name and `permit` lines."""

    name: str
    version: int
    lines: tuple[str, ...]


def name(e: External) -> str:
    """Return what the route-maps of a session are called after; its `@` keeps them apart from all other route-maps."""
    return e.port.name.replace("#", ":")  # in FRR `#` begins a comment


def imports(device: Device, e: External) -> tuple[Entry, ...]:
    """Return what comes in: the groups that the file lists by their prefixes, then whatever else is sane."""
    found: list[Entry] = []
    region = device.router.region

    def add(passes: bool, says: str, family: str = "", prefixes: str = "", group: str | None = None) -> None:
        marks = tags(device.net, e.peer.kind, region, e.peer.name, group) if passes else ()
        found.append(Entry(10 * (len(found) + 1), passes, says, family, prefixes, marks))

    for heard in e.heard:
        for family in Family:
            if heard.listed and heard.group.has(family):
                word = "ip" if family is Family.V4 else "ipv6"
                add(True, f"{heard.group.name}, {family}", word, f"group-{heard.group.name}-{family}", heard.group.name)
    unlisted = [h.group.name for h in e.heard if not h.listed]
    if unlisted:
        add(False, "never from outside", "ip", "never-v4")
        add(False, "never from outside", "ipv6", "never-v6")
        add(True, f"whatever else comes: {', '.join(unlisted)}", group=unlisted[0] if len(unlisted) == 1 else None)
    return tuple(found)


def exports(device: Device, e: External) -> tuple[Clause, ...]:
    """Return what goes out: our data centres and customers to everybody, everything to customers (RFC 7454 6)."""
    net = device.net

    def kind(of: Kind) -> str:
        return community(net, KIND, KINDS[of])

    found = [Clause(True, (kind(Kind.CUSTOMER),), "customer routes")]
    if e.port.announce_out is None:
        found.append(Clause(True, (kind(Kind.DATACENTER),), "datacenter routes"))
    for region in e.port.announce_out or ():
        carries = (kind(Kind.DATACENTER), community(net, REGION, number(region)))
        found.append(Clause(True, carries, f"datacenter routes of {region}"))
    if e.peer.kind is Kind.CUSTOMER:
        rest = (Kind.PEERING, Kind.TRANSIT, Kind.DEFAULT)
        found += [Clause(True, (kind(other),), f"{other} routes") for other in rest]
    return tuple(found)


def list_name(clause: Clause) -> str:
    """Return what the community list of a clause is called; a comma is in no name, so no two clauses share it."""
    return clause.says.replace(", ", ",").replace(" ", "-")


def lists(clauses: Iterable[Clause]) -> dict[str, tuple[str, ...]]:
    """Return every community list that some clause matches, by name."""
    found = {list_name(c): c.carries for c in clauses if c.carries}
    return dict(sorted(found.items()))


def as_path_lists(clauses: Iterable[Clause]) -> dict[str, str]:
    """Return every AS-path list that some clause matches, by name."""
    return dict(sorted((c.name, c.as_path) for c in clauses if c.as_path is not None))


def community_lists(clauses: Iterable[Clause]) -> dict[str, tuple[str, ...]]:
    """Return every list of communities of RFC 1997 that some clause matches, by name."""
    return dict(sorted((c.name, c.communities) for c in clauses if c.communities))


def rule_prefixes(clause: Clause) -> str:
    """Return what the prefix list of a clause is called; a colon is in no name of the file."""
    return f"{clause.name}:{clause.family}"


def _ours(net: Network, version: int) -> list[str]:
    """Return our data centres' prefixes and all inside them: heard from outside, they are a hijack (RFC 7454 6.1.4)."""
    prefixes = (p for d in net.datacenters for p in net.group[d.name].prefixes if p.version == version)
    return [f"{p} le {p.max_prefixlen}" if p.prefixlen < p.max_prefixlen else str(p) for p in prefixes]


def prefix_lists(device: Device, clauses: Iterable[Clause]) -> list[PrefixList]:
    """Return the prefix lists that are matched: one per listed group and family, what never comes in, and rules'."""
    found: dict[str, PrefixList] = {}
    for clause in clauses:
        if clause.family is not None:
            list_ = rule_prefixes(clause)
            lines = tuple(f"permit {r}" for r in clause.ranges)
            found[list_] = PrefixList(list_, VERSION[clause.family], lines)
    for e in device.externals:
        for entry in imports(device, e):
            version = 4 if entry.family == "ip" else 6
            if entry.prefixes.startswith("never"):
                lines = tuple(f"permit {line}" for line in (*NEVER[version], *_ours(device.net, version)))
                found[entry.prefixes] = PrefixList(entry.prefixes, version, lines)
        for heard in e.heard:
            for version in (4, 6):
                lines = tuple(f"permit {p}" for p in heard.group.prefixes if p.version == version)
                list_ = f"group-{heard.group.name}-v{version}"
                if lines:
                    found[list_] = PrefixList(list_, version, lines)
    return [found[key] for key in sorted(found)]
