"""The cheapest purchase, against every purchase: feasible is what NetworkX's maximum flow says is."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import networkx as nx
import pytest

from nets import GIG, circuit, network
from trunkline.model.network import Network
from trunkline.model.nouns import MILLION, Circuit
from trunkline.model.prices import Candidate, Prices
from trunkline.model.problem import Missing
from trunkline.risk.fluid import Bar, Bill, Case, Terms, Unserved, propose

NONE = Terms()
MOST = 3
"""More members than brute force tries never serve: 20G and three more are 80G, and 70G at 90 % are less."""


def priced(*candidates: Candidate) -> Prices:
    """A member of 100G costs 10, of 40G 7, of 20G 4, of 10G 3: in thousandths."""
    return Prices("kUSD", member=((10 * GIG, 3), (20 * GIG, 4), (40 * GIG, 7), (100 * GIG, 10)), candidates=candidates)


def test_the_cheaper_of_two_ways() -> None:
    """A 100G circuit with 150G to carry, 90 % full at the most: 60G more go over the way round or beside it.

    Two more members of 10G each way round are 2 x 2 x 3; one of 100G beside it is 10 and enough.
    """
    net = network([circuit("a", "b", 1, 100), circuit("a", "c", 1, 10), circuit("c", "b", 1, 10)])
    case = Case("", net, {("a", "b"): 150 * GIG})
    assert propose(net, priced(), 900_000, [case], NONE) == Bill({"a-b": 1}, (), 10, 10)


def test_a_floor_and_what_was_bought_before_are_in_it() -> None:
    """150G as a floor of a - c are 14 more members of 10G; two of c - b were bought before."""
    net = network([circuit("a", "b", 1, 100), circuit("a", "c", 1, 10), circuit("c", "b", 1, 10)])
    case = Case("", net, {("a", "b"): 50 * GIG})
    found = propose(net, priced(), MILLION, [case], Terms(Bill({"c-b": 2}, (), 6, 6), {"a-c": 150 * GIG}))
    assert found == Bill({"a-c": 14, "c-b": 2}, (), 16 * 3, 16 * 3)


def test_a_failure_takes_what_was_bought_for_it_along() -> None:
    """100G in order, and 100G without a - b: the way round needs 90G more, whatever is bought for a - b.

    Nine members of 10G on each of its circuits are 54; the candidate beside a - b costs 40, and may not share its duct.
    """
    net = network([circuit("a", "b", 1, 100), circuit("a", "c", 1, 10), circuit("c", "b", 1, 10)])
    cases = [Case("", net, {("a", "b"): 100 * GIG}), Case("a-b", net.without("a-b"), {("a", "b"): 100 * GIG})]
    spare = Candidate(circuit("a", "b", 1, 100, "new"), 40)
    assert propose(net, priced(), MILLION, cases, NONE) == Bill({"a-c": 9, "c-b": 9}, (), 54, 54)
    assert propose(net, priced(spare), MILLION, cases, NONE) == Bill({}, ("new",), 40, 40)


def test_where_nothing_is_sold_and_nothing_asked_there_is_nothing_to_buy() -> None:
    """Only ports have a price, and no state lacks anything: the program has not one column."""
    net = network([circuit("a", "b", 1, 100)])
    assert propose(net, Prices("kUSD", port=10), MILLION, [], NONE) == Bill({}, (), 0, 0)


def test_what_no_purchase_serves_is_named() -> None:
    """Nobody sells members of 400G."""
    net = network([circuit("a", "b", 1, 400), circuit("b", "c", 1, 100)])
    case = Case("storm", net, {("a", "b"): 500 * GIG, ("c", "b"): 50 * GIG})
    assert propose(net, priced(), MILLION, [case], NONE) == Unserved("storm", "a", "b", 100 * GIG)


def test_what_is_built_grows() -> None:
    """150G more than the circuit that nobody widens: a new one of 60G for 30, and two more members of it at 7."""
    net = network([circuit("a", "b", 1, 400)])
    case = Case("", net, {("a", "b"): 550 * GIG})
    new = Candidate(circuit("a", "b", 1, 60, "new"), 30)
    prices = Prices("kUSD", member=((60 * GIG, 7),), candidates=(new,))
    assert propose(net, prices, MILLION, [case], NONE) == Bill({"new": 2}, ("new",), 44, 44)
    more = Terms(Bill({"new": 4}, ("new",), 58, 58))
    assert propose(net, prices, MILLION, [case], more) == Bill({"new": 4}, ("new",), 58, 58), "bought before"


def test_a_candidate_has_its_floor_where_it_is_built() -> None:
    """50G too much: a new circuit is 5, and with the 300G it is to have 25; a member of what is there is 10."""
    net = network([circuit("a", "b", 1, 100)])
    case = Case("", net, {("a", "b"): 150 * GIG})
    prices = priced(Candidate(circuit("a", "b", 1, 100, "new"), 5))
    assert propose(net, prices, MILLION, [case], NONE) == Bill({}, ("new",), 5, 5)
    terms = Terms(floor={"new": 300 * GIG})
    assert propose(net, prices, MILLION, [case], terms) == Bill({"a-b": 1}, (), 10, 10)
    terms = Terms(Bill({}, ("new",), 5, 5), {"new": 300 * GIG})
    assert propose(net, prices, MILLION, [case], terms) == Bill({"new": 2}, ("new",), 25, 25)


def test_bars_keep_sets_of_candidates_out() -> None:
    """Of x for 5 and y for 6 one is enough; not x alone is y, not y alone either is both, and not both is neither."""
    net = network([circuit("a", "b", 1, 100)])
    case = Case("", net, {("a", "b"): 150 * GIG})
    prices = Prices(
        "kUSD", candidates=tuple(Candidate(circuit("a", "b", 1, 100, n), p) for n, p in (("x", 5), ("y", 6)))
    )
    both, bars, found = frozenset("xy"), list[Bar](), list[object]()
    for built in ("x", "y", "xy"):
        bars.append(Bar(frozenset(built), both))
        found.append(propose(net, prices, MILLION, [case], Terms(bars=tuple(bars))))
    assert found == [Bill({}, ("y",), 6, 6), Bill({}, ("x", "y"), 11, 11), None]
    everything = (*bars, Bar(frozenset(), both))
    assert propose(net, prices, MILLION, [case], Terms(bars=everything)) is None
    much = Case("", net, {("a", "b"): 350 * GIG})
    assert propose(net, prices, MILLION, [much], Terms(bars=everything)) == Unserved("", "a", "b", 50 * GIG)


def test_a_candidate_that_has_failed_carries_nothing() -> None:
    """100G too much, and the new circuit is cheaper; where its failure, or its duct's, is a case, a member is."""
    net = network([circuit("a", "b", 1, 100)])
    new = Candidate(replace(circuit("a", "b", 1, 100, "new"), risks=("duct",)), 5)
    cases = [Case(name, net, {("a", "b"): 200 * GIG}, frozenset({name})) for name in ("", "new", "duct")]
    found = [propose(net, priced(new), MILLION, some, NONE) for some in (cases[:1], cases[:2], cases[::2])]
    assert found == [Bill({}, ("new",), 5, 5), Bill({"a-b": 1}, (), 10, 10), Bill({"a-b": 1}, (), 10, 10)]


