"""Which exits many routers choose of the same routes, at once: what tells their choices apart is the IGP alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from trunkline.bgp.decision import Candidate, contenders, decide, held
from trunkline.bgp.exchange import Exchange, Own, Told
from trunkline.engine.graph import FAR, Int64
from trunkline.igp.solve import Reach
from trunkline.model.nouns import Family, Ibgp

Exit = tuple[str, str]
"""Where a route leaves the network: border router and port (empty where the router originates it)."""


@dataclass(frozen=True)
class Choice:
    """What a router makes of a group: the routes it holds, and the exits of its multipath set (none: no route)."""

    held: tuple[Candidate, ...]
    exits: tuple[Exit, ...]


def exits_of(chosen: Sequence[Candidate]) -> tuple[Exit, ...]:
    """Return the exits of routes, each once, in order."""
    return tuple(dict.fromkeys((c.route.router, c.route.port or "") for c in chosen))


def audiences_alike(mesh: Exchange, routers: Sequence[str], told: Told) -> list[list[str]]:
    """Return the routers in sets that hear the same of the same neighbours, by name."""
    found: dict[tuple[object, ...], list[str]] = {}
    for router in routers:
        key = tuple(mesh.audience(speaker, router) if speaker != router else None for speaker in told)
        found.setdefault(key, []).append(router)
    return list(found.values())


def choices(mesh: Exchange, own: Own, told: Told) -> dict[str, Choice]:
    """Return what every router makes of a group, given what each tells the others."""
    found: dict[str, Choice] = {}
    speaking = {*own, *told}
    for router in sorted(speaking & set(mesh.net.router)):
        decision = mesh.decide(router, own, told)
        found[router] = Choice(held(decision), exits_of(decision.multipath)) if decision else Choice((), ())
    listening = [router for router in sorted(mesh.net.router) if router not in speaking]
    for routers in audiences_alike(mesh, listening, told):
        heard = mesh.candidates(routers[0], own, told)
        found |= choose(mesh.reach, mesh.family, routers, heard, mesh.net.ibgp)
    return found


def choose(
    reach: Reach, family: Family, routers: Sequence[str], candidates: Sequence[Candidate], ibgp: Ibgp
) -> dict[str, Choice]:
    """Return what each of these routers chooses of routes that all of them hear by iBGP; metrics are filled in here.

    A router's choice follows from which routes are nearest to it, so each such set is decided once.
    """
    if not candidates:
        return {router: Choice((), ()) for router in routers}
    rows = [reach.node[router] for router in routers]
    metrics = reach.dist[family][np.ix_(rows, [reach.node[c.route.router] for c in candidates])]
    left = set(map(id, contenders(candidates)))
    contending = np.array([id(c) in left for c in candidates])
    least = np.where(contending[None, :], metrics, FAR).min(axis=1)
    nearest = metrics == least[:, None]
    known: dict[bytes, Choice] = {}
    found = {}
    for index, router in enumerate(routers):
        reached = metrics[index] != FAR
        if not reached.all():  # what it cannot reach it does not hold: the contenders may be others
            found[router] = _one(candidates, metrics[index], ibgp)
            continue
        pattern = nearest[index].tobytes()
        if pattern not in known:
            known[pattern] = _one(candidates, metrics[index], ibgp)
        found[router] = known[pattern]
    return found


def _one(candidates: Sequence[Candidate], metrics: Int64, ibgp: Ibgp) -> Choice:
    heard = [replace(c, metric=int(m)) for c, m in zip(candidates, metrics, strict=True) if m != FAR]
    return Choice(tuple(heard), exits_of(decide(heard, ibgp).multipath)) if heard else Choice((), ())
