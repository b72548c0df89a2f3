"""Packets at a known rate between data centres: how long a repair took is how many were lost in a row."""

from __future__ import annotations

import selectors
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field

from trunkline.lab.namespaces import full, inside
from trunkline.lab.walks import Flow

INTERVAL_S = 0.005
"""Between two packets of a flow: what a repair time is known to."""
SETTLE_S = 0.3
"""How long packets on their way are waited for in the end."""


@dataclass
class Stream:
    """What came of every flow: the numbers of the packets that arrived."""

    flows: Sequence[Flow]
    came: list[set[int]] = field(default_factory=list)
    sent: int = 0
    acted: int = 0
    """The number of the packets that went out when something was done: what was lost before does not count."""

    def repairs(self) -> dict[str, float]:
        """Return the longest gap of every flow that lost some and came back, in milliseconds."""
        found = {}
        for flow, came in zip(self.flows, self.came, strict=True):
            gap = longest = 0
            for number in range(self.acted, self.sent):
                if number in came:
                    longest, gap = max(longest, gap), 0
                else:
                    gap += 1
            if longest:
                found[str(flow)] = longest * INTERVAL_S * 1000
        return found


@contextmanager
def streaming(lab: str, flows: Sequence[Flow]) -> Iterator[Stream]:
    """Send every flow's packets for as long as the block lasts."""
    stream = Stream(flows, [set() for _ in flows])
    with ExitStack() as stack:
        pairs = [_pair(lab, flow, stack) for flow in flows]
        ended = threading.Event()
        threads = [
            threading.Thread(target=_send, args=(stream, pairs, ended)),
            threading.Thread(target=_receive, args=(stream, [p[1] for p in pairs], ended)),
        ]
        for thread in threads:
            thread.start()
        try:
            yield stream
        finally:
            time.sleep(INTERVAL_S)
            ended.set()
            for thread in threads:
                thread.join()


def _pair(lab: str, flow: Flow, stack: ExitStack) -> tuple[socket.socket, socket.socket]:
    kind = socket.AF_INET if flow.there.version == 4 else socket.AF_INET6
    opened = []
    for thing in (flow.source, flow.group):
        with inside(full(lab, thing)):
            opened.append(stack.enter_context(socket.socket(kind, socket.SOCK_DGRAM)))
    sending, listening = opened
    listening.bind((str(flow.there), 0))
    listening.setblocking(False)
    sending.bind((str(flow.here), 0))
    sending.setblocking(False)
    return sending, listening


def _send(stream: Stream, pairs: Sequence[tuple[socket.socket, socket.socket]], ended: threading.Event) -> None:
    start = time.monotonic()
    while not ended.is_set():
        for one, there in pairs:
            with suppress(OSError):  # no route just now: the packet is lost, and the receiver counts it
                one.sendto(stream.sent.to_bytes(8, "big"), there.getsockname()[:2])
        stream.sent += 1
        time.sleep(max(0.0, start + stream.sent * INTERVAL_S - time.monotonic()))


def _receive(stream: Stream, sockets: Sequence[socket.socket], ended: threading.Event) -> None:
    with selectors.DefaultSelector() as waiting:
        for number, one in enumerate(sockets):
            waiting.register(one, selectors.EVENT_READ, number)
        last = None
        while last is None or time.monotonic() < last + SETTLE_S:
            if ended.is_set() and last is None:
                last = time.monotonic()
            for key, _ in waiting.select(0.05):
                data = sockets[key.data].recv(16)
                stream.came[key.data].add(int.from_bytes(data, "big"))
