"""What holds on every network: nothing appears or vanishes, loads are sums, and input order changes nothing."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from hypothesis import given, settings

from traffic_nets import walked
from traffic_worlds import seeds, world
from trunkline.model.network import Network


@given(seeds)
@settings(max_examples=120)
def test_offered_is_delivered_plus_lost_and_loads_are_sums(seed: int) -> None:
    net, lsps = world(seed)
    loads = walked(net, *lsps)
    by_arc: Counter[str] = Counter()
    for d in loads.deliveries:
        assert d.rate == d.demand.rate_of(d.family) == d.delivered + sum(rate for _, _, rate in d.lost)
        assert d.delivered == sum(rate for _, rate in d.exits)
        assert 0 <= d.on_lsp <= d.delivered
        assert 0 <= d.off_shortest <= d.delivered
        if d.latency_mean is not None:
            assert 0 <= d.latency_mean <= (d.latency_max or 0)
        by_arc.update(dict(d.arcs))
    for arc, igp_load, lsp_load, lost in zip(loads.fib.reach.arcs, loads.igp, loads.lsp, loads.lost, strict=True):
        assert igp_load.sum() + lsp_load.sum() == by_arc[arc.name]
        if loads.residual == 0:
            assert igp_load.sum() + lsp_load.sum() - lost.sum() <= net.circuit[arc.circuit].capacity
    assert sum(d.rate for d in loads.deliveries) == sum(d.rate for d in net.demands)


def _shuffled(net: Network, pick: random.Random) -> Network:
    """The same network with groups, demands, classes and announcements in another order."""
    peers = tuple(replace(p, announces=tuple(pick.sample(p.announces, len(p.announces)))) for p in net.peers)
    return replace(net, peers=peers, groups=net.groups[::-1], demands=net.demands[::-1], classes=net.classes[::-1])


@given(seeds)
@settings(max_examples=40)
def test_input_order_changes_nothing(seed: int) -> None:
    net, lsps = world(seed)
    one, two = walked(net, *lsps), walked(_shuffled(net, random.Random(seed)), *lsps)  # noqa: S311
    assert one.deliveries == two.deliveries
    assert one.tables()["circuits"].records() == two.tables()["circuits"].records()


@given(seeds)
@settings(max_examples=60)
def test_without_loss_the_mean_latency_is_the_sum_over_circuits(seed: int) -> None:
    """Rate times latency, summed over the arcs that a demand uses, is its rate times its mean latency."""
    net, lsps = world(seed)
    net = replace(net, circuits=tuple(replace(c, capacity=10**13) for c in net.circuits))
    for d in walked(net, *lsps).deliveries:
        if not d.lost:
            moment = sum(rate * net.circuit[arc.rpartition("@")[0]].latency for arc, rate in d.arcs)
            assert abs(moment // d.rate - (d.latency_mean or 0)) <= 1
