"""What follows from an event, against hand computation, the solver's stable states, and one group at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

import pytest

from bgp_worlds import line
from churn_worlds import churning, happening
from traffic_nets import complete, peer
from trunkline.bgp import lockstep
from trunkline.bgp.alike import Alike
from trunkline.bgp.churn import Churn, Without, churn
from trunkline.bgp.design import sessions
from trunkline.bgp.enter import Own
from trunkline.bgp.exchange import Exchange
from trunkline.bgp.solve import solve
from trunkline.bgp.timing import Timing
from trunkline.igp.solve import solve as converge
from trunkline.model.event import Cut, Restore, after
from trunkline.model.network import Network
from trunkline.model.nouns import Announcement, Condition, Family, Ibgp, Kind, Peer

SEEDS = [range(start, start + 50) for start in range(0, 400, 50)]


def assert_stable(net: Network, found: Churn, condition: Condition) -> None:
    """Every router tells what it has to, given what the others tell (sessions are those of the whole network)."""
    late = net.under(condition)
    reach = converge(late)
    cycling = {(u.group, u.family) for u in found.unsettled}
    for alike, family, told in found.settled:
        mesh = Exchange(net, reach, family, sessions(net))
        if (alike.groups[0], family) not in cycling:
            for name in late.router:
                candidates = mesh.candidates(name, alike.own, told)
                decision = mesh.decide(name, alike.own, told)
                assert told.get(name, {}) == (mesh.says(name, candidates, decision.best) if decision else {})


@pytest.mark.parametrize("seeds", SEEDS)
def test_what_settles_is_stable_under_every_design(seeds: range) -> None:
    for seed in seeds:
        net = churning(seed)
        event, before, timing = happening(seed, net)
        assert_stable(net, churn(net, event, before, timing), after(before, event) if event else before)


def test_it_settles_on_what_the_solver_gives_where_only_one_state_is_stable() -> None:
    """Nothing but transits, in one mesh of one region: the best by AS path is told, whoever comes first."""
    for seed in range(60):
        net = replace(churning(seed), ibgp=Ibgp("full-mesh"))
        net = replace(net, peers=tuple(_one_as(p) for p in net.peers))
        event, before, timing = happening(seed, net)
        now = net.under(after(before, event) if event else before)
        routes = solve(now, converge(now))
        found = churn(net, event, before, timing)
        assert found.unsettled == ()
        for alike, family, told in found.settled:
            mesh = Exchange(net, routes.reach, family, sessions(net))
            for name in now.router:
                decision = mesh.decide(name, alike.own, told)
                expected = routes.best(name, alike.groups[0], family)
                assert (decision and decision.multipath) == (expected and expected.multipath)


def _one_as(given: Peer) -> Peer:
    said = tuple(Announcement(a.group, a.path, 0) for a in given.announces)
    return replace(given, announces=said)


def _each_alone(_: Network, entered: Mapping[str, Own]) -> tuple[Alike, ...]:
    return tuple(Alike((group,), entered[group]) for group in sorted(entered))


def test_groups_in_lockstep_are_exactly_what_each_alone_is(monkeypatch: pytest.MonkeyPatch) -> None:
    together = 0
    for seed in range(250):
        net = churning(seed)
        happens = happening(seed, net)
        many = churn(net, *happens)
        with monkeypatch.context() as patch:
            patch.setattr(lockstep, "alike", _each_alone)
            alone = churn(net, *happens)
        together += len(many.settled) < len(alone.settled)
        for field in fields(Churn):
            one, other = getattr(many, field.name), getattr(alone, field.name)
            if field.name == "unsettled":
                one, other = (sorted(u, key=lambda u: (u.group, u.family)) for u in (one, other))
            assert field.name == "settled" or one == other, (seed, field.name)
    assert together > 50


QUICK = Timing(processing=0, igp=50_000)


def test_a_lost_port_by_hand() -> None:
    """The line a - b - c - d, 1 ms a circuit; `t` at a and d, of one AS, with its routes everywhere: full mesh.

    a and b use a's, c and d use d's.  The port at d is lost: d turns to a's at once and withdraws its own, one UPDATE
    to each of three neighbours in each family, 6 in all, of 10 + 5 prefixes each to three.  a hears after 3 ms, b after
    2 ms, c after 1 ms; c turns to a's then.  Nobody answers.  Nobody is without a route: c's packets that still go to
    d come to a from there.
    """
    found = churn(line(design="full-mesh"), Cut(("t@d",)), timing=QUICK)
    assert (found.messages, found.group_updates, found.prefix_updates) == (6, 6, 45)
    assert (found.depth, found.settled_at) == (1, 3000)
    assert found.sent == {"d": 6}
    assert found.received == {"a": 2, "b": 2, "c": 2}
    # d decides at once, then a, b and c on what they read; d and c change their best; in each family
    assert (found.decisions, found.changes) == (8, 4)
    assert found.without == {}


def test_the_only_exit_lost_leaves_routers_without_until_another_tells() -> None:
    """`u` at c is of longer path: c hears a's, uses it, and tells nothing (its best is iBGP's).

    The port at a is lost at 0: a has nothing, and b, c and d still send there.  a's withdrawal is at b after 1 ms, at c
    after 2, at d after 3.  c turns to u and tells at 2 ms: b has it at 3 ms, d too, a at 4 ms.
    """
    net = line(design="full-mesh")
    short, long = peer("t", Kind.PEERING, ["a"], ["g"]), peer("u", Kind.PEERING, ["c"], ["g"])
    long = replace(long, announces=(Announcement("g", (65001, 65002)),))
    found = churn(complete(net, [short, long], {}, []), Cut(("t@a",)), timing=QUICK)
    times = {(name, family): Without(time, False) for name, time in zip("abcd", (4000, 3000, 2000, 3000), strict=True)
             for family in Family}  # fmt: skip
    assert {(r, f): lost for (r, _, f), lost in found.without.items()} == times
    assert (found.messages, found.depth, found.settled_at) == (12, 2, 4000)


def test_a_lost_router_is_missed_when_the_igp_has_converged_and_its_session_when_the_hold_time_ends() -> None:
    """a is lost; d has the same routes and told them: b, who used a's, turns to d's at 50 ms.

    Nothing is sent.  That the sessions end at 180 s changes nothing any more.
    """
    found = churn(line(design="full-mesh"), Cut(("a",)), timing=QUICK)
    assert (found.messages, found.changes, found.settled_at) == (0, 2, 50_000)
    assert found.without == {("b", "internet", family): Without(50_000, False) for family in Family}


def test_a_router_that_comes_back_is_told_everything_anew() -> None:
    """a comes back: at 50 ms it has its own route; its sessions come up a second later.

    Then a tells b (1 ms), c (2 ms), d (3 ms), and d tells a; 4 UPDATEs in each family, and b changes to a's.
    """
    found = churn(line(design="full-mesh"), Restore(("a",)), Condition(down=frozenset("a")), QUICK)
    assert (found.messages, found.depth, found.settled_at) == (8, 1, 1_053_000)
    assert found.without == {("a", "internet", family): Without(50_000, False) for family in Family}
    assert found.changes == 4
