"""An answer that starts from another state's is the answer: decisions, what is hidden, and what does not settle."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bgp_worlds import world
from trunkline.bgp.solve import Routes, solve
from trunkline.igp import solve as igp
from trunkline.model.network import Network
from trunkline.model.nouns import AddPath, Ibgp

DESIGNS = (
    Ibgp("regional"),
    Ibgp("full-mesh"),
    Ibgp("route-reflector", add_path=AddPath("2", "2", "all")),
    Ibgp("regional-rr", optimal=True),
    Ibgp("regional-rr", best_external=True),
)


def answer(routes: Routes) -> tuple[object, ...]:
    return routes.decisions, routes.hidden, routes.unsettled


def states(net: Network, pick: random.Random) -> list[Network]:
    """The network, and what is left of it after failures of every kind, one upon another."""
    found = [net]
    for _ in range(6):
        now = found[-1] if pick.random() < 0.3 else net
        names = [c.name for c in now.circuits] + [p.name for p in now.ports]
        names += [r.name for r in now.routers] if len(now.routers) > 2 else []
        found.append(now.without(pick.choice(names)) if names else net)
    return found


@pytest.mark.parametrize("ibgp", DESIGNS, ids=lambda i: i.design)
def test_it_does_not_matter_which_state_came_before(ibgp: Ibgp) -> None:
    for seed in range(60):
        net = replace(world(seed), ibgp=replace(ibgp, profile=world(seed).ibgp.profile))
        before: Routes | None = None
        for now in states(net, random.Random(seed)):  # noqa: S311
            reach = igp.solve(now)
            found = solve(now, reach, before)
            assert answer(found) == answer(solve(now, reach)), seed
            before = found
