"""What is bought by some time, and the network with it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from trunkline.model.network import Network
from trunkline.model.nouns import MILLION, Circuit, Peer
from trunkline.model.prices import Prices
from trunkline.risk.fluid import Bill, cost_of, sellable
from trunkline.risk.needs import Bounds, Needs


@dataclass(frozen=True)
class Plan:
    """What is bought by some time: members and candidates (`bill`), and how many times what it was each port is."""

    bill: Bill
    ports: Mapping[str, int]

    def cost(self, prices: Prices) -> int:
        """Return what it costs, thousandths of the unit."""
        return self.bill.cost + sum(times - 1 for times in self.ports.values()) * (prices.port or 0)

    def built(self, net: Network, prices: Prices) -> Network:
        """Return a network with it."""
        circuits = [*net.circuits, *(c.circuit for c in prices.candidates if c.circuit.name in self.bill.candidates)]
        wider = (_wider(c, self.bill.members.get(c.name, 0)) for c in circuits)
        return replace(
            net,
            circuits=tuple(sorted(wider, key=lambda c: c.name)),
            peers=tuple(_busier(peer, self.ports) for peer in net.peers),
        )


NO_PLAN = Plan(Bill({}, (), 0, 0), {})


@dataclass(frozen=True)
class Shop:
    """A network, what can be bought for it, what has been bought before, and the bounds that hold."""

    net: Network
    prices: Prices
    before: Plan
    bounds: Bounds

    def roomy(self, grown: Network, candidates: Collection[str]) -> Plan:
        """Return so much of everything that is sold, and these candidates, that nothing of it is full.

        `grown` is the network with the traffic that comes.
        """
        total = sum(d.rate for d in grown.demands) + sum(lsp.bandwidth or 0 for lsp in grown.lsps) + 1
        built, members = {*self.before.bill.candidates, *candidates}, dict[str, int]()
        for circuit in sellable(self.net, self.prices):
            if circuit.name in self.net.circuit or circuit.name in built:
                least = min(circuit.capacity * self.bounds.use // MILLION, circuit.reservable or circuit.capacity)
                more = -(-total * circuit.members // least)
                members[circuit.name] = self.before.bill.members.get(circuit.name, 0) + more
        sold, commit = self.net.ports if self.prices.port is not None else (), self.bounds.commit or MILLION
        least_of = {p.name: min(p.capacity, (p.commit or p.capacity) * commit // MILLION) for p in sold}
        ports = {name: self.before.ports.get(name, 1) + -(-total // least) for name, least in least_of.items()}
        return self._plan(self.before.bill, members, built, ports)

    def slim(self, plan: Plan, least: Needs) -> Plan:
        """Return a plan with no more than what is needed at the least, or was bought before."""
        before, members = self.before, dict[str, int]()
        built = {n for n in plan.bill.candidates if n in least.circuits or n in before.bill.candidates}
        for circuit in sellable(self.net, self.prices):
            name, more = circuit.name, plan.bill.members.get(circuit.name, 0)
            if name in self.net.circuit or name in built:
                lacking = -(-max(least.circuits.get(name, 0) - circuit.capacity, 0) // circuit.member)
                members[name] = min(more, max(lacking, before.bill.members.get(name, 0)))
        ports = {p: min(n, max(least.ports.get(p, 1), before.ports.get(p, 1))) for p, n in plan.ports.items()}
        return self._plan(plan.bill, members, built, ports)

    def spare(self, plan: Plan) -> dict[str, int]:
        """Return how many members of each circuit were bought since, with the circuit itself where it was built."""
        before = self.before.bill
        since = {name: n - before.members.get(name, 0) for name, n in plan.bill.members.items()}
        for name in set(plan.bill.candidates) - set(before.candidates):
            since[name] = since.get(name, 0) + 1
        return {name: n for name, n in sorted(since.items()) if n}

    def fewer(self, plan: Plan, name: str, number: int) -> Plan:
        """Return a plan with so much less of a circuit: members, and then the circuit itself."""
        left = plan.bill.members.get(name, 0) - number
        built = [n for n in plan.bill.candidates if n != name or left >= 0]
        return self._plan(plan.bill, {**plan.bill.members, name: max(left, 0)}, built, plan.ports)

    def _plan(self, bill: Bill, members: Mapping[str, int], built: Collection[str], ports: Mapping[str, int]) -> Plan:
        """What is not zero, with its cost."""
        some = {name: n for name, n in members.items() if n}
        cost = cost_of(self.net, self.prices, some, built)
        bill = replace(bill, members=some, candidates=tuple(sorted(built)), cost=cost)
        return Plan(bill, {name: times for name, times in ports.items() if times > 1})


def _wider(circuit: Circuit, more: int) -> Circuit:
    """A circuit with more members."""
    members = circuit.members + more
    shares = {name: getattr(circuit, name) * members // circuit.members for name in ("capacity", "reservable")}
    return replace(circuit, members=members, **shares) if more else circuit


def _busier(peer: Peer, times: Mapping[str, int]) -> Peer:
    """A peer with its ports so many times what they are."""
    ports = [
        replace(p, capacity=p.capacity * times.get(p.name, 1), commit=p.commit and p.commit * times.get(p.name, 1))
        for p in peer.ports
    ]
    return replace(peer, ports=tuple(ports))
