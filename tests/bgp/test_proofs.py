"""A rule that rejects, proved: it holds in a mesh, and breaks where reflectors carry a route round by a third."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nets import circuit, network, router
from traffic_nets import complete, peer
from trunkline.bgp.proofs import RuleProof, rule_proofs
from trunkline.bgp.solve import Confinement, solve
from trunkline.igp import solve as igp
from trunkline.model.network import Network
from trunkline.model.nouns import Family, Ibgp, IbgpSession, Kind
from trunkline.model.policy import Change, PolicyRule

STAYS = PolicyRule(False, Kind.PEERING, "west", "east")
BY_NORTH = Ibgp("sessions", sessions=(IbgpSession("e", "n", "e"), IbgpSession("n", "w", "w")))
"""n, in the north, reflects between its clients w and e."""


def line(ibgp: Ibgp, *rules: PolicyRule) -> Network:
    """w - n - e, a region each; a peering at w."""
    routers = [router("w", "west"), router("n", "north"), router("e", "east")]
    net = network([circuit("w", "n"), circuit("n", "e")], routers)
    return replace(complete(net, [peer("p", Kind.PEERING, ["w"], ["net"])], {}, []), ibgp=replace(ibgp, rules=rules))


def proofs(net: Network) -> tuple[RuleProof, ...]:
    return rule_proofs(solve(net, igp.solve(net)))


@pytest.mark.parametrize("side", ["both", "export", "import"])
def test_in_a_mesh_a_rule_keeps_what_it_names(side: str) -> None:
    (found,) = proofs(line(Ibgp(), replace(STAYS, side=side)))
    assert found == RuleProof(1, "peering west -> east", Confinement(True))


def test_by_a_reflector_in_a_third_region_the_route_comes_round() -> None:
    (found,) = proofs(line(BY_NORTH, STAYS))
    assert found.proof == Confinement(False, "e", "net", Family.V4, ("p@w", "w", "n", "e"))
    wide = replace(STAYS, source=None)  # north may not pass it on either
    (found,) = proofs(line(BY_NORTH, wide))
    assert found.proof.holds


def test_a_rule_answers_for_what_it_decides_alone() -> None:
    """The first lets it cross, so the second names nothing that is there; rules that cross or set have no proof."""
    rules = (PolicyRule(True, group="net"), STAYS, PolicyRule(None, change=Change(med=1)))
    assert proofs(line(BY_NORTH, *rules)) == (RuleProof(2, "peering west -> east", Confinement(True)),)


def test_what_a_rule_names_is_the_route_as_it_entered() -> None:
    """A community that is added on the way does not take the route out of the rule: none was there at the start."""
    marked = PolicyRule(None, source="west", target="north", change=Change(communities=("1:1",)))
    names_marked = PolicyRule(False, source="west", target="east", communities=("1:1",))
    (found,) = proofs(line(BY_NORTH, marked, names_marked))
    assert found.proof.holds  # straight from west to east nothing marks it, so the rule names nothing
    unmarked = replace(STAYS, source="west")
    (found,) = proofs(line(BY_NORTH, marked, unmarked))
    assert (found.number, found.proof.holds) == (2, False)


def test_words_say_what_a_rule_names() -> None:
    rule = PolicyRule(False, peer="p", group="net", target="east", as_path="^65001", communities=("1:1",))
    (found,) = proofs(line(Ibgp(), rule))
    assert found.says == "of p group net path ^65001 with 1:1 any -> east"
