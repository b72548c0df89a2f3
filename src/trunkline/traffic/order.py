"""The order in which a stream visits routers: what can only lead onwards first, what can lead round together.

A stream's FIB graph is almost always acyclic, and then each router splits its whole share once.  Where routers can
send a packet round, they form one component, and only inside it must shares be followed path by path.
"""

from __future__ import annotations

from collections.abc import Callable

Component = tuple[str, ...]


def components(start: str, heads: Callable[[str], tuple[str, ...]]) -> tuple[Component, ...]:
    """Return the strongly connected components reachable from `start`, each before those it leads to (Tarjan, 1972).

    A component of one router that does not lead to itself is a plain step.  Iterative: depth is no limit.
    """
    ends = heads(start)
    if start not in ends and not any(map(heads, ends)):  # most streams: one LSP long
        return ((start,), *((end,) for end in reversed(ends)))
    number: dict[str, int] = {start: 0}
    low: dict[str, int] = {start: 0}
    open_, on = [start], {start}
    calls = [(start, iter(heads(start)))]
    found: list[Component] = []
    while calls:
        at, rest = calls[-1]
        for head in rest:
            if head not in number:
                number[head] = low[head] = len(number)
                open_.append(head)
                on.add(head)
                calls.append((head, iter(heads(head))))
                break
            if head in on:
                low[at] = min(low[at], number[head])
        else:
            calls.pop()
            if calls:
                low[calls[-1][0]] = min(low[calls[-1][0]], low[at])
            if low[at] == number[at]:
                first = open_.index(at)
                found.append(tuple(sorted(open_[first:])))
                on.difference_update(open_[first:])
                del open_[first:]
    return tuple(reversed(found))
