"""What many routers choose at once, and groups solved once for all that are alike, against deciding one by one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgp_worlds import designed
from nets import circuit, network, router
from traffic_nets import complete, peer
from trunkline.bgp.alike import alike
from trunkline.bgp.choices import choices, exits_of
from trunkline.bgp.decision import held
from trunkline.bgp.enter import entries
from trunkline.bgp.exchange import exchange
from trunkline.igp import solve as igp
from trunkline.model.nouns import Family, Ibgp, IbgpSession, Kind


@pytest.mark.parametrize("seed", range(150))
def test_many_at_once_choose_as_each_alone_does_and_groups_alike_are_decided_alike(seed: int) -> None:
    net = designed(seed)
    mesh = exchange(net, igp.solve(net), Family.V4)
    entered = entries(net, Family.V4)
    for one in alike(net, entered):
        told, _ = mesh.settle(one.own)
        chosen = choices(mesh, one.own, told)
        for group in one.groups:
            alone, _ = mesh.settle(entered[group])
            for name in net.router:
                decision = mesh.decide(name, entered[group], alone)
                exits = exits_of(decision.multipath) if decision else ()
                assert set(chosen[name].exits) == set(exits), (group, name)
                assert len(chosen[name].held) == len(held(decision) if decision else ())


def test_some_of_those_networks_have_groups_alike_and_some_have_not() -> None:
    sizes = [
        len(one.groups) for seed in range(150) for one in alike(designed(seed), entries(designed(seed), Family.V4))
    ]
    assert max(sizes) >= 2
    assert min(sizes) == 1


def test_a_reflector_that_drops_its_own_cluster_hears_other_routes_than_a_router_that_is_none() -> None:
    """r reflects a's route to its peers m and z.  m, which reflects for b in r's cluster, drops it (RFC 4456 8)."""
    net = network([circuit(x, "r") for x in "abmz"], [router(x) for x in "abmrz"])
    listed = [IbgpSession("a", "r", "a"), IbgpSession("b", "m", "b"), IbgpSession("m", "r"), IbgpSession("r", "z")]
    net = complete(net, [peer("t", Kind.PEERING, ["a"], ["net"])], {}, [])
    net = replace(net, ibgp=Ibgp("sessions", sessions=tuple(listed), shared_cluster=True))
    mesh = exchange(net, igp.solve(net), Family.V4)
    own = entries(net, Family.V4)["net"]
    told, _ = mesh.settle(own)
    chosen = choices(mesh, own, told)
    assert [name for name, choice in sorted(chosen.items()) if choice.exits] == ["a", "r", "z"]