@pytest.mark.parametrize("seed", range(12))
def test_no_other_purchase_is_cheaper(seed: int) -> None:
    pick = random.Random(seed)  # noqa: S311
    links = [circuit(a, b, 1, pick.choice([20, 40, 100])) for a, b in ("ab", "bd", "ac", "cd", "bc")]
    net = network(links)
    spare = Candidate(circuit("a", "d", 1, pick.choice([10, 20, 40]), "new"), pick.randint(1, 10))
    cases = [Case("", net, {("a", "d"): pick.randint(20, 70) * GIG})]
    cases.append(Case("a-b", net.without("a-b"), {("a", "d"): pick.randint(5, 70) * GIG}))
    use = pick.choice([900_000, MILLION])
    found = propose(net, priced(spare), use, cases, NONE)
    assert isinstance(found, Bill)
    purchases = sorted(_purchases(net, spare), key=lambda purchase: purchase[0])
    best = next(cost for cost, there in purchases if all(_fits(there, use, case) for case in cases))
    assert (found.cost, found.least) == (best, best)


def _purchases(net: Network, spare: Candidate) -> Iterator[tuple[int, list[Circuit]]]:
    """What every purchase costs, and the circuits there are with it."""
    price = dict(priced().member)
    for built in (False, True):
        circuits = [*net.circuits, *([spare.circuit] * built)]
        for counts in product(range(MOST + 1), repeat=len(circuits)):
            cost = sum(n * price[c.capacity] for n, c in zip(counts, circuits, strict=True)) + built * spare.price
            yield cost, [replace(c, capacity=c.capacity * (n + 1)) for n, c in zip(counts, circuits, strict=True)]


def _fits(circuits: Sequence[Circuit], use: int, case: Case) -> bool:
    graph = nx.DiGraph()
    for c in circuits:
        if c.name in case.net.circuit or c.name == "new":
            for tail, head in ((c.a, c.b), (c.b, c.a)):
                before = graph.get_edge_data(tail, head, {"capacity": 0})["capacity"]
                graph.add_edge(tail, head, capacity=before + c.capacity * use // MILLION)
    ((ends, rate),) = case.aimed.items()
    return bool(nx.maximum_flow_value(graph, *ends) >= rate)


def test_without_highs_it_says_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "highspy", None)
    net = network([circuit("a", "b")])
    with pytest.raises(Missing, match=r"pip install 'trunkline\[lp\]'"):
        propose(net, priced(), MILLION, [], NONE)


def test_it_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    net = network([circuit("a", "b", 1, 100)])
    propose(net, priced(), MILLION, [Case("", net, {("a", "b"): 150 * GIG})], NONE)
    assert capfd.readouterr() == ("", "")
