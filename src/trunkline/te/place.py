"""RSVP-TE from cold and through a history of events: which path and bandwidth every LSP settles on.

Head-ends race from cold, round robin by name, each taking its own LSPs by (setup, name).  Events then act on the
settled state: what is cut is signalled again, what is restored or released is offered to those that wait, and nothing
that is placed moves unless its bandwidth changes or a re-optimisation is asked for.
"""

from __future__ import annotations

import numpy as np

from trunkline.demand.flows import Flows
from trunkline.engine import placement as engine
from trunkline.engine.graph import Bool, Int32
from trunkline.engine.placement import State, Step
from trunkline.igp.solve import Reach
from trunkline.model.event import Event, Reoptimize, describe
from trunkline.model.network import Network
from trunkline.te.columns import links
from trunkline.te.reasons import reasons
from trunkline.te.result import Basis, Happened, Placed, Placement
from trunkline.te.shortest import costs, passable, shortest
from trunkline.te.subject import Subject, subject
from trunkline.te.wanted import aimed, shared

COLD = "cold start"


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
    about = before.subject if before is not None else None
    if about is None or not about.suits(base):
        about = subject(base)
    same = before if before is not None and before.subject is about else None
    table = links(about.axis, now, reach)
    state = engine.cold(len(about.lsps)) if before is None or before.state is None else before.state
    rates = aimed(about, flows, same.basis.aims if same is not None and same.basis is not None else None)
    again = isinstance(event, Reoptimize)  # demands, and so what LSPs want, are what they were
    wants = state.wanted if again else shared(about, rates)
    turns = _turns(about, event) if isinstance(event, Reoptimize) else about.turns
    settled, log = engine.advance(table, about.lsps, state, Step(wants, turns, again))
    if same is not None and again and not len(log.did):
        return same  # nobody has found a cheaper path
    differs = np.ones(len(about.lsps), np.bool_)
    if same is not None and same.state is not None:
        differs = engine.changed(settled, same.state)
    stays = ~differs & passable(table, settled.paths)
    least = shortest(about, table, stays, same.basis if same is not None else None)
    basis = Basis(table, (flows, rates), costs(table, settled.paths), least)
    others, placed = _placed(about, now, settled, basis, differs, same)
    history = before.history if before is not None else ()
    first = history[-1].seq + len(history[-1].log.did) if history else 0
    happened = Happened(describe(event) if event else COLD, first, log, about)
    return Placement(placed, (*history, happened), settled, about, basis, (same.placed, others) if same else None)


def _turns(about: Subject, event: Reoptimize) -> Int32:
    """The LSPs that are tried, in order of their turns."""
    if not event.lsps:
        return about.turns
    mine = set(event.lsps)
    return about.turns[[about.net.lsps[i].id in mine for i in about.turns.tolist()]]


def _placed(
    about: Subject, now: Network, state: State, basis: Basis, differs: Bool, before: Placement | None
) -> tuple[tuple[int, ...], tuple[Placed, ...]]:
    """Which LSPs are others than before (all of them from cold), and every LSP; the rest are the objects they were.

    `differs` is bool (lsps,): whose path or bandwidth is another.
    """
    paths = state.paths
    lacking = np.flatnonzero((paths.option < 0) | (state.held != state.wanted)).tolist()
    reason = reasons(about.axis, now, basis.links, lacking, basis.shortest)
    if before is not None and before.basis is not None:
        differs = differs | (basis.cost != before.basis.cost) | (basis.shortest != before.basis.shortest)
        differs[[i for i in lacking if reason[i] is not before.placed[i].reason]] = True
    others = tuple(np.flatnonzero(differs).tolist())
    columns = (state.wanted, state.held, paths.option, basis.shortest, basis.cost)
    rows = zip(others, *(column[differs].tolist() for column in columns), strict=True)
    arcs, latency, start, arc = about.axis.arcs, about.axis.latency, paths.start.tolist(), paths.arc.tolist()
    found: list[Placed] = []
    for i, wants, held, option, least, cost in rows:
        along = arc[start[i] : start[i + 1]]
        found.append(
            Placed(
                about.net.lsps[i],
                wanted=wants,
                reserved=held,
                path=tuple([arcs[a] for a in along]) if option >= 0 else None,
                option=option if option >= 0 else None,
                shortest=least if least >= 0 else None,
                cost=cost if option >= 0 else None,
                reason=reason.get(i),
                latency=sum([latency[a] for a in along]) if option >= 0 else None,
            )
        )
    if before is None:
        return others, tuple(found)
    every = list(before.placed)
    for i, one in zip(others, found, strict=True):
        every[i] = one
    return others, tuple(every)
