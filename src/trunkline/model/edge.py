"""Prefix groups, peers with their ports, and data centres: from the typed file to nouns."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network
from typing import Any

from trunkline.model.draft import Draft
from trunkline.model.nouns import DEFAULT_GROUP, Announcement, Datacenter, Kind, Peer, Port, PrefixGroup, Role
from trunkline.model.topology import Topology
from trunkline.model.typed import BAD, Row

Prefixes = list[IPv4Network | IPv6Network]


@dataclass(frozen=True)
class Edge:
    """What was built, and the names of all groups, those that could not be built included."""

    groups: tuple[PrefixGroup, ...]
    peers: tuple[Peer, ...]
    datacenters: tuple[Datacenter, ...]


def build(draft: Draft, topology: Topology) -> Edge:
    """Return groups, peers and data centres, each sorted by name; problems go to the draft."""
    groups = [_group(draft, name, row) for name, row in draft.rows("prefix_groups")]
    if DEFAULT_GROUP in draft.section("prefix_groups"):
        what = f"'{DEFAULT_GROUP}' is the group of 0.0.0.0/0 and ::/0, made by `ibgp.fallback_default`"
        draft.error(f"prefix_groups.{DEFAULT_GROUP}", "conflict", what, "another name")
    named = set(draft.section("prefix_groups"))
    peers = [_peer(draft, topology, named, name, row) for name, row in draft.rows("peers")]
    datacenters = []
    for name, row in draft.rows("datacenters"):
        if name in named:
            what = f"data centre '{name}' makes a prefix group of its name, which `prefix_groups` has too"
            draft.error(row.path, "duplicate-name", what, "another name")
        datacenters.append(_datacenter(draft, topology, name, row))
        groups.append(_datacenter_group(draft, name, row))
    built = tuple(sorted(groups, key=lambda g: g.name))
    return Edge(built, tuple(p for p in peers if p is not None), tuple(datacenters))


def _group(draft: Draft, name: str, row: Row) -> PrefixGroup:
    counts, listed = [], []
    for key, kind in (("v4", IPv4Network), ("v6", IPv6Network)):
        given = row.get(key, 0)
        if isinstance(given, list):
            listed += _distinct(draft, row.at(key), [p if isinstance(p, kind) else BAD for p in given], given)
        elif isinstance(given, str):
            what = f"'{given}' is neither a number nor a list file"
            draft.error(row.at(key), "type", what, "a number, a list, or a file ending with .txt, .csv or .json")
        counts.append(len(given) if isinstance(given, list) else given if isinstance(given, int) else 0)
    if counts == [0, 0] and not row.bad:
        draft.error(row.path, "empty", f"prefix group '{name}' has no prefix", "v4, v6 or both")
    return PrefixGroup(name, counts[0], counts[1], tuple(sorted(listed, key=_order)))


def _distinct(draft: Draft, field: str, prefixes: list[Any], given: list[Any]) -> Prefixes:
    """Return the prefixes of a list; reports repeats and those of the other family."""
    found: Prefixes = []
    seen = set()
    for i, (prefix, raw) in enumerate(zip(prefixes, given, strict=True)):
        if prefix is BAD and raw is not BAD:
            draft.error(f"{field}[{i}]", "conflict", f"{raw} is of the other family")
        elif prefix in seen and prefix is not BAD:
            draft.error(f"{field}[{i}]", "duplicate-name", f"{prefix} is given twice")
        elif prefix is not BAD:
            seen.add(prefix)
            found.append(prefix)
    return found


def _order(prefix: IPv4Network | IPv6Network) -> tuple[int, int, int]:
    return prefix.version, int(prefix.network_address), prefix.prefixlen


def _peer(draft: Draft, topology: Topology, groups: Collection[str], name: str, row: Row) -> Peer | None:
    ports: list[Port] = []
    counted: dict[str, int] = {}
    shared = {**(draft.root.get("defaults") or {}).get("ports", {}), **row}
    for i, given in enumerate(row.get("at", [])):
        field = f"{row.at('at')}[{i}]"
        own: dict[str, Any] = given if isinstance(given, Row) else {"router": given}
        at = f"{field}.router" if isinstance(given, Row) else field
        router = own.get("router", BAD)
        if given is BAD or not draft.known(at, router, topology.routers, "router"):
            continue
        counted[router] = counted.get(router, 0) + 1
        port = _port(draft, topology, (name, router, counted[router]), {**shared, **own}, field)
        if port is not None:
            ports.append(port)
    at_routers = {p.router for p in ports}
    announced = [_announcement(draft, (row, at_routers, groups), i, a) for i, a in enumerate(row.get("announces", []))]
    if row.bad & {"kind", "asn"}:
        return None
    return Peer(
        name,
        Kind(row["kind"]),
        row["asn"],
        tuple(sorted(ports, key=lambda p: p.name)),
        tuple(
            _at_ports(a, ports)
            for a in sorted((a for a in announced if a is not None), key=lambda a: (a.group, a.path))
        ),
    )


def _port(
    draft: Draft, topology: Topology, which: tuple[str, str, int], values: dict[str, Any], field: str
) -> Port | None:
    peer, router, number = which
    if "port" not in values:
        what = f"the port's capacity is missing ({peer} at {router})"
        draft.error(field, "missing-key", what, "`port`, here, in the peer, or in `defaults.ports`")
        return None
    capacity, commit = values["port"], values.get("commit")
    if commit is not None and commit > capacity:
        draft.error(field, "conflict", f"commit is more than the port carries ({peer} at {router})")
    if topology.routers[router].role is not Role.PR:
        draft.warn(field, "port-role", f"peer '{peer}' has a port at '{router}', which is no PR")
    announced = values.get("announce_out")
    if announced is not None:
        announced = [r for r in announced if draft.known(field, r, topology.regions, "region")]
    suffix = "" if number == 1 else f"#{number}"
    return Port(
        f"{peer}@{router}{suffix}",
        peer,
        router,
        capacity,
        commit,
        values.get("local_pref"),
        values.get("med"),
        values.get("prepend_out", 0),
        values.get("med_out"),
        None if announced is None else tuple(sorted(set(announced))),
        values.get("weight", 1),
    )


def _announcement(draft: Draft, of: tuple[Row, set[str], Collection[str]], i: int, given: Any) -> Announcement | None:
    """Return what a peer says of a group; `at` still names routers."""
    peer, routers, groups = of
    field = f"{peer.at('announces')}[{i}]"
    row = given if isinstance(given, Row) else Row(field)
    at = row.at("group") if isinstance(given, Row) else field
    group = row.get("group", BAD) if isinstance(given, Row) else given
    known = draft.known(at, group, groups, "prefix group")
    path = row.get("path")
    if path is not None and "asn" in peer and BAD not in path and path[:1] != [peer["asn"]]:
        draft.error(row.at("path"), "conflict", "the AS path does not start with the peer's own AS", str(peer["asn"]))
    where: tuple[str, ...] | None = None
    if "at" in row:
        where = tuple(sorted(set(draft.all_known(row, "at", routers, "port of this peer at"))))
    if not known or "asn" not in peer or (path is not None and BAD in path):
        return None
    return Announcement(group, tuple(path or [peer["asn"]]), row.get("med"), row.get("origin", "igp"), where)


def _at_ports(announcement: Announcement, ports: list[Port]) -> Announcement:
    if announcement.at is None:
        return announcement
    names = tuple(sorted(p.name for p in ports if p.router in announcement.at))
    a = announcement
    return Announcement(a.group, a.path, a.med, a.origin, names)


def _datacenter(draft: Draft, topology: Topology, name: str, row: Row) -> Datacenter:
    site = row.get("site", BAD)
    draft.known(row.at("site"), site, draft.section("sites"), "site")
    if "attach" in row:
        attach = draft.all_known(row, "attach", topology.routers, "router")
        empty = not row["attach"]
    else:
        attach = [r.name for r in topology.routers.values() if r.site == site and r.role is Role.DR]
        empty = not attach and site in topology.sites and "attach" not in row.bad
    if empty:
        draft.error(
            row.path, "empty", f"data centre '{name}' is attached to no router", "`attach`, or a DR at its site"
        )
    return Datacenter(name, site if isinstance(site, str) else "", tuple(sorted(set(attach))))


def _datacenter_group(draft: Draft, name: str, row: Row) -> PrefixGroup:
    given = row.get("prefixes")
    if isinstance(given, list):
        listed = _distinct(draft, row.at("prefixes"), given, given)
        four = sum(p.version == 4 for p in listed)
        return PrefixGroup(name, four, len(listed) - four, tuple(sorted(listed, key=_order)))
    return _group(draft, name, given) if isinstance(given, Row) else PrefixGroup(name, 1, 1)
