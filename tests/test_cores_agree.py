"""Whole plans through random histories: both cores give the same bytes, and the books balance."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings

from engine.worlds import needs_kernel
from traffic_worlds import seeds, world
from trunkline.engine.choice import VARIABLE
from trunkline.flow import Proof, prove
from trunkline.model.event import Cut, Event, Grow, Overload, Reoptimize, Restore
from trunkline.model.network import Network
from trunkline.model.nouns import Lsp
from trunkline.report.files import plan_document, to_json
from trunkline.report.summary import summarise


def story(seed: int) -> tuple[Network, list[Event]]:
    """A random network whose LSPs have all sorts of priorities and bandwidths, and what happens to it."""
    net, _ = world(seed)
    pick = random.Random(seed)  # noqa: S311 - the same story for the same seed
    names = [r.name for r in net.routers]
    lsps = []
    for number in range(pick.randint(2, 12)):
        head, tail = pick.sample(names, 2)
        setup = pick.randint(0, 7)
        bandwidth = pick.choice([None, None, 0, *(n * 10**9 for n in (1, 5, 9, 20, 40))])
        limit = pick.choice([None, None, None, 1, 2])
        cls = pick.choice(["gold", "bulk"])
        lsps.append(Lsp(head, f"l{number:02}", tail, cls, setup, pick.randint(0, setup), bandwidth, hop_limit=limit))
    net = replace(net, lsps=tuple(sorted(lsps, key=lambda x: (x.head, x.name))))
    first, second = pick.sample([c.name for c in net.circuits], 2)
    events: list[Event] = [
        Cut((first,)),
        Grow(pick.choice([300_000, 1_700_000, 4_000_000]), pick.choice([None, "gold"])),
        Cut((second, pick.choice(names))),
        Restore((first,)),
        Overload((pick.choice(names),)),
        Reoptimize(),
    ]
    return net, events[: pick.randint(1, len(events))]


def answer(proof: Proof) -> str:
    return to_json(plan_document(proof, "", summarise(proof), proof.settled.warnings))


@needs_kernel
@settings(max_examples=60)
@given(seed=seeds)
def test_both_cores_give_the_same_bytes(seed: int) -> None:
    net, events = story(seed)
    answers = []
    for core in ("kernel", "reference"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(VARIABLE, core)
            answers.append(answer(prove(net, events)))
    assert answers[0] == answers[1]


@settings(max_examples=60)
@given(seed=seeds)
def test_in_every_state_the_books_balance(seed: int) -> None:
    net, events = story(seed)
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
