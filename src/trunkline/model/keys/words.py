"""Scalars that several parts of the table share."""

from __future__ import annotations

from trunkline.model.schema import Either, Type, integer, ref

MAX_METRIC = 2**24 - 2
"""The largest usable IS-IS metric; 2^24 - 1 takes a link out of the SPF (RFC 5305 3)."""
MAX_PARALLEL = 1000
MAX_PREFIXES = 10**9

METRIC = integer(1, MAX_METRIC, "metric")
ASN = integer(1, 2**32 - 1, "AS number")
UINT32 = integer(0, 2**32 - 1)
PRIORITY = integer(0, 7, "priority")
ROUTER, SITE_NAME, REGION_NAME, CLASS = ref("router"), ref("site"), ref("region"), ref("class")
GROUP_NAME, ADMIN_GROUP = ref("prefix group", "data centre"), ref("admin group")
SOURCE = ref("data centre", "router", "peer", "prefix group")
TARGET = ref("data centre", "router", "prefix group")


def one_or(kind: Type, *others: Type) -> Either:
    """One type or others."""
    return Either((kind, *others))
