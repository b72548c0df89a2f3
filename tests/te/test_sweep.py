"""A sweep over names says what `prove` says of the same failures, one by one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from nets import GIG, circuit, network, router
from te.telab import lsp, settle, with_lsps
from trunkline.flow import State, prove
from trunkline.igp.solve import solve
from trunkline.model.event import Cut
from trunkline.model.load import load
from trunkline.model.network import Network
from trunkline.model.nouns import Card
from trunkline.te.result import Action, Unplaced
from trunkline.te.subject import subject
from trunkline.te.sweep import Failure, signalled
from trunkline.te.wanted import wanted

EXAMPLES = Path(__file__).parents[2] / "examples"


def row_of(before: State, after: State, things: str) -> tuple[object, ...]:
    """The row of a failure, from the state before it and the one that `prove` finds after it."""
    log = after.placement.log[len(before.placement.log) :]
    pairs = list(zip(before.placement.placed, after.placement.placed, strict=True))
    other = [new for old, new in pairs if new.path != old.path]
    moved = sum(new.path is not None for new in other)
    unplaced = sum(new.path is None and new.reason is not Unplaced.ENDPOINT_DOWN for new in other)
    displaced = sum(line.action is Action.PREEMPTED for line in log)
    booked = {r.arc: (sum(r.held), r.reservable) for r in after.placement.reservations if sum(r.held)}
    if not booked:
        return things, moved, unplaced, displaced, None, 0
    hottest = min(booked, key=lambda arc: (-Fraction(*booked[arc]), arc))
    return things, moved, unplaced, displaced, hottest.name, booked[hottest][0]


@pytest.mark.parametrize("name", ["tiny.yaml", "aurora.yaml"])
def test_a_sweep_is_what_prove_says(name: str) -> None:
    net = load(EXAMPLES / name).network
    risks = sorted({risk for c in net.circuits for risk in c.risks})
    every = [*(c.name for c in net.circuits), *risks, *(r.name for r in net.routers), net.ports[0].name]
    chosen = every if name == "tiny.yaml" else every[:: len(every) // 12]
    failures = [(thing,) for thing in chosen] + [(every[0], every[-2])]
    proofs = [prove(net, [Cut(things)]) for things in failures]
    cold, expected, asked = proofs[0].cold, [], []
    for things, proof in zip(failures, proofs, strict=True):
        expected.append(row_of(cold, proof.settled, " ".join(things)))
        asked.append(Failure(things, tuple(wanted(subject(net), proof.settled.flows))))
    for workers in (1, 2):
        found = signalled(net, cold.net, cold.reach, cold.placement, asked, workers)
        assert list(found.rows) == expected


def square() -> Network:
    """a-b-d and a-c-d, 10G each; a/x holds 6G over b, a/y 5G over c."""
    sides = [circuit("a", "b", gbps=10), circuit("b", "d", gbps=10), circuit("a", "c", gbps=10)]
    net = network([*sides, circuit("c", "d", gbps=10)], [router(x, "east") for x in "abcd"])
    return with_lsps(net, lsp("a", "d", "x", 6, 2), lsp("a", "d", "y", 5, 5))


def test_by_hand() -> None:
    # Without b, x goes over c and displaces y, which finds no room.  Without d both have lost an end: none is unplaced.
    net = square()
    placement = settle(net)
    failures = [Failure(("b",)), Failure(("d",)), Failure(())]
    found = signalled(net, net, solve(net), placement, failures)
    assert found.rows == (
        ("b", 1, 1, 1, "a-c@a", 6 * GIG),
        ("d", 0, 0, 0, None, 0),
        ("", 0, 0, 0, "a-b@a", 6 * GIG),
    )


def test_a_card_by_hand() -> None:
    """a's card holds a-b: x goes over c and displaces y, as without b; a port that is on it too takes no arc."""
    net = square()
    carded = replace(net.routers[0], cards=(Card("a/1", ("a-b", "t@a")),))
    net = replace(net, routers=(carded, *net.routers[1:]))
    found = signalled(net, net, solve(net), settle(net), [Failure(("a/1",))])
    assert found.rows == (("a/1", 1, 1, 1, "a-c@a", 6 * GIG),)


def test_what_it_refuses() -> None:
    net = square()
    placement = settle(net)
    with pytest.raises(KeyError, match="nowhere"):
        signalled(net, net, solve(net), placement, [Failure(("nowhere",))])
    with pytest.raises(ValueError, match="member of a bundle"):
        signalled(net, net, solve(net), placement, [Failure(("a-b:1",))])
