"""What is plugged in where: a veth pair per circuit, per peer port, and between each data centre and its routers.

Interfaces are named and addressed as `devices` tells every router.  Rates are the file's, divided by the lab's scale.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from trunkline.devices.device import INTERFACE, Device
from trunkline.lab.namespaces import batch, full, inside
from trunkline.model.network import Network

MTU = 1600
"""Room for a 1,500-byte packet below a stack of labels."""
QUEUE = 100
"""Packets that wait at a shaped interface."""
LEAST_RATE = 64_000
"""bit/s; a circuit that the scale would make slower than this is this fast: what IS-IS, BFD and BGP need."""
FIRST, REST = 10, 20
"""The classes of a shaped interface: routing protocols, and everything else."""
UPLINK = "up"
"""What a peer port calls its end."""

SYSCTLS = {
    "ipv4/ip_forward": 1,
    "ipv6/conf/all/forwarding": 1,
    "ipv6/conf/default/accept_dad": 0,
    "ipv6/conf/all/accept_dad": 0,
    "ipv6/conf/default/keep_addr_on_down": 1,
    "ipv6/conf/all/keep_addr_on_down": 1,
    "ipv4/conf/default/rp_filter": 0,
    "ipv4/conf/all/rp_filter": 0,
    "ipv4/fib_multipath_hash_policy": 1,  # ports as well as addresses choose among equal next hops
    "ipv6/fib_multipath_hash_policy": 1,
    "ipv4/icmp_ratelimit": 0,  # a trace asks every hop at once,
    "ipv4/icmp_ratemask": 0,  # and the limit of the whole machine would make labs disturb each other
    "ipv6/icmp/ratelimit": 0,
    "ipv6/icmp/ratemask": 2,  # "packet too big" alone; no mask at all cannot be written
}
HOST_SYSCTLS = {"ipv6/ip_nonlocal_bind": 1, "ipv4/ip_forward": 0, "ipv6/conf/all/forwarding": 0}
"""Every address of a local route may be a source: IPv4 lets it, IPv6 asks for this.  A host forwards nothing."""


@dataclass(frozen=True)
class End:
    """An interface in the namespace of a thing (a router, a peer port, a data centre)."""

    thing: str
    interface: str


@dataclass(frozen=True)
class Cable:
    """A veth pair: a circuit or a port by its name, or a data centre's attachment.  `rate` in bit/s, None unshaped."""

    name: str
    ends: tuple[End, End]
    rate: int | None


