"""MRT: what RFC 6396 and RFC 8050 lay out, read back; files that hold something else, are cut, or lie."""

from __future__ import annotations

import bz2
import gzip
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feeds.octets import (
    as_path,
    attribute,
    communities,
    large_communities,
    med,
    next_hop,
    origin,
    peer_index,
    record,
    rib,
)
from feeds.tables import routes
from trunkline.feeds.feed import Attributes, Feed
from trunkline.feeds.read import read
from trunkline.model.problem import Problems

Table = Callable[..., Feed]
Pack = Callable[[bytes], bytes]
PLAIN = origin(0) + as_path((2, [64500, 3356])) + next_hop("192.0.2.1")
RICH = (
    origin(2)
    + as_path((2, [64500, 4200000001, 4200000001]))
    + next_hop("192.0.2.1")
    + med(7)
    + communities((65000, 10), (65000, 2), (65000, 10))
    + large_communities((4294967295, 0, 1), (64500, 2, 3))
)
SIX = origin(1) + as_path((2, [64500])) + next_hop("2001:db8::1")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    def write(data: bytes, peer: str | None = None, name: str = "table") -> Feed:
        path = tmp_path / name
        path.write_bytes(data)
        return read(path, peer)

    return write


def refused(table: Table, data: bytes, peer: str | None = None) -> str:
    with pytest.raises(Problems) as caught:
        table(data, peer)
    (problem,) = caught.value.problems
    return str(problem).split("/table: ")[1]


def test_every_attribute_that_decides(table: Table) -> None:
    data = peer_index() + rib("198.51.100.0/24", [(0, PLAIN)]) + rib("20.0.0.0/7", [(0, RICH)])
    data += rib("::/0", [(0, SIX)]) + rib("2400:1:2:3:8000::/65", [(0, SIX)])
    found = table(data)
    assert routes(found) == {
        "20.0.0.0/7": Attributes(
            (64500, 4200000001, 4200000001),
            "incomplete",
            7,
            ("65000:2", "65000:10", "64500:2:3", "4294967295:0:1"),
        ),
        "198.51.100.0/24": Attributes((64500, 3356), "igp", None, ()),
        "::/0": Attributes((64500,), "egp", None, ()),
        "2400:1:2:3:8000::/65": Attributes((64500,), "egp", None, ()),
    }
    assert list(routes(found)) == ["20.0.0.0/7", "198.51.100.0/24", "::/0", "2400:1:2:3:8000::/65"]
    assert (found.broken, found.left_out) == (None, ())
    assert len(found.attributes) == 3  # both IPv6 routes share one


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
def test_packed_or_not_and_whatever_the_name(table: Table, pack: Pack) -> None:
    data = peer_index() + rib("198.51.100.0/24", [(0, PLAIN)])
    assert list(routes(table(pack(data), name="table.csv"))) == ["198.51.100.0/24"]
    assert list(routes(table(pack(data) + pack(rib("20.0.0.0/8", [(0, PLAIN)]))))) == ["20.0.0.0/8", "198.51.100.0/24"]


def test_a_path_is_as_long_as_the_decision_process_counts(table: Table) -> None:
    # RFC 4271 9.1.2.2: an AS_SET counts as 1; RFC 5065 5.3: confederation segments do not count
    path = as_path((3, [65001, 65002]), (2, [64500, 1]), (4, [65003]), (1, [30, 10, 20]))
    long = as_path((2, [64500] * 255), (2, [64500] * 45))  # a segment has at most 255
    data = peer_index() + rib("20.0.0.0/8", [(0, origin(0) + path)]) + rib("21.0.0.0/8", [(0, origin(0) + long)])
    found = table(data)
    assert routes(found)["20.0.0.0/8"].path == (64500, 1, 10)
    assert routes(found)["21.0.0.0/8"].path == (64500,) * 300
    assert found.left_out == ("routes with an AS_SET in their path, for which its lowest AS stands: 1",)


