"""Who has an iBGP session with whom, and what each end is to the other: the designs (RFC 4271 9.2, RFC 4456).

`regional` and `full-mesh` are one mesh; `route-reflector` has clients and no other mesh than the reflectors' own;
`regional-rr` meshes each region and lets reflectors carry routes between regions; `sessions` is the file's own list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import groupby

from trunkline.model.network import Network
from trunkline.model.nouns import Ibgp, Role

REFLECTORS = 2
"""How many reflectors a region gets where the file names none: its first BBs by name, or else its first routers."""


class Relation(StrEnum):
    """What the other end of a session is to a router."""

    CLIENT = "client"
    REFLECTOR = "reflector"
    PEER = "peer"
    """A non-client peer (RFC 4456 5)."""


@dataclass(frozen=True)
class Sessions:
    """Every iBGP session, compactly: meshes whose members all peer, and each reflector's clients."""

    meshes: tuple[frozenset[str], ...] = ()
    clients: Mapping[str, frozenset[str]] = field(default_factory=dict)
    clusters: Mapping[str, int] = field(default_factory=dict)
    """The CLUSTER_ID of each reflector."""
    between_clients: bool = True
    """Whether a reflector passes one client's routes to its other clients."""

    @cached_property
    def _meshed(self) -> dict[str, frozenset[str]]:
        """Who is in a mesh with a router, itself included."""
        found: dict[str, frozenset[str]] = {}
        for mesh in self.meshes:
            for router in mesh:
                found[router] = found[router] | mesh if router in found else mesh
        return found

    @cached_property
    def _reflectors_of(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for reflector, clients in self.clients.items():
            for client in clients:
                found.setdefault(client, set()).add(reflector)
        return found

    def relation(self, router: str, other: str) -> Relation | None:
        """Return what `other` is to `router`, None where they have no session."""
        if other in self.clients.get(router, ()):
            return Relation.CLIENT
        if router in self.clients.get(other, ()):
            return Relation.REFLECTOR
        return Relation.PEER if other != router and other in self._meshed.get(router, ()) else None

    def neighbours(self, router: str) -> set[str]:
        """Return the routers that this one has a session with."""
        found: set[str] = {*self._meshed.get(router, ()), *self.clients.get(router, ())}
        return (found | self._reflectors_of.get(router, set())) - {router}

    @property
    def reflects(self) -> bool:
        """Whether any router is a reflector with clients."""
        return any(self.clients.values())


def sessions(net: Network) -> Sessions:
    """Return the sessions of the network's own design, between the routers that are there.

    A failure moves nothing: reflectors are those of the whole network, and their clients look for no others.
    """
    if not net.lost:
        return _designed(net)
    whole = tuple(sorted((*net.routers, *net.lost), key=lambda r: r.name))
    found = _designed(replace(net, routers=whole, lost=()))
    here = frozenset(net.router)
    meshes = tuple(left for mesh in found.meshes if len(left := mesh & here) > 1)
    clients = {r: clients & here for r, clients in found.clients.items() if r in here}
    return replace(found, meshes=meshes, clients=clients)


def paths_to(ibgp: Ibgp, relation: Relation) -> str:
    """Return how many paths a session to such a neighbour carries, in the words of `AddPath`."""
    match relation:
        case Relation.CLIENT:
            return ibgp.add_path.to_clients
        case Relation.REFLECTOR:
            return ibgp.add_path.to_reflectors
        case Relation.PEER:
            return ibgp.add_path.to_peers


def _designed(net: Network) -> Sessions:
    everyone = frozenset(net.router)
    match net.ibgp.design:
        case "regional" | "full-mesh":
            return _sessions(net, (everyone,), {})
        case "route-reflector":
            clients = _clients(net)
            return _sessions(net, (frozenset(clients),), clients)
        case "regional-rr":
            clients = _clients(net)
            regions = (frozenset(r.name for r in net.routers if r.region == region) for region in net.regions)
            inside = (region - set(clients) for region in regions)
            return _sessions(net, (frozenset(clients), *inside), clients)
        case _:
            return _listed(net)


def _sessions(net: Network, meshes: Iterable[frozenset[str]], clients: Mapping[str, frozenset[str]]) -> Sessions:
    shared = {region: min(rs) for region, rs in _by_region(net, clients).items()} if net.ibgp.shared_cluster else {}
    clusters = {r: int(net.router[shared.get(net.router[r].region, r)].loopback) for r in clients}
    return Sessions(tuple(m for m in meshes if len(m) > 1), dict(clients), clusters, net.ibgp.between_clients)


def _by_region(net: Network, routers: Iterable[str]) -> dict[str, list[str]]:
    def region(router: str) -> str:
        return net.router[router].region

    return {key: list(found) for key, found in groupby(sorted(routers, key=lambda r: (region(r), r)), region)}


def _clients(net: Network) -> dict[str, frozenset[str]]:
    """Return each reflector's clients: the other routers of its region, and those of regions without a reflector."""
    named = [r for r in net.ibgp.reflectors if r in net.router]
    chosen = _by_region(net, named) if net.ibgp.reflectors else {r: _first(net, r) for r in net.regions}
    reflectors = sorted(r for found in chosen.values() for r in found)
    clients: dict[str, set[str]] = {r: set() for r in reflectors}
    for router in net.routers:
        if router.name not in clients:
            for reflector in chosen.get(router.region) or reflectors:
                clients[reflector].add(router.name)
    return {r: frozenset(found) for r, found in clients.items()}


def _first(net: Network, region: str) -> list[str]:
    here = [r for r in net.routers if r.region == region]
    backbone = [r for r in here if r.role is Role.BB]
    return [r.name for r in (backbone or here)[:REFLECTORS]]


def _listed(net: Network) -> Sessions:
    meshes = []
    clients: dict[str, set[str]] = {}
    for one in net.ibgp.sessions:
        if not {one.a, one.b} <= set(net.router):
            continue
        if one.client is None:
            meshes.append(frozenset((one.a, one.b)))
        else:
            clients.setdefault(one.b if one.client == one.a else one.a, set()).add(one.client)
    return _sessions(net, meshes, {r: frozenset(found) for r, found in sorted(clients.items())})