@dataclass(frozen=True)
class Wiring:
    """Everything that is plugged in."""

    net: Network
    devices: Mapping[str, Device]
    scale: int

    @cached_property
    def cables(self) -> dict[str, Cable]:
        """Every cable by name: circuits, ports, and `DATACENTER@ROUTER`."""
        return {cable.name: cable for cable in (*self._circuits(), *self._ports(), *self._attachments())}

    @cached_property
    def things(self) -> tuple[str, ...]:
        """Whatever has a namespace: routers, peer ports, data centres."""
        return (*self.devices, *self.net.port, *self.net.datacenter)

    def _circuits(self) -> Iterator[Cable]:
        sides = {(i.circuit.name, name): i.name for name, d in self.devices.items() for i in d.interfaces}
        for c in self.net.circuits:
            ends = End(c.a, sides[c.name, c.a]), End(c.b, sides[c.name, c.b])
            yield Cable(c.name, ends, self._rate(c.capacity))

    def _ports(self) -> Iterator[Cable]:
        for device in self.devices.values():
            for e in device.externals:
                ends = End(device.name, e.interface), End(e.port.name, UPLINK)
                yield Cable(e.port.name, ends, self._rate(e.port.capacity))

    def _attachments(self) -> Iterator[Cable]:
        for dc in self.net.datacenters:
            for router in dc.attach:
                ends = End(router, attachment(dc.name)), End(dc.name, attachment(router))
                yield Cable(f"{dc.name}@{router}", ends, None)

    def _rate(self, capacity: int) -> int:
        return max(capacity // self.scale, LEAST_RATE)


def attachment(name: str) -> str:
    """Return the interface between a data centre and a router: no circuit or port can have such a name."""
    wanted = f"dc+{name}"
    return wanted if len(wanted) <= INTERFACE else "dc+" + sha256(name.encode()).hexdigest()[:8]


def plug(lab: str, wiring: Wiring, workers: Executor) -> None:
    """Make the namespaces and every cable between them, up and shaped."""
    names = {thing: full(lab, thing) for thing in wiring.things}
    batch("ip", [f"netns add {name}" for name in names.values()])
    for thing, name in names.items():
        _set_up(name, SYSCTLS if thing in wiring.devices else {**SYSCTLS, **HOST_SYSCTLS})
    batch("ip", [_link(cable, names) for cable in wiring.cables.values()])
    ends: dict[str, list[tuple[str, int | None]]] = {thing: [] for thing in names}
    for cable in wiring.cables.values():
        for end in cable.ends:
            ends[end.thing].append((end.interface, cable.rate))
    list(workers.map(lambda thing: _raise(names[thing], ends[thing]), names))


def switch(lab: str, cables: Iterable[Cable], to: str) -> None:
    """Bring cables `up` or `down` at both ends."""
    lines: dict[str, list[str]] = {}
    for cable in cables:
        for end in cable.ends:
            lines.setdefault(full(lab, end.thing), []).append(f"link set dev {end.interface} {to}")
    for namespace, commands in sorted(lines.items()):
        batch("ip", commands, namespace)


def _set_up(namespace: str, sysctls: Mapping[str, int]) -> None:
    with inside(namespace):
        for key, value in sysctls.items():
            Path("/proc/sys/net", key).write_text(f"{value}\n", encoding="ascii")


def _link(cable: Cable, names: Mapping[str, str]) -> str:
    one, other = cable.ends
    return (
        f"link add name {one.interface} mtu {MTU} netns {names[one.thing]} type veth "
        f"peer name {other.interface} mtu {MTU} netns {names[other.thing]}"
    )


def _raise(namespace: str, ends: Iterable[tuple[str, int | None]]) -> None:
    """Bring a namespace's interfaces up.  BGP wants a link-local address wherever it has an IPv6 source: also on lo."""
    up = ["link set dev lo up", "address add fe80::3/128 dev lo"]
    shaped = []
    for interface, rate in ends:
        up.append(f"link set dev {interface} up")
        if rate is not None:
            shaped += _shape(interface, rate)
    batch("ip", up, namespace)
    batch("tc", shaped, namespace)


def _shape(interface: str, rate: int) -> list[str]:
    """A queue of a rate, in bit/s, in which routing protocols go first: a flood delays them by one packet.

    They are whatever is marked CS6 (RFC 4594 3.1: BGP and BFD), IPv6's neighbour discovery, and what is not IP:
    IS-IS (over LLC) and ARP.
    """
    classes = ((FIRST, rate - rate // 2, 0), (REST, rate // 2, 1))
    lines = [
        f"qdisc add dev {interface} root handle 1: htb default {REST}",
        f"class add dev {interface} parent 1: classid 1:1 htb rate {rate}bit ceil {rate}bit quantum {MTU}",
    ]
    for number, least, priority in classes:
        lines.append(
            f"class add dev {interface} parent 1:1 classid 1:{number} htb "
            f"rate {least}bit ceil {rate}bit prio {priority} quantum {MTU}"
        )
        lines.append(f"qdisc add dev {interface} parent 1:{number} handle {number}: pfifo limit {QUEUE}")
    matches = (
        ("ip", "ip tos 0xc0 0xfc"),
        ("ipv6", "ip6 priority 0xc0 0xfc"),
        ("ipv6", "ip6 protocol 58 0xff"),
        ("802_2", "u32 0 0"),
        ("arp", "u32 0 0"),
    )
    return lines + [
        f"filter add dev {interface} parent 1: prio {n} protocol {protocol} u32 match {match} flowid 1:{FIRST}"
        for n, (protocol, match) in enumerate(matches, 1)
    ]
