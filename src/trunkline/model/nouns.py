"""What a network is made of: the nouns, frozen, and nothing else.

Bandwidths are int bit/s, times int microseconds, shares int parts per million.  Derived defaults (metrics, addresses,
priorities) are already filled in here; reading the file and filling them in is `model.load`'s work.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from trunkline.model.policy import PeerRule, PolicyRule

MILLION = 1_000_000
BILLION = 1_000_000_000
DEFAULT_GROUP = "default"
"""The prefix group of 0.0.0.0/0 and ::/0, which covers every other group."""


class Role(StrEnum):
    """What a router is for: data-centre, backbone or peering router."""

    DR = "dr"
    BB = "bb"
    PR = "pr"


class Kind(StrEnum):
    """Where a route comes from; regional policy decides by it."""

    TRANSIT = "transit"
    PEERING = "peering"
    CUSTOMER = "customer"
    DATACENTER = "datacenter"
    DEFAULT = "default"


class Family(StrEnum):
    """The two address families; each is routed, and may be forwarded, on its own."""

    V4 = "v4"
    V6 = "v6"


@dataclass(frozen=True)
class Site:
    """A place with coordinates (degrees; None where a source has none), in one region."""

    name: str
    region: str
    lat: float | None = None
    lon: float | None = None


@dataclass(frozen=True)
class Card:
    """A line card, `ROUTER/CARD`: the circuits and peer ports of its router that fail with it, by name."""

    name: str
    things: tuple[str, ...]


@dataclass(frozen=True)
class Router:
    """A router at a site.  `overload` is the IS-IS overload bit: reachable, but no transit (ISO 10589 7.2.8)."""

    name: str
    site: str
    region: str
    role: Role
    overload: bool
    loopback: IPv4Address
    loopback6: IPv6Address
    graceful_shutdown: bool = False
    """Whether its routes are to be used only where there are no others (RFC 8326)."""
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True)
class Circuit:
    """A point-to-point circuit between routers `a` and `b`, one IS-IS adjacency; metrics may differ by direction."""

    name: str
    a: str
    b: str
    capacity: int
    latency: int
    metric_ab: int
    metric_ba: int
    te_metric_ab: int
    te_metric_ba: int
    reservable: int
    risks: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    members: int = 1
    min_links: int = 1
    families: tuple[Family, ...] = (Family.V4, Family.V6)

    @property
    def member(self) -> int:
        """What one member of the bundle carries, bit/s: the largest single flow that fits."""
        return self.capacity // self.members

    def fewer(self, lost: int) -> Circuit | None:
        """Return the bundle with so many members less, None where fewer than `min_links` are left and it is down."""
        left = self.members - lost
        if left < self.min_links:
            return None
        shares = {name: getattr(self, name) * left // self.members for name in ("capacity", "reservable")}
        return replace(self, members=left, **shares)


@dataclass(frozen=True)
class PrefixGroup:
    """Prefixes that are announced together: how many of each family, and which ones where the file lists them."""

    name: str
    v4: int
    v6: int
    prefixes: tuple[IPv4Network | IPv6Network, ...] = ()

    def count(self, family: Family) -> int:
        """How many prefixes of this family the group has."""
        return self.v4 if family is Family.V4 else self.v6

    def has(self, family: Family) -> bool:
        """Whether the group has a prefix of this family."""
        return self.count(family) > 0


@dataclass(frozen=True)
class Announcement:
    """What a peer says of a group: AS path (the peer's own AS first), MED, origin, and at which ports."""

    group: str
    path: tuple[int, ...]
    med: int | None = None
    origin: str = "igp"
    at: tuple[str, ...] | None = None
    """Names of the ports where it is announced; None is all of them."""
    communities: tuple[str, ...] = ()


@dataclass(frozen=True)
class Port:
    """One external session of a peer at a router, and the port it runs over.

    `commit` is the rate paid for, bit/s.  `prepend_out` and `med_out` shape what the peer hears from us; `weight` is
    the stated share of inbound traffic among ports that tie.
    """

    name: str
    peer: str
    router: str
    capacity: int
    commit: int | None = None
    local_pref: int | None = None
    med: int | None = None
    prepend_out: int = 0
    med_out: int | None = None
    announce_out: tuple[str, ...] | None = None
    """Regions whose data centres are announced here; None is all of them."""
    weight: int = 1
    password: str | None = None
    """The name of the session's TCP-MD5 secret; secrets themselves are never in a network."""


@dataclass(frozen=True)
class Peer:
    """A neighbouring AS: a transit provider, a peer or a customer."""

    name: str
    kind: Kind
    asn: int
    ports: tuple[Port, ...]
    announces: tuple[Announcement, ...]
    imports: tuple[PeerRule, ...] = ()
    """Rules on what it says."""
    exports: tuple[PeerRule, ...] = ()
    """Rules on what it hears."""


@dataclass(frozen=True)
class Datacenter:
    """A data centre: the routers it is attached to originate the prefix group of the same name."""

    name: str
    site: str
    attach: tuple[str, ...]


@dataclass(frozen=True)
class TrafficClass:
    """A class of traffic: marking, queue, the priority of its LSPs, and whose LSPs it rides when its own are down.

    `weight` None is a strict queue, served before all weighted ones, higher `tc` first.  `fallback` names classes, or
    ends with `drop`; without `drop` the last resort is the IGP.
    """

    name: str
    dscp: int
    tc: int
    weight: int | None
    setup: int
    hold: int
    fallback: tuple[str, ...] = ()


@dataclass(frozen=True)
class Hop:
    """One hop of an explicit path: a router or a circuit, strict or loose (RFC 3209 4.3.3)."""

    name: str
    loose: bool = False


@dataclass(frozen=True)
class Lsp:
    """An RSVP-TE LSP.  Its identity, and every last tie-break, is (head, name).

    `bandwidth` None means: what the demands of its class aim at its tail.  `paths` are path options tried in order;
    the empty option is the dynamic path.  Affinities name admin groups (RFC 3209 4.7.4).
    """

    head: str
    name: str
    tail: str
    cls: str
    setup: int
    hold: int
    bandwidth: int | None
    include_any: tuple[str, ...] = ()
    include_all: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    hop_limit: int | None = None
    paths: tuple[tuple[Hop, ...], ...] = ((),)
    standby: str = "none"
    """A second path, disjoint and signalled in advance: `none`, `unreserved` or `reserved`."""

    @cached_property
    def id(self) -> str:
        """The identity as text, `head/name`."""
        return f"{self.head}/{self.name}"


@dataclass(frozen=True)
class Demand:
    """Traffic of one class from a source (data centre, router, peer or prefix group) to a destination.

    The destination is a data centre, a router or a prefix group.  `v6_ppm` is IPv6's part of the rate in parts per
    million; `largest_flow` the largest single flow in it, bit/s, where that is known.
    """

    name: str
    source: str
    target: str
    cls: str
    rate: int
    v6_ppm: int = 0
    largest_flow: int | None = None

    def rate_of(self, family: Family) -> int:
        """This family's part of the rate, bit/s; the remainder of the division is IPv4's."""
        six = self.rate * self.v6_ppm // MILLION
        return six if family is Family.V6 else self.rate - six


class Measure(StrEnum):
    """What an objective bounds."""

    UTILISATION = "utilisation"
    """Largest load over capacity of any circuit, ppm."""
    LOSS = "loss"
    """Undelivered part of a class's traffic, ppm."""
    LATENCY = "latency"
    """Largest one-way latency of a demand, microseconds."""
    PLACED = "placed"
    """LSPs of a class, both ends up, that are placed at the bandwidth they want, ppm: a lower bound."""
    SHORTEST = "shortest"
    """LSPs of a class, both ends up, that are on their shortest path, ppm: a lower bound."""
    CONFINED = "confined"
    """Both confinement proofs hold."""
    COMMIT = "commit"
    """Largest load over commit of any peer port, ppm."""
    AVAILABILITY = "availability"
    """Probability that the worst demand is fully served, ppb: a lower bound, which `availability` judges."""


@dataclass(frozen=True)
class Objective:
    """A bound that the network must keep; `cls` None is every class together."""

    name: str
    measure: Measure
    cls: str | None
    limit: int


@dataclass(frozen=True)
class Igp:
    """IS-IS: one topology for both families, or one each (RFC 5120)."""

    multi_topology: bool = False
    authentication: str | None = None
    """The name of the secret that signs hellos, LSPs and SNPs (RFC 5304, RFC 5310)."""


@dataclass(frozen=True)
class AddPath:
    """How many paths a router sends on a session (RFC 7911), by what the other end is to it.

    Each is `none`, `all`, `per-as` (the best of each neighbour AS), or a number N (the N best).
    """

    to_clients: str = "none"
    to_reflectors: str = "none"
    to_peers: str = "none"


@dataclass(frozen=True)
class IbgpSession:
    """One iBGP session of a design that lists them; `client` names the end that is the other's client, if any."""

    a: str
    b: str
    client: str | None = None


@dataclass(frozen=True)
class Ibgp:
    """The iBGP design and the decision process that stands in for what the RFC leaves open."""

    design: str = "regional"
    profile: str = "rfc"
    rules: tuple[PolicyRule, ...] = ()
    fallback_default: bool = False
    multipath: int = 8
    as_path_relax: bool = False
    asn: int = 64512
    """Our own AS number."""
    confine: bool | None = None
    """Whether transit routes stay in their region; None is what the design does: see `confines`."""
    reflectors: tuple[str, ...] = ()
    """Routers that reflect; none named is two of each region."""
    shared_cluster: bool = False
    """Whether the reflectors of a region share a CLUSTER_ID (RFC 4456 7), or each has its own."""
    add_path: AddPath = AddPath()
    best_external: bool = False
    """Whether a router whose best path may not be told tells the best that may (draft-ietf-idr-best-external)."""
    optimal: bool = False
    """Whether a reflector chooses for each client by the client's own IGP metrics (RFC 9107)."""
    sessions: tuple[IbgpSession, ...] = ()
    """Every session, where the design is `sessions`."""
    client_to_client: bool | None = None
    """Whether a reflector passes a client's routes to its other clients; None is what the design does."""

    @property
    def between_clients(self) -> bool:
        """Whether reflectors reflect from client to client: needless where clients mesh (RFC 4456 10)."""
        return self.design != "regional-rr" if self.client_to_client is None else self.client_to_client

    @property
    def confines(self) -> bool:
        """Whether transit routes stay in the region where they entered, unless a rule says otherwise."""
        return self.design in ("regional", "regional-rr") if self.confine is None else self.confine


@dataclass(frozen=True)
class Te:
    """How traffic takes to LSPs: IPv6 over them (`off`, `6pe`, `shortcuts`), and the split over parallel ones."""

    v6_over_lsp: str = "off"
    parallel: str = "bandwidth"


@dataclass(frozen=True)
class LinkNetwork:
    """The networks that the file pins for a circuit or a peer port; what is None follows from the name."""

    name: str
    v4: IPv4Network | None
    v6: IPv6Network | None


@dataclass(frozen=True)
class Condition:
    """What is out of order, by name, what is set, and how traffic has grown, in order: the state between events."""

    down: frozenset[str] = frozenset()
    overloaded: frozenset[str] = frozenset()
    settings: frozenset[tuple[str, str]] = frozenset()
    """(an `event.Setting`, a name)"""
    growth: tuple[tuple[int, str | None, str | None, str | None], ...] = ()
    """(factor in ppm, class or None, source or None, target or None)"""
