"""How far traffic is carried, by hand on a line of four routers with a transit at either end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgp_worlds import line
from traffic_nets import demand
from trunkline.bgp import solve as bgp
from trunkline.compare.potato import Carried, carried
from trunkline.compare.yardstick import Yardstick
from trunkline.demand.aim import aim
from trunkline.igp import solve as igp
from trunkline.model.network import Network
from trunkline.model.nouns import Family

MS = 10**7
"""10 Gbit/s over one millisecond: ten million bits under way."""


def far(net: Network, source: str) -> Carried:
    """Ten Gbit/s from a router to the Internet."""
    net = replace(net, demands=(demand(source, "internet", 10),))
    reach = igp.solve(net)
    flows = aim(net, reach, bgp.solve(net, reach))
    return carried(net, flows, {family: Yardstick(net, reach, family) for family in Family})


@pytest.mark.parametrize(("source", "aimed", "cold"), [("a", 0, 3), ("b", 1, 2), ("c", 1, 2)])
def test_a_mesh_is_hot_potato(source: str, aimed: int, cold: int) -> None:
    """From b: a is 1 ms away, d 2 ms; from a: it leaves there, d is 3 ms away."""
    assert far(line(design="full-mesh"), source) == Carried(aimed * MS, aimed * MS, cold * MS)


def test_a_reflector_far_from_its_client_makes_it_cold() -> None:
    """b reflects, and a is nearest to b: c carries its traffic to a, 2 ms away, past d's exit at 1 ms."""
    assert far(line(design="route-reflector", reflectors=("b",)), "c") == Carried(2 * MS, 1 * MS, 2 * MS)


def test_who_has_no_exit_carries_nothing() -> None:
    net = line(design="regional").without("t@d")  # the east has no transit, and no fallback
    assert far(net, "c") == Carried(0, 0, 0)
    # with a fallback it goes to a, the one exit that there is
    assert far(replace(net, ibgp=replace(net.ibgp, fallback_default=True)), "c") == Carried(2 * MS, 2 * MS, 2 * MS)
