"""What can be added between two sites: by hand, and held against replays that know nothing of the search."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nets import GIG, circuit, network
from traffic_nets import complete, demand
from trunkline.demand.reason import Reason
from trunkline.flow import prove as replayed
from trunkline.model.event import Cut, Event
from trunkline.model.network import Network
from trunkline.model.nouns import Datacenter, Demand, Lsp, PrefixGroup
from trunkline.model.problem import Problems
from trunkline.risk.headroom import Limit, matrix, prove
from trunkline.risk.scenario import Kind, scenarios
from trunkline.te.result import Unplaced

A, B, C = "site-a", "site-b", "site-c"


def triangle(*lsps: Lsp) -> Network:
    """a - b costs 1 and is 100G wide, a - c - b costs 10 and is 60G wide; 30G of gold and 20G of bulk from A to B."""
    links = [circuit("a", "b", 1), circuit("a", "c", 5, 60), circuit("c", "b", 5, 60)]
    wanted = [demand("A", "B", 30), demand("A", "B", 20, "bulk")]
    return replace(complete(network(links), [], {"A": ["a"], "B": ["b"], "C": ["c"]}, wanted), lsps=lsps)


def sized(name: str, cls: str, setup: int) -> Lsp:
    """An LSP from a to b as large as the demands of its class."""
    return Lsp("a", name, "b", cls, setup, setup, None)


def test_with_everything_in_order_it_is_what_the_way_has_left() -> None:
    """100G less 50G.  The step is 1 %: with 50.5G more, 0.5G does not fit."""
    found = prove(triangle(), (A, B), "gold", (), 1)
    assert (found.limit.rate, found.beyond, found.scenarios) == (50 * GIG, 50_500_000_000, 1)
    assert (found.limit.failure, found.limit.where) == ("", "a-b@a")
    assert found.loses.rate == GIG // 2, "bulk waits behind gold, so bulk loses it"
    assert found.loses.what == "A>B.bulk"


def test_a_failure_limits_what_can_be_promised() -> None:
    """Without a - b all 50G go over c, where 60G fit: 10G are left."""
    net = triangle()
    found = prove(net, (A, B), "gold", scenarios(net, [Kind.CIRCUIT]), 1)
    assert (found.limit.rate, found.limit.failure, found.limit.where) == (10 * GIG, "a-b", "a-c@a")
    assert (found.beyond, found.scenarios) == (10_100_000_000, 4)


def test_the_whole_matrix() -> None:
    """From each to each, after any single circuit.

    A to B: 10G as above.  A to C: without a - b the 50G are on a - c, 10G are left; without a - c it goes round by
    a - b (50G left) and b - c (60G).  B to A: nothing else goes that way; 60G over c.  B to C: without c - b, b - a and
    a - c have 60G.  C to A: 60G; without c - a it is c - b, 60G, and b - a.  C to B: without a - b, c - b has 10G left.
    """
    net = triangle()
    found = {x.pair: x.rate // GIG for x in matrix(net, "gold", scenarios(net, [Kind.CIRCUIT]))}
    assert found == {(A, B): 10, (A, C): 10, (B, A): 60, (B, C): 60, (C, A): 60, (C, B): 10}


def test_an_lsp_that_displaces_another_is_no_loss_while_that_finds_a_way() -> None:
    """Gold wants 30G of the 100G that may be reserved on a - b, bulk 20G at a worse priority.

    With more than 50G more, bulk has to leave a - b, and has room over c.  With more than 70G the LSP of gold cannot
    grow any more and stays at 30G with bulk beside it; what it carries does not fit then.
    """
    found = prove(triangle(sized("gold", "gold", 3), sized("bulk", "bulk", 5)), (A, B), "gold", (), 1)
    assert found.formula == 50 * GIG, "as if bulk stayed"
    assert 69_500_000_000 < found.limit.rate <= 70 * GIG < found.beyond
    assert (found.limit.where, found.limit.reason) == ("a-b@a", Reason.CONGESTION)


def test_an_lsp_that_cannot_be_what_it_wants_is_a_limit_though_nothing_is_lost() -> None:
    """40G of a - b may be reserved, 30G are; over c there are too many hops."""
    net = triangle(replace(sized("gold", "gold", 3), hop_limit=1))
    net = replace(net, circuits=tuple(replace(c, reservable=40 * GIG if c.name == "a-b" else 0) for c in net.circuits))
    found = prove(net, (A, B), "gold", (), 1)
    assert (found.limit.rate, found.limit.reason) == (10 * GIG, Unplaced.BANDWIDTH)
    assert (found.limit.lsp, found.limit.where) == ("a/gold", "a-b@a")


def test_what_a_failure_cuts_off_can_be_promised_nothing() -> None:
    """Without router a, nothing of A's is served, however little it is."""
    net = triangle()
    found = prove(net, (A, B), "gold", scenarios(net, [Kind.ROUTER]), 1)
    assert (found.limit.rate, found.limit.failure, found.beyond) == (0, "a", 1_000_000)


