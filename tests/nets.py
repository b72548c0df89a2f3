"""Small networks built in code, for tests that need no file."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import IPv4Address, IPv6Address

from trunkline.model.network import Network
from trunkline.model.nouns import Circuit, Family, Role, Router, Site

GIG = 10**9


def router(name: str, region: str = "r1", role: Role = Role.BB, overload: bool = False) -> Router:
    """A router at a site of its own name; its loopbacks count the bytes of the name."""
    number = int.from_bytes(name.encode()[-2:], "big")
    return Router(
        name,
        f"site-{name}",
        region,
        role,
        overload,
        IPv4Address(0x0A000000 + number),
        IPv6Address((0xFD << 120) + number),
    )


def circuit(
    a: str, b: str, metric: int = 10, gbps: int = 100, name: str | None = None, back: int | None = None
) -> Circuit:
    """A circuit `a-b` with one metric, or another one on the way back; latency 1 ms."""
    ba = metric if back is None else back
    return Circuit(name or f"{a}-{b}", a, b, gbps * GIG, 1000, metric, ba, metric, ba, gbps * GIG)


def network(circuits: list[Circuit], routers: list[Router] | None = None) -> Network:
    """A network of these circuits; routers not given are BBs of region r1."""
    known = {r.name: r for r in routers or []}
    for c in circuits:
        for end in (c.a, c.b):
            known.setdefault(end, router(end))
    ordered = tuple(sorted(known.values(), key=lambda r: r.name))
    return Network(
        regions=tuple(sorted({r.region for r in ordered})),
        sites=tuple(sorted((Site(r.site, r.region) for r in ordered), key=lambda s: s.name)),
        routers=ordered,
        circuits=tuple(sorted(circuits, key=lambda c: c.name)),
    )


def v4_only(c: Circuit) -> Circuit:
    """The same circuit without IPv6."""
    return replace(c, families=(Family.V4,))