def test_what_is_not_read_is_passed_over(table: Table) -> None:
    unknown = attribute(200, b"\xff" * 300, 0xC0) + attribute(6, b"") + attribute(5, b"\x00\x00\x00\x64")
    twice = origin(0) + origin(2)  # RFC 7606 3 g: the first stands
    data = peer_index() + rib("20.0.0.0/8", [(0, unknown + twice + as_path((2, [64500])))])
    assert routes(table(data)) == {"20.0.0.0/8": Attributes((64500,), "igp", None, ())}


def test_bits_behind_the_length_mean_nothing(table: Table) -> None:
    whole = rib("20.0.0.0/8", [(0, PLAIN)])
    body = whole[12:16] + bytes([7, 0x15]) + whole[18:]  # 21 is 0b00010101, and a /7 ends before its last bit
    assert list(routes(table(peer_index() + record(13, 2, body)))) == ["20.0.0.0/7"]


def test_add_path_keeps_the_lowest_identifier(table: Table) -> None:
    one, two = origin(0) + as_path((2, [64500, 1])), origin(0) + as_path((2, [64500, 2]))
    data = peer_index() + rib("20.0.0.0/8", [(0, one), (0, two)], [9, 3]) + rib("2400::/12", [(0, two)], [1])
    data += rib("30.0.0.0/8", [(0, one), (0, two)])  # none has an identifier: the first in the file
    found = table(data)
    assert {prefix: a.path[1] for prefix, a in routes(found).items()} == {
        "20.0.0.0/8": 2,
        "30.0.0.0/8": 1,
        "2400::/12": 2,
    }
    assert found.left_out == (
        "further paths of a prefix (that of the lowest path identifier stands, else the first in the file): 2",
    )


PEERS3 = ((64500, "192.0.2.1"), (64500, "2001:db8::1"), (174, "192.0.2.2"), (64501, "192.0.2.3"))


def test_a_peer_is_picked_by_number_or_address(table: Table) -> None:
    data = peer_index(PEERS3) + rib("20.0.0.0/8", [(0, PLAIN), (2, RICH)]) + rib("2400::/12", [(1, SIX)])
    assert sorted(routes(table(data, "64500"))) == ["20.0.0.0/8", "2400::/12"]  # a session for each family
    assert list(routes(table(data, "as64500"))) == ["20.0.0.0/8", "2400::/12"]
    assert list(routes(table(data, "2001:DB8:0::1"))) == ["2400::/12"]
    assert routes(table(data, "192.0.2.2"))["20.0.0.0/8"].med == 7
    both = "AS174 at 192.0.2.2 (1 v4, 0 v6), AS64500 at 192.0.2.1 (1 v4, 0 v6), AS64500 at 2001:db8::1 (0 v4, 1 v6)"
    assert refused(table, data) == f"error[peer]: it has the tables of 3 peers; expected one of {both}"
    missing = f"error[peer]: there are no routes of 64501 in it; expected one of {both}"
    assert refused(table, data, "64501") == missing
    where = "expected an AS number such as 3356, or an address"
    assert refused(table, data, "lumen") == f"error[peer]: 'lumen' names no peer; {where}"


def test_two_sessions_of_an_as_are_two_peers(table: Table) -> None:
    peers = ((64500, "192.0.2.1"), (64500, "192.0.2.2"))
    data = peer_index(peers, wide=False) + rib("20.0.0.0/8", [(0, PLAIN), (1, PLAIN)])
    expected = "one of AS64500 at 192.0.2.1 (1 v4, 0 v6), AS64500 at 192.0.2.2 (1 v4, 0 v6)"
    assert refused(table, data, "64500") == f"error[peer]: 64500 is 2 peers; expected {expected}"
    assert refused(table, data) == f"error[peer]: it has the tables of 2 peers; expected {expected}"
    six = peer_index(peers) + rib("2400::/12", [(0, SIX), (1, SIX)])
    assert refused(table, six, "64500").startswith("error[peer]: 64500 is 2 peers")


