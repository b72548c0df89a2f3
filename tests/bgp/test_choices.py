"""What many routers choose at once, and groups solved once for all that are alike, against deciding one by one."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bgp_worlds import world
from trunkline.bgp.alike import alike
from trunkline.bgp.choices import choices, exits_of
from trunkline.bgp.decision import held
from trunkline.bgp.enter import entries
from trunkline.bgp.exchange import exchange
from trunkline.igp import solve as igp
from trunkline.model.network import Network
from trunkline.model.nouns import AddPath, Family, PrefixGroup

DESIGNS = ("regional", "full-mesh", "route-reflector", "regional-rr")
MODES = ("none", "all", "per-as", "2")


def designed(seed: int) -> Network:
    """A small random network under a random design; up to four more groups at shifted lengths and MEDs."""
    pick = random.Random(seed)  # noqa: S311
    net = world(seed)
    ibgp = replace(
        net.ibgp, design=pick.choice(DESIGNS), add_path=AddPath(*(pick.choice(MODES) for _ in range(3))),
        best_external=pick.random() < 0.3, optimal=pick.random() < 0.3, shared_cluster=pick.random() < 0.3,
    )  # fmt: skip
    more = range(pick.randint(0, 4))
    groups = [PrefixGroup(f"net-{n}", 1, 1) for n in more]
    peers = []
    for p in net.peers:
        (said,) = p.announces
        # the same order of lengths and MEDs for all peers, or another one: alike, or not
        others = [
            replace(
                said, group=f"net-{n}", path=(*said.path, *[9] * (n % 2 if n < 2 else pick.randint(0, 1))),
                med=(said.med or 0) + 5 * n if n < 3 else pick.randint(0, 2),
            )
            for n in more
        ]  # fmt: skip
        peers.append(replace(p, announces=(said, *others)))
    return replace(net, ibgp=ibgp, groups=(*net.groups, *groups), peers=tuple(peers))


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
            for router in net.router:
                decision = mesh.decide(router, entered[group], alone)
                exits = exits_of(decision.multipath) if decision else ()
                assert set(chosen[router].exits) == set(exits), (group, router)
                assert len(chosen[router].held) == len(held(decision) if decision else ())


def test_some_of_those_networks_have_groups_alike_and_some_have_not() -> None:
    sizes = [
        len(one.groups) for seed in range(150) for one in alike(designed(seed), entries(designed(seed), Family.V4))
    ]
    assert max(sizes) >= 2
    assert min(sizes) == 1
