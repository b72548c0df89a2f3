"""A containerlab topology: every router and peer a node, every circuit and external session a link.

It says what is wired to what; metrics, LSPs and policy are the routers' configuration.  Management is left alone.
"""

from __future__ import annotations

from trunkline.export.names import CONTAINERLAB, fitted, renamed
from trunkline.export.wires import Wire, wires
from trunkline.export.yamltext import entry, flow
from trunkline.model.network import Network
from trunkline.model.nouns import Circuit, Port
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
    names = fitted([*net.router, *net.peer], CONTAINERLAB)
    lines = [*renamed(names), entry("name", CONTAINERLAB.fit(name)), "topology:", "  kinds:"]
    lines += [f"    {entry(kind, {'image': image} if image else {})}", "  nodes:"]
    for r in net.routers:
        labels = {"role": str(r.role), "site": r.site, "region": r.region}
        labels |= {"loopback": str(r.loopback), "loopback6": str(r.loopback6)}
        node = entry(names[r.name], {"kind": kind, "group": r.region, "labels": labels})
        lines.append(f"    {node}{'   # IS-IS overload bit' if r.overload else ''}")
    for peer in net.peers:
        labels = {"role": "peer", "peer": str(peer.kind), "asn": str(peer.asn)}
        lines.append(f"    {entry(names[peer.name], {'kind': kind, 'group': 'peers', 'labels': labels})}")
    links = [f"    - {flow({'endpoints': _ends(wire, names, kind)})}   # {_said(wire.what)}" for wire in wires(net)]
    lines += ["  links:", *links] if links else []
    return "\n".join(lines) + "\n"


def _ends(wire: Wire, names: dict[str, str], kind: str) -> list[str]:
    return [f"{names[end]}:{interface(kind, n)}" for end, n in ((wire.a, wire.number_a), (wire.b, wire.number_b))]


def _said(what: Circuit | Port) -> str:
    if isinstance(what, Port):
        return f"{what.name}, {show_rate(what.capacity)}"
    same = what.metric_ab == what.metric_ba
    metric = f"{what.metric_ab}" if same else f"{what.metric_ab} there, {what.metric_ba} back"
    return f"{what.name}, {show_rate(what.capacity)}, {show_time(what.latency)}, metric {metric}"