def test_an_as_of_two_octets(table: Table) -> None:
    data = peer_index(((64500, "192.0.2.1"),), wide=False) + rib("20.0.0.0/8", [(0, PLAIN)])
    assert list(routes(table(data, "64500"))) == ["20.0.0.0/8"]


def test_a_damaged_index_leaves_its_routes_to_nobody(table: Table) -> None:
    sound = peer_index() + rib("20.0.0.0/8", [(0, PLAIN)])
    index = peer_index()
    cut = record(13, 1, index[12:-1])
    found = table(sound + cut + rib("21.0.0.0/8", [(0, PLAIN)]))
    assert list(routes(found)) == ["20.0.0.0/8"]
    assert found.left_out == ("records whose lengths or peers do not fit: 2",)


def test_the_first_dump_of_a_family_stands(table: Table) -> None:
    four, six = peer_index() + rib("20.0.0.0/8", [(0, PLAIN)]), peer_index() + rib("2400::/12", [(0, SIX)])
    found = table(four + six + peer_index() + rib("20.0.0.0/8", [(0, RICH)]) + rib("21.0.0.0/8", [(0, RICH)]))
    assert routes(found) == {
        "20.0.0.0/8": Attributes((64500, 3356), "igp", None, ()),
        "2400::/12": Attributes((64500,), "egp", None, ()),
    }
    assert found.left_out == ("records of later dumps (the first of each family stands): 2",)


def test_what_else_a_file_holds_is_counted(table: Table) -> None:
    bad = [origin(3), as_path((5, [1])), b"\x40\x01\xff\x00", attribute(4, b"\x00"), attribute(8, b"\x00")]
    data = peer_index() + rib("20.0.0.0/8", [(0, PLAIN)]) + record(16, 4, b"x") * 2 + record(13, 3, b"")
    data += b"".join(rib(f"2{i}.1.0.0/16", [(0, octets)]) for i, octets in enumerate(bad))
    data += rib("30.0.0.0/8", [(9, PLAIN)]) + record(13, 2, b"\0\0\0\0\xff") + record(13, 2, b"\0\0\0\0\x18\x01")
    found = table(data)
    assert list(routes(found)) == ["20.0.0.0/8"]
    assert found.left_out == (
        "BGP4MP records: no tables: 2",
        "RIB_IPV4_MULTICAST records: 1",
        "records whose lengths or peers do not fit: 3",
        "routes with malformed attributes: MULTI_EXIT_DISC has not four octets: 1",
        "routes with malformed attributes: ORIGIN is none of its codes: 1",
        "routes with malformed attributes: an AS path segment is of type 5: 1",
        "routes with malformed attributes: an attribute is longer than what holds it: 1",
        "routes with malformed attributes: communities do not fill their attribute: 1",
    )


EXPECTED = "expected MRT TABLE_DUMP_V2, or CSV with prefix,as_path,origin,med,communities; plain, gzip or bzip2"
V2 = "expected a table: TABLE_DUMP_V2 with a PEER_INDEX_TABLE (RFC 6396 4.3)"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", f"error[empty]: the file is empty; {EXPECTED}"),
        (gzip.compress(b"", mtime=0), f"error[empty]: the file is empty; {EXPECTED}"),
        (b"\x1f\x8b", f"error[empty]: the compressed file is cut here; {EXPECTED}"),
        (b"BZh9", f"error[empty]: the compressed file is cut here; {EXPECTED}"),
        (b"\x7fELF" + b"\0" * 99, f"error[feed]: this is neither an MRT file nor CSV; {EXPECTED}"),
        (record(16, 4, b"update"), f"error[mrt]: there are no peers in it; {V2}"),
        (peer_index([]), f"error[mrt]: there are no peers in it; {V2}"),
        (peer_index(), "error[mrt]: there are no routes in it"),
        (peer_index()[:40], f"error[mrt]: there are no peers in it; the file is broken after record 0 at byte 0: the file ends within a record; {V2}"),  # noqa: E501
        (rib("20.0.0.0/8", [(0, PLAIN)]), f"error[mrt]: there are no peers in it; {V2}"),
        (
            record(12, 1, b"\0" * 40),
            "error[mrt]: this is a TABLE_DUMP, the first version, with AS numbers of two octets; "
            "expected TABLE_DUMP_V2 (RFC 6396 4.3)",
        ),
    ],
)  # fmt: skip
def test_there_is_nothing_to_be_read(table: Table, data: bytes, message: str) -> None:
    assert refused(table, data) == message


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(Problems, match=re.escape("it is a directory; expected a readable file")):
        read(tmp_path)
    with pytest.raises(Problems, match="no such file or directory"):
        read(tmp_path / "absent")
    with pytest.raises(Problems, match="it is no regular file"):
        read("/dev/zero")


