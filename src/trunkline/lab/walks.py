"""Real packets hop by hop against the predicted FIBs: from data centres to everything, and in from peers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from ipaddress import ip_network

from trunkline.devices.device import Device
from trunkline.lab.compare import Difference
from trunkline.lab.hosts import first
from trunkline.lab.namespaces import full
from trunkline.lab.netlink import Address, Prefix
from trunkline.lab.predict import Predicted
from trunkline.lab.probe import End, arrives, carries, trace
from trunkline.lab.wiring import attachment
from trunkline.model.network import Network
from trunkline.model.nouns import Family
from trunkline.model.route import ANYWHERE, VERSION


@dataclass(frozen=True)
class Flow:
    """Packets from a thing (a data centre or a peer port) to an address of a prefix group."""

    source: str
    group: str
    prefix: Prefix
    here: Address
    there: Address

    def __str__(self) -> str:
        return f"{self.source} to {self.group} ({self.there})"


@dataclass(frozen=True)
class Walks:
    """A lab's packets: `net` is the network under its condition."""

    lab: str
    devices: Mapping[str, Device]
    predicted: Predicted

    @property
    def net(self) -> Network:
        """The network as it is now."""
        return self.predicted.net

    @cached_property
    def whose(self) -> dict[Address, str]:
        """The router, or the peer port, of every address."""
        found: dict[Address, str] = {}
        for d in self.devices.values():
            found |= dict.fromkeys((d.router.loopback, d.router.loopback6), d.name)
            for i in d.interfaces:
                found |= dict.fromkeys((i.v4.ip, i.v6.ip), d.name)
            for e in d.externals:
                found |= dict.fromkeys((e.here4.ip, e.here6.ip), d.name)
                found |= dict.fromkeys((e.there4, e.there6), e.port.name)
        return found

    @cached_property
    def leads(self) -> dict[tuple[str, str], str]:
        """What is at the other end of a router's interface: a router, a peer port or a data centre."""
        found = {(d.name, i.name): i.far for d in self.devices.values() for i in d.interfaces}
        found |= {(d.name, e.interface): e.port.name for d in self.devices.values() for e in d.externals}
        return found | {(r, attachment(dc.name)): dc.name for dc in self.net.datacenters for r in dc.attach}

    @cached_property
    def _networks(self) -> frozenset[Prefix]:
        """Every network that somebody has: groups, loopbacks, links."""
        found: set[Prefix] = {p for group in self.net.groups for p in group.prefixes}
        for d in self.devices.values():
            found |= {ip_network(d.router.loopback), ip_network(d.router.loopback6)}
            found |= {a.network for i in d.interfaces for a in (i.v4, i.v6)}
            found |= {a.network for e in d.externals for a in (e.here4, e.here6)}
        return frozenset(found)

    def _address(self, prefixes: Iterable[Prefix], family: Family) -> tuple[Prefix, Address] | None:
        """The first address of the first of these prefixes that is in no longer one; a default has none of its own."""
        for prefix in prefixes:
            at: int | None = int(first(prefix)) if prefix.version == VERSION[family] and prefix.prefixlen else None
            while at is not None and at <= int(prefix.broadcast_address):
                longer = range(prefix.prefixlen + 1, prefix.max_prefixlen + 1)
                around = (ip_network((_as(prefix, at), length), strict=False) for length in longer)
                inside = next((n for n in around if n in self._networks), None)
                if inside is None:
                    return prefix, _as(prefix, at)
                at = int(inside.broadcast_address) + 1
        return None

    def flows(self) -> list[Flow]:
        """Every data centre to every group in each family, once."""
        return [
            Flow(dc.name, group.name, there[0], here[1], there[1])
            for dc in self.net.datacenters
            if dc.attach
            for group in self.net.groups
            if group.name != dc.name
            for f in Family
            if (here := self._address(self.net.group[dc.name].prefixes, f))
            and (there := self._address(group.prefixes, f))
            and not self._holds(dc.name, there[1])
        ]

    def inbound(self) -> list[Flow]:
        """Every peer port to every data centre in each family, from an address that the peer announces there."""
        ports = [e for d in self.devices.values() for e in d.externals if e.port.name in self.net.port]
        return [
            Flow(e.port.name, dc.name, there[0], here[1], there[1])
            for e in ports
            for f in Family
            if (here := self._address((p for h in e.heard for p in h.group.prefixes), f))
            for dc in self.net.datacenters
            if (there := self._address(self.net.group[dc.name].prefixes, f)) and not self._holds(e.port.name, there[1])
        ]

    def _holds(self, thing: str, address: Address) -> bool:
        """Whether a data centre or a port has an address itself: what it sends there does not leave it."""
        port = self.net.port.get(thing)
        groups = [a.group for a in self.net.peer[port.peer].announces] if port else [thing]
        return any(address in p for name in groups for p in self.net.group[name].prefixes if p.prefixlen)

    def outcomes(self, workers: Executor) -> list[Difference]:
        """Send everything; return what went another way than predicted."""
        walked = workers.map(self._walk, self.flows())
        came = workers.map(self._come_in, self.inbound())
        return sorted(d for found in (walked, came) for d in found if d is not None)

    def _walk(self, flow: Flow) -> Difference | None:
        hops, end = trace(full(self.lab, flow.source), flow.here, flow.there)
        allowed = {r for dc in self.net.datacenters if dc.name == flow.source for r in dc.attach}
        before = flow.source
        for hop in hops:
            there = self._silent(flow, allowed) if hop is None else {self.whose.get(hop, str(hop))}
            if not there or not there <= allowed:
                return self._difference(flow, before, allowed, " ".join(sorted(there)) or "nobody that answers")
            before = " or ".join(sorted(there))
            allowed = set().union(*(self._next(t, flow.prefix) for t in there if t in self.devices))
        if end in self._ends(flow, allowed):
            return None
        return self._difference(flow, before, allowed, end)

    def _silent(self, flow: Flow, allowed: Iterable[str]) -> set[str]:
        """Those who cannot answer: the packet's source has no route from them (a policy may keep it from them)."""
        return {thing for thing in allowed if not self._hears(flow, thing)}

    def _hears(self, flow: Flow, thing: str) -> bool:
        """Whether what a thing sends to the packet's source gets there."""
        prefix = next(p for p in self.net.group[flow.source].prefixes if flow.here in p)
        back = Flow(thing, flow.source, prefix, flow.there, flow.here)
        if thing in self.devices:
            return self._delivers(thing, back)
        if self._holds(thing, flow.here):
            return False
        routers = [self.net.port[thing].router] if thing in self.net.port else list(self.net.datacenter[thing].attach)
        return all(self._delivers(r, back) for r in routers)

    def _ends(self, flow: Flow, allowed: Iterable[str]) -> set[End]:
        """How a packet may end at a router that would send it to these."""
        there = {thing for thing in allowed if thing not in self.devices}
        ends = {End.DROPPED, End.LOST} if not allowed else set()  # a blackhole says nothing
        for thing in there:
            port = self.net.port.get(thing)
            said = {a.group for a in self.net.peer[port.peer].announces} if port else {thing}
            ends.add(End.ARRIVED if flow.group in said and self._hears(flow, thing) else End.LOST)
        if len(there) < len(set(allowed)):
            ends.add(End.ON_ITS_WAY)
        if self._silent(flow, allowed):
            ends.add(End.LOST)
        return ends

    def _next(self, router: str, prefix: Prefix) -> set[str]:
        """Where a router sends a packet, as predicted; its transit where it only says a default (`last_resort`)."""
        known = self.predicted.routers[router]
        default = ANYWHERE[Family.V4 if prefix.version == 4 else Family.V6]
        way = known.fib.get(prefix) or known.fib.get(default)
        if way is not None:
            return {self.leads[router, interface] for interface in way.interfaces}
        return {e.port.name for e in self.devices[router].fallback} if default in known.unsaid else set()

    def _difference(self, flow: Flow, router: str, allowed: Iterable[str], seen: str) -> Difference:
        return Difference(router, "packet", str(flow), " or ".join(sorted(allowed)) or "dropped", seen)

    def _come_in(self, flow: Flow) -> Difference | None:
        router = self.net.port[flow.source].router
        expected = self._delivers(router, flow)
        got = arrives(full(self.lab, flow.source), flow.here, full(self.lab, flow.group), flow.there)
        if got == expected:
            return None
        words = {True: "it arrives", False: "it is lost"}
        return Difference(router, "packet", str(flow), words[expected], words[got])

    def _delivers(self, router: str, flow: Flow) -> bool:
        """Whether every predicted way of a packet from a router ends in the data centre."""
        seen: set[str] = set()
        todo = [router]
        while todo:
            at = todo.pop()
            ahead = self._next(at, flow.prefix)
            if not ahead or any(thing not in self.devices and thing != flow.group for thing in ahead):
                return False
            seen.add(at)
            todo += [r for r in ahead if r in self.devices and r not in seen]
        return True

    def circuits(self, workers: Executor) -> list[Difference]:
        """Send a packet of full size over every circuit, each way, in each family."""
        found = workers.map(lambda one: self._carried(*one), self._directions())
        return sorted(d for d in found if d is not None)

    def _directions(self) -> Iterator[tuple[str, str, str, Address, Address]]:
        far = {(i.circuit.name, d.name): i for d in self.devices.values() for i in d.interfaces}
        for (circuit, router), i in sorted(far.items(), key=lambda item: item[0]):
            other = far[circuit, i.far]
            if circuit in self.net.circuit and {router, i.far} <= self.net.router.keys():
                if Family.V4 in i.families:
                    yield circuit, router, i.far, i.v4.ip, other.v4.ip
                if Family.V6 in i.families:
                    yield circuit, router, i.far, i.v6.ip, other.v6.ip

    def _carried(self, circuit: str, router: str, far: str, here: Address, there: Address) -> Difference | None:
        if carries(full(self.lab, router), here, there):
            return None
        said = f"a packet of 1,500 bytes gets to {far} and its answer back"
        return Difference(router, "circuit", f"{circuit} (v{here.version})", said, "it does not")


def _as(prefix: Prefix, number: int) -> Address:
    """A number as an address of a prefix's family."""
    return prefix.network_address + (number - int(prefix.network_address))
