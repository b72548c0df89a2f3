"""Where packets go hop by hop when every router follows its own choice: loops and dead ends, LSPs left aside.

The walk of `plan` carries demands and their LSPs; this one asks for every router and group, and is cheap enough to be
asked of each step of a change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from trunkline.bgp.decision import Exit
from trunkline.igp.solve import Reach
from trunkline.model.nouns import Family


@dataclass(frozen=True, order=True)
class Astray:
    """Packets that do not arrive: they loop over `path`, or come to its last router, which has no route."""

    what: str
    path: tuple[str, ...]


def astray(reach: Reach, family: Family, exits: Mapping[str, tuple[Exit, ...]]) -> tuple[Astray, ...]:
    """Return where packets to one group go astray; `exits` is what each router chooses, its default's where it must.

    A router without exits is where packets end; only those that come from another router are reported here.
    """
    ahead = {router: tuple(_ahead(reach, family, router, chosen)) for router, chosen in sorted(exits.items())}
    done: set[str] = set()
    found: set[Astray] = set()
    for start in ahead:
        if exits[start] and start not in done:
            found.update(_walk(ahead, exits, start, done))
    return tuple(sorted(found))


def _ahead(reach: Reach, family: Family, router: str, chosen: tuple[Exit, ...]) -> Iterator[str]:
    seen = set()
    for border, _ in chosen:
        if border == router:  # it leaves here
            continue
        for arc in reach.next_hops(family, router, border):
            if arc.head not in seen:
                seen.add(arc.head)
                yield arc.head


def _walk(
    ahead: Mapping[str, tuple[str, ...]], exits: Mapping[str, tuple[Exit, ...]], start: str, done: set[str]
) -> Iterator[Astray]:
    """Follow every way from a router, depth first, each router once in all."""
    way = [start]
    left = [iter(ahead[start])]
    while way:
        step = next(left[-1], None)
        if step is None:
            done.add(way.pop())
            left.pop()
        elif step in way:
            loop = way[way.index(step) :]
            first = loop.index(min(loop))
            yield Astray("loop", (*loop[first:], *loop[:first]))
        elif not exits.get(step):
            yield Astray("dead end", (*way, step))
        elif step not in done:
            way.append(step)
            left.append(iter(ahead[step]))
