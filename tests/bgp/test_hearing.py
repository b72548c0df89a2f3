"""What routers decide of what they hear alike, against the decision process over each one's own candidates."""

from __future__ import annotations

import pytest

from bgp_worlds import designed
from trunkline.bgp.enter import entries
from trunkline.bgp.exchange import exchange
from trunkline.bgp.hearing import hearings
from trunkline.igp import solve as igp
from trunkline.model.nouns import Family


@pytest.mark.parametrize("seed", range(150))
def test_routers_that_hear_alike_decide_as_each_alone_does(seed: int) -> None:
    net = designed(seed)
    reach = igp.solve(net)
    mesh = exchange(net, reach, Family.V4)
    assert mesh.connected
    for own in entries(net, Family.V4).values():
        told, _ = mesh.settle(own)
        heard = hearings(mesh, own, told, {}, True)
        for router in net.router:
            alone = mesh.decide(router, own, told)
            assert (router in heard) == (alone is not None)
            if alone is not None:
                metrics = {exit_: reach.distance(Family.V4, router, exit_) for exit_ in heard[router].exits}
                made = heard[router].decide({exit_: metric for exit_, metric in metrics.items() if metric is not None})
                assert (made.best, made.multipath, made.beaten) == (alone.best, alone.multipath, alone.beaten)
                assert made.best in made.multipath
                assert made.exits == alone.exits
