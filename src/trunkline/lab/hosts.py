"""Who answers: data centres and peer ports, every address of each of their prefixes.

A prefix is a local route of its namespace (`ip route add local`), so that all of it answers pings, takes UDP, and may
be a source.  Data centres hang off their routers over link-local addresses alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor

from trunkline.devices.device import Device, External
from trunkline.lab.namespaces import batch, full
from trunkline.lab.netlink import Prefix
from trunkline.lab.wiring import UPLINK, Wiring, attachment

ROUTER_SIDE, HOST_SIDE = "fe80::1", "fe80::2"
"""Between a router and a data centre."""


def answer(lab: str, wiring: Wiring, workers: Executor) -> None:
    """Give data centres and peer ports their addresses, and their routers a way to them."""
    lines: list[tuple[str, list[str]]] = []
    for device in wiring.devices.values():
        lines.append((device.name, [line for group in device.originated for line in _to_host(group.name, device)]))
        lines += [(e.port.name, _port(e)) for e in device.externals]
    lines += [(dc.name, _host(wiring, dc.name, dc.attach)) for dc in wiring.net.datacenters]
    list(workers.map(lambda item: batch("ip", item[1], full(lab, item[0])), lines))


def _to_host(dc: str, device: Device) -> list[str]:
    """A route of distance 0 in zebra's eyes: it beats the blackhole floor, and falls to it with the interface."""
    interface = attachment(dc)
    prefixes = device.net.group[dc].prefixes
    routes = [
        f"route add {p} dev {interface}" if p.version == 4 else f"route add {p} via {HOST_SIDE} dev {interface}"
        for p in prefixes
    ]
    return [f"address add {ROUTER_SIDE}/64 dev {interface}", *routes]


def _host(wiring: Wiring, dc: str, attach: Iterable[str]) -> list[str]:
    interfaces = [attachment(router) for router in attach]
    lines = [f"address add {HOST_SIDE}/64 dev {interface}" for interface in interfaces]
    lines += _local(wiring.net.group[dc].prefixes)
    if interfaces:
        hops = " ".join(f"nexthop via inet6 {ROUTER_SIDE} dev {interface}" for interface in interfaces)
        lines += [f"route add 0.0.0.0/0 {hops}", f"route add ::/0 {hops.replace('inet6 ', '')}"]
    return lines


def _port(e: External) -> list[str]:
    """A peer port: the far end of its link, all that it announces, and its way back to us."""
    prefixes = {p: None for heard in e.heard for p in heard.group.prefixes}
    return [
        f"address add {e.there4}/{e.here4.network.prefixlen} dev {UPLINK}",
        f"address add {e.there6}/{e.here6.network.prefixlen} dev {UPLINK}",
        f"route add 0.0.0.0/0 via {e.here4.ip}",
        f"route add ::/0 via {e.here6.ip}",
        *_local(prefixes),
    ]


def _local(prefixes: Iterable[Prefix]) -> list[str]:
    return [f"route add local {p} dev lo" for p in prefixes]
