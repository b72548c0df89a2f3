"""The network: every noun of `model.nouns` in one frozen value.

A what-if is another `Network` (`under`), never an edit.  Tuples are sorted by name, so that the order of the file
never matters.  What a network converges to is `igp`, `bgp`, `te` and `traffic`'s to say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

from trunkline.model.nouns import (
    DEFAULT_GROUP,
    MILLION,
    Circuit,
    Condition,
    Datacenter,
    Demand,
    Failures,
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
    lost: tuple[Router, ...] = ()
    """Routers that have failed: what was configured with them in mind stays so."""

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

        A name is a circuit, a router, a peer port, a peer, a site, a region or a shared risk.
        """
        routers = {r.name for r in self.routers if thing in (r.name, r.site, r.region)}
        circuits = {c.name for c in self.circuits if thing == c.name or thing in c.risks}
        ports = {p.name for p in self.ports if thing in (p.name, p.peer)}
        return {"circuits": frozenset(circuits), "routers": frozenset(routers), "ports": frozenset(ports)}

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
        return replace(
            self,
            routers=tuple(r for r in self.routers if r.name not in routers),
            lost=(*self.lost, *(r for r in self.routers if r.name in routers)),
            circuits=tuple(c for c in self.circuits if c.name not in circuits and not {c.a, c.b} & routers),
            peers=tuple(_peer_without(p, routers, ports) for p in self.peers),
            datacenters=tuple(
                replace(d, attach=tuple(r for r in d.attach if r not in routers)) for d in self.datacenters
            ),
        )

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

    def scaled(
        self, factor_ppm: int, cls: str | None = None, source: str | None = None, target: str | None = None
    ) -> Network:
        """Return the network with demands (of a class, from a source, to a target) times factor, rounded half up."""

        def grown(d: Demand) -> Demand:
            hit = cls in (None, d.cls) and source in (None, d.source) and target in (None, d.target)
            return replace(d, rate=(d.rate * factor_ppm + MILLION // 2) // MILLION) if hit else d

        return replace(self, demands=tuple(grown(d) for d in self.demands))

    def under(self, condition: Condition) -> Network:
        """Return the network under a condition: growth first, then overload, then what is down."""
        net = self
        for factor, cls, source, target in condition.growth:
            net = net.scaled(factor, cls, source, target)
        if condition.overloaded:
            net = net.with_overload(*sorted(condition.overloaded))
        return net.without(*sorted(condition.down)) if condition.down else net


def _peer_without(peer: Peer, routers: Iterable[str], ports: Iterable[str]) -> Peer:
    gone = set(routers), set(ports)
    return replace(peer, ports=tuple(p for p in peer.ports if p.router not in gone[0] and p.name not in gone[1]))
