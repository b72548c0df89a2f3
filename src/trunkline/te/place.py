"""RSVP-TE from cold and through a history of events: which path and bandwidth every LSP settles on.

Head-ends race from cold, round robin by name, each taking its own LSPs by (setup, name).  Events then act on the
settled state: what is cut is signalled again, what is restored or released is offered to those that wait, and nothing
that is placed moves unless its bandwidth changes or a re-optimisation is asked for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import fields
from operator import attrgetter

import numpy as np

from trunkline.demand.flows import Flows
from trunkline.engine import placement as engine
from trunkline.engine.graph import frozen
from trunkline.engine.placement import Links, Log, Lsps, State, Step
from trunkline.igp.solve import Reach
from trunkline.model.event import Event, Reoptimize, describe
from trunkline.model.network import Network
from trunkline.model.nouns import Lsp
from trunkline.te.columns import Axes, axes, columns, links
from trunkline.te.reasons import reasons
from trunkline.te.result import Action, LogLine, Placed, Placement, Reservation
from trunkline.te.wanted import wanted

COLD = "cold start"

# What decides an LSP's path in an empty network: everything that its author may say, but for these.
_KIND = attrgetter(*(f.name for f in fields(Lsp) if f.name not in {"name", "cls", "setup", "hold", "bandwidth"}))


def place(
    base: Network,
    now: Network,
    reach: Reach,
    flows: Flows,
    event: Event | None = None,
    before: Placement | None = None,
) -> Placement:
    """Return what RSVP-TE settles on, from cold or after an event.

    `base` is the network with everything in order, whose LSPs are the subject throughout; `now` is the network under
    the condition after the event, `reach` and `flows` are computed on it.  With an event, `before` must be what this
    function returned for the state before it.
    """
    if (event is None) != (before is None):
        raise ValueError("an event needs the placement before it, and a cold start has none")
    axis = axes(base)
    table, lsps = links(axis, now, reach), columns(axis, base.lsps)
    state = engine.cold(len(lsps)) if before is None or before.state is None else before.state
    step = Step(
        frozen(np.array(wanted(base, flows), np.int64), np.int64),
        frozen(np.array(race(base, head_ends(base)), np.int32), np.int32),
        isinstance(event, Reoptimize),
    )
    settled, log = engine.advance(table, lsps, state, step)
    if before and step.reoptimize and not len(log.did):
        return before  # nobody has found a cheaper path
    earlier = before.log if before else ()
    return Placement(
        placed=_placed(axis, now, table, settled),
        log=earlier + _lines(axis, log, describe(event) if event else COLD, len(earlier)),
        reservations=_reservations(axis, table, lsps, settled),
        state=settled,
    )


def head_ends(net: Network) -> tuple[str, ...]:
    """Return the routers that head LSPs, by name."""
    return tuple(sorted({lsp.head for lsp in net.lsps}))


def race(net: Network, heads: Sequence[str]) -> list[int]:
    """Return LSP indices in the order of a cold start: round robin over head-ends, each by (setup, name)."""
    own: dict[str, list[int]] = defaultdict(list)
    for index in sorted(range(len(net.lsps)), key=lambda i: (net.lsps[i].setup, net.lsps[i].name)):
        own[net.lsps[index].head].append(index)
    rounds = max((len(queue) for queue in own.values()), default=0)
    return [own[head][turn] for turn in range(rounds) for head in heads if turn < len(own[head])]


def _placed(axis: Axes, now: Network, table: Links, state: State) -> tuple[Placed, ...]:
    net = axis.net
    shortest = _shortest(axis, table)
    option, held, wants = state.paths.option.tolist(), state.held.tolist(), state.wanted.tolist()
    reason = reasons(axis, now, table, [i for i in range(len(wants)) if option[i] < 0 or held[i] != wants[i]])
    latency = [net.circuit[a.circuit].latency for a in axis.arcs]
    metric = table.graph.metric.tolist()
    start, arc = state.paths.start.tolist(), state.paths.arc.tolist()
    found = []
    for i, lsp in enumerate(net.lsps):
        up, arcs = option[i] >= 0, arc[start[i] : start[i + 1]]
        found.append(
            Placed(
                lsp,
                wanted=wants[i],
                reserved=held[i],
                path=tuple([axis.arcs[a] for a in arcs]) if up else None,
                option=option[i] if up else None,
                shortest=shortest[i],
                cost=sum([metric[a] for a in arcs]) if up else None,
                reason=reason.get(i),
                latency=sum([latency[a] for a in arcs]) if up else None,
            )
        )
    return tuple(found)


def _shortest(axis: Axes, table: Links) -> list[int | None]:
    """The TE metric of each LSP's path if every circuit were empty; LSPs that differ in nothing that matters share."""
    kinds = {_KIND(lsp): lsp for lsp in axis.net.lsps}
    alone = columns(axis, tuple(kinds.values()))
    paths = engine.routes(table, alone, frozen(np.zeros(len(alone)), np.int64))
    metric = table.graph.metric.tolist()
    cost = {kind: sum(metric[a] for a in paths.of(i)) if paths.option[i] >= 0 else None for i, kind in enumerate(kinds)}
    return [cost[_KIND(lsp)] for lsp in axis.net.lsps]


def _lines(axis: Axes, log: Log, event: str, first: int) -> tuple[LogLine, ...]:
    names, actions = [a.name for a in axis.arcs], tuple(Action)
    ids = [lsp.id for lsp in axis.net.lsps]
    start, path = log.start.tolist(), log.path.tolist()
    columns_ = (log.did.tolist(), log.lsp.tolist(), log.bandwidth.tolist(), log.by.tolist(), log.arc.tolist())
    return tuple(
        LogLine(
            first + i,
            event,
            actions[did],
            ids[lsp],
            bandwidth,
            by=ids[by] if by >= 0 else "",
            circuit=names[arc] if arc >= 0 else "",
            path=tuple([names[a] for a in path[start[i] : start[i + 1]]]),
        )
        for i, (did, lsp, bandwidth, by, arc) in enumerate(zip(*columns_, strict=True))
    )


def _reservations(axis: Axes, table: Links, lsps: Lsps, state: State) -> tuple[Reservation, ...]:
    booked = engine.reserved_by_hold(table, lsps, state).tolist()
    rows = zip(axis.arcs, table.reservable.tolist(), booked, strict=True)
    return tuple(Reservation(arc, room, tuple(held)) for arc, room, held in sorted(rows, key=lambda row: row[0]))
