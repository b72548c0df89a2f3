"""Who answers: data centres and peer ports, every address of each of their prefixes.

A prefix is a local route of its namespace (`ip route add local`), so that all of it answers pings, takes UDP, and may
be a source.  Data centres hang off their routers over link-local addresses alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from concurrent.futures import Executor

from trunkline.devices.device import External
from trunkline.lab.namespaces import batch, full
from trunkline.lab.netlink import Address, Prefix
from trunkline.lab.wiring import UPLINK, Wiring, attachment

ROUTER_SIDE, HOST_SIDE = "fe80::1", "fe80::2"
"""Between a router and a data centre."""


def answer(lab: str, wiring: Wiring, live: Collection[str], workers: Executor) -> None:
    """Give data centres and peer ports their addresses, and their routers a way to them, over the cables that are up.

    Done again after a cable came up: the kernel drops the routes of an interface that goes down.
    """
    lines: dict[str, list[str]] = {}
    for device in wiring.devices.values():
        attached = [dc.name for dc in wiring.net.datacenters if f"{dc.name}@{device.name}" in live]
        lines[device.name] = [line for dc in attached for line in _to_host(dc, wiring.net.group[dc].prefixes)]
        lines |= {e.port.name: _port(e) for e in device.externals if e.port.name in live}
    for dc in wiring.net.datacenters:
        attach = [router for router in dc.attach if f"{dc.name}@{router}" in live]
        lines[dc.name] = _host(attach, wiring.net.group[dc.name].prefixes)
    list(workers.map(lambda thing: batch("ip", lines[thing], full(lab, thing)), lines))


def _to_host(dc: str, prefixes: Iterable[Prefix]) -> list[str]:
    """A route of distance 0 in zebra's eyes: it beats the blackhole floor, and falls to it with the interface."""
    at = f"dev {attachment(dc)}"
    routes = [
        f"route replace {p} {at}" if p.version == 4 else f"route replace {p} via {HOST_SIDE} {at}" for p in prefixes
    ]
    return [f"address replace {ROUTER_SIDE}/64 {at}", *routes]


def _host(attach: Iterable[str], prefixes: Iterable[Prefix]) -> list[str]:
    interfaces = [attachment(router) for router in attach]
    lines = [f"address replace {HOST_SIDE}/64 dev {interface}" for interface in interfaces]
    lines += _local(prefixes)
    if interfaces:
        hops = " ".join(f"nexthop via inet6 {ROUTER_SIDE} dev {interface}" for interface in interfaces)
        lines += [f"route replace 0.0.0.0/0 {hops}", f"route replace ::/0 {hops.replace('inet6 ', '')}"]
    return lines


def _port(e: External) -> list[str]:
    """A peer port: the far end of its link, all that it announces, and its way back to us."""
    prefixes = {p: None for heard in e.heard for p in heard.group.prefixes}
    return [
        f"address replace {e.there4}/{e.here4.network.prefixlen} dev {UPLINK}",
        f"address replace {e.there6}/{e.here6.network.prefixlen} dev {UPLINK}",
        f"route replace 0.0.0.0/0 via {e.here4.ip}",
        f"route replace ::/0 via {e.here6.ip}",
        *_local(prefixes),
    ]


def _local(prefixes: Iterable[Prefix]) -> list[str]:
    """All of a prefix is here; ICMPv6 errors are sent only from an address of an interface, so the first is one.

    A default is a way to others: were all of it here, nothing would leave.
    """
    prefixes = [p for p in prefixes if p.prefixlen]
    routes = [f"route replace local {p} dev lo" for p in prefixes]
    return routes + [f"address replace {first(p)}/128 dev lo" for p in prefixes if p.version == 6]


def first(prefix: Prefix) -> Address:
    """Return the first address of a prefix for a host: the one after its network address, if there is another."""
    return prefix.network_address + (prefix.num_addresses > 1)
