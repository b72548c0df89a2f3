"""Confinement over the FIBs: the traps of the reference design, by hand."""

from __future__ import annotations

from dataclasses import replace

from nets import circuit, network, router
from traffic_nets import complete, lsp, peer, walked
from trunkline.bgp import solve as bgp
from trunkline.igp import solve as igp
from trunkline.model.network import Network
from trunkline.model.nouns import Family, Ibgp, Kind


def trap(direct: int = 100) -> Network:
    """West's w reaches west's exit p through east's e at cost 20, or directly; e has its own exit q."""
    routers = [router("p", "west"), router("w", "west"), router("e", "east"), router("q", "east")]
    net = network([circuit("w", "e"), circuit("e", "p"), circuit("e", "q", 5), circuit("w", "p", direct)], routers)
    transit = [peer("t1", Kind.TRANSIT, ["p"], ["internet"]), peer("t2", Kind.TRANSIT, ["q"], ["internet"])]
    return complete(net, transit, {}, [])


def test_an_intra_region_path_through_another_region_leaks_though_the_routes_are_confined() -> None:
    net = trap()
    assert bgp.solve(net, igp.solve(net)).confined.holds
    proof = walked(net).confined
    assert not proof.holds
    # p itself hands out at once; w's packet to p is looked up at e, and e's own exit is q
    assert (proof.router, proof.group, proof.path) == ("w", "internet", ("w", "e", "q", "t2@q"))
    assert (proof.family, proof.lsp_down) == (Family.V4, "")


def test_a_cheaper_path_inside_the_region_is_confined() -> None:
    assert walked(trap(direct=15)).confined.holds


def both(net: Network) -> Network:
    """With bulk falling back to gold, so that gold's LSPs carry every class; IPv6 the same way."""
    classes = tuple(replace(c, fallback=("gold",) if c.name == "bulk" else ()) for c in net.classes)
    return replace(net, classes=classes, te=replace(net.te, v6_over_lsp="6pe"))


def test_an_lsp_hides_the_trap_until_it_is_down() -> None:
    net = both(trap())
    # e has nothing to hide: its own exit q is in its own region.  w's LSP carries it over e to p.
    proof = walked(net, lsp(net, "w e p")).confined
    assert (proof.holds, proof.router, proof.lsp_down) == (False, "w", "w/p.gold")
    assert proof.path == ("w", "e", "q", "t2@q")


def test_a_second_lsp_of_the_pair_keeps_it_confined_when_either_is_down() -> None:
    net = both(trap())
    assert walked(net, lsp(net, "w e p", name="x"), lsp(net, "w p", name="y")).confined.holds


def test_a_class_and_family_without_the_lsp_leaks_on_its_own() -> None:
    net = trap()  # IPv6 stays off the LSPs, bulk has none of its own
    two = lsp(net, "w e p", name="x"), lsp(net, "w p", name="y")
    proof = walked(net, *two).confined
    assert (proof.holds, proof.cls, proof.family, proof.lsp_down) == (False, "bulk", Family.V4, "")
    carried = replace(net, classes=both(net).classes)
    proof = walked(carried, *two).confined
    assert (proof.holds, proof.family) == (False, Family.V6)


def test_following_the_fallback_default_is_no_breach_and_is_reported() -> None:
    # the south has no transit of its own: it follows p's or q's default
    routers = [router("p", "west"), router("s", "south")]
    net = complete(
        network([circuit("p", "s")], routers), [peer("t1", Kind.TRANSIT, ["p"], ["internet"])], {"S": ["s"]}, []
    )
    assert walked(net).on_fallback == ()
    loads = walked(replace(net, ibgp=Ibgp(fallback_default=True)))
    assert loads.confined.holds
    assert loads.on_fallback == (("south", "internet", Family.V4), ("south", "internet", Family.V6))
    assert [row["region"] for row in loads.tables()["fallback"].records()] == ["south", "south"]
