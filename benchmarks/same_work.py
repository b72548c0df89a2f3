"""When two answers may be compared: only a ratio of equal work means anything."""

from __future__ import annotations

from collections.abc import Sequence

Metrics = Sequence[int | None]
"""The metric of every LSP's path, None where it has none, LSP by LSP in the same order."""


def why_not(ours: Metrics, theirs: Metrics) -> str | None:
    """Return why a ratio would mislead, None where both did the same work.

    Same LSPs, the same ones placed, each on a path of the same metric: paths themselves may differ among equals.
    """
    if len(ours) != len(theirs):
        return f"it was given {len(theirs):,} of {len(ours):,} LSPs"
    placed = [sum(m is not None for m in metrics) for metrics in (ours, theirs)]
    if placed[0] != placed[1]:
        return f"it placed {placed[1]:,} LSPs, not {placed[0]:,}"
    differ = sum(a != b for a, b in zip(ours, theirs, strict=True))
    return f"{differ:,} LSPs are on paths of another metric" if differ else None
