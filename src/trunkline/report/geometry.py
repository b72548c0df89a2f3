"""What a map draws, as tables: sites with their places, routers, and circuits with their two ends."""

from __future__ import annotations

from trunkline.model.network import Network
from trunkline.model.tables import Table, table
from trunkline.report.layout import spots


def geometry(net: Network, now: Network) -> dict[str, Table]:
    """Return `sites`, `routers` and `circuit_ends` of a network; `up` says what of it is still there `now`."""
    return {"sites": _sites(net), "routers": _routers(net, now), "circuit_ends": _circuit_ends(net, now)}


def _sites(net: Network) -> Table:
    at = spots(net)
    rows = [(s.name, s.region, p.lat, p.lon, p.x, p.y, p.guessed) for s in net.sites for p in [at[s.name]]]
    return table("site region lat:int:udeg lon:int:udeg x:int y:int guessed:bool", rows)


def _routers(net: Network, now: Network) -> Table:
    rows = []
    for r in net.routers:
        current = now.router.get(r.name)
        overload = (current or r).overload
        rows.append((r.name, r.site, r.region, r.role.value, str(r.loopback), overload, current is not None))
    return table("router site region role loopback overload:bool up:bool", rows)


def _circuit_ends(net: Network, now: Network) -> Table:
    rows = [
        (
            *(c.name, c.a, c.b, c.capacity, c.latency, c.metric_ab, c.metric_ba, c.members, " ".join(c.risks)),
            c.name in now.circuit,
        )
        for c in net.circuits
    ]
    spec = "circuit a b capacity:int:bit/s latency:int:us metric_ab:int metric_ba:int members:int risks up:bool"
    return table(spec, rows)


def ports(net: Network) -> Table:
    """Return `ports`: each peer port, of which peer and at which router."""
    rows = [(p.name, p.peer, net.peer[p.peer].kind.value, p.router, p.capacity) for p in net.ports]
    return table("port peer kind router capacity:int:bit/s", rows)
