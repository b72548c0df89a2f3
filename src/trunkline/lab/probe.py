"""Real packets inside the lab's namespaces: does one arrive, and over which routers.

UDP to a port where nobody listens: who holds the address answers "port unreachable", a router on the way whose TTL
ran out "time exceeded"; both come back through the socket's error queue (ip(7), IP_RECVERR).
"""

from __future__ import annotations

import select
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address

from trunkline.lab.namespaces import inside
from trunkline.lab.netlink import Address

PORT = 33434
"""Where traceroute begins (RFC 1393 has none; this is what everybody uses)."""
WAIT_S = 0.5
TRIES = 4
MAX_HOPS = 32
SILENT = 3
FULL = 1500
"""Bytes of an IP packet that every circuit must carry whole."""
HEADERS = {4: 28, 6: 48}
"""Bytes of IP and UDP headers."""
_IP_MTU_DISCOVER, _IPV6_MTU_DISCOVER, _DO = 10, 23, 2
_IP_RECVERR, _IPV6_RECVERR = 11, 25
_ERROR = struct.Struct("=IBBBxII")
"""struct sock_extended_err of linux/errqueue.h."""
_LOCAL, _ICMP, _ICMP6 = 1, 2, 3
"""Where an error comes from."""
_PORT = {(_ICMP, 3, 3), (_ICMP6, 1, 4)}
"""Port unreachable, by origin, type and code (RFC 792, RFC 4443)."""
_EXCEEDED, _UNREACHABLE = {(_ICMP, 11), (_ICMP6, 3)}, {(_ICMP, 3), (_ICMP6, 1)}


class End(StrEnum):
    """How a packet ended."""

    ARRIVED = "it arrives"
    DROPPED = "a router says that it knows no way"
    LOST = "it is lost"
    ON_ITS_WAY = "its TTL ran out"


@dataclass(frozen=True)
class Answer:
    """What came back: who said it, and how the packet ended there."""

    sender: Address
    end: End


@contextmanager
def flow(namespace: str, source: Address, target: Address) -> Iterator[socket.socket]:
    """A socket of a flow: its ports stay, so that every packet of it takes the same way."""
    four = target.version == 4
    with inside(namespace):
        opened = socket.socket(socket.AF_INET if four else socket.AF_INET6, socket.SOCK_DGRAM)
    with opened:
        level = socket.IPPROTO_IP if four else socket.IPPROTO_IPV6
        opened.setsockopt(level, _IP_RECVERR if four else _IPV6_RECVERR, 1)
        opened.setsockopt(level, _IP_MTU_DISCOVER if four else _IPV6_MTU_DISCOVER, _DO)
        opened.bind((str(source), 0))
        with suppress(OSError):  # a host that knows no way at all: nothing it sends goes anywhere
            opened.connect((str(target), PORT))
        opened.setblocking(False)
        yield opened


def ask(opened: socket.socket, ttl: int, size: int = 0) -> Answer | None:
    """Send a packet with a TTL and `size` bytes in it; return the answer, None where none comes in `TRIES` tries."""
    four = opened.family == socket.AF_INET
    option = (socket.IPPROTO_IP, socket.IP_TTL) if four else (socket.IPPROTO_IPV6, socket.IPV6_UNICAST_HOPS)
    opened.setsockopt(*option, ttl)
    for _ in range(TRIES):
        with suppress(OSError):  # what came for an earlier packet, or no route, or too large for the first link
            opened.send(bytes(size))
        waiting = select.poll()
        waiting.register(opened, select.POLLERR)
        if waiting.poll(int(WAIT_S * 1000)):
            answer = _error(opened)
            if answer is not None:
                return answer
    return None


def _error(opened: socket.socket) -> Answer | None:
    """The next error of the queue: who said it, if somebody else did."""
    _, found, _, _ = opened.recvmsg(2048, 512, socket.MSG_ERRQUEUE)
    for _, _, data in found:
        if len(data) < _ERROR.size + 8:
            continue
        _, origin, kind, code, _, _ = _ERROR.unpack_from(data)
        offender = data[_ERROR.size :]
        if origin == _LOCAL:
            return None
        sender = ip_address(offender[4:8] if origin == _ICMP else offender[8:24])
        if (origin, kind, code) in _PORT:
            return Answer(sender, End.ARRIVED)
        if (origin, kind) in _UNREACHABLE:
            return Answer(sender, End.DROPPED)
        if (origin, kind) in _EXCEEDED:
            return Answer(sender, End.ON_ITS_WAY)
    return None


def carries(namespace: str, source: Address, target: Address) -> bool:
    """Whether a packet of full size, not to be fragmented, gets over one hop and its answer back."""
    with flow(namespace, source, target) as opened:
        answer = ask(opened, 1, FULL - HEADERS[target.version])
    return answer is not None and answer.end is End.ARRIVED


def trace(namespace: str, source: Address, target: Address) -> tuple[list[Address | None], End]:
    """Return who answered at each hop, None where nobody did, and how the packet ended.

    Lost is where `SILENT` hops in a row say nothing; they are not in the list.
    """
    hops: list[Address | None] = []
    with flow(namespace, source, target) as opened:
        for ttl in range(1, MAX_HOPS + 1):
            answer = ask(opened, ttl)
            if answer is not None and answer.end is End.ARRIVED:
                return hops, End.ARRIVED
            hops.append(answer.sender if answer else None)
            if answer is not None and answer.end is End.DROPPED:
                return hops, End.DROPPED
            if hops[-SILENT:] == [None] * SILENT:
                return hops[:-SILENT], End.LOST
    return hops, End.ON_ITS_WAY


def arrives(source_namespace: str, source: Address, target_namespace: str, target: Address) -> bool:
    """Whether a packet gets from an address in one namespace to an address in another."""
    kind = socket.AF_INET if target.version == 4 else socket.AF_INET6
    with inside(target_namespace):
        listening = socket.socket(kind, socket.SOCK_DGRAM)
    with inside(source_namespace):
        sending = socket.socket(kind, socket.SOCK_DGRAM)
    with listening, sending:
        listening.bind((str(target), 0))
        listening.settimeout(WAIT_S)
        sending.bind((str(source), 0))
        for _ in range(TRIES):
            with suppress(OSError):  # no route is an answer too: nothing comes
                sending.sendto(b"here", (str(target), listening.getsockname()[1]))
            with suppress(TimeoutError):
                return listening.recv(16) == b"here"
    return False
