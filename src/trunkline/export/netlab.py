"""A netlab topology: IS-IS with our metrics, iBGP and the peers' eBGP, addressed and configured by netlab.

RSVP-TE, regional policy and the overload bit have no word in netlab's data model; they are not in it.
"""

from __future__ import annotations

from ipaddress import IPv4Network
from typing import Any

from trunkline.export.names import NETLAB, fitted, renamed
from trunkline.export.wires import Wire, wires
from trunkline.export.yamltext import entry, flow
from trunkline.model.network import Network
from trunkline.model.nouns import Family, Port

DEVICE = "frr"
FIRST_PRIVATE_AS = 64512
"""RFC 6996."""
MOST_NODES = 150
"""How many nodes netlab numbers unless it is told otherwise."""
_POOLS = {
    "loopback": {"ipv4": "198.18.0.0/16", "ipv6": "fd74:6c6f::/48"},
    "p2p": {"ipv4": "100.64.0.0/10", "ipv6": "fd74:6c70::/48"},
}
"""Where netlab takes what we do not pin: clear of our loopbacks, 10.0.0.0/9 and fd74:6c6e::/64."""


def netlab(net: Network, name: str, device: str = DEVICE, image: str | None = None) -> str:
    """Return the topology file.  `image` None leaves the device's image to netlab.

    Raises Problems where two nodes or groups would share a name.
    """
    names = fitted([*net.router, *net.peer, *net.regions], NETLAB)
    defaults: dict[str, Any] = {"device": device}
    if image is not None:
        defaults["devices"] = {device: {"clab": {"image": image}}}
    nodes = _nodes(net, names)
    if len(nodes) > MOST_NODES:
        defaults["const"] = {"MAX_NODE_ID": len(nodes)}
    lines = [*renamed(names), entry("name", NETLAB.fit(name)), "provider: clab", entry("defaults", defaults)]
    lines += ["module: [isis, bgp]", entry("bgp", {"as": net.ibgp.asn}), entry("addressing", _POOLS)]
    links = [f"- {flow(_link(wire, names))}   # {wire.what.name}" for wire in wires(net)]
    for key, found in (("nodes", nodes), ("groups", _groups(net, names)), ("links", links)):
        lines += [f"{key}:", *found] if found else []
    return "\n".join(lines) + "\n"


def _nodes(net: Network, names: dict[str, str]) -> list[str]:
    prefixes = _prefixes(net)
    lines = []
    for r in net.routers:
        node: dict[str, Any] = {"loopback": {"ipv4": f"{r.loopback}/32", "ipv6": f"{r.loopback6}/128"}}
        if prefixes[r.name]:
            node["bgp"] = {"originate": prefixes[r.name]}
        lines.append(f"  {entry(names[r.name], node)}{'   # IS-IS overload bit' if r.overload else ''}")
    for peer in net.peers:
        originate = {"originate": prefixes[peer.name]} if prefixes[peer.name] else {}
        lines.append(f"  {entry(names[peer.name], {'module': ['bgp'], 'bgp': {'as': peer.asn, **originate}})}")
    return lines


def _groups(net: Network, names: dict[str, str]) -> list[str]:
    members = {names[region]: [names[r.name] for r in net.routers if r.region == region] for region in net.regions}
    if net.peers:
        members["peers"] = [names[peer.name] for peer in net.peers]
    return [f"  {entry(group, {'members': found})}" for group, found in members.items()]


def _prefixes(net: Network) -> dict[str, list[str]]:
    """The prefixes that each router and peer originates, where the file lists them, by its name."""
    groups = {router: {d.name for d in net.datacenters if router in d.attach} for router in net.router}
    groups |= {peer.name: {a.group for a in peer.announces} for peer in net.peers}
    return {
        name: [str(p) for group in sorted(mine) for p in net.group[group].prefixes if isinstance(p, IPv4Network)]
        for name, mine in groups.items()
    }


def _link(wire: Wire, names: dict[str, str]) -> dict[str, Any]:
    """One link: rates in kbit/s and delays in milliseconds, as netlab has them."""
    what = wire.what
    a: dict[str, Any] = {"node": names[wire.a]}
    b: dict[str, Any] = {"node": names[wire.b]}
    link: dict[str, Any] = {"interfaces": [a, b], "bandwidth": what.capacity // 1000}
    if isinstance(what, Port):
        return link
    link["tc"] = {"delay": what.latency / 1000}
    if what.metric_ab == what.metric_ba:
        link["isis"] = {"cost": what.metric_ab}
    else:
        a["isis"], b["isis"] = {"cost": what.metric_ab}, {"cost": what.metric_ba}
    if Family.V6 not in what.families:
        link["prefix"] = {"ipv4": True}
    return link
