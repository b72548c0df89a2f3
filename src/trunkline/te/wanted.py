"""What bandwidth every LSP wants: its own, or what the demands of its class aim at its tail."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from trunkline.demand.flows import Aim, Flows
from trunkline.engine.graph import Int64, frozen
from trunkline.model.nouns import Family
from trunkline.te.subject import Subject


def wanted(about: Subject, flows: Flows) -> Int64:
    """Return int64 (lsps,), bit/s for every LSP of the network, in its order.

    What is aimed from head to tail in a class is split over the parallel LSPs that have no bandwidth of their own, by
    divmod, the remainder to the first by name.  IPv6 counts where it rides the LSPs.
    """
    return shared(about, aimed(about, flows))


def aimed(about: Subject, flows: Flows, before: tuple[Flows, tuple[int, ...]] | None = None) -> tuple[int, ...]:
    """Return bit/s aimed at each bunch of parallel LSPs (`Subject.bunch`).

    `before` are other flows and what this function returned for them: then only what differs is added and taken away,
    and sums of integers do not depend on how they came about.
    """
    families = (Family.V4,) if about.net.te.v6_over_lsp == "off" else (Family.V4, Family.V6)
    then, known = before if before is not None else (Flows(()), (0,) * len(about.bunch))
    found = list(known)
    for (family, start, exit_, cls), rate in _changes(flows, then):
        at = about.bunch.get((start, exit_, cls))
        if at is not None and family in families:
            found[at] += rate
    return tuple(found)


def shared(about: Subject, rates: tuple[int, ...]) -> Int64:
    """Return what every LSP wants, once that is known which is aimed at each bunch of parallel ones."""
    ways = np.diff(about.start)
    part, rest = np.divmod(np.array(rates, np.int64), ways)
    wants = about.fixed.copy()
    wants[about.sharing] = np.repeat(part, ways)
    wants[about.sharing[about.start[:-1]]] += rest
    return frozen(wants, np.int64)  # type: ignore[no-any-return]


def _changes(now: Flows, then: Flows) -> Iterator[tuple[Aim, int]]:
    """What is aimed by now and was not then, part by part of a demand; below 0 what was and is not."""
    if now is then:
        return
    if not (now.parts and then.parts):  # made by hand, or none
        yield from now.aimed.items()
        yield from ((key, -rate) for key, rate in then.aimed.items())
        return
    for key in now.parts.keys() | then.parts.keys():  # in any order: sums of integers
        part, old = now.parts.get(key), then.parts.get(key)
        if part is not old:
            yield from part.aimed if part is not None else ()
            yield from ((aim, -rate) for aim, rate in (old.aimed if old is not None else ()))
