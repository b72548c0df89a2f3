"""Made-up tables: the shares that they state, no space that no one may announce, and the same draws everywhere."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from ipaddress import IPv4Network, IPv6Network

import numpy as np
import pytest

from feeds.tables import routes
from trunkline.feeds.draw import distinct, mixed, pick
from trunkline.feeds.feed import Feed
from trunkline.feeds.join import joined
from trunkline.feeds.space import SHARES4, SHARES6
from trunkline.feeds.synthetic import MOST, synthetic

V4, V6 = 60_000, 20_000


@pytest.fixture(scope="module")
def three() -> dict[str, Feed]:
    return {str(asn): synthetic(asn, V4, V6) for asn in (174, 1299, 396998)}


def test_sizes_and_shares_by_length(three: dict[str, Feed]) -> None:
    assert sum(SHARES4.values()) == sum(SHARES6.values()) == 1_000_000
    for feed in three.values():
        assert (len(feed.v4), len(feed.v6)) == (V4, V6)
        for table, shares in ((feed.v4, SHARES4), (feed.v6, SHARES6)):
            found = np.bincount(table.length, minlength=49)
            assert found.sum() == sum(found[length] for length in shares)
            for length, share in shares.items():
                assert abs(found[length] * 1_000_000 / len(table) - share) < 4_000
    # published means (trunkline.feeds.space): 22.93 and 42.87
    assert abs(three["174"].v4.length.mean() - 22.93) < 0.1
    assert abs(three["174"].v6.length.mean() - 42.87) < 0.15


def test_prefixes_are_distinct_and_of_public_space(three: dict[str, Feed]) -> None:
    prefixes = list(routes(three["174"]))
    assert len(set(prefixes)) == V4 + V6
    four = [IPv4Network(prefix) for prefix in prefixes[:V4]]
    assert all(network.is_global for network in four)  # Python's own list of special-purpose space
    assert not any(network.is_multicast or network.is_reserved for network in four)
    registries = [IPv6Network(text) for text in ("2400::/12", "2600::/12", "2800::/12", "2a00::/12", "2c00::/12")]
    six = [IPv6Network(prefix) for prefix in prefixes[V4:]]
    assert {network.supernet(new_prefix=12) for network in six} == set(registries)


def test_paths(three: dict[str, Feed]) -> None:
    for asn, feed in three.items():
        assert len(set(feed.attributes)) == len(feed.attributes)
        lengths = np.array([len(a.path) for a in feed.attributes])
        of_all = lengths[np.concatenate((feed.v4.attribute, feed.v6.attribute))]
        assert abs(of_all.mean() - 4.5) < 0.15  # published (trunkline.feeds.synthetic)
        assert 1 < of_all.min() < 3
        assert 12 < of_all.max() < 20
        prepended = np.mean([len(a.path) > len(set(a.path)) for a in feed.attributes])
        assert 0.19 < prepended < 0.25
        for attributes in feed.attributes:
            path = attributes.path
            assert path[0] == int(asn)
            assert [text.split(":")[0] for text in attributes.communities] == [asn, asn]
            ways = [a for i, a in enumerate(path) if i == 0 or a != path[i - 1]]
            assert len(ways) == len(set(ways))  # no AS comes back: no loop
            assert not any(a == 23456 or 64496 <= a < 131072 for a in path[1:])


def test_three_transits_overlap_and_differ(three: dict[str, Feed]) -> None:
    table = joined(three)
    attribute = np.concatenate((table.v4.attribute, table.v6.attribute), axis=1)
    heard = (attribute >= 0).sum(0)
    assert 0.96 < np.mean(heard == 3) < 0.98  # 0.99 cubed is 0.970
    assert heard.min() >= 0
    lengths = [np.array([len(a.path) for a in three[name].attributes]) for name in table.announcers]
    both = attribute[:, heard == 3]
    paths = np.array([length[row] for length, row in zip(lengths, both, strict=True)])
    assert 0.4 < np.mean(paths.min(0) < paths.max(0)) < 0.8
    origins = [
        np.array([a.path[-1] for a in three[name].attributes])[row]
        for name, row in zip(table.announcers, both, strict=True)
    ]
    assert (origins[0] == origins[1]).all()
    assert (origins[0] == origins[2]).all()
    _, sizes = np.unique(origins[0], return_counts=True)
    assert 10 < len(origins[0]) / len(sizes) < 20  # published: 11 of IPv4
    assert sizes.max() > 10 * np.median(sizes)


def test_a_transit_that_is_an_as_of_the_seed() -> None:
    inner = synthetic(174, 2000, 0).attributes
    origin = inner[0].path[-1]
    paths = [a.path for a in synthetic(origin, 2000, 0).attributes]
    assert {path for path in paths if path[-1] == origin} == {(origin,)}
    assert {path[0] for path in paths} == {origin}
    between = next(a.path[1] for a in inner if len(set(a.path)) == 4)
    assert all(a.path.count(between) == 1 for a in synthetic(between, 2000, 0).attributes)


def test_another_seed_is_another_internet() -> None:
    one, two = (set(routes(synthetic(174, 2000, 500, seed))) for seed in (1, 2))
    assert len(one & two) < 500


@pytest.mark.parametrize("sizes", [(0, 0), (1, 0), (0, 1), (99, 3)])
def test_small_tables(sizes: tuple[int, int]) -> None:
    feed = synthetic(174, *sizes)
    assert (len(feed.v4), len(feed.v6)) == sizes


@pytest.mark.parametrize(
    ("asn", "v4", "v6"), [(0, 1, 1), (1 << 32, 1, 1), (1, -1, 1), (1, MOST + 1, 1), (1, 1, MOST + 1)]
)
def test_numbers_out_of_range(asn: int, v4: int, v6: int) -> None:
    with pytest.raises(ValueError, match="at most 2,000,000 of each"):
        synthetic(asn, v4, v6)


def test_splitmix64() -> None:
    # the reference generator with state 1234567 gives these first (Vigna, splitmix64.c)
    assert int(mixed(np.array([1234567]), 0)[0]) == 6457827717110365317
    assert pick(np.array([0, 1, 2, 3, 4], np.uint64), {7: 1, 9: 3}).tolist() == [7, 9, 9, 9, 7]


@pytest.mark.parametrize(("population", "count"), [(1, 1), (10, 10), (10, 3), (1000, 249), (1 << 40, 1000)])
def test_distinct(population: int, count: int) -> None:
    found = distinct(population, count, 5)
    assert len(set(found.tolist())) == len(found) == count
    assert 0 <= found.min() <= found.max() < population
    with pytest.raises(ValueError, match="different numbers below"):
        distinct(population, population + 1, 5)


def test_distinct_is_fair() -> None:
    hits = np.bincount(np.concatenate([distinct(40, 8, salt) for salt in range(1000)]))
    assert len(hits) == 40
    assert hits.min() > 140  # 200 expected, and a standard deviation of 12.6
    assert hits.max() < 260


def test_the_same_on_any_hash_seed() -> None:
    code = (
        "from trunkline.feeds.synthetic import synthetic as s; f = s(174, 999, 99); print(f.attributes, f.v4.address)"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("0", "1")
    ]
    assert len(outputs[0]) > 1000
    assert hashlib.sha256(outputs[0]).digest() == hashlib.sha256(outputs[1]).digest()
