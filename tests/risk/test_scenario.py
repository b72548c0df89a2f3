"""What can fail, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nets import GIG, circuit, network, router
from traffic_nets import peer
from trunkline.model.network import Network
from trunkline.model.nouns import Card
from trunkline.model.nouns import Kind as PeerKind
from trunkline.model.problem import Problems
from trunkline.model.rates import Failures, FailureSet
from trunkline.risk.scenario import EVERY, Kind, Scenario, scenarios


def net() -> Network:
    """Three routers in a row, a-b a bundle of four; a and b are in east, c in west; a risk over both circuits."""
    bundle = replace(circuit("a", "b"), members=4, risks=("duct",))
    routers = [router("a", "east"), router("b", "east"), router("c", "west")]
    made = network([bundle, replace(circuit("b", "c"), risks=("duct",))], routers)
    return replace(made, peers=(peer("t", PeerKind.TRANSIT, ["a", "c"], []),))


def names(found: tuple[Scenario, ...]) -> list[str]:
    return [f"{s.kind} {s.name}" for s in found]


def test_every_single_thing_fails_by_kind_and_name() -> None:
    sites = [f"site site-{x}" for x in "abc"]
    assert names(scenarios(net())) == [
        *("circuit a-b", "circuit b-c", "member a-b:1", "router a", "router b", "router c", *sites),
        *("region east", "region west", "peer t", "port t@a", "port t@c", "risk duct"),
    ]


def test_pairs_leave_something() -> None:
    """Three routers have three pairs; of two regions the pair is everything, so it is none."""
    assert [s.things for s in scenarios(net(), (), Kind.ROUTER)] == [("a", "b"), ("a", "c"), ("b", "c")]
    with pytest.raises(Problems, match="nothing can fail"):
        scenarios(net(), (), Kind.REGION)


def test_a_region_that_is_everything_is_no_scenario() -> None:
    alone = network([circuit("a", "b")])
    with pytest.raises(Problems, match="'r1' is no scenario here: it takes away every router"):
        scenarios(alone, only=["r1"])


def test_sets_and_maintenance_of_the_file() -> None:
    failures = Failures((FailureSet("storm", ("a", "t@c")),), ("b-c",))
    found = scenarios(replace(net(), failures=failures), (Kind.CIRCUIT, Kind.SET, Kind.MAINTENANCE))
    assert names(found)[-2:] == ["set storm", "maintenance b-c+a-b"]
    assert found[-2].things == ("a", "t@c")
    assert (found[-1].things, found[-1].during) == (("a-b",), "b-c")


def test_a_pair_and_a_failure_during_maintenance_of_the_same_two_are_two() -> None:
    found = scenarios(
        replace(net(), failures=Failures(maintenance=("a-b",))), (Kind.CIRCUIT, Kind.MAINTENANCE), Kind.CIRCUIT
    )
    assert names(found)[2:] == ["pair a-b,b-c", "maintenance a-b+b-c"]


def test_only_by_name_and_the_nearest_one() -> None:
    assert names(scenarios(net(), only=["duct", "a"])) == ["router a", "risk duct"]
    with pytest.raises(Problems, match=r"no scenario is named 'dukt'.*did you mean 'duct'"):
        scenarios(net(), only=["dukt"])
    with pytest.raises(Problems, match="'a' is no scenario here: its kind is not asked for"):
        scenarios(net(), (Kind.CIRCUIT,), only=["a"])


def test_a_member_takes_its_share_and_min_links_takes_the_circuit() -> None:
    """A bundle of 4 x 25 Gbit/s less one is 75; with `min_links` 4 it is down; with 2, two may go and not three."""
    thinner = net().without("a-b:1").circuit["a-b"]
    assert (thinner.capacity, thinner.reservable, thinner.members) == (75 * GIG, 75 * GIG, 3)
    strict = replace(net(), circuits=tuple(replace(c, min_links=min(4, c.members)) for c in net().circuits))
    assert "a-b" not in strict.without("a-b:1").circuit
    half = replace(net(), circuits=tuple(replace(c, min_links=min(2, c.members)) for c in net().circuits))
    assert half.without("a-b:2").circuit["a-b"].capacity == 50 * GIG
    assert "a-b" not in half.without("a-b:3").circuit
    assert "a-b" not in net().without("a-b:1", "duct").circuit
    for unknown in ("x:1", "a-b:x"):
        with pytest.raises(KeyError):
            net().without(unknown)


def test_a_card_takes_what_is_on_it_and_no_more() -> None:
    """b's card 1 holds a-b and its card 2 holds b-c; with a-b gone nothing is left on card 1, so it cannot fail."""
    routers = tuple(
        replace(r, cards=(Card("b/1", ("a-b",)), Card("b/2", ("b-c",)))) if r.name == "b" else r for r in net().routers
    )
    carded = replace(net(), routers=routers, failures=Failures(maintenance=("a-b",)))
    assert names(scenarios(carded, (Kind.CARD,))) == ["card b/1", "card b/2"]
    left = carded.without("b/1")
    assert (sorted(left.circuit), sorted(left.router)) == (["b-c"], ["a", "b", "c"])
    during = scenarios(carded, (Kind.CARD, Kind.MAINTENANCE))
    assert names(during)[2:] == ["maintenance a-b+b/2"]
    with pytest.raises(KeyError, match="b/3"):
        carded.without("b/3")


def test_every_kind_but_pairs_and_the_likeliest_is_asked_about() -> None:
    assert set(Kind) - set(EVERY) == {Kind.PAIR, Kind.LIKELY}
