"""Prefix groups, peers, data centres and the settings of IS-IS, iBGP and TE from what was read."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network

from trunkline.model.document import Place, Spot
from trunkline.model.gather import Files, beside
from trunkline.model.names import Names
from trunkline.model.nouns import (
    DEFAULT_GROUP,
    AddPath,
    Announcement,
    Datacenter,
    Ibgp,
    IbgpSession,
    Igp,
    Kind,
    Peer,
    Port,
    PrefixGroup,
    Role,
    Router,
    Te,
)
from trunkline.model.read import Entry, Items, Word
from trunkline.model.rules import communities_of, peer_rules_of, policy_of
from trunkline.model.schema import PREFIX4, PREFIX6, Refused, Scalar
from trunkline.model.units import show_rate

Prefix = IPv4Network | IPv6Network


@dataclass(frozen=True)
class Given:
    """A group's prefixes as written: counts, and which ones where they are listed."""

    counts: tuple[int, int]
    listed: tuple[tuple[Prefix, Spot], ...] = ()


def groups_of(root: Entry, names: Names, files: Files) -> list[PrefixGroup]:
    """Return every prefix group, data centres' included."""
    groups = []
    owner: dict[Prefix, Spot] = {}
    given: list[tuple[str, Given]] = []
    for key, entry in root.rows("prefix_groups"):
        _define(names, "prefix group", key)
        if isinstance(entry, Entry):
            given.append((str(key.data), _given(entry, 0, files)))
    for key, entry in root.rows("datacenters"):
        _define(names, "data centre", key)
        value = entry.values.get("prefixes") if isinstance(entry, Entry) else None
        if isinstance(value, Items):
            listed = [(w.data, w.spot) for w in value.items if isinstance(w, Word) and isinstance(w.data, Prefix)]
            given.append((str(key.data), _counted(listed)))
        else:
            given.append((str(key.data), _given(value, 1, files) if isinstance(value, Entry) else Given((1, 1))))
    for name, one in given:
        for prefix, spot in one.listed:
            if prefix in owner:
                names.faults.error("prefix-twice", spot, f"{prefix} was given before, at {owner[prefix].place}")
            owner.setdefault(prefix, spot)
        prefixes = sorted((p for p, _ in one.listed), key=lambda p: (p.version, int(p.network_address), p.prefixlen))
        groups.append(PrefixGroup(name, *one.counts, tuple(prefixes)))
    return groups


def _define(names: Names, kind: str, key: Word) -> None:
    if key.data == DEFAULT_GROUP:
        names.faults.error(
            "name-clash", key.spot, f"'{DEFAULT_GROUP}' is the group of 0.0.0.0/0 and ::/0", "another name"
        )
    names.define(kind, str(key.data), key.spot)


def _counted(listed: list[tuple[Prefix, Spot]]) -> Given:
    four = sum(1 for prefix, _ in listed if prefix.version == 4)
    return Given((four, len(listed) - four), tuple(listed))


def _given(entry: Entry, default: int, files: Files) -> Given:
    counts = []
    listed: list[tuple[Prefix, Spot]] = []
    for key, scalar in (("v4", PREFIX4), ("v6", PREFIX6)):
        word = entry.values.get(key)
        if isinstance(word, Word) and isinstance(word.data, int):
            counts.append(word.data)
            continue
        if isinstance(word, Word):
            some = _prefix_file(word, scalar, files)
        else:
            some = [(w.data, w.spot) for w in entry.words(key) if isinstance(w.data, Prefix)]
        counts.append(len(some) if word is not None else default)
        listed += some
    return Given((counts[0], counts[1]), tuple(listed))


def _prefix_file(word: Word, scalar: Scalar, files: Files) -> list[tuple[Prefix, Spot]]:
    path = beside(word.spot.place.file, str(word.data))
    found: list[tuple[Prefix, Spot]] = []
    for number, line in enumerate((files.read(path, word.spot) or "").split("\n"), 1):
        text = line.partition("#")[0]
        spot = Spot(Place(path, number, len(text) - len(text.lstrip()) + 1), word.spot.field)
        if text.strip():
            try:
                prefix = scalar.read(text.strip())
            except Refused as error:
                files.faults.error(error.code, spot, error.message, error.expected)
            else:
                found += [(prefix, spot)] if isinstance(prefix, Prefix) else []
    return found


