"""Independent causes of failure, and their joint effects: what is down then, the same whatever has caused it.

An effect is a bit set: a bit per router, circuit and peer port, and one per member of a bundle.  What fails takes along
what hangs off it, so the effect of several causes is the union of theirs, and two sets of causes that leave the same
network have the same effect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from trunkline.model.failing import Failing, failing_of
from trunkline.model.network import Network
from trunkline.model.nouns import Circuit

Effect = int


@dataclass(frozen=True)
class Cause:
    """All that has one effect and fails independently of the rest; `odds` is the time down over the time up."""

    name: str
    effect: Effect
    odds: Fraction


class Effects:
    """What has a bit, and what a set of bits means."""

    def __init__(self, net: Network) -> None:
        self.net = net
        bundles = [c for c in net.circuits if c.members > 1]
        names = [("router", r.name) for r in net.routers] + [("circuit", c.name) for c in net.circuits]
        names += [("port", p.name) for p in net.ports]
        names += [("member", f"{c.name}:{i}") for c in bundles for i in range(c.members)]
        self.bit = {name: 1 << i for i, name in enumerate(names)}
        self._bundles = [(c, [self.bit["member", f"{c.name}:{i}"] for i in range(c.members)]) for c in bundles]
        self._members = sum(bit for _, bits in self._bundles for bit in bits)
        self.all_routers = sum(self.bit["router", r.name] for r in net.routers)

    def _circuit(self, circuit: Circuit) -> Effect:
        members = range(circuit.members if circuit.members > 1 else 0)
        return self.bit["circuit", circuit.name] | sum(self.bit["member", f"{circuit.name}:{i}"] for i in members)

    def of(self, thing: str) -> Effect:
        """Return the effect of a thing that `Network.without` takes, with all that hangs off it."""
        name, _, lost = thing.partition(":")
        if lost:
            return self.settled(sum(self.bit["member", f"{name}:{i}"] for i in range(int(lost))))
        hit = self.net.names(thing)
        routers = hit["routers"]
        found = sum(self.bit["router", name] for name in routers)
        for circuit in self.net.circuits:
            if circuit.name in hit["circuits"] or routers & {circuit.a, circuit.b}:
                found |= self._circuit(circuit)
        for port in self.net.ports:
            if port.name in hit["ports"] or port.router in routers:
                found |= self.bit["port", port.name]
        return found

    def joint(self, things: Iterable[str]) -> Effect:
        """Return the effect of several things together."""
        effect = 0
        for thing in things:
            effect |= self.of(thing)
        return self.settled(effect)

    def settled(self, effect: Effect) -> Effect:
        """Return the one form of an effect: members of a bundle are alike, and with too few of them it is down."""
        if not effect & self._members:
            return effect
        for circuit, bits in self._bundles:
            lost = sum(bool(effect & bit) for bit in bits)
            if circuit.members - lost < circuit.min_links:
                effect |= self._circuit(circuit)
            elif lost:
                effect = effect & ~sum(bits) | sum(bits[:lost])
        return effect

    def things(self, effect: Effect) -> tuple[str, ...]:
        """Return what fails in a settled effect, as `Network.without` takes it: nothing that hangs off another."""
        found = [r.name for r in self.net.routers if effect & self.bit["router", r.name]]
        gone = set(found)
        circuits = (c for c in self.net.circuits if not gone & {c.a, c.b})
        found += [c.name for c in circuits if effect & self.bit["circuit", c.name]]
        found += [p.name for p in self.net.ports if p.router not in gone and effect & self.bit["port", p.name]]
        for c, bits in self._bundles:
            if not effect & self.bit["circuit", c.name] and (lost := sum(bool(effect & bit) for bit in bits)):
                found.append(f"{c.name}:{lost}")
        return tuple(sorted(found))

    @cached_property
    def causes(self) -> tuple[Cause, ...]:
        """Every cause, the likeliest first; what has the same effect is one: it is down while any of it is."""
        up: dict[Effect, Fraction] = {}
        names: dict[Effect, str] = {}
        for failing, effect in self._failing(failing_of(self.net)):
            up[effect] = up.get(effect, Fraction(1)) / (1 + failing.odds)
            names.setdefault(effect, failing.thing)
        causes = [Cause(names[effect], effect, 1 / share - 1) for effect, share in up.items()]
        return tuple(sorted(causes, key=lambda c: (-c.odds, c.name)))

    def _failing(self, failing: Iterable[Failing]) -> Iterable[tuple[Failing, Effect]]:
        seen: Counter[str] = Counter()
        for one in failing:
            if one.kind == "member":
                name = one.thing.rpartition(":")[0]
                yield one, self.bit["member", f"{name}:{seen[name]}"]
                seen[name] += 1
            else:
                yield one, self.of(one.thing)