CUT = [peer_index(), rib("20.0.0.0/8", [(0, PLAIN)]), rib("21.0.0.0/8", [(0, RICH)]), rib("2400::/12", [(0, SIX)])]
WHOLE = ["20.0.0.0/8", "21.0.0.0/8", "2400::/12"]


def test_a_file_cut_anywhere_gives_what_stood_before(table: Table) -> None:
    data = b"".join(CUT)
    ends = [sum(map(len, CUT[: i + 1])) for i in range(len(CUT))]
    for cut in range(1, len(data)):
        complete = sum(end <= cut for end in ends)
        if complete < 2:
            with pytest.raises(Problems):
                table(data[:cut])
            continue
        found = table(data[:cut])
        assert list(routes(found)) == WHOLE[: complete - 1]
        at = ends[complete - 1]
        where = f"after record {complete} at byte {at}: the file ends within a record"
        assert found.broken == (None if cut == at else where)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_a_packed_file_cut_anywhere_says_so(table: Table, pack: Pack) -> None:
    packed = pack(b"".join(CUT))
    read_some = 0
    for size in range(4, len(packed)):
        try:
            found = table(packed[:size])
        except Problems:
            continue
        read_some += 1
        assert found.broken
        assert found.broken.endswith(" of what it unpacks to: the compressed file is cut here")
        assert list(routes(found)) == WHOLE[: len(routes(found))]
    assert read_some > 0 or pack is bz2.compress  # bzip2 unpacks whole blocks, and this is one
    damaged = packed[:-6] + bytes([packed[-6] ^ 1]) + packed[-5:]
    if pack is gzip.compress:  # its checksum stands at the end
        assert str(table(damaged).broken).startswith("after record 4 at byte ")


def test_lengths_that_lie(table: Table) -> None:
    sound = peer_index() + rib("20.0.0.0/8", [(0, PLAIN)])
    huge = record(13, 2, b"")[:8] + b"\xff\xff\xff\xff"
    found = table(sound + huge + b"\0" * 100)
    assert list(routes(found)) == ["20.0.0.0/8"]
    assert found.broken == f"after record 2 at byte {len(sound)}: the next record says that it has 4,294,967,295 octets"
    many = rib("21.0.0.0/8", [(0, PLAIN)])
    lying = many[:18] + b"\xff\xff" + many[20:]  # 65,535 routes, and there is one
    assert table(sound + lying).left_out == ("records whose lengths or peers do not fit: 1",)
    index = peer_index()
    lying = index[:22] + b"\xff\xff" + index[24:]  # as many peers
    assert refused(table, lying).startswith("error[mrt]: there are no peers in it")


@given(st.lists(st.tuples(st.integers(0, sum(map(len, CUT)) - 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_any_octet_may_be_wrong(changes: list[tuple[int, int]]) -> None:
    data = bytearray(b"".join(CUT))
    for at, octet in changes:
        data[at] = octet
    with NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        with suppress(Problems):
            assert 1 <= len(routes(read(file.name))) <= 3