def test_an_end_that_fails_itself_is_no_limit() -> None:
    """A site that fails takes its own traffic along: only c matters to A and B, and it is not in the way."""
    net = triangle()
    found = prove(net, (A, B), "gold", scenarios(net, [Kind.SITE]), 1)
    assert (found.limit.rate, found.limit.failure) == (50 * GIG, "")


def test_what_is_full_already_has_no_room() -> None:
    net = triangle()
    more = replace(net, demands=(*net.demands, replace(demand("A", "B", 60, "bulk"), name="and")))
    limit = prove(more, (A, B), "gold", (), 1).limit
    assert (limit.rate, limit.where) == (0, "a-b@a")


@pytest.mark.parametrize("cls", ["gold", "bulk"])
def test_the_figure_holds_and_the_step_beyond_does_not_when_all_is_computed_anew(cls: str) -> None:
    net = triangle(sized("gold", "gold", 3), sized("bulk", "bulk", 5))
    failures = scenarios(net, [Kind.CIRCUIT, Kind.ROUTER])[:3]
    found = prove(net, (A, B), cls, failures, 1)
    assert not any(lost(net, cls, found.limit.rate, failure.things) for failure in failures)
    worst = next(failure for failure in failures if failure.name == found.limit.failure)
    assert lost(net, cls, found.beyond, worst.things)


def lost(net: Network, cls: str, rate: int, things: tuple[str, ...]) -> int:
    """What is lost after a failure, from cold, with a demand more: all of it, as nothing is lost without."""
    more = replace(
        net, demands=tuple(sorted((*net.demands, Demand("more", "A", "B", cls, rate)), key=lambda d: d.name))
    )
    history: list[Event] = [Cut(things)]
    return sum(d.missing - d.gone for d in replayed(more, history).settled.loads.deliveries)


def test_workers_change_nothing() -> None:
    net = triangle()
    failures = scenarios(net)
    assert matrix(net, "gold", failures, 2) == matrix(net, "gold", failures, 1)
    assert prove(net, (A, B), "gold", failures, 2) == prove(net, (A, B), "gold", failures, 1)


def test_sites_without_data_centres_enter_by_their_routers() -> None:
    net = replace(triangle(), datacenters=(), demands=())
    limits: tuple[Limit, ...] = matrix(net, "gold", ())
    assert {x.pair: x.rate // GIG for x in limits}[A, B] == 100


def test_what_crosses_nothing_has_no_limit() -> None:
    """B and C are at the same router: nothing between them can be full, which is no figure and no error of ours."""
    net = complete(network([circuit("a", "b", 1)]), [], {"A": ["a"], "B": ["b"]}, [])
    both = (*net.datacenters, Datacenter("C", "site-a", ("b",)))
    groups = (*net.groups, PrefixGroup("C", 10, 5))
    net = replace(net, datacenters=both, groups=groups)
    net = replace(net, datacenters=tuple(d for d in net.datacenters if d.name != "A"))
    assert matrix(net, "gold", ()) == ()
    with pytest.raises(Problems, match="there is no limit"):
        prove(net, (A, B), "gold", (), 1)
