"""Whole plans through random histories: both cores give the same bytes, and the books balance."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings

from engine.worlds import needs_kernel
from nets import GIG
from traffic_worlds import seeds, world
from trunkline.engine.choice import VARIABLE
from trunkline.flow import Proof, prove
from trunkline.model.event import Cut, Event, Grow, Overload, Reoptimize, Restore
from trunkline.model.network import Network
from trunkline.model.nouns import Hop, Lsp, Measure, Objective
from trunkline.report.files import plan_document, to_json
from trunkline.report.summary import summarise

OBJECTIVES = tuple(Objective(m, m, None, 500_000) for m in sorted(Measure))


def signalled(seed: int) -> Network:
    """A world whose LSPs RSVP-TE places itself: affinities, hop limits, explicit and loose hops, every priority."""
    net, _ = world(seed)
    pick = random.Random(seed)  # noqa: S311
    circuits = tuple(
        replace(c, groups=tuple(g for g in ("blue", "red") if pick.random() < 0.4), risks=(pick.choice("xy"),))
        for c in net.circuits
    )
    lsps = tuple(_lsp(net, f"l{n:02}", pick) for n in range(pick.randint(0, 14)))
    ordered = tuple(sorted(lsps, key=lambda x: (x.head, x.name)))
    return replace(net, circuits=circuits, lsps=ordered, objectives=OBJECTIVES)


def _lsp(net: Network, name: str, pick: random.Random) -> Lsp:
    head, tail = pick.sample(sorted(net.router), 2)
    setup = pick.randint(0, 7)
    between = [Hop(pick.choice([*sorted(net.router), *sorted(net.circuit)]), pick.random() < 0.7)]
    return Lsp(
        head, name, tail, pick.choice(["bulk", "gold"]), setup, pick.randint(0, setup),
        pick.choice([None, 0, pick.randint(1, 60) * GIG]),
        include_any=pick.choice([(), (), ("blue",), ("blue", "red")]),
        exclude=pick.choice([(), (), (), ("red",)]),
        hop_limit=pick.choice([None, None, 2]),
        paths=pick.choice([((),), ((),), (tuple(between), ()), (tuple(between),)]),
    )  # fmt: skip


def history(net: Network, seed: int) -> list[Event]:
    """Up to six events; what is restored is down."""
    pick = random.Random(seed + 1)  # noqa: S311
    things = [*net.router, *net.circuit, *net.port, *net.peer, *net.regions, "x", "y"]
    things = [t for t in things if any(net.names(t).values())]
    events: list[Event] = []
    down: set[str] = set()
    for _ in range(pick.randint(1, 6)):
        what = pick.choice(["cut", "cut", "restore", "grow", "overload", "reoptimize"])
        if what == "cut":
            cut = tuple(pick.sample(things, pick.randint(1, 2)))
            events.append(Cut(cut))
            down |= set(cut)
        elif what == "restore" and down:
            back = pick.choice(sorted(down))
            events.append(Restore((back,)))
            down.remove(back)
        elif what == "grow":
            events.append(Grow(pick.randint(1, 3_000_000), pick.choice([None, "gold"])))
        elif what == "overload":
            events.append(Overload((pick.choice(sorted(net.router)),)))
        else:
            events.append(Reoptimize())
    return events


def answer(proof: Proof) -> str:
    return to_json(plan_document(proof, "", summarise(proof), proof.settled.warnings))


@needs_kernel
@settings(max_examples=60)
@given(seed=seeds)
def test_both_cores_give_the_same_bytes(seed: int) -> None:
    net = signalled(seed)
    events = history(net, seed)
    answers = []
    for core in ("kernel", "reference"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, core)
            answers.append(answer(prove(net, events)))
    assert answers[0] == answers[1]


@settings(max_examples=60)
@given(seed=seeds)
def test_in_every_state_the_books_balance(seed: int) -> None:
    net = signalled(seed)
    events = history(net, seed)
    for state in prove(net, events).states:
        booked: Counter[str] = Counter()
        for placed in state.placement.placed:
            assert placed.path is None or placed.path[0].tail == placed.lsp.head
            booked.update({arc.name: placed.reserved for arc in placed.path or ()})
        for row in state.placement.reservations:
            assert sum(row.held) == booked[row.arc.name] <= row.reservable
        up = {r.name for r in state.net.routers}
        assert all({p.lsp.head, p.lsp.tail} <= up for p in state.placement.placed if p.path is not None)
        for d in state.loads.deliveries:
            assert d.rate == d.delivered + sum(rate for _, _, rate in d.lost)
        offered = sum(x.rate for x in state.net.demands)
        assert sum(d.rate for d in state.loads.deliveries) == offered
