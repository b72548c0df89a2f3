"""What a design costs and gives, by hand on a line of four routers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgp_worlds import line
from trunkline.compare.designs import Design, design
from trunkline.compare.measure import Measured, measure
from trunkline.compare.yardstick import Yardstick
from trunkline.igp import solve as igp
from trunkline.model.network import Network
from trunkline.model.nouns import AddPath, Announcement, Family, IbgpSession, PrefixGroup
from trunkline.model.policy import Change, PolicyRule


def measured(net: Network) -> Measured:
    reach = igp.solve(net)
    return measure(net, reach, {f: Yardstick(net, reach, f) for f in Family})


def column(found: Measured, figure: str) -> list[int]:
    """A figure of a, b, c, d in IPv4."""
    return [getattr(found.routers[r, Family.V4], figure) for r in "abcd"]


def test_a_full_mesh_tells_everybody_everything() -> None:
    found = measured(line(design="full-mesh"))
    assert column(found, "ibgp_sessions") == [3, 3, 3, 3]
    assert column(found, "ebgp_sessions") == [1, 0, 0, 1]
    # a: its own, and d's; b and c: a's and d's; d: its own, and a's.  Ten prefixes each.
    assert column(found, "received") == column(found, "held") == [20, 20, 20, 20]
    assert column(found, "used") == [10, 10, 10, 10]
    # a tells the west (b) and the east (c, d): two audiences; so does d.  b and c tell nothing.
    assert column(found, "told") == [20, 0, 0, 20]
    assert column(found, "usable") == column(found, "existing") == [20, 20, 20, 20]
    # a leaves at a, b at a (1 ms), c and d at d: what full knowledge would choose
    assert column(found, "latency") == column(found, "least") == [0, 10_000, 10_000, 0]
    assert column(found, "elsewhere") == [0, 0, 0, 0]
    assert found.exits[("a", "t@a"), Family.V4] == found.exits[("d", "t@d"), Family.V4] == 20
    assert found.routers["a", Family.V6].held == 10  # of five prefixes


def test_confined_a_router_has_its_regions_exit_alone() -> None:
    found = measured(line(design="regional"))
    assert column(found, "held") == [10, 10, 10, 10]
    assert column(found, "usable") == [10, 10, 10, 10]
    assert column(found, "existing") == [20, 20, 20, 20]
    assert column(found, "told") == [10, 0, 0, 10]
    assert column(found, "elsewhere") == [0, 0, 0, 0]


def test_a_reflector_chooses_for_its_clients_by_its_own_place() -> None:
    """b reflects: a's exit is nearer to it than d's, so c goes to a over two hops though d is one away."""
    found = measured(line(design="route-reflector", reflectors=("b",)))
    assert column(found, "ibgp_sessions") == [1, 3, 1, 1]
    # b hears a and d.  It tells a nothing of a's own, c and d of a's exit; d keeps its own (eBGP over iBGP).
    assert column(found, "received") == [10, 20, 10, 20]
    assert column(found, "usable") == [10, 20, 10, 20]
    assert column(found, "latency") == [0, 10_000, 20_000, 0]
    assert column(found, "least") == [0, 10_000, 10_000, 0]
    assert column(found, "elsewhere") == [0, 0, 10, 0]
    assert column(found, "excess") == [0, 0, 1_000, 0]


@pytest.mark.parametrize(
    "more", [{"optimal": True}, {"add_path": AddPath("all", "all", "all")}, {"add_path": AddPath("2")}]
)
def test_optimal_reflection_and_add_path_give_it_the_nearest(more: dict[str, object]) -> None:
    found = measured(line(design="route-reflector", reflectors=("b",), **more))
    assert column(found, "latency") == [0, 10_000, 10_000, 0]
    assert column(found, "elsewhere") == [0, 0, 0, 0]
    # by d's place d's own exit is best, and b does not send d back what it has from d
    assert column(found, "usable") == ([10, 20, 10, 10] if "optimal" in more else [20, 20, 20, 20])


def test_a_mesh_hides_what_its_border_router_does_not_prefer() -> None:
    """The transit's path is longer at d: d prefers a's and says nothing of its own, unless best-external has it."""
    net = line(design="full-mesh")
    (transit,) = net.peers
    long = replace(transit.announces[0], path=(65001, 9), at=("t@d",))
    net = replace(net, peers=(replace(transit, announces=(replace(long, path=(65001,), at=("t@a",)), long)),))
    hidden = measured(net).groups["internet", Family.V4]
    assert (hidden.existing, hidden.hidden, hidden.usable) == (2, 1, [1, 1, 1, 2])
    shown = measured(replace(net, ibgp=replace(net.ibgp, best_external=True))).groups["internet", Family.V4]
    assert (shown.existing, shown.hidden, shown.usable) == (2, 0, [2, 2, 2, 2])


def test_an_exit_that_rules_change_on_its_way_is_not_hidden() -> None:
    """All others are in other regions than d, and hear its exit with a MED of 7."""
    net = line(design="full-mesh", rules=(PolicyRule(True, source="far", change=Change(med=7)),))
    alone = replace(net.router["d"], region="far")
    net = replace(net, regions=("east", "far", "west"), routers=(*net.routers[:3], alone))
    group = measured(net).groups["internet", Family.V4]
    # a's MED of 0 beats d's 7 (one AS) at everybody but d, who sees its own as it came
    assert (group.existing, group.hidden, group.usable) == (2, 0, [2, 2, 2, 2])


def test_who_hears_nothing_misses_the_prefixes_or_follows_the_default() -> None:
    """Without the session of c and d, c has no way; with a default from either exit it goes where that leads."""
    sessions = (IbgpSession("a", "b"), IbgpSession("a", "c"))
    net = line(design="sessions", sessions=sessions, confine=True)
    assert column(measured(net), "missed") == [0, 0, 10, 0]
    found = measured(replace(net, ibgp=replace(net.ibgp, fallback_default=True)))
    assert column(found, "missed") == [0, 0, 0, 0]
    assert column(found, "latency") == [0, 10_000, 20_000, 0]  # c: by a's default
    assert column(found, "elsewhere") == [0, 0, 10, 0]
    assert found.exits[("a", "t@a"), Family.V4] == 30  # a's own traffic, b's, and c's, which the default brings to a


def test_where_the_default_leads_to_the_best_exit_traffic_leaves_there() -> None:
    """The east has no transit of its own: c and d follow a's default to a, who sends all on to t@a, the one exit."""
    net = line(design="regional", fallback_default=True).without("t@d")
    found = measured(net)
    assert column(found, "elsewhere") == column(found, "missed") == [0, 0, 0, 0]
    assert column(found, "usable") == [10, 10, 0, 0]
    assert dict(found.exits) == {(("a", "t@a"), Family.V4): 40, (("a", "t@a"), Family.V6): 20}


