"""Dumps that BIRD 2.0.12, FRR 8.4.4 and GoBGP 3.10.0 wrote (dumps/write says of what): as their configuration says.

mrtparse, another reader, must find the same in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
from mrtparse import Reader

from feeds.tables import routes
from trunkline.feeds.feed import Attributes
from trunkline.feeds.read import read

DUMPS = Path(__file__).parent / "dumps"
SENDER, GOBGP = 65004, 64501
FROM_SENDER = {
    "1.2.3.0/24": Attributes((65004,), "igp", None, ()),
    "1.2.3.128/25": Attributes((65004,), "igp", None, ("65004:9", "65004:1:4294967295")),
    "4.0.0.0/8": Attributes((65004, 65004, 4200000001), "incomplete", None, ()),
    "2400:1234::/32": Attributes((65004,), "igp", None, ()),
    "2400:1234:5678::/48": Attributes((65004, 64999), "igp", None, ()),
}
"""The sender's MEDs stay at home: BIRD does not send on what it has not learned by BGP."""
FROM_GOBGP = {
    "0.0.0.0/0": Attributes((64501,), "igp", None, ()),
    "4.0.0.0/8": Attributes((64501, 65100, 65103), "igp", None, ()),
    "5.5.0.0/16": Attributes(
        (64501, 65100, 65101),
        "igp",
        10,
        ("65000:1", "65000:2", "65535:65281", "64501:3:4", "4200000000:1:2"),  # 65535:65281 is no-export
    ),
    "5.6.0.0/16": Attributes((64501, 65100, 65100, 65100, 65102), "egp", None, ()),
    "5.6.7.0/24": Attributes((64501, 65100, 65200), "incomplete", None, ()),
    "2a00:5::/32": Attributes((64501, 65100, 65101), "incomplete", 0, ("65000:7",)),
    "2a00:5::1/128": Attributes((64501, 65100), "incomplete", None, ()),
    "2a00:5:0:ffff::/64": Attributes((64501, 65100), "incomplete", None, ()),
}
LOWEST = "(that of the lowest path identifier stands, else the first in the file)"


def test_bird_with_add_path() -> None:
    found = read(DUMPS / "bird.mrt", str(SENDER))
    assert routes(found) == FROM_SENDER
    assert found.left_out == (f"further paths of a prefix {LOWEST}: 1",)  # the second path of 4.0.0.0/8
    heard = {"1.2.3.0/24", "1.2.3.128/25"}  # GoBGP passes on what bgpd told it
    told = routes(read(DUMPS / "bird.mrt", str(GOBGP)))
    assert {prefix: a for prefix, a in told.items() if prefix not in heard} == FROM_GOBGP
    assert told["1.2.3.128/25"].path == (64501, 65003, 65004)
    own = read(DUMPS / "bird.mrt", "0")
    assert routes(own) == {"5.7.0.0/16": Attributes((), "incomplete", None, ())}


def test_frr() -> None:
    assert routes(read(DUMPS / "frr.mrt", str(GOBGP))) == FROM_GOBGP
    # bgpd writes both paths of 4.0.0.0/8 without their identifiers, the one through 65009 first
    found = read(DUMPS / "frr.mrt", str(SENDER))
    assert routes(found) == FROM_SENDER | {"4.0.0.0/8": Attributes((65004, 65009), "igp", None, ())}
    assert found.left_out == (f"further paths of a prefix {LOWEST}: 1",)


def test_gobgp() -> None:
    # GoBGP refers its own eight routes to a peer that its index does not have
    found = read(DUMPS / "gobgp.mrt")
    assert sorted(routes(found)) == sorted(FROM_SENDER)
    assert {a.path[:2] for a in found.attributes} == {(65003, 65004)}
    assert found.left_out == ("records whose lengths or peers do not fit: 8",)


@pytest.mark.parametrize("dump", ["bird.mrt", "frr.mrt", "gobgp.mrt"])
def test_another_reader_finds_the_same(dump: str) -> None:
    theirs = set(_of_mrtparse(dump))
    ours = {
        (peer, prefix, a)
        for peer in {peer for peer, _, _ in theirs}
        for prefix, a in routes(read(DUMPS / dump, peer)).items()
        # mrtparse 2.2.0 reads no Add-Path IPv6 record of bgpd's; bgpdump 1.6.2 reads them as we do
        if not (dump == "frr.mrt" and prefix.startswith("2400:1234:"))
    }
    assert ours <= theirs
    assert {(peer, prefix) for peer, prefix, _ in theirs} == {(peer, prefix) for peer, prefix, _ in ours}


def _of_mrtparse(dump: str) -> Iterator[tuple[str, str, Attributes]]:
    """AS number, prefix and attributes of every route whose peer there is."""
    peers: list[str] = []
    for entry in Reader(str(DUMPS / dump)):
        if "peer_entries" in entry.data:
            peers = [peer["peer_as"] for peer in entry.data["peer_entries"]]
        for route in entry.data.get("rib_entries", ()):
            if route["peer_index"] < len(peers):
                prefix = f"{entry.data['prefix']}/{entry.data['length']}"
                yield peers[route["peer_index"]], str(ip_network(prefix)), _attributes(route["path_attributes"])


def _attributes(found: list[Any]) -> Attributes:
    values = {name: one["value"] for one in found for name in one["type"].values()}  # a type is {code: name}
    path: list[int] = []
    for segment in values.get("AS_PATH", ()):
        numbers = [int(asn) for asn in segment["value"]]
        path += numbers if "AS_SEQUENCE" in segment["type"].values() else [min(numbers)]
    texts = [sorted(values.get(kind, ()), key=_numbers) for kind in ("COMMUNITY", "LARGE_COMMUNITY")]
    (origin,) = values.get("ORIGIN", {2: "INCOMPLETE"}).values()
    return Attributes(tuple(path), origin.lower(), values.get("MULTI_EXIT_DISC"), (*texts[0], *texts[1]))


def _numbers(community: str) -> list[int]:
    return [int(number) for number in community.split(":")]
