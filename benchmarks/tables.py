"""Whole Internet tables of three transits: made up, written as MRT, read, joined and grouped; and the peak memory."""

from __future__ import annotations

import resource
import struct
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from trunkline.feeds.feed import ORIGINS, Attributes, Feed
from trunkline.feeds.join import grouped, joined
from trunkline.feeds.read import read
from trunkline.feeds.synthetic import synthetic

TRANSITS = {"one": 174, "two": 1299, "three": 3356}


def timed(what: str, body: Callable[[], Any], rest: Callable[[Any], str]) -> Any:
    """Run once, and print the wall time, the peak memory of the process so far, and what came of it."""
    begin = time.perf_counter()
    result = body()
    seconds = time.perf_counter() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  {what:<28} {seconds:9.4f} s   {peak:4,.0f} MiB   {rest(result)}", flush=True)
    return result


def octets(attributes: Attributes, six: bool) -> bytes:
    """Path attributes as RFC 4271 4.3 has them, with a next hop as collectors write it (RFC 6396 4.3.4)."""
    path = struct.pack(f">BB{len(attributes.path)}I", 2, len(attributes.path), *attributes.path)
    found = bytes([0x40, 1, 1, ORIGINS.index(attributes.origin), 0x50, 2]) + struct.pack(">H", len(path)) + path
    found += bytes([0x80, 14, 17, 16]) + bytes(16) if six else bytes([0x40, 3, 4, 192, 0, 2, 1])
    found += struct.pack(">BBBI", 0x80, 4, 4, attributes.med) if attributes.med is not None else b""
    pairs = b"".join(struct.pack(">HH", *map(int, text.split(":"))) for text in attributes.communities)
    return found + bytes([0xC0, 8, len(pairs)]) + pairs


def records(feed: Feed, asn: int) -> Iterator[bytes]:
    """The table as MRT records of TABLE_DUMP_V2."""
    index = struct.pack(">IHHBI4sI", 0, 0, 1, 2, 1, bytes([192, 0, 2, 1]), asn)
    yield struct.pack(">IHHI", 0, 13, 1, len(index)) + index
    high = feed.v6.high.tolist()
    addresses = [a.to_bytes(4, "big") for a in feed.v4.address.tolist()] + [h.to_bytes(8, "big") for h in high]
    lengths = feed.v4.length.tolist() + feed.v6.length.tolist()
    which = feed.v4.attribute.tolist() + feed.v6.attribute.tolist()
    blobs = [[octets(a, six) for a in feed.attributes] for six in (False, True)]
    for number, (address, length, attribute) in enumerate(zip(addresses, lengths, which, strict=True)):
        six = number >= len(feed.v4)
        blob = blobs[six][attribute]
        body = struct.pack(">IB", number, length) + address[: (length + 7) // 8]
        body += struct.pack(">HHIH", 1, 0, 0, len(blob)) + blob
        yield struct.pack(">IHHI", 0, 13, 4 if six else 2, len(body)) + body


def signature(feed: Feed) -> Any:
    """What the decision process tells routes of a transit apart by: AS path length, origin, MED."""
    return np.array([len(a.path) << 40 | ORIGINS.index(a.origin) << 32 | (a.med or 0) for a in feed.attributes])


def main(folder: Path) -> None:
    """Print a line for each step; the MRT files stay in the folder."""
    for name, asn in TRANSITS.items():
        made = timed(f"made up, AS{asn}", partial(synthetic, asn), repr)
        with (folder / name).open("wb") as file:
            file.writelines(records(made, asn))
        del made
    size = sum((folder / name).stat().st_size for name in TRANSITS) >> 20
    feeds = timed("read from MRT, three", lambda: {n: read(folder / n) for n in TRANSITS}, lambda _: f"{size} MiB")
    table = timed("joined", lambda: joined(feeds), repr)
    told = {name: signature(feed) for name, feed in feeds.items()}
    timed("grouped by what decides", lambda: grouped(table, told), lambda found: f"{len(found):,} bunches")
    every = {name: np.arange(len(feed.attributes)) for name, feed in feeds.items()}
    timed("grouped by all attributes", lambda: grouped(table, every), lambda found: f"{len(found):,} bunches")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