def peers_of(root: Entry, routers: dict[str, Router], names: Names) -> list[Peer]:
    """Return the peers that can be told."""
    peers = []
    ibgp = root.entry("ibgp")
    own = (ibgp.word("asn", int) if ibgp else None) or Ibgp().asn
    for key, entry in root.rows("peers"):
        name = str(key.data)
        names.define("peer", name, key.spot)
        if not isinstance(entry, Entry):
            continue
        kind, asn = entry.word("kind", str), entry.word("asn", int)
        if asn == own:
            names.faults.error("own-as", entry.at("asn"), f"{asn} is our own AS", "another one, or another `ibgp.asn`")
        ports = _ports(name, entry, routers, names)
        if kind is not None and asn is not None:
            peers.append(
                Peer(
                    name,
                    Kind(kind),
                    asn,
                    tuple(sorted(ports, key=lambda p: p.name)),
                    _announces(entry, (asn, own), ports, names),
                    peer_rules_of(entry, "import", own, names),
                    peer_rules_of(entry, "export", own, names),
                )
            )
    return peers


def _ports(peer: str, entry: Entry, routers: dict[str, Router], names: Names) -> list[Port]:
    found: list[tuple[Port, Spot]] = []
    for item in entry.items("at"):
        router = item.word("router", str) if isinstance(item, Entry) else item.data if isinstance(item, Word) else None
        port = _port(peer, str(router), item, entry, names) if router is not None else None
        if port is not None:
            found.append((port, item.spot))
            if router in routers and routers[str(router)].role is not Role.PR:
                names.faults.warn(
                    "port-role", item.spot, f"'{router}' is a {routers[str(router)].role}, and peers meet us at PRs"
                )
    found.sort(key=lambda f: (f[0].router, repr(f[0])))  # not by the file's order, so that names do not depend on it
    ports: list[Port] = []
    for port, spot in found:
        repeat = 1 + sum(1 for p in ports if p.router == port.router)
        name = port.name if repeat == 1 else f"{port.name}#{repeat}"
        names.define("port", name, spot)
        ports.append(Port(**{**vars(port), "name": name}))
    return ports


def _port(peer: str, router: str, item: object, entry: Entry, names: Names) -> Port | None:
    own = item if isinstance(item, Entry) else entry

    def source(key: str) -> Entry:
        return own if own.has(key) else entry

    def number(key: str) -> int | None:
        return source(key).word(key, int)

    capacity, commit = number("port"), number("commit")
    if capacity is None:
        if not source("port").has("port"):
            spot = item.spot if isinstance(item, Word | Entry) else entry.spot
            names.faults.error(
                "missing-key", spot, "`port` is missing", "the port's capacity here, at the peer or in `defaults.ports`"
            )
        return None
    if commit is not None and commit > capacity:
        names.faults.error(
            "commit",
            source("commit").at("commit"),
            f"a commit of {show_rate(commit)} on a port of {show_rate(capacity)}",
            "at most the port's capacity",
        )
    out = source("announce_out")
    weight = number("weight")
    return Port(
        f"{peer}@{router}",
        peer,
        router,
        capacity,
        commit,
        number("local_pref"),
        number("med"),
        number("prepend_out") or 0,
        number("med_out"),
        tuple(sorted(set(out.strings("announce_out")))) if out.has("announce_out") else None,
        1 if weight is None else weight,
        source("password").word("password", str),
    )


def _announces(entry: Entry, asns: tuple[int, int], ports: list[Port], names: Names) -> tuple[Announcement, ...]:
    found = []
    asn, own = asns
    for item in entry.items("announces"):
        if isinstance(item, Word):
            found.append(Announcement(str(item.data), (asn,)))
        group = item.word("group", str) if isinstance(item, Entry) else None
        if not isinstance(item, Entry) or group is None:
            continue
        path = tuple(w.data for w in item.words("path") if isinstance(w.data, int)) or (asn,)
        if path[0] != asn:
            names.faults.error(
                "as-path",
                item.at("path"),
                f"the path starts with {path[0]}",
                f"a path that starts with {asn}, the peer's own AS",
            )
        for word in item.words("at"):
            if names.known("router", str(word.data)) and word.data not in {p.router for p in ports}:
                names.faults.error(
                    "reference", word.spot, f"the peer has no port at '{word.data}'", "a router in its `at`"
                )
        at = tuple(sorted(p.name for p in ports if p.router in item.strings("at"))) if item.has("at") else None
        origin = item.word("origin", str) or "igp"
        carried = communities_of(item, own, names)
        found.append(Announcement(group, path, item.word("med", int), origin, at, carried))
    return tuple(sorted(found, key=lambda a: (a.group, repr(a))))


