"""The network: every noun of `model.nouns` in one frozen value.

A what-if is another `Network` (`under`), never an edit.  Tuples are sorted by name, so that the order of the file
never matters.  What a network converges to is `igp`, `bgp`, `te` and `traffic`'s to say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from trunkline.model.event import Setting
from trunkline.model.keys.words import MAX_METRIC
from trunkline.model.nouns import (
    DEFAULT_GROUP,
    MILLION,
    Circuit,
    Condition,
    Datacenter,
    Demand,
    Family,
    Ibgp,
    Igp,
    LinkNetwork,
    Lsp,
    Objective,
    Peer,
    Port,
    PrefixGroup,
    Router,
    Site,
    Te,
    TrafficClass,
)
from trunkline.model.prices import Prices
from trunkline.model.protection import Protection
from trunkline.model.rates import Failures


@dataclass(frozen=True, repr=False)
class Network:
    """A whole network.  Every tuple is sorted by name (LSPs by identity)."""

    regions: tuple[str, ...] = ()
    sites: tuple[Site, ...] = ()
    routers: tuple[Router, ...] = ()
    circuits: tuple[Circuit, ...] = ()
    groups: tuple[PrefixGroup, ...] = ()
    peers: tuple[Peer, ...] = ()
    datacenters: tuple[Datacenter, ...] = ()
    classes: tuple[TrafficClass, ...] = ()
    lsps: tuple[Lsp, ...] = ()
    demands: tuple[Demand, ...] = ()
    objectives: tuple[Objective, ...] = ()
    igp: Igp = field(default_factory=Igp)
    ibgp: Ibgp = field(default_factory=Ibgp)
    te: Te = field(default_factory=Te)
    links: tuple[LinkNetwork, ...] = ()
    failures: Failures = field(default_factory=Failures)
    protection: Protection = field(default_factory=Protection)
    prices: Prices | None = None
    lost: tuple[Router, ...] = ()
    """Routers that have failed: what was configured with them in mind stays so."""
    dark: frozenset[str] = frozenset()
    """Data centres and peers that have failed themselves, not only the routers and ports that they are reached by."""

    def __repr__(self) -> str:
        counted = ("sites", "routers", "circuits", "peers", "datacenters", "lsps", "demands")
        sizes = (f"{len(getattr(self, name)):,} {name}" for name in counted)
        return f"<Network: {', '.join(sizes)}>"

    @cached_property
    def router(self) -> dict[str, Router]:
        """Routers by name."""
        return {r.name: r for r in self.routers}

    @cached_property
    def circuit(self) -> dict[str, Circuit]:
        """Circuits by name."""
        return {c.name: c for c in self.circuits}

    @cached_property
    def group(self) -> dict[str, PrefixGroup]:
        """Prefix groups by name, data centres' included."""
        return {g.name: g for g in self.groups}

    @cached_property
    def peer(self) -> dict[str, Peer]:
        """Peers by name."""
        return {p.name: p for p in self.peers}

    @cached_property
    def datacenter(self) -> dict[str, Datacenter]:
        """Data centres by name."""
        return {d.name: d for d in self.datacenters}

    @cached_property
    def cls(self) -> dict[str, TrafficClass]:
        """Traffic classes by name."""
        return {c.name: c for c in self.classes}

    @cached_property
    def ports(self) -> tuple[Port, ...]:
        """Every peer's ports, by name."""
        return tuple(sorted((port for peer in self.peers for port in peer.ports), key=lambda p: p.name))

    @cached_property
    def port(self) -> dict[str, Port]:
        """Peer ports by name."""
        return {p.name: p for p in self.ports}

    def prefixes(self, group: str, family: Family) -> int:
        """How many prefixes of a family a group has; the default is one."""
        return self.group[group].count(family) if group != DEFAULT_GROUP else 1

    def names(self, thing: str) -> dict[str, frozenset[str]]:
        """What a name that can fail stands for: {"circuits", "routers", "ports"} -> names (empty: it names nothing).

        A name is a circuit, a card, a router, a peer port, a peer, a site, a region or a shared risk.
        """
        if "/" in thing:
            return self._card(thing)
        routers = {r.name for r in self.routers if thing in (r.name, r.site, r.region)}
        circuits = {c.name for c in self.circuits if thing == c.name or thing in c.risks}
        ports = {p.name for p in self.ports if thing in (p.name, p.peer)}
        return {"circuits": frozenset(circuits), "routers": frozenset(routers), "ports": frozenset(ports)}

    def _card(self, name: str) -> dict[str, frozenset[str]]:
        router = self.router.get(name.partition("/")[0])
        held = {thing for card in router.cards if card.name == name for thing in card.things} if router else set[str]()
        return {
            "circuits": frozenset(held & self.circuit.keys()),
            "routers": frozenset(),
            "ports": frozenset(held & self.port.keys()),
        }

    def without(self, *things: str) -> Network:
        """Return the network after these have failed; what hangs off a lost router is lost too.  Demands stay.

        `CIRCUIT:N` is N members of a bundle.  Raises KeyError with the name of what is not there; a site or region with
        nothing in it is there.
        """
        if bundles := [thing for thing in things if ":" in thing]:
            return self._thinned(bundles, self.without(*(thing for thing in things if ":" not in thing)))
        named = [self.names(thing) for thing in things]
        empty = {*self.regions, *(s.name for s in self.sites)}
        for thing, hit in zip(things, named, strict=True):
            if thing not in empty and not any(hit.values()):
                raise KeyError(thing)
        routers = frozenset().union(*(hit["routers"] for hit in named))
        circuits = frozenset().union(*(hit["circuits"] for hit in named))
        ports = frozenset().union(*(hit["ports"] for hit in named))
        dark = self.dark.union(*map(self._themselves, things))
        return replace(
            self,
            routers=tuple(r for r in self.routers if r.name not in routers),
            lost=(*self.lost, *(r for r in self.routers if r.name in routers)),
            circuits=tuple(c for c in self.circuits if c.name not in circuits and not {c.a, c.b} & routers),
            peers=tuple(_peer_without(p, routers, ports) for p in self.peers),
            dark=dark,
            datacenters=tuple(
                _datacenter_without(d, self.router if d.name in dark else routers) for d in self.datacenters
            ),
        )

    def _themselves(self, thing: str) -> Iterator[str]:
        """Data centres and peers that this is, or that stand where it is."""
        yield from (p.name for p in self.peers if p.name == thing)
        here = {site.name for site in self.sites if thing in (site.name, site.region)}
        yield from (d.name for d in self.datacenters if d.site in here)

    def has_end(self, name: str) -> bool:
        """Whether anything is up where traffic from or to a data centre, peer, prefix group or router begins or ends.

        A data centre whose routers are down is up itself: that nothing leads there is the network's doing.
        """
        if name in self.router or name in self.dark:
            return name not in self.dark
        peers = self._announcers.get(name)
        return not peers <= self.dark if peers else name not in {router.name for router in self.lost}

    @cached_property
    def _announcers(self) -> dict[str, set[str]]:
        """The peers that announce each group."""
        found: dict[str, set[str]] = defaultdict(set)
        for peer in self.peers:
            for announced in peer.announces:
                found[announced.group].add(peer.name)
        return dict(found)

    def _thinned(self, things: Iterable[str], rest: Network) -> Network:
        """The rest of this network after members of bundles, each `CIRCUIT:N`, have failed too."""
        circuits: dict[str, Circuit | None] = dict(rest.circuit)
        for thing in things:
            name, _, lost = thing.partition(":")
            if name not in self.circuit or not lost.isdecimal():
                raise KeyError(thing)
            circuit = circuits.get(name)
            circuits[name] = circuit.fewer(int(lost)) if circuit is not None else None
        return replace(rest, circuits=tuple(c for c in circuits.values() if c is not None))

    def with_overload(self, *routers: str) -> Network:
        """Return the network with the overload bit set on these routers."""
        for name in routers:
            if name not in self.router:
                raise KeyError(name)
        return replace(self, routers=tuple(replace(r, overload=True) if r.name in routers else r for r in self.routers))

    def with_graceful_shutdown(self, *routers: str) -> Network:
        """Return the network with the external sessions of these routers, and their data centres, being drained."""
        return replace(
            self, routers=tuple(replace(r, graceful_shutdown=True) if r.name in routers else r for r in self.routers)
        )

    def with_metric(self, *circuits: str) -> Network:
        """Return the network with the highest IS-IS metric on these circuits, both ways: the last resort."""
        return self._circuits_with(circuits, metric_ab=MAX_METRIC, metric_ba=MAX_METRIC)

    def with_te_metric(self, *circuits: str) -> Network:
        """Return the network with the highest TE metric on these circuits, both ways."""
        return self._circuits_with(circuits, te_metric_ab=MAX_METRIC, te_metric_ba=MAX_METRIC)

    def _circuits_with(self, names: Sequence[str], **fields: int) -> Network:
        return replace(self, circuits=tuple(replace(c, **fields) if c.name in names else c for c in self.circuits))  # type: ignore[arg-type]

    def with_stopped(self, *datacenters: str) -> Network:
        """Return the network without the traffic from and to these data centres: its demands are there, and empty."""
        demands = tuple(replace(d, rate=0) if {d.source, d.target} & {*datacenters} else d for d in self.demands)
        return replace(self, demands=demands)

    def scaled(
        self, factor_ppm: int, cls: str | None = None, source: str | None = None, target: str | None = None
    ) -> Network:
        """Return the network with demands (of a class, from a source, to a target) times factor, rounded half up."""

        def grown(d: Demand) -> Demand:
            hit = cls in (None, d.cls) and source in (None, d.source) and target in (None, d.target)
            return replace(d, rate=(d.rate * factor_ppm + MILLION // 2) // MILLION) if hit else d

        return replace(self, demands=tuple(grown(d) for d in self.demands))

    def under(self, condition: Condition) -> Network:
        """Return the network under a condition: growth first, then what is set on it, then what is down."""
        net = self
        for factor, cls, source, target in condition.growth:
            net = net.scaled(factor, cls, source, target)
        if condition.overloaded:
            net = net.with_overload(*sorted(condition.overloaded))
        for setting in Setting if condition.settings else ():
            net = _SETTERS[setting](net, *sorted(name for what, name in condition.settings if what == setting))
        return net.without(*sorted(condition.down)) if condition.down else net


_SETTERS = {
    Setting.TE_METRIC: Network.with_te_metric,
    Setting.METRIC: Network.with_metric,
    Setting.OVERLOAD: Network.with_overload,
    Setting.SHUTDOWN: Network.with_graceful_shutdown,
    Setting.STOPPED: Network.with_stopped,
}


def _peer_without(peer: Peer, routers: Container[str], ports: Container[str]) -> Peer:
    left = tuple(p for p in peer.ports if p.router not in routers and p.name not in ports)
    return peer if left == peer.ports else replace(peer, ports=left)


def _datacenter_without(datacenter: Datacenter, routers: Container[str]) -> Datacenter:
    left = tuple(r for r in datacenter.attach if r not in routers)
    return datacenter if left == datacenter.attach else replace(datacenter, attach=left)


def differing(now: Mapping[str, object], then: Mapping[str, object]) -> set[str]:
    """Return the names of what is other in one of these than in the other, or only in one."""
    return {name for name in {**now, **then} if now.get(name) != then.get(name)}