def test_a_default_is_no_way_to_what_its_router_does_not_have() -> None:
    """b originates a default for its own transit, whose one group is another: c's packets to a's end there."""
    net = line(design="sessions", sessions=(IbgpSession("b", "c"),), fallback_default=True)
    (transit,) = net.peers
    said = (replace(transit.announces[0], at=("t@a",)), Announcement("other", (1,), at=("t@b",)))
    ports = (transit.ports[0], replace(transit.ports[0], name="t@b", router="b"))
    groups = (*net.groups, PrefixGroup("other", 1, 1))
    net = replace(net, groups=groups, peers=(replace(transit, ports=ports, announces=said),))
    found = measured(net)
    assert column(found, "missed") == [1, 10, 10, 11]


def test_groups_alike_are_measured_as_one_and_counted_as_all() -> None:
    net = line(design="full-mesh")
    (transit,) = net.peers
    more = tuple(replace(transit.announces[0], group=f"net-{n}") for n in range(3))
    net = replace(
        net,
        groups=tuple(replace(net.groups[0], name=f"net-{n}", v4=100 * (n + 1)) for n in range(3)),
        peers=(replace(transit, announces=more),),
    )
    found = measured(net)
    assert [(g, t.groups, t.prefixes) for (g, f), t in found.groups.items() if f is Family.V4] == [("net-0", 3, 600)]
    assert column(found, "used") == [600, 600, 600, 600]


def test_designs_by_name() -> None:
    net = line(design="full-mesh", profile="frr", fallback_default=True)
    assert design(net, "file") == Design("file", net.ibgp)
    made = design(net, "route-reflector+add-path-down=2+reflectors=b,c+no-fallback+confine").ibgp
    assert (made.design, made.reflectors, made.add_path) == ("route-reflector", ("b", "c"), AddPath(to_clients="2"))
    assert (made.profile, made.fallback_default, made.confines) == ("frr", False, True)