def datacenters_of(root: Entry, routers: dict[str, Router], names: Names) -> list[Datacenter]:
    """Return the data centres that can be told."""
    found = []
    for key, entry in root.rows("datacenters"):
        site = entry.word("site", str) if isinstance(entry, Entry) else None
        if not isinstance(entry, Entry) or site is None:
            continue
        local = sorted(r.name for r in routers.values() if r.site == site and r.role is Role.DR)
        attach = sorted(set(entry.strings("attach"))) if entry.has("attach") else local
        if not attach and names.known("site", site) and not entry.has("attach"):
            names.faults.error("attach", entry.spot, f"the site '{site}' has no DR to attach to", "`attach: [routers]`")
        found.append(Datacenter(str(key.data), site, tuple(attach)))
    return found


def settings_of(root: Entry, names: Names) -> tuple[Igp, Ibgp, Te]:
    """Return the settings of IS-IS, iBGP and TE."""
    igp, ibgp, te = root.entry("igp"), root.entry("ibgp"), root.entry("te")
    lanes = Te()
    if te is not None:
        lanes = Te(te.word("v6_over_lsp", str) or lanes.v6_over_lsp, te.word("parallel", str) or lanes.parallel)
    isis = Igp() if igp is None else Igp(igp.word("topology", str) == "multi", igp.word("authentication", str))
    return isis, Ibgp() if ibgp is None else _ibgp(ibgp, names), lanes


def _ibgp(ibgp: Entry, names: Names) -> Ibgp:
    base = Ibgp()
    sessions = _sessions(ibgp, names)
    design = ibgp.word("design", str) or base.design
    if ibgp.has("sessions") != (design == "sessions"):
        where = ibgp.at("sessions" if ibgp.has("sessions") else "design")
        names.faults.error("sessions", where, "`sessions` and `design: sessions` go together", "both or neither")
    return Ibgp(
        design,
        ibgp.word("profile", str) or base.profile,
        policy_of(ibgp, ibgp.word("asn", int) or base.asn, names),
        ibgp.word("fallback_default", bool) or False,
        ibgp.word("multipath", int) or base.multipath,
        ibgp.word("as_path_relax", bool) or False,
        ibgp.word("asn", int) or base.asn,
        ibgp.word("confine", bool),
        tuple(sorted(set(ibgp.strings("reflectors")))),
        ibgp.word("shared_cluster", bool) or False,
        _add_path(ibgp),
        ibgp.word("best_external", bool) or False,
        ibgp.word("optimal", bool) or False,
        sessions,
        ibgp.word("client_to_client", bool),
    )


def _add_path(ibgp: Entry) -> AddPath:
    several = ibgp.entry("add_path")
    if several is None:
        mode = ibgp.values.get("add_path")
        return AddPath(*[str(mode.data)] * 3) if isinstance(mode, Word) else AddPath()
    modes = (several.values.get(key) for key in ("to_clients", "to_reflectors", "to_peers"))
    return AddPath(*(str(mode.data) if isinstance(mode, Word) else "none" for mode in modes))


def _sessions(ibgp: Entry, names: Names) -> tuple[IbgpSession, ...]:
    found: dict[tuple[str, str], IbgpSession] = {}
    for entry in ibgp.entries("sessions"):
        a, b, client = (entry.word(key, str) for key in ("a", "b", "client"))
        if a is None or b is None:
            continue
        ends = (min(a, b), max(a, b))
        if a == b:
            names.faults.error("session-ends", entry.spot, f"a session of '{a}' with itself", "two routers")
        elif ends in found:
            names.faults.error("session-twice", entry.spot, f"'{a}' and '{b}' have a session already", "each pair once")
        elif client not in (None, a, b):
            names.faults.error("session-client", entry.at("client"), f"'{client}' is no end of it", f"'{a}' or '{b}'")
        found[ends] = IbgpSession(*ends, client)
    return tuple(found[ends] for ends in sorted(found))
