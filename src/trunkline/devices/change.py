"""From one fleet of configurations to another: what differs per router, and an order that is safe.

Safe: what is new is there at both ends before anything old is taken away, and one region is touched at a time.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Stage(StrEnum):
    """When a router's turn comes."""

    NEW = "new router: nobody hears of it yet"
    ADDS = "only adds lines: new sessions and circuits wait for their other end"
    CHANGES = "changes or takes lines away: both ends of what replaces them are there"
    GONE = "router that goes: nobody speaks to it any more"


@dataclass(frozen=True)
class Step:
    """One router's change: a unified diff of its configuration."""

    stage: Stage
    region: str
    router: str
    diff: str


def steps(old: Mapping[str, str], new: Mapping[str, str], regions: Mapping[str, str]) -> list[Step]:
    """Return what to do, in order: by stage, then region by region, then by name.

    `old` and `new` are configurations by router; `regions` says where each router of either is.
    """
    found = []
    for router in sorted({*old, *new}):
        before, after = old.get(router, ""), new.get(router, "")
        if before != after:
            lines = difflib.unified_diff(
                before.splitlines(keepends=True), after.splitlines(keepends=True), f"old/{router}", f"new/{router}"
            )
            diff = "".join(lines)
            found.append(Step(_stage(router not in old, router not in new, diff), regions[router], router, diff))
    stages = list(Stage)
    return sorted(found, key=lambda s: (stages.index(s.stage), s.region, s.router))


def _stage(new: bool, gone: bool, diff: str) -> Stage:
    if new or gone:
        return Stage.NEW if new else Stage.GONE
    takes = any(line.startswith("-") for line in diff.splitlines()[2:])
    return Stage.CHANGES if takes else Stage.ADDS
