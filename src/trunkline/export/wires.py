"""What a lab boots: routers and peers as nodes, circuits and external sessions as wires between them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from trunkline.model.network import Network
from trunkline.model.nouns import Circuit, Port


@dataclass(frozen=True)
class Wire:
    """One link of the lab, with the number (from 1) that it has among the links at each end."""

    a: str
    b: str
    number_a: int
    number_b: int
    what: Circuit | Port


def wires(net: Network) -> list[Wire]:
    """Return the circuits by name, then the external sessions by name; a router counts its links in that order.

    So circuits have the lowest numbers, a peer that comes or goes renumbers no circuit, and a new circuit only those
    behind it, by name, at its own two ends.
    """
    used: dict[str, int] = defaultdict(int)

    def number(node: str) -> int:
        used[node] += 1
        return used[node]

    circuits = [Wire(c.a, c.b, number(c.a), number(c.b), c) for c in net.circuits]
    sessions = [Wire(p.router, p.peer, number(p.router), number(p.peer), p) for p in net.ports]
    return circuits + sessions
