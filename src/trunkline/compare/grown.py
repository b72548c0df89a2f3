"""The same network with more routers: its sites copied, so that roles, regions and peers keep their proportions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from typing import Protocol, TypeVar

from trunkline.model.address import loopback, loopback6
from trunkline.model.network import Network
from trunkline.model.nouns import Announcement, Circuit, Datacenter, Peer, Router
from trunkline.model.problem import Problem, Problems

Copies = dict[str, list[int]]
"""The numbers of a site's copies; the original is none of them."""


def grown(net: Network, routers: int) -> Network:
    """Return the network with sites copied, by name and round after round, until it has at least that many routers.

    A copy has its site's routers, the circuits between them, and its circuits to other sites' originals; its peer ports
    and its data centres.  LSPs, demands and objectives are left out: growth is of designs, not of traffic.
    Raises Problems where there is no router to begin with, or one site alone: nothing would join its copies.
    """
    homes = {r.site for r in net.routers}
    if len(homes) < 2 and len(net.routers) < routers:
        what = "one site, and nothing would join its copies" if homes else "no router to copy"
        message = f"a network grows by copies of its sites, and this one has {what}"
        raise Problems([Problem("", 0, 0, "growth", message, "", "at least two sites with routers")])
    copies = _copies(net, routers)

    def of(site: str) -> Iterable[int]:
        return copies.get(site, ())

    site = {r.name: r.site for r in net.routers}
    more = [_router(r, n) for r in net.routers for n in of(r.site)]
    laid = [found for c in net.circuits for found in _circuits(c, site, copies)]
    centres = [_centre(d, n) for d in net.datacenters for n in of(d.site)]
    groups = [
        replace(net.group[d.name], name=f"{d.name}.{n}", prefixes=()) for d in net.datacenters for n in of(d.site)
    ]
    return replace(
        net,
        routers=_sorted(net.routers, more),
        circuits=_sorted(net.circuits, laid),
        peers=tuple(_peer(p, site, copies) for p in net.peers),
        datacenters=_sorted(net.datacenters, centres),
        groups=_sorted(net.groups, groups),
        lsps=(),
        demands=(),
        objectives=(),
        links=(),
    )


def _copies(net: Network, routers: int) -> Copies:
    size = {s.name: sum(r.site == s.name for r in net.routers) for s in net.sites}
    found: Copies = {}
    total = len(net.routers)
    taken = _numbers(net)
    in_turn = ((n, site) for n in count(2) if n not in taken for site in sorted(size) if size[site])
    while total < routers:
        number, site = next(in_turn)
        found.setdefault(site, []).append(number)
        total += size[site]
    return found


def _numbers(net: Network) -> set[int]:
    """The numbers that names have already after a dot: a copy of such a number could take another's name."""
    named: Iterable[_Named] = (*net.routers, *net.circuits, *net.groups, *net.ports)
    return {int(number) for one in named for number in re.findall(r"\.([0-9]+)", one.name)}


class _Named(Protocol):
    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=_Named)


def _sorted(old: Iterable[T], new: Iterable[T]) -> tuple[T, ...]:
    return tuple(sorted([*old, *new], key=lambda one: one.name))


def _router(router: Router, number: int) -> Router:
    name = f"{router.name}.{number}"
    return replace(router, name=name, loopback=loopback(name), loopback6=loopback6(name))


def _circuits(circuit: Circuit, site: dict[str, str], copies: Copies) -> Iterator[Circuit]:
    a, b = circuit.a, circuit.b
    if site[a] == site[b]:
        for n in copies.get(site[a], ()):
            yield replace(circuit, name=f"{circuit.name}.{n}", a=f"{a}.{n}", b=f"{b}.{n}")
        return
    for n in copies.get(site[a], ()):
        yield replace(circuit, name=f"{circuit.name}.{n}.a", a=f"{a}.{n}")
    for n in copies.get(site[b], ()):
        yield replace(circuit, name=f"{circuit.name}.{n}.b", b=f"{b}.{n}")


def _centre(centre: Datacenter, number: int) -> Datacenter:
    return replace(centre, name=f"{centre.name}.{number}", attach=tuple(f"{r}.{number}" for r in centre.attach))


def _peer(peer: Peer, site: dict[str, str], copies: Copies) -> Peer:
    ports = list(peer.ports)
    twins: dict[str, list[str]] = {}
    for port in peer.ports:
        for n in copies.get(site[port.router], ()):
            ports.append(replace(port, name=f"{port.name}.{n}", router=f"{port.router}.{n}"))
            twins.setdefault(port.name, [port.name]).append(ports[-1].name)

    def said(one: Announcement) -> Announcement:
        if one.at is None:
            return one
        return replace(one, at=tuple(sorted(name for at in one.at for name in twins.get(at, [at]))))

    return replace(
        peer, ports=tuple(sorted(ports, key=lambda p: p.name)), announces=tuple(said(a) for a in peer.announces)
    )
