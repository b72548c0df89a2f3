"""What the kernel of a namespace holds, by netlink (rtnetlink(7)): interfaces and routes, one dump each, no forks."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from trunkline.lab.namespaces import inside

Address = IPv4Address | IPv6Address
Prefix = IPv4Network | IPv6Network

GETLINK, GETROUTE = 18, 26
DONE, ERROR = 3, 2
REQUEST_DUMP = 0x301
IFNAME, RTA_DST, RTA_OIF, RTA_GATEWAY, RTA_MULTIPATH = 3, 1, 4, 5, 9
MAIN = 254
"""The main routing table (RT_TABLE_MAIN)."""
RUNNING = 0x40
"""IFF_RUNNING: zebra must not start before its interfaces are."""
PROTOCOLS = {2: "kernel", 3: "boot", 4: "static", 186: "bgp", 187: "isis", 196: "zebra-static"}
"""Who wrote a route (rtnetlink.h; FRR's zebra/rt_netlink.h)."""
UNICAST = 1


@dataclass(frozen=True, order=True)
class NextHop:
    """Where a route leads: out of an interface, to a gateway where there is one."""

    interface: str
    gateway: str = ""


@dataclass(frozen=True)
class Route:
    """A route of the main table.  Without next hops it drops what it matches (a blackhole, or unreachable)."""

    prefix: Prefix
    protocol: str
    hops: tuple[NextHop, ...]


class Kernel:
    """A netlink socket that lives in one namespace."""

    def __init__(self, namespace: str) -> None:
        with inside(namespace):
            self._socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 21)
        self._socket.bind((0, 0))

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()

    def links(self) -> dict[str, bool]:
        """Return every interface by name: whether it is running."""
        return dict(self._links().values())

    def routes(self) -> list[Route]:
        """Return the routes of the main table, both families, the kernel's own for its addresses included."""
        names = {index: name for index, (name, _) in self._links().items()}
        return [
            route
            for family in (socket.AF_INET, socket.AF_INET6)
            for message in self._dump(GETROUTE, struct.pack("=BBBBBBBBI", family, 0, 0, 0, MAIN, 0, 0, 0, 0))
            if (route := _route(message, names)) is not None
        ]

    def _links(self) -> dict[int, tuple[str, bool]]:
        found = {}
        for message in self._dump(GETLINK, struct.pack("=BxHiII", 0, 0, 0, 0, 0)):
            _, _, index, flags, _ = struct.unpack_from("=BxHiII", message)
            name = _attributes(message[16:])[IFNAME].rstrip(b"\0").decode()
            found[index] = name, bool(flags & RUNNING)
        return found

    def _dump(self, kind: int, body: bytes) -> Iterator[bytes]:
        self._socket.send(struct.pack("=IHHII", 16 + len(body), kind, REQUEST_DUMP, 1, 0) + body)
        while True:
            data = self._socket.recv(1 << 18)
            at = 0
            while at < len(data):
                length, number = struct.unpack_from("=IH", data, at)
                if number == DONE:
                    return
                if number == ERROR:
                    raise OSError(-struct.unpack_from("=i", data, at + 16)[0], "netlink dump")
                yield data[at + 16 : at + length]
                at += (length + 3) & ~3


def _attributes(data: bytes) -> dict[int, bytes]:
    found = {}
    at = 0
    while at + 4 <= len(data):
        length, kind = struct.unpack_from("=HH", data, at)
        found[kind & 0x3FFF] = data[at + 4 : at + length]
        at += (length + 3) & ~3
    return found


def _route(message: bytes, names: dict[int, str]) -> Route | None:
    family, length, _, _, table, protocol, _, kind, _ = struct.unpack_from("=BBBBBBBBI", message)
    if table != MAIN:
        return None
    found = _attributes(message[12:])
    zero = bytes(4 if family == socket.AF_INET else 16)
    prefix = ip_network((found.get(RTA_DST, zero), length))
    hops: tuple[NextHop, ...] = ()
    if RTA_MULTIPATH in found:
        hops = tuple(_hops(found[RTA_MULTIPATH], names))
    elif kind == UNICAST and RTA_OIF in found:
        hops = (_hop(struct.unpack("=i", found[RTA_OIF])[0], found, names),)
    return Route(prefix, PROTOCOLS.get(protocol, str(protocol)), tuple(sorted(hops)))


def _hops(data: bytes, names: dict[int, str]) -> Iterator[NextHop]:
    at = 0
    while at + 8 <= len(data):
        length, _, _, index = struct.unpack_from("=HBBi", data, at)
        yield _hop(index, _attributes(data[at + 8 : at + length]), names)
        at += (length + 3) & ~3


def _hop(index: int, found: dict[int, bytes], names: dict[int, str]) -> NextHop:
    gateway = str(ip_address(found[RTA_GATEWAY])) if RTA_GATEWAY in found else ""
    return NextHop(names[index], gateway)
