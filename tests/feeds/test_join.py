"""Joining and grouping, against dictionaries that are walked prefix by prefix."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline.feeds.feed import Attributes, Feed
from trunkline.feeds.join import ABSENT, Bunch, Joined, grouped, joined
from trunkline.feeds.rows import Rows

Table = dict[tuple[int, int, int], int]
"""(4 or 6, address, length) to a MED, which tells attributes apart."""

PREFIXES = st.one_of(
    st.tuples(st.just(4), st.sampled_from([0, 20 << 24, 21 << 24, (1 << 32) - 256]), st.sampled_from([0, 8, 24])),
    st.tuples(st.just(6), st.sampled_from([0, 1, 0x24 << 120, 0x24 << 120 | 1 << 63]), st.sampled_from([8, 64, 128])),
)
TABLES = st.dictionaries(
    st.sampled_from(["a", "b", "c", "d"]), st.dictionaries(PREFIXES, st.integers(0, 5), max_size=14), min_size=1
)


def feed_of(table: Table) -> Feed:
    rows = Rows()
    for (version, address, length), value in table.items():
        index = rows.attribute(Attributes((1,), "igp", value, ()))
        (rows.add4 if version == 4 else rows.add6)(address, length, index)
    return rows.feed()


def prefixes_of(table: Joined) -> list[tuple[int, int, int]]:
    four = zip(table.v4.address.tolist(), table.v4.length.tolist(), strict=True)
    six = zip(table.v6.high.tolist(), table.v6.low.tolist(), table.v6.length.tolist(), strict=True)
    return [(4, a, length) for a, length in four] + [(6, h << 64 | low, length) for h, low, length in six]


@given(TABLES)
def test_joined_is_the_union(tables: dict[str, Table]) -> None:
    feeds = {name: feed_of(table) for name, table in tables.items()}
    found = joined(feeds)
    assert found.announcers == tuple(sorted(tables))
    prefixes = prefixes_of(found)
    assert prefixes == sorted(set().union(*tables.values()))
    attribute = np.concatenate((found.v4.attribute, found.v6.attribute), axis=1).tolist()
    for name, indices in zip(found.announcers, attribute, strict=True):
        meds = [None if i == ABSENT else feeds[name].attributes[i].med for i in indices]
        assert meds == [tables[name].get(prefix) for prefix in prefixes]


@given(TABLES, st.integers(1, 4))
def test_grouped_is_what_a_walk_groups(tables: dict[str, Table], modulus: int) -> None:
    feeds = {name: feed_of(table) for name, table in tables.items()}
    tell = {name: np.array([(a.med or 0) % modulus - 1 for a in f.attributes], np.int64) for name, f in feeds.items()}
    walked: dict[tuple[tuple[str, int], ...], list[tuple[int, int, int]]] = defaultdict(list)
    for prefix in sorted(set().union(*tables.values())):  # IPv4 first, then by address and length
        walked[tuple((n, t[prefix] % modulus) for n, t in sorted(tables.items()) if prefix in t)].append(prefix)
    expected = [
        (
            sum(version == 4 for version, _, _ in members),
            sum(version == 6 for version, _, _ in members),
            {name: tables[name][members[0]] for name, _ in key},
        )
        for key, members in walked.items()
    ]
    found = [
        (b.v4, b.v6, {name: feeds[name].attributes[i].med for name, i in b.attribute.items()})
        for b in grouped(joined(feeds), tell)
    ]
    assert found == expected


def test_an_example_by_hand() -> None:
    # 20/8 and 30/8 are alike: both from a with MED 1 and from b; 40/8 and 2400::/12 are a's only
    a = feed_of({(4, 20 << 24, 8): 1, (4, 30 << 24, 8): 1, (4, 40 << 24, 8): 2, (6, 0x24 << 120, 12): 2})
    b = feed_of({(4, 20 << 24, 8): 5, (4, 30 << 24, 8): 6})
    med = {"a": np.array([attributes.med for attributes in a.attributes]), "b": np.array([0, 0])}
    assert [attributes.med for attributes in (*a.attributes, *b.attributes)] == [1, 2, 5, 6]
    assert grouped(joined({"b": b, "a": a}), med) == (Bunch(2, 0, {"a": 0, "b": 0}), Bunch(1, 1, {"a": 1}))


def test_a_signature_that_does_not_fit_is_an_error() -> None:
    table = joined({"a": feed_of({(4, 20 << 24, 8): 1, (4, 30 << 24, 8): 2})})
    with pytest.raises(IndexError):
        grouped(table, {"a": np.array([0])})
    with pytest.raises(KeyError):
        grouped(table, {"b": np.array([0, 0])})
    assert grouped(joined({"a": feed_of({})}), {"a": np.array([], np.int64)}) == ()
