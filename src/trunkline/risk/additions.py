"""What could be added to a network where failures cost it most, each tried on the whole network.

A new circuit shares no risk with anything; a new router is beside another one, wired alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from trunkline.model.address import loopback, loopback6
from trunkline.model.network import Network
from trunkline.model.nouns import Circuit, Peer, Port, Role

NEW = "-new"
"""What the name of something new ends with."""


@dataclass(frozen=True)
class Addition:
    """A network with something added, `what` it is, and of or beside which thing."""

    what: str
    thing: str
    net: Network


def additions(net: Network, hurting: Iterable[tuple[str, ...]]) -> Iterator[Addition]:
    """Yield what could be added where these things fail, in their order: for each thing of them, each once.

    A circuit beside a circuit, its risk shared no more, a router beside a router, another port of a port's peer.
    """
    things = dict.fromkeys(thing.partition(":")[0] for down in hurting for thing in down)
    risks = dict.fromkeys(risk for thing in things if thing in net.circuit for risk in net.circuit[thing].risks)
    for thing in things:
        if thing in net.circuit:
            circuit = net.circuit[thing]
            yield Addition("circuit", thing, with_circuit(net, circuit, circuit.a, circuit.b))
        elif thing in net.router:
            yield Addition("router", thing, with_router(net, thing))
        elif thing in net.port:
            yield Addition("port", thing, with_port(net, net.port[thing]))
    for risk in risks:
        sharing = [c for c in net.circuits if risk in c.risks]
        if len(sharing) > 1:
            yield Addition("diversity", risk, _apart(net, risk, sharing[0]))


def _apart(net: Network, risk: str, first: Circuit) -> Network:
    """The network in which only the first of the circuits that share a risk has it."""
    moved = [c for c in net.circuits if risk in c.risks and c is not first]
    kept = {c.name: replace(c, risks=tuple(r for r in c.risks if r != risk)) for c in moved}
    made = replace(net, circuits=tuple(kept.get(c.name, c) for c in net.circuits))
    return _failing_alike(made, net, {name: name for name in kept})


def with_circuit(net: Network, circuit: Circuit, a: str, b: str) -> Network:
    """Return the network with a circuit like another one between two routers, sharing no risk."""
    new = replace(circuit, name=_unused(net, circuit.name), a=a, b=b, risks=())
    made = replace(net, circuits=tuple(sorted((*net.circuits, new), key=lambda c: c.name)))
    return _failing_alike(made, net, {circuit.name: new.name})


def with_router(net: Network, name: str) -> Network:
    """Return the network with a router beside another: its role, circuits, ports and data centres once more."""
    own = _unused(net, name)
    new = replace(net.router[name], name=own, loopback=loopback(own), loopback6=loopback6(own))
    made = replace(net, routers=tuple(sorted((*net.routers, new), key=lambda r: r.name)))
    made = _failing_alike(made, net, {name: own})
    for c in net.circuits:
        if name in (c.a, c.b):
            made = with_circuit(made, c, *(own if end == name else end for end in (c.a, c.b)))
    for port in (p for p in net.ports if p.router == name):
        made = _with_port(made, port, own)
    homes = (replace(d, attach=tuple(sorted((*d.attach, own)))) if name in d.attach else d for d in net.datacenters)
    return replace(made, datacenters=tuple(homes))


def with_port(net: Network, port: Port) -> Network:
    """Return the network with another port of a peer: at another PR of the region that has none, else at the same."""
    own = {p.router for p in net.peer[port.peer].ports}
    region = net.router[port.router].region
    others = [r.name for r in net.routers if r.role is Role.PR and r.region == region and r.name not in own]
    return _with_port(net, port, others[0] if others else port.router)


def _with_port(net: Network, port: Port, router: str) -> Network:
    number = 1 + sum(p.router == router for p in net.peer[port.peer].ports)
    new = replace(port, router=router, name=f"{port.peer}@{router}" + (f"#{number}" if number > 1 else ""))
    peers = (_heard(peer, port, new) if peer.name == port.peer else peer for peer in net.peers)
    return _failing_alike(replace(net, peers=tuple(peers)), net, {port.name: new.name})


def _heard(peer: Peer, port: Port, new: Port) -> Peer:
    """The peer with a new port, where it announces what it does at the other one."""
    said = (replace(a, at=(*a.at, new.name)) if a.at is not None and port.name in a.at else a for a in peer.announces)
    return replace(peer, ports=tuple(sorted((*peer.ports, new), key=lambda p: p.name)), announces=tuple(said))


def _unused(net: Network, name: str) -> str:
    """The name with `NEW` behind it, as often as it takes for nothing to have it."""
    while any(net.names(name).values()):
        name += NEW
    return name


def _failing_alike(made: Network, before: Network, names: Mapping[str, str]) -> Network:
    """The network with the new of each pair of names failing as the old: by its own rate, and in the sea."""
    rates = before.failures.rates
    named = dict(rates.named)
    named |= {new: named[old] for old, new in names.items() if old in named}
    circuits = before.circuit
    wet = {new for old, new in names.items() if old in circuits and rates.submarine & {old, *circuits[old].risks}}
    rates = replace(rates, named=tuple(sorted(named.items(), key=lambda n: n[0])), submarine=rates.submarine | wet)
    return replace(made, failures=replace(made.failures, rates=rates))
