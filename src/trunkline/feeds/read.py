"""A table from a file, whichever form it has: MRT or CSV, plain, gzip or bzip2; the content tells, not the name."""

from __future__ import annotations

import os

from trunkline.feeds.csvfeed import read_csv
from trunkline.feeds.feed import Feed
from trunkline.feeds.mrt import read_mrt
from trunkline.feeds.records import is_mrt
from trunkline.feeds.source import Source
from trunkline.model.problem import Problem, Problems

EXPECTED = "MRT TABLE_DUMP_V2, or CSV with prefix,as_path,origin,med,communities; plain, gzip or bzip2"


def read(path: str | os.PathLike[str], peer: str | None = None) -> Feed:
    """Return the table of a peer in a file.

    `peer` picks one of an MRT file's by AS number or address; a CSV file has one.  A file that is cut or damaged gives
    what stood before that, and `Feed.broken` says where it was; a cut exactly between two records, where nothing is
    compressed, cannot be told from an end.  Raises Problems where there is nothing to be read.
    """
    with Source(path) as source:
        head = source.head()
        if not head:
            why = source.damage or "the file is empty"
            raise Problems([Problem(source.path, 0, 0, "empty", why, expected=EXPECTED)])
        if is_mrt(head):
            return read_mrt(source, peer)
        if not _is_text(head):
            message = "this is neither an MRT file nor CSV"
            raise Problems([Problem(source.path, 0, 0, "feed", message, expected=EXPECTED)])
        if peer is not None:
            message = "a CSV file has the table of one peer, and one of several was asked for"
            raise Problems([Problem(source.path, 0, 0, "peer", message, expected="an MRT file")])
        return read_csv(source)


def _is_text(head: bytes) -> bool:
    """Whether a file that begins so may be text: no control characters but white space."""
    return all(octet >= 0x20 or octet in b"\t\r\n" for octet in head[:12])
