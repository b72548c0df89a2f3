"""A router as every network operating system has to be told it: interfaces, sessions, what it originates.

Computed once from the network; renderers only spell it.  The lab wires the same interfaces.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface, IPv6Network, ip_network

from trunkline.bgp.design import Relation, Sessions, paths_to, sessions
from trunkline.devices.addresses import Ends, links, listed
from trunkline.model.network import Network
from trunkline.model.nouns import Circuit, Family, Kind, Peer, Port, PrefixGroup, Router
from trunkline.model.problem import Problem, Problems
from trunkline.model.route import LOCAL_PREF

INTERFACE = 15
"""The longest name of an interface (Linux IFNAMSIZ less the terminator)."""
HEADROOM = 5, 4
"""A session is closed at 5/4 of the prefixes that the file says its peer announces, and `LEAST` more."""
LEAST = 10
MOST_PREFIXES = 2**32 - 1
"""What routers can count."""
RESERVED = ("lo", "all", "default")
"""What no interface may be called on Linux: the loopback is, and two stand for interfaces in sysctl names."""


@dataclass(frozen=True)
class Interface:
    """One end of a circuit.  Rates in bit/s; `groups` are bit positions of admin groups."""

    name: str
    circuit: Circuit
    far: str
    v4: IPv4Interface
    v6: IPv6Interface
    metric: int
    te_metric: int
    groups: tuple[int, ...]

    @property
    def families(self) -> tuple[Family, ...]:
        """The families that cross it."""
        return self.circuit.families


@dataclass(frozen=True)
class Heard:
    """What a peer announces over a session: a group, with its prefixes where the file lists them."""

    group: PrefixGroup
    listed: bool
    """Whether the file lists the prefixes; otherwise whatever comes is taken for the group."""


@dataclass(frozen=True)
class External:
    """An external session: our end of the port, the peer's, and what comes in."""

    interface: str
    port: Port
    peer: Peer
    here4: IPv4Interface
    there4: IPv4Address
    here6: IPv6Interface
    there6: IPv6Address
    heard: tuple[Heard, ...]
    local_pref: int

    def limit(self, family: Family) -> int:
        """How many prefixes of a family are taken before the session is closed."""
        counts = (h.group.v4 if family == Family.V4 else h.group.v6 for h in self.heard)
        over, under = HEADROOM
        return min(sum(counts) * over // under + LEAST, MOST_PREFIXES)


@dataclass(frozen=True)
class PeerGroup:
    """The iBGP neighbours of one region that are the same to a router, and so are told alike."""

    relation: Relation
    region: str
    routers: tuple[Router, ...]

    @property
    def name(self) -> str:
        """What it is called: no region's name has a `+`, so no two are called the same."""
        return self.region if self.relation is Relation.PEER else f"{self.region}+{self.relation}s"


@dataclass(frozen=True)
class Device:
    """A router with everything that it is told."""

    router: Router
    net: Network
    interfaces: tuple[Interface, ...]
    externals: tuple[External, ...]
    originated: tuple[PrefixGroup, ...]
    """The data centres attached here, with their prefixes."""
    sessions: Sessions
    """The iBGP sessions of the whole network."""

    @property
    def name(self) -> str:
        """The router's name."""
        return self.router.name

    @cached_property
    def peer_groups(self) -> tuple[PeerGroup, ...]:
        """Every router that this one has an iBGP session with, by region and by what it is to this one."""
        found: dict[tuple[str, Relation], list[Router]] = {}
        for other in self.net.routers:
            relation = self.sessions.relation(self.name, other.name)
            if relation is not None:
                found.setdefault((other.region, relation), []).append(other)
        return tuple(PeerGroup(relation, region, tuple(rs)) for (region, relation), rs in sorted(found.items()))

    @property
    def cluster(self) -> IPv4Address | None:
        """The CLUSTER_ID of a router that reflects (RFC 4456 7), None of any other."""
        reflects = self.sessions.clients.get(self.name)
        return IPv4Address(self.sessions.clusters[self.name]) if reflects else None

    def paths_to(self, group: PeerGroup) -> str:
        """How many paths of a prefix a peer group is told (`AddPath`)."""
        return paths_to(self.net.ibgp, group.relation)

    @property
    def fallback(self) -> tuple[External, ...]:
        """The transit sessions on whose routes the fallback default depends; none where there is no such default."""
        transits = tuple(e for e in self.externals if e.peer.kind is Kind.TRANSIT and e.heard)
        return transits if self.net.ibgp.fallback_default else ()

    @property
    def area_system(self) -> str:
        """The IS-IS NET (ISO 10589 7.1): area 49.0001, the loopback's twelve digits as the system id."""
        digits = "".join(f"{int(part):03d}" for part in str(self.router.loopback).split("."))
        return f"49.0001.{digits[:4]}.{digits[4:8]}.{digits[8:]}.00"


def devices(net: Network) -> dict[str, Device]:
    """Return every router as a device, by name.  Raises Problems where addresses or interface names collide."""
    ends = links(net)
    groups = {g.name: listed(g) if g.name in net.datacenter else g for g in net.groups}
    _check_prefixes(net, groups)
    who = sessions(net)
    bits = {name: i for i, name in enumerate(sorted({g for c in net.circuits for g in c.groups}))}
    found = {}
    for router in net.routers:
        inside = tuple(
            _interface(c, router.name, ends[c.name], bits) for c in net.circuits if router.name in (c.a, c.b)
        )
        outside = tuple(_external(net, p, ends[p.name], groups) for p in net.ports if p.router == router.name)
        own = tuple(groups[d.name] for d in net.datacenters if router.name in d.attach)
        _check_names(router.name, [*(i.name for i in inside), *(e.interface for e in outside)])
        found[router.name] = Device(router, net, inside, outside, own, who)
    return found


def _interface(circuit: Circuit, router: str, ends: Ends, bits: dict[str, int]) -> Interface:
    side = 0 if router == circuit.a else 1
    far = circuit.b if side == 0 else circuit.a
    metrics = (circuit.metric_ab, circuit.te_metric_ab) if side == 0 else (circuit.metric_ba, circuit.te_metric_ba)
    groups = tuple(sorted(bits[g] for g in circuit.groups))
    name = f"to-{far}" if circuit.name == "--".join(sorted((circuit.a, circuit.b))) else circuit.name
    return Interface(_short(name, circuit.name), circuit, far, ends.v4[side], ends.v6[side], *metrics, groups)


def _short(wanted: str, name: str) -> str:
    """A name that may be: the one wanted, or one that follows from the thing's own name."""
    return (
        wanted if len(wanted) <= INTERFACE and wanted not in RESERVED else "if-" + sha256(name.encode()).hexdigest()[:8]
    )


def _external(net: Network, port: Port, ends: Ends, groups: dict[str, PrefixGroup]) -> External:
    peer = net.peer[port.peer]
    said = [a.group for a in peer.announces if a.at is None or port.name in a.at]
    heard = tuple(Heard(groups[name], bool(net.group[name].prefixes)) for name in dict.fromkeys(said))
    pref = port.local_pref if port.local_pref is not None else LOCAL_PREF[peer.kind]
    suffix = port.name.partition("#")[2]
    interface = _short(f"{port.peer}{'-' + suffix if suffix else ''}", port.name)
    here, there = ends.v4, ends.v6
    return External(interface, port, peer, here[0], here[1].ip, there[0], there[1].ip, heard, pref)


def _check_names(router: str, names: list[str]) -> None:
    twice = sorted(name for name, n in Counter(names).items() if n > 1)
    if twice:
        message = f"two interfaces of '{router}' would be called '{twice[0]}'"
        raise Problems([Problem("", 0, 0, "interface", message, "", "another name for one of them")])


def _check_prefixes(net: Network, groups: dict[str, PrefixGroup]) -> None:
    """Raise Problems where a prefix that stands for one group is another's too, or is a router's loopback."""
    loopbacks = {ip_network(a): r.name for r in net.routers for a in (r.loopback, r.loopback6)}
    owner: dict[IPv4Network | IPv6Network, str] = {}
    for name, group in sorted(groups.items(), key=lambda item: (not net.group[item[0]].prefixes, item[0])):
        for prefix in group.prefixes:
            if prefix in loopbacks:
                message = f"{prefix} of '{name}' is the loopback of '{loopbacks[prefix]}'"
                raise Problems([Problem("", 0, 0, "prefix-twice", message, "", "another prefix, or another loopback")])
            if owner.setdefault(prefix, name) != name:
                message = f"{prefix} would stand for '{name}', and '{owner[prefix]}' has it"
                raise Problems([Problem("", 0, 0, "prefix-twice", message, "", f"the prefixes of '{name}' listed")])
