"""A netlab topology: IS-IS with our metrics, iBGP and the peers' eBGP, addressed and configured by netlab.

RSVP-TE, regional policy and the overload bit have no word in netlab's data model; they are not in it.
"""

from __future__ import annotations

from typing import Any

from trunkline.export.names import NETLAB, fitted, renamed
from trunkline.export.wires import Wire, peer_node, wires
from trunkline.export.yamltext import flow
from trunkline.model.network import Network
from trunkline.model.nouns import Family

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

    Raises Problems where two nodes, groups or a node and a group would share a name.
    """
    peers = {peer_node(net, p.name): p for p in net.peers}
    names = fitted([*net.router, *peers], NETLAB)
    groups = fitted(net.regions, NETLAB)
    fitted([*names.values(), *groups.values(), "peers"], NETLAB)
    defaults: dict[str, Any] = {"device": device}
    if image is not None:
        defaults["devices"] = {device: {"clab": {"image": image}}}
    if len(names) > MOST_NODES:
        defaults["const"] = {"MAX_NODE_ID": len(names)}
    lines = [*renamed(names), *renamed(groups)]
    lines += [f"name: {flow([NETLAB.fit(name)])[1:-1]}", "provider: clab", f"defaults: {flow(defaults)}"]
    lines += ["module: [isis, bgp]", f"bgp: {flow({'as': own_as(net)})}", f"addressing: {flow(_POOLS)}", "nodes:"]
    prefixes = _prefixes(net)
    for r in net.routers:
        node: dict[str, Any] = {"loopback": {"ipv4": f"{r.loopback}/32", "ipv6": f"{r.loopback6}/128"}}
        if prefixes.get(r.name):
            node["bgp"] = {"originate": prefixes[r.name]}
        lines.append(f"  {flow({names[r.name]: node})[1:-1]}{'   # IS-IS overload bit' if r.overload else ''}")
    for node_name, peer in peers.items():
        bgp: dict[str, Any] = {"as": peer.asn}
        if prefixes.get(peer.name):
            bgp["originate"] = prefixes[peer.name]
        lines.append(f"  {flow({names[node_name]: {'module': ['bgp'], 'bgp': bgp}})[1:-1]}")
    lines.append("groups:")
    for region in net.regions:
        members = [names[r.name] for r in net.routers if r.region == region]
        lines.append(f"  {flow({groups[region]: {'members': members}})[1:-1]}")
    lines.append(f"  {flow({'peers': {'members': [names[peer] for peer in peers]}})[1:-1]}")
    lines += ["links:", *(_link(wire, names) for wire in wires(net))]
    return "\n".join(lines) + "\n"


def own_as(net: Network) -> int:
    """Return the first private AS number that no peer has: the file gives the network none of its own."""
    taken = {peer.asn for peer in net.peers}
    return next(asn for asn in range(FIRST_PRIVATE_AS, FIRST_PRIVATE_AS + len(taken) + 1) if asn not in taken)


def _prefixes(net: Network) -> dict[str, list[str]]:
    """The prefixes that each router and peer originates, where the file lists them, by its name."""
    groups = {router: {d.name for d in net.datacenters if router in d.attach} for router in net.router}
    groups |= {peer.name: {a.group for a in peer.announces} for peer in net.peers}
    listed = {
        name: [p for g in sorted(mine) for p in net.group[g].prefixes if p.version == 4]
        for name, mine in groups.items()
    }
    return {name: [str(p) for p in found] for name, found in listed.items()}


def _link(wire: Wire, names: dict[str, str]) -> str:
    ends: dict[str, Any] = {names[wire.a]: {}, names[wire.b]: {}}
    if wire.circuit is None:
        rate = wire.port.capacity if wire.port else 0
        return f"- {flow({**ends, 'bandwidth': rate // 1000})}   # {wire.port.name if wire.port else ''}"
    c = wire.circuit
    link: dict[str, Any] = {"bandwidth": c.capacity // 1000, "tc": {"delay": c.latency / 1000}}
    if c.metric_ab == c.metric_ba:
        link["isis"] = {"cost": c.metric_ab}
    else:
        ends = {names[c.a]: {"isis": {"cost": c.metric_ab}}, names[c.b]: {"isis": {"cost": c.metric_ba}}}
    if Family.V6 not in c.families:
        link["prefix"] = {"ipv4": True}
    return f"- {flow({**ends, **link})}   # {c.name}"
