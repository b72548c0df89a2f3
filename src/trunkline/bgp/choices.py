"""Which exits many routers choose of the same routes, at once: what tells their choices apart is the IGP alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trunkline.bgp.decision import Candidate, Exit, contenders, decide, exit_of, held, nearest
from trunkline.bgp.enter import Own
from trunkline.bgp.exchange import Exchange, Told
from trunkline.engine.graph import FAR
from trunkline.igp.solve import Reach
from trunkline.model.nouns import Family, Ibgp


@dataclass(frozen=True)
class Choice:
    """What a router makes of a group: the routes it holds, and the exits of its multipath set (none: no route)."""

    held: tuple[Candidate, ...]
    exits: tuple[Exit, ...]


def exits_of(chosen: Sequence[Candidate]) -> tuple[Exit, ...]:
    """Return the exits of routes, each once, in order."""
    return tuple(dict.fromkeys(map(exit_of, chosen)))


def choices(mesh: Exchange, own: Own, told: Told) -> dict[str, Choice]:
    """Return what every router makes of a group, given what each tells the others."""
    found: dict[str, Choice] = {}
    speaking = {*own, *told}
    for router in sorted(speaking & set(mesh.net.router)):
        decision = mesh.decide(router, own, told)
        found[router] = Choice(held(decision), exits_of(decision.multipath)) if decision else Choice((), ())
    for alike in mesh.hearing_alike(tuple(sorted(told))):
        routers = [router for router in alike if router not in speaking]
        heard = mesh.candidates(routers[0], own, told) if routers else []
        found |= choose(mesh.reach, mesh.family, routers, heard, mesh.net.ibgp)
    return found


def choose(
    reach: Reach, family: Family, routers: Sequence[str], candidates: Sequence[Candidate], ibgp: Ibgp
) -> dict[str, Choice]:
    """Return what each of these routers chooses of routes that all of them hear by iBGP.

    The metrics of the candidates are not looked at; those of what is held are any router's.
    A router's choice follows from which routes are nearest to it, so each such set is decided once.
    """
    if not candidates:
        return {router: Choice((), ()) for router in routers}
    rows = [reach.node[router] for router in routers]
    metrics = reach.dist[family][np.ix_(rows, [reach.node[c.route.router] for c in candidates])]
    left = set(map(id, contenders(candidates)))
    contending = np.array([id(c) in left for c in candidates])
    least = np.where(contending[None, :], metrics, FAR).min(axis=1)
    near = metrics == least[:, None]
    reached = (metrics != FAR).all(axis=1)
    known: dict[bytes, Choice] = {}
    found = {}
    for index, router in enumerate(routers):
        if not reached[index]:  # what it cannot reach it does not hold: the contenders may be others
            found[router] = _alone(candidates, metrics[index].tolist(), ibgp)
            continue
        pattern = near[index].tobytes()
        if pattern not in known:
            nearby = [c for c, is_near in zip(candidates, near[index], strict=True) if is_near]
            chosen = nearest([c for c in nearby if id(c) in left], nearby, ibgp)
            known[pattern] = Choice(tuple(candidates), exits_of(chosen))
        found[router] = known[pattern]
    return found


def _alone(candidates: Sequence[Candidate], metrics: Sequence[int], ibgp: Ibgp) -> Choice:
    heard = [c._replace(metric=m) for c, m in zip(candidates, metrics, strict=True) if m != FAR]
    return Choice(tuple(heard), exits_of(decide(heard, ibgp).multipath)) if heard else Choice((), ())
