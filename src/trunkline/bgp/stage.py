"""A simulation before its first event: everything settled as the solver has it, or nothing up yet."""

from __future__ import annotations

import numpy as np

from trunkline.bgp.decision import best_of
from trunkline.bgp.design import paths_to
from trunkline.bgp.exchange import Exchange
from trunkline.bgp.outages import leads_out
from trunkline.bgp.peers import Session, empty
from trunkline.bgp.simulate import Converged, Down, Pair, Scene, Simulation, Up, wires
from trunkline.bgp.timing import Timing


def staged(scene: Scene, timing: Timing) -> Simulation:
    """Return the simulation of a scene, with the event about to happen."""
    sim = Simulation(scene, timing)
    here = [] if scene.cold else list(scene.before.reach.nodes)
    there = scene.after.reach.nodes
    up = [] if scene.cold else _pairs(scene.before)
    lasting = _pairs(scene.after)
    sim.ribs = {router: empty(len(scene.bunches)) for router in sorted({*here, *there})}
    known = set(up)
    for pair in lasting:
        audience = scene.after.audience(*pair)
        add_path = audience is not None and paths_to(scene.after.net.ibgp, audience.relation) != "none"
        sim.sessions[pair] = Session(*pair, pair in known, add_path)
    for bunch in range(len(scene.bunches)):
        _settle(sim, here, bunch)
    lost = set(here) - set(there)
    for router in lost:
        del sim.ribs[router]
    sim.moved = {bunch: set(there) for bunch in range(len(scene.bunches))}
    _schedule(sim, [pair for pair in up if pair[1] not in lost], lasting)
    return sim


def _pairs(mesh: Exchange) -> list[Pair]:
    """Return both directions of every session that is up."""
    names = sorted(mesh.net.router)
    return [(a, b) for a in names for b in sorted(mesh.sessions.neighbours(a)) if mesh.audience(a, b)]


def _settle(sim: Simulation, here: list[str], bunch: int) -> None:
    """Give every router what it has before the event, and have those decide anew whom the event concerns."""
    unit, mesh = sim.scene.bunches[bunch], sim.scene.before
    told, cycle = mesh.settle(unit.before) if here else ({}, ())
    for speaker, says in told.items():
        rib = sim.ribs[speaker]
        rib.says[bunch], rib.wires[bunch] = says, wires(says)
        for audience in says:
            for listener in sim.listeners(speaker, audience):
                paths = sim.paths(speaker, listener, bunch)
                if paths:
                    sim.learn(speaker, listener, bunch, paths)
                    if (speaker, listener) in sim.sessions:
                        sim.sessions[speaker, listener].sent[bunch] = paths
    staying = set(sim.scene.after.reach.nodes)
    for router in here:
        rib = sim.ribs[router]
        candidates = mesh.entered(router, unit.before) + [c for some in rib.heard[bunch].values() for c in some]
        rib.best[bunch] = best_of(candidates) if candidates else None
        if router in staying and (cycle or unit.before.get(router) != unit.after.get(router)):
            sim.stir(router, bunch)
    sim.outages.had |= {(router, bunch) for router in here if leads_out(mesh, sim.ribs, router, bunch)}


def _schedule(sim: Simulation, up: list[Pair], lasting: list[Pair]) -> None:
    """Have sessions end and come up, and IS-IS converge where the event changes any distance."""
    before, after, timing = sim.scene.before, sim.scene.after, sim.timing
    old, new = before.reach, after.reach
    same = old.nodes == new.nodes and np.array_equal(old.dist[before.family], new.dist[after.family])
    if sim.scene.cold or not same:
        sim.at(timing.igp, Converged())
    known, kept = set(up), set(lasting)
    for pair in up:
        if pair not in kept:
            sim.at(timing.ends, Down(pair))
    for pair in lasting:
        if pair not in known:
            sim.at(timing.igp + timing.connect, Up(pair))
