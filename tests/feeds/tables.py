"""Feeds as dictionaries, for tests to compare."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network

from trunkline.feeds.feed import Attributes, Feed


def routes(feed: Feed) -> dict[str, Attributes]:
    """The attributes of every prefix, in the order of the feed."""
    v4 = zip(feed.v4.address.tolist(), feed.v4.length.tolist(), feed.v4.attribute.tolist(), strict=True)
    found = {str(IPv4Network((address, length))): feed.attributes[i] for address, length, i in v4}
    v6 = zip(feed.v6.high.tolist(), feed.v6.low.tolist(), feed.v6.length.tolist(), strict=True)
    for (high, low, length), i in zip(v6, feed.v6.attribute.tolist(), strict=True):
        found[str(IPv6Network((high << 64 | low, length)))] = feed.attributes[i]
    return found
