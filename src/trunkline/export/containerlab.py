"""A containerlab topology: every router and peer a node, every circuit and external session a link.

It says what is wired to what; metrics, LSPs and policy are the routers' configuration.  Management is left alone.
"""

from __future__ import annotations

from trunkline.export.names import CONTAINERLAB, fitted, renamed
from trunkline.export.wires import Wire, peer_node, wires
from trunkline.export.yamltext import flow
from trunkline.model.network import Network
from trunkline.model.units import show_rate, show_time

KIND, IMAGE = "linux", "quay.io/frrouting/frr:10.2.1"
"""FRR in a plain container: what anybody can boot."""
_FIRST = {
    "nokia_srlinux": "e1-1",
    "srl": "e1-1",
    "xrd": "Gi0-0-0-0",
    "cisco_xrd": "Gi0-0-0-0",
    "cjunosevolved": "eth4",
    "juniper_cjunosevolved": "eth4",
}
"""The first data interface of kinds that have another than `eth1`."""


def interface(kind: str, number: int) -> str:
    """Return the interface of a kind for the link of a number, from 1."""
    first = _FIRST.get(kind, "eth1")
    stem = first.rstrip("0123456789")
    return f"{stem}{int(first[len(stem) :]) + number - 1}"


def containerlab(net: Network, name: str, kind: str = KIND, image: str | None = None) -> str:
    """Return the topology file.  `image` None is FRR for the kind `linux`, else none: containerlab asks for it.

    Raises Problems where two nodes would share a name.
    """
    image = image or (IMAGE if kind == KIND else None)
    peers = {peer_node(net, p.name): p for p in net.peers}
    names = fitted([*net.router, *peers], CONTAINERLAB)
    lines = renamed(names)
    lines += [f"name: {flow([CONTAINERLAB.fit(name)])[1:-1]}", "topology:", "  kinds:"]
    lines += [f"    {flow({kind: {'image': image} if image else {}})[1:-1]}", "  nodes:"]
    for r in net.routers:
        labels = {
            "role": str(r.role), "site": r.site, "region": r.region,
            "loopback": str(r.loopback), "loopback6": str(r.loopback6),
        }  # fmt: skip
        overload = "   # IS-IS overload bit" if r.overload else ""
        node = {"kind": kind, "group": r.region, "labels": labels}
        lines.append(f"    {flow({names[r.name]: node})[1:-1]}{overload}")
    for node_name, peer in peers.items():
        labels = {"role": "peer", "peer": str(peer.kind), "asn": str(peer.asn)}
        lines.append(f"    {flow({names[node_name]: {'kind': kind, 'group': 'peers', 'labels': labels}})[1:-1]}")
    lines.append("  links:")
    for wire in wires(net):
        ends = [
            f"{names[wire.a]}:{interface(kind, wire.number_a)}",
            f"{names[wire.b]}:{interface(kind, wire.number_b)}",
        ]
        lines.append(f"    - {flow({'endpoints': ends})}   # {_said(wire)}")
    return "\n".join(lines) + "\n"


def _said(wire: Wire) -> str:
    if wire.circuit is None:
        return f"{wire.port.name}, {show_rate(wire.port.capacity)}" if wire.port else ""
    c = wire.circuit
    metric = f"{c.metric_ab}" if c.metric_ab == c.metric_ba else f"{c.metric_ab} there, {c.metric_ba} back"
    return f"{c.name}, {show_rate(c.capacity)}, {show_time(c.latency)}, metric {metric}"
