"""The kernel repeats the reference byte for byte; and the comparison would see a tie rule that is not the same."""

from __future__ import annotations

from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.worlds import World, graph, needs_kernel, world
from trunkline.engine import kernel, reference, reference_cspf, spf
from trunkline.engine.placement import advance, cold, routes

SEEDS = st.integers(0, 10**9)


def trace(given_: World, backend: ModuleType) -> list[bytes]:
    """Every array that a history yields, as bytes."""
    state, found = cold(len(given_.lsps)), []
    for links, step in given_.history:
        state, log = advance(links, given_.lsps, state, step, backend)
        arrays: list[npt.NDArray[Any]] = [
            state.paths.option,
            state.paths.start,
            state.paths.arc,
            state.held,
            state.wanted,
            state.tried,
        ]
        arrays += [log.did, log.lsp, log.bandwidth, log.by, log.arc, log.start, log.path]
        found += [a.dtype.str.encode() + a.tobytes() for a in arrays]
    return found


@needs_kernel
@settings(max_examples=300)
@given(SEEDS)
def test_placement_is_the_same(seed: int) -> None:
    w = world(seed)
    assert trace(w, kernel) == trace(w, reference)


@needs_kernel
@settings(max_examples=100)
@given(SEEDS)
def test_unconstrained_placement_is_the_same(seed: int) -> None:
    w = world(seed, plain=True)
    assert trace(w, kernel) == trace(w, reference)


@needs_kernel
@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_long_searches_are_the_same(seed: int) -> None:
    # Large enough for a search of the kernel to lose patience, and to ask from the tail whether there is a path.
    w = world(seed, plain=bool(seed % 2), most=200)
    assert trace(w, kernel) == trace(w, reference)


@needs_kernel
@settings(max_examples=60)
@given(SEEDS)
def test_distances_and_loads_are_the_same(seed: int) -> None:
    rng = Random(seed)  # noqa: S311 - reproducible on purpose
    nodes = rng.randint(2, 9)
    g = graph(rng, nodes, rng.randint(1, 20), 0.2)
    up = np.array([[rng.random() < 0.8 for _ in range(g.arcs)] for _ in range(3)], np.bool_)
    demand = np.array([[rng.randint(0, 99) for _ in range(nodes)] for _ in range(nodes)], np.int64)
    both = [spf.distances(g, range(nodes), up, backend=b) for b in (kernel, reference)]
    assert (both[0] == both[1]).all()
    (load, lost), (load_plain, lost_plain) = (spf.loads(g, demand, up, backend=b) for b in (kernel, reference))
    assert (load == load_plain).all()
    assert (lost == lost_plain).all()


@needs_kernel
@pytest.mark.parametrize("rule", ["rank", "width", "victims"])
def test_a_changed_tie_rule_is_seen(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    worlds = [world(seed, plain=True) for seed in range(40)]
    expected = [trace(w, kernel) for w in worlds]
    assert [trace(w, reference) for w in worlds] == expected
    if rule == "rank":  # the last by rank, not the first
        real = reference_cspf.Terrain.__post_init__

        def backwards(land: reference_cspf.Terrain) -> None:
            real(land)
            object.__setattr__(land, "rank", [-r for r in land.rank])

        monkeypatch.setattr(reference_cspf.Terrain, "__post_init__", backwards)
    elif rule == "width":  # bottlenecks ignored
        monkeypatch.setattr(reference_cspf.Search, "_widest", lambda _, places, __: dict.fromkeys(places, 0))
    else:  # nobody spared, worst priority last
        place = "trunkline.engine.reference_place.victims"
        monkeypatch.setattr(
            place,
            lambda books, arc, missing, setup: (
                sorted(v for v in books.riders[arc] if books.hold[v] > setup and books.held[v] > 0)
                if missing > 0
                else []
            ),
        )
    assert [trace(w, reference) for w in worlds] != expected


@needs_kernel
@settings(max_examples=60)
@given(SEEDS)
def test_routes_are_the_same(seed: int) -> None:
    w = world(seed)
    bandwidth = w.history[0][1].wanted
    both = [routes(w.links, w.lsps, bandwidth, backend=b) for b in (kernel, reference)]
    for one, other in zip(*([p.option, p.start, p.arc] for p in both), strict=True):
        assert (one == other).all()
