"""What to buy, by hand; that what is bought serves is what a replay of it says."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, product

import pytest

from nets import GIG, circuit, network
from traffic_nets import complete, demand, peer
from trunkline.flow import settle
from trunkline.model.network import Network
from trunkline.model.nouns import Condition, Kind, Lsp, Measure, Objective
from trunkline.model.prices import Candidate, Prices
from trunkline.risk.fluid import Unserved
from trunkline.risk.grow import Grower, Look, Scope
from trunkline.risk.promises import broken
from trunkline.risk.replay import NOTHING
from trunkline.risk.surviving import surviving
from trunkline.risk.sweep import Sweep
from trunkline.risk.upgrade import Stage, Upgrade, left_table, quarters, stages_table, upgrades_table

USE = Objective("utilisation", Measure.UTILISATION, None, 900_000)
LOSS = Objective("loss", Measure.LOSS, None, 0)
SIDES = (("a", "b"), ("a", "c"), ("c", "b"))
MOST = 4
"""More members of a circuit than brute force tries are never the cheapest in those networks."""
PRICES = Prices("kUSD", member=((100 * GIG, 10_000), (60 * GIG, 7_000)), port=1_000)


def triangle(*objectives: Objective, lsps: tuple[Lsp, ...] = ()) -> Network:
    """a - b costs 1 and is 100G wide, a - c - b costs 10 and is 60G wide; 40G of gold from A to B."""
    links = [circuit("a", "b", 1), circuit("a", "c", 5, 60), circuit("c", "b", 5, 60)]
    net = complete(network(links), [], {"A": ["a"], "B": ["b"]}, [demand("A", "B", 40)])
    return replace(net, objectives=objectives, lsps=lsps)


def bought(net: Network, factors: Sequence[int], word: str = "0", prices: Prices = PRICES) -> list[Stage | Unserved]:
    return list(Upgrade(net, prices, Scope(), partial(surviving, word=word), {}).stages(factors))


def only(found: list[Stage | Unserved]) -> Stage:
    (stage,) = found
    assert isinstance(stage, Stage)
    return stage


def test_traffic_takes_the_shortest_way_whatever_the_fluid_model_would_like() -> None:
    """Three times 40G on a - b are 120G: 133G at 90 %, one more member of 100G for 10.

    The fluid model has 90G on a - b and 30G over c, and buys nothing: the first proposal is worth nothing, and the next
    has what the replay asked for.
    """
    net = triangle(USE)
    stage = only(bought(net, [300]))
    assert (dict(stage.plan.bill.members), stage.plan.cost(PRICES), stage.least) == ({"a-b": 1}, 10_000, 0)
    assert (stage.left, stage.states) == ((), 1)
    served = settle(Scope().grown(stage.plan.built(net, PRICES), 3_000_000), Condition())
    assert served.ok
    assert served.net.circuit["a-b"].capacity == 200 * GIG


def test_a_failure_needs_its_way_round() -> None:
    """Without a - b, 80G are on a - c - b: 89G at 90 %, one more member of 60G each, 14 in all.  In order 80G fit."""
    stage = only(bought(triangle(USE), [200], "circuit"))
    assert dict(stage.plan.bill.members) == {"a-c": 1, "c-b": 1}
    assert (stage.plan.cost(PRICES), stage.least, stage.states) == (14_000, 14_000, 4)


def test_each_quarter_stands_on_the_one_before() -> None:
    """40G grow to 80G, which fit, to 160G, for which 178G have to be there, and to 320G, for which 356G."""
    net = triangle(USE)
    stages = [s for s in bought(net, [200, 400, 800]) if isinstance(s, Stage)]
    assert [dict(s.plan.bill.members) for s in stages] == [{}, {"a-b": 1}, {"a-b": 3}]
    rows = upgrades_table(stages, net, PRICES).rows
    assert rows == ((2, "member", "a-b", 1, 10_000), (3, "member", "a-b", 2, 20_000))
    assert [row[3] for row in stages_table(stages, PRICES).rows] == [0, 10_000, 30_000]


def test_quarters_grow_alike() -> None:
    """The square root of 10 is 3.1623; a single quarter is the whole way."""
    assert quarters(1000, 2) == [317, 1000]
    assert quarters(1000, 1) == [1000]
    assert quarters(800, 3) == [200, 400, 800]


def test_an_lsp_that_has_to_have_room_on_its_shortest_path() -> None:
    """It wants 120G of 100G, and takes the way round, where there are 180G; its class is to go the shortest way."""
    lsp = Lsp("a", "gold", "b", "gold", 3, 3, None)
    net = triangle(Objective("shortest", Measure.SHORTEST, "gold", 1_000_000), lsps=(lsp,))
    wide = tuple(replace(c, capacity=180 * GIG, reservable=180 * GIG) if c.name != "a-b" else c for c in net.circuits)
    stage = only(bought(replace(net, circuits=wide), [300]))
    assert (dict(stage.plan.bill.members), stage.left) == ({"a-b": 1}, ())


def test_a_candidate_is_built_where_it_is_cheaper() -> None:
    """Without a - b, 80G need the way round for 14, or a circuit beside a - b of the same metric for 5."""
    beside = Candidate(circuit("a", "b", 1, 100, "beside"), 5_000)
    stage = only(bought(triangle(USE), [200], "circuit", replace(PRICES, candidates=(beside,))))
    assert (dict(stage.plan.bill.members), stage.plan.bill.candidates) == ({}, ("beside",))
    assert stage.states == 5, "the new circuit may fail too"


def test_ports_are_bought_whole() -> None:
    """60G of a commit of 25G, four times as much: 240G are ten of it, and 3 ports of 100G.  Nine more cost 9."""
    net = triangle(LOSS, Objective("commit", Measure.COMMIT, None, 1_000_000))
    up = peer("up", Kind.TRANSIT, ["b"], ["internet"], gbps=100)
    up = replace(up, ports=tuple(replace(p, commit=25 * GIG) for p in up.ports))
    wide = tuple(replace(c, capacity=1000 * GIG) for c in net.circuits)
    whole = complete(replace(net, circuits=wide), [up], {"A": ["a"], "B": ["b"]}, [demand("A", "internet", 60)])
    stage = only(bought(whole, [400]))
    assert (dict(stage.plan.ports), stage.plan.cost(PRICES), stage.left) == ({"up@b": 10}, 9_000, ())
    assert upgrades_table([stage], whole, PRICES).rows == ((1, "port", "up@b", 9, 9_000),)


def test_what_no_purchase_keeps_is_left_and_said() -> None:
    """Nobody sells members of a - b, which the shortest path is; the fluid model has the way round."""
    net = triangle(USE)
    stage = only(bought(net, [300], prices=Prices("kUSD", member=((60 * GIG, 7_000),))))
    assert [(failure, b.name, b.worst) for failure, b in stage.left] == [("", "utilisation", "a-b@a")]
    assert left_table([stage]).rows[0][:4] == (1, "", "utilisation", "120.0 % (at most 90.0 %)")


def test_what_no_purchase_serves_ends_it() -> None:
    """Nothing is sold: of 400G, 90G and 54G fit."""
    assert bought(triangle(USE), [1000, 1100], prices=Prices("kUSD")) == [Unserved("", "a", "b", 256 * GIG)]


def test_what_no_purchase_keeps_is_said_after_one_proposal() -> None:
    """Members of a - b are not sold, and without it 120G need 134G on a - c - b, which are: two members more of each.

    What can be bought is, and what is left is what is broken with everything in order.
    """
    stage = only(bought(triangle(USE), [300], "circuit", Prices("kUSD", member=((60 * GIG, 7_000),))))
    assert {failure for failure, _ in stage.left} == {"", "a-c", "c-b"}, "a - b is up, and too full"
    assert (stage.rounds, stage.states, dict(stage.plan.bill.members)) == (1, 4, {"a-c": 2, "c-b": 2})


def ladder() -> Network:
    """Two rows of three routers, 100G everywhere.  Gold goes along a row, which is its shortest way; bulk across."""
    rows = [circuit("a1", "b1", 3), circuit("b1", "c1", 3), circuit("a2", "b2", 3), circuit("b2", "c2", 3)]
    rungs = [circuit("a1", "a2", 2), circuit("b1", "b2", 2), circuit("c1", "c2", 2)]
    homes = {f"{row}{side}": [f"{side}{row}"] for row in "12" for side in "ac"}
    wanted = [demand("1a", "1c", 30), demand("2c", "2a", 25), demand("1a", "2c", 20, "bulk")]
    lsps = (
        Lsp("a1", "bulk", "c2", "bulk", 5, 5, None),
        Lsp("a1", "gold", "c1", "gold", 3, 3, None),
        Lsp("c2", "gold", "a2", "gold", 3, 3, None),
    )
    placed = Objective("placed", Measure.PLACED, None, 1_000_000)
    promises = (USE, LOSS, placed, Objective("shortest", Measure.SHORTEST, "gold", 1_000_000))
    return replace(complete(network(rows + rungs), [], homes, wanted), lsps=lsps, objectives=promises)


def swept(net: Network) -> dict[str, frozenset[str]]:
    """What `break` says that each failure breaks, from cold."""
    sweep = Sweep(net)
    return {f.name: frozenset(b.name for b in broken(sweep.settled(f))) for f in surviving(net, "1")}


def test_no_single_failure_breaks_a_promise_of_what_is_bought() -> None:
    """A router that fails cuts off who is on it alone: that is broken today, and all that is broken then."""
    net = ladder()
    today = swept(net)
    assert {name for name, names in today.items() if names} == {"a1", "a2", "c1", "c2"}
    upgrade = Upgrade(net, PRICES, Scope(), partial(surviving, word="1"), today)
    stages = [s for s in upgrade.stages(quarters(500, 2)) if isinstance(s, Stage)]
    assert [s.left for s in stages] == [(), ()]
    for stage in stages:
        found = swept(Scope().grown(stage.plan.built(net, PRICES), stage.factor * 10_000))
        assert stage.states == len(found) + 1
        assert not [name for name, names in found.items() if names - today.get(name, frozenset())]
    without = swept(Scope().grown(net, 5_000_000))
    assert len([name for name, names in without.items() if names - today[name]]) > 5


def test_the_number_of_workers_changes_nothing() -> None:
    net = ladder()
    any_one, today = partial(surviving, word="1"), swept(net)
    found = [list(Upgrade(net, PRICES, Scope(), any_one, today, n).stages([300, 500])) for n in (1, 2, 3)]
    assert found[0] == found[1] == found[2]
    assert [s.left for s in found[0] if isinstance(s, Stage)] == [(), ()]


def test_what_is_built_grows_like_what_was_there() -> None:
    """160G go half over a - b, half over a new circuit of 60G and the same metric: 89G at 90 %, one more member of it.

    That is 5 + 7; a member of a - b, for 30, would do alone.  400G are 222G each: two more of a - b, three of it.
    """
    net = triangle(USE)
    beside = Candidate(circuit("a", "b", 1, 60, "beside"), 5_000)
    prices = Prices("kUSD", member=((60 * GIG, 7_000), (100 * GIG, 30_000)), candidates=(beside,))
    stages = [s for s in bought(net, [400, 1000], prices=prices) if isinstance(s, Stage)]
    assert [s.left for s in stages] == [(), ()]
    assert upgrades_table(stages, net, prices).rows == (
        (1, "member", "beside", 1, 7_000),
        (1, "candidate", "beside", 1, 5_000),
        (2, "member", "a-b", 2, 60_000),
        (2, "member", "beside", 2, 14_000),
    )
    assert [s.plan.cost(prices) for s in stages] == [12_000, 86_000]
    wide = stages[1].plan.built(net, prices).circuit["beside"]
    assert (wide.members, wide.capacity, wide.reservable) == (4, 240 * GIG, 240 * GIG)


def aside(*candidates: Candidate) -> tuple[Network, Prices]:
    """The triangle, a - b 400G wide, and one of d, e and f whose short side is of 100G that nobody sells: 40G each."""
    net = triangle(USE)
    links = [*net.circuits, circuit("d", "e", 1, 100), circuit("d", "f", 5, 60), circuit("f", "e", 5, 60)]
    homes = {"A": ["a"], "B": ["b"], "D": ["d"], "E": ["e"]}
    wanted = [demand("A", "B", 40), demand("D", "E", 40)]
    links[0] = replace(links[0], capacity=400 * GIG)
    both = replace(complete(network(links), [], homes, wanted), objectives=(USE,))
    return both, Prices("kUSD", member=((60 * GIG, 7_000),), candidates=candidates)


def test_what_no_purchase_keeps_is_said_at_once_whatever_else_could_be_built() -> None:
    """120G on d - e are too much.  Of eight new circuits, seven are too long to be on a way, and one is elsewhere."""
    new = [Candidate(circuit("a", "b", metric, 100, f"new-{metric}"), 1_000) for metric in range(1, 7)]
    new += [Candidate(circuit("d", "e", metric, 100, f"long-{metric}"), 1_000) for metric in (2, 3)]
    net, prices = aside(*new)
    stage = only(bought(net, [300], prices=prices))
    assert [(failure, b.name, b.worst) for failure, b in stage.left] == [("", "utilisation", "d-e@d")]
    assert stage.rounds == 1


def test_a_candidate_is_built_where_only_that_keeps_a_promise() -> None:
    """120G on d - e, 60G with a new circuit beside it.  The fluid model has the way round, and would rather not."""
    net, prices = aside(Candidate(circuit("d", "e", 1, 100, "beside"), 90_000))
    stage = only(bought(net, [300], prices=prices))
    assert (stage.plan.bill.candidates, stage.plan.cost(prices), stage.left) == (("beside",), 90_000, ())


def test_what_no_set_of_candidates_keeps_is_said_when_all_were_tried() -> None:
    """280G from D to E are 140G on each of two ways and 93G on each of three, 90G of which d - e may carry."""
    new = [Candidate(circuit("d", "e", 1, 60, name), 5_000) for name in ("x", "y")]
    net, prices = aside(*new)
    stage = only(bought(net, [700], prices=prices))
    assert [(failure, b.name, b.worst) for failure, b in stage.left] == [("", "utilisation", "d-e@d")]
    assert stage.rounds == 1
    more = replace(prices, candidates=(*prices.candidates, Candidate(circuit("d", "e", 1, 60, "z"), 5_000)))
    stage = only(bought(net, [700], prices=more))
    assert (stage.plan.bill.candidates, stage.plan.cost(more)) == (("x", "y", "z"), 15_000 + 3 * 7_000)
    assert stage.left == (), "70G on each of four, which are 78G at 90 %"


def test_a_new_circuit_that_traffic_does_not_take_is_not_kept() -> None:
    """The fluid model would send 30G of 120G over one that costs next to nothing; IS-IS has 5 where a - b has 1."""
    long = Candidate(circuit("a", "b", 5, 100, "long"), 1)
    narrow = tuple(replace(c, capacity=10 * GIG) if c.name != "a-b" else c for c in triangle().circuits)
    net = replace(triangle(USE), circuits=narrow)
    stage = only(bought(net, [300], prices=replace(PRICES, candidates=(long,))))
    assert (dict(stage.plan.bill.members), stage.plan.bill.candidates) == ({"a-b": 1}, ())


def shopping(seed: int, lsps: bool) -> tuple[Network, Prices, int]:
    """A triangle whose members may not all be sold, one or two circuits that could be built, and a factor."""
    pick = random.Random(seed)  # noqa: S311
    links = [circuit(a, b, pick.randint(1, 4), pick.choice([60, 100])) for a, b in SIDES]
    wanted = [demand("A", "B", pick.randint(20, 40)), demand("A", "C", pick.randint(5, 20))]
    net = complete(network(links), [], {"A": ["a"], "B": ["b"], "C": ["c"]}, wanted)
    ends = [SIDES[0], pick.choice(SIDES)][: pick.randint(1, 2)]
    new = [circuit(a, b, pick.randint(1, 6), pick.choice([60, 100]), f"new-{i}") for i, (a, b) in enumerate(ends)]
    candidates = tuple(Candidate(c, pick.randint(3, 25) * 1000) for c in new)
    sold = ((60 * GIG, 7_000), (100 * GIG, 10_000))[pick.randint(0, 1) :]
    prices = Prices("kUSD", member=sold, candidates=candidates)
    factor = pick.choice([200, 300]) if lsps else pick.choice([200, 300, 400])
    if not lsps:
        return replace(net, objectives=(USE, LOSS)), prices, factor
    both = tuple(sorted((*net.demands, demand("A", "B", pick.randint(10, 30), "bulk")), key=lambda d: d.name))
    placed = Objective("placed", Measure.PLACED, None, 1_000_000)
    shortest = Objective("shortest", Measure.SHORTEST, "gold", 1_000_000)
    promises = (USE, LOSS, placed, shortest)[: pick.randint(3, 4)]
    made = (Lsp("a", "bulk", "b", "bulk", 5, 5, None), Lsp("a", "gold", "b", "gold", 3, 3, None))
    return replace(net, demands=both, lsps=made, objectives=promises), prices, factor


def purchases(net: Network, prices: Prices) -> list[tuple[int, Network]]:
    """Every purchase of at most `MOST` members more of each circuit, the cheapest first: its cost and its network."""
    found = []
    for number in range(len(prices.candidates) + 1):
        for new in combinations(prices.candidates, number):
            circuits = [*net.circuits, *(c.circuit for c in new)]
            most = [MOST if prices.of_member(c) is not None else 0 for c in circuits]
            for counts in product(*(range(1, m + 2) for m in most)):
                cost = sum(((prices.of_member(c) or 0) * (n - 1) for c, n in zip(circuits, counts, strict=True)))
                wide = [
                    replace(c, capacity=c.capacity * n, reservable=c.reservable * n)
                    for c, n in zip(circuits, counts, strict=True)
                ]
                there = replace(net, circuits=tuple(sorted(wide, key=lambda c: c.name)))
                found.append((cost + sum(c.price for c in new), there))
    return sorted(found, key=lambda purchase: purchase[0])


def serves(net: Network, factor: int) -> bool:
    """Whether it does when its traffic has grown, and without any one circuit."""
    grower = Grower(net)
    states = grower.states(Look(Scope(), factor, (NOTHING, *surviving(net, "circuit"))))
    return not any(broken(state) for state in states)


@pytest.mark.parametrize(
    ("seed", "lsps"), [*((n, False) for n in range(16)), *((n, True) for n in (*range(16), 19, 66, 128))]
)
def test_no_other_purchase_is_much_cheaper_and_nothing_is_said_to_be_in_vain_that_is_not(seed: int, lsps: bool) -> None:
    net, prices, factor = shopping(seed, lsps)
    best = next((cost for cost, there in purchases(net, prices) if serves(there, factor)), None)
    (stage,) = bought(net, [factor], "circuit", prices)
    if best is None:
        assert isinstance(stage, Unserved) or stage.left
        assert isinstance(stage, Unserved) or stage.rounds <= 8, "found out early"
    else:
        assert isinstance(stage, Stage)
        assert serves(stage.plan.built(net, prices), factor)
        assert best <= stage.plan.cost(prices) <= best * 3 // 2
        assert stage.least <= best
