"""Whole tables in the place of what a file's peers announce: prefixes that no router can tell apart become groups.

The groups that those peers announce in the file stay, for the traffic that is bound for them, with one prefix each.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from trunkline.bgp.alike import pattern
from trunkline.bgp.policy import told_apart
from trunkline.feeds.feed import Attributes, Feed, Int64
from trunkline.feeds.join import Bunch, grouped, joined
from trunkline.model.network import Network
from trunkline.model.nouns import Announcement, Family, Peer, PrefixGroup
from trunkline.model.problem import Problem, Problems, nearest
from trunkline.model.route import LOCAL_PREF, Route, imported

TABLE = "table"
"""What groups made of tables are called, with a number."""


@dataclass(frozen=True, eq=False)
class Table:
    """A feed and the ports where it is heard: all of a peer's, or one."""

    peer: str
    ports: tuple[str, ...]
    feed: Feed


def tables(net: Network, feeds: Mapping[str, Feed]) -> dict[str, Table]:
    """Return whose tables the feeds are; each is named after a peer, or after one of its ports (`peer@router`).

    A port's own table stands in the place of its peer's.  Raises Problems for a name that is neither.
    """
    found = {}
    alone = {name for name in feeds if name in net.port}
    for name, feed in sorted(feeds.items()):
        if name in net.port:
            found[name] = Table(net.port[name].peer, (name,), feed)
        elif name in net.peer:
            ports = tuple(p.name for p in net.peer[name].ports if p.name not in alone)
            found[name] = Table(name, ports, feed)
        else:
            message, near = f"no peer or port is named '{name}'", nearest(name, [*net.peer, *net.port])
            raise Problems([Problem("", 0, 0, "feed", message, "", "PEER=TABLE or PEER@ROUTER=TABLE", near)])
    return found


def announced(net: Network, feeds: Mapping[str, Feed]) -> Network:
    """Return the network whose peers announce these tables."""
    heard = tables(net, feeds)
    paths = _paths_that_may_be_shared(net, heard)
    known = replace(net, groups=(*net.groups, PrefixGroup(TABLE, 1, 1)))
    signatures = {name: _signature(known, table, paths[name]) for name, table in heard.items()}
    bunches = _alike(known, heard, grouped(joined(feeds), signatures))
    groups = [PrefixGroup(_name(n, len(bunches)), b.v4, b.v6) for n, b in enumerate(bunches)]
    said = {peer.name: list(_said(net, peer, heard, bunches, groups)) for peer in net.peers}
    fed = {table.peer for table in heard.values()}
    stand = {a.group for peer in net.peers if peer.name in fed for a in peer.announces}
    kept = [replace(g, v4=min(g.v4, 1), v6=min(g.v6, 1), prefixes=()) if g.name in stand else g for g in net.groups]
    return replace(
        net,
        groups=tuple(sorted((*kept, *groups), key=lambda g: g.name)),
        peers=tuple(replace(p, announces=(*p.announces, *said[p.name])) for p in net.peers),
    )


def _alike(net: Network, heard: Mapping[str, Table], bunches: tuple[Bunch, ...]) -> list[Bunch]:
    """Return the bunches with those put together that are decided alike (see `bgp.alike`): thousands become dozens."""
    look = told_apart(net)
    if not net.ibgp.rules and all(port.med is None for port in net.ports) and not any(p.imports for p in net.peers):
        heard = {name: replace(t, ports=t.ports[:1]) for name, t in heard.items()}  # all ports of a table say one thing
    found: dict[Hashable, Bunch] = {}
    for bunch in bunches:
        own: dict[str, list[Route]] = {}
        for name, index in bunch.attribute.items():
            for route in _entered(net, heard[name], heard[name].feed.attributes[index]):
                own.setdefault(route.router, []).append(route)
        key = pattern(own, look)
        same = found.get(key)
        found[key] = bunch if same is None else replace(same, v4=same.v4 + bunch.v4, v6=same.v6 + bunch.v6)
    return list(found.values())


def _entered(net: Network, table: Table, attributes: Attributes) -> Iterator[Route]:
    """Yield the routes that a table's entry makes at the ports where it is heard, after the peer's import rules.

    The group is one of the network's that no rule knows the name or the prefixes of, as are all that tables become.
    """
    peer = net.peer[table.peer]
    path = _path(peer, attributes)
    for port in (net.port[name] for name in table.ports):
        where = Family.V4, port.router, port.name, peer.kind, net.router[port.router].region
        preference = LOCAL_PREF[peer.kind] if port.local_pref is None else port.local_pref
        med = (attributes.med or 0) if port.med is None else port.med
        said = Route(TABLE, *where, preference, path, med, attributes.origin, attributes.communities)
        route = imported(net, said)
        if route is not None:
            yield route


def _name(number: int, count: int) -> str:
    return f"{TABLE}.{number + 1:0{len(str(count))}}"


def _said(
    net: Network, peer: Peer, heard: Mapping[str, Table], bunches: list[Bunch], groups: list[PrefixGroup]
) -> Iterator[Announcement]:
    mine = {name: table for name, table in heard.items() if table.peer == peer.name}
    for bunch, group in zip(bunches, groups, strict=True):
        for name, table in mine.items():
            if name in bunch.attribute:
                a = table.feed.attributes[bunch.attribute[name]]
                yield Announcement(group.name, _path(peer, a), a.med, a.origin, table.ports, a.communities)


def _path(peer: Peer, attributes: Attributes) -> tuple[int, ...]:
    """The AS path as the peer sends it: a table that was taken elsewhere begins with that collector's neighbour."""
    return attributes.path if attributes.path[:1] == (peer.asn,) else (peer.asn, *attributes.path)


def _signature(net: Network, table: Table, paths: dict[tuple[int, ...], int] | None) -> Int64:
    """Return a number for each of a feed's attributes, equal where no router tells them apart."""
    known: dict[Hashable, int] = {}
    peer = net.peer[table.peer]
    look = _rules_look(net, table)
    found = []
    for a in table.feed.attributes:
        path = None if paths is None else paths.setdefault(a.path, len(paths))
        key = (len(_path(peer, a)), a.origin, a.med or 0, path, look(a))
        found.append(known.setdefault(key, len(known)))
    return np.array(found, np.int64)


def _rules_look(net: Network, table: Table) -> Callable[[Attributes], Hashable]:
    """Return what rules make of a feed's attributes, at the peer's ports and between regions; nothing without rules."""
    if not (net.peer[table.peer].imports or net.ibgp.rules):
        return lambda attributes: ()
    tell = told_apart(net)

    def look(a: Attributes) -> Hashable:
        return tuple((r.port, r.local_pref, r.med, len(r.path), tell(r)) for r in _entered(net, table, a))

    return look


def _paths_that_may_be_shared(net: Network, heard: Mapping[str, Table]) -> dict[str, dict[tuple[int, ...], int] | None]:
    """Return, for every table, what numbers its paths, where another table's may be equal to them and it matters.

    Multipath asks for equal AS paths unless it is relaxed; paths of different neighbours are never equal.
    """
    found: dict[str, dict[tuple[int, ...], int] | None] = {}
    shared: dict[int, dict[tuple[int, ...], int]] = {}
    for name, table in heard.items():
        asn = net.peer[table.peer].asn
        others = any(net.peer[t.peer].asn == asn for other, t in heard.items() if other != name)
        found[name] = shared.setdefault(asn, {}) if others and not net.ibgp.as_path_relax else None
    return found
