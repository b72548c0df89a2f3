"""Many failures: RSVP-TE and equal-cost loads after each, on one thread and on two, beside NetGraph and pyNTM.

A ratio is printed only where the loads of every arc after every failure are the same, but for their rounding.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from planes import circuits_of, gravity, pairs_of, planes, singles
from run import PEERS, ask, row, timed

from trunkline.engine import kernel
from trunkline.engine.cuts import Cuts, of_nodes
from trunkline.engine.graph import Graph, Int64
from trunkline.engine.igp_loads import Demand, igp_loads
from trunkline.engine.placement import advance, cold
from trunkline.engine.sweep import How, Scenarios, Swept, sweep

PEERS |= {"netgraph_failures": "ngraph==0.24.*", "pyntm_failures": PEERS["pyntm_model"]}
TERA = 10**12


def on_each(name: str, body: Callable[[How], Any], count: int, told: Callable[[Any], str], repeats: int = 1) -> None:
    """Run on one thread and on two, and print wall time, and the time of all threads per failure."""
    for workers in (1, 2):
        spent = time.process_time()
        seconds, found = timed(partial(body, How(workers)), repeats)
        each = (time.process_time() - spent) / repeats / count * 1000
        row(f"{name}, {workers} thread{'s' * (workers > 1)}", seconds, f"{each:.3f} ms CPU a failure; {told(found)}")


def signalled(nodes: int, count: int, load: float, scenarios: list[tuple[str, Cuts]]) -> None:
    """RSVP-TE after each failure."""
    graph = planes(nodes)
    links, lsps, step = gravity(graph, count, load)
    state, _ = advance(links, lsps, cold(count), step)
    placed = int((state.paths.option >= 0).sum())
    print(f"\n{count:,} LSPs ({placed:,} placed) on {nodes:,} routers, {load} times the load, 8 priorities")
    for name, lost in scenarios:
        body = partial(sweep, links, lsps, state, Scenarios(lost))
        on_each(f"{len(lost):,} {name}", body, len(lost), per_failure)


def per_failure(found: Swept) -> str:
    """What happens in a failure, on average."""
    columns = {"moved": found.moved, "unplaced": found.unplaced, "displaced": found.displaced}
    return ", ".join(f"{name} {column.mean():.1f}" for name, column in columns.items())


def matrix(graph: Graph) -> Int64:
    """A demand between every two nodes, whole Mbit/s."""
    rates = np.random.default_rng(4).integers(1, 1000, (graph.nodes, graph.nodes)) * 10**6
    np.fill_diagonal(rates, 0)
    return rates.astype(np.int64)


def loaded(nodes: int) -> None:
    """Equal-cost loads of a full matrix after each failure."""
    graph = planes(nodes)
    demand, lost = Demand(matrix(graph), np.full(graph.arcs, TERA)), singles(graph)
    print(f"\nequal-cost loads on {nodes:,} routers, a demand between every two")
    on_each(
        f"{len(lost):,} circuits",
        partial(igp_loads, graph, demand, lost),
        len(lost),
        lambda found: f"hottest {int(found.load.max()) / TERA:.2f} Tbit/s",
    )


def why_not(graph: Graph, ours: Int64, theirs: list[list[float]]) -> str | None:
    """Return why the two did not do the same work: an arc whose loads differ by more than rounding can explain.

    Ours are whole bits, where a node splits the sum; theirs are fractions, demand by demand: at most one bit for each
    node and destination in the way of the arc.
    """
    gap = np.abs(ours - np.array(theirs))
    worst = np.unravel_index(int(gap.argmax()), gap.shape)
    slack = graph.nodes * graph.nodes + ours * 1e-9
    if (gap <= slack).all():
        return None
    differ = int((gap > slack).sum())
    return f"{differ:,} of {gap.size:,} loads differ, by up to {gap[worst] / 10**9:.3g} Gbit/s"


def beside(nodes: int, peers: dict[str, int]) -> None:
    """Ours, then each peer on so many of the failures, with a ratio or the reason why there is none."""
    graph = planes(nodes)
    demand, lost = Demand(matrix(graph), np.full(graph.arcs, 100 * TERA)), singles(graph)
    title = f"{nodes * (nodes - 1):,} demands on {nodes} routers"
    print(f"\n{title}, loads of every arc after the loss of each of {len(lost)} circuits")
    seconds, found = timed(lambda: igp_loads(graph, demand, lost, How(keep=True)))
    row("trunkline, 1 thread", seconds, f"{seconds / len(lost) * 1000:.3f} ms a failure")
    ends = [(int(graph.tail[a]), int(graph.head[a])) for a, _ in circuits_of(graph)]
    columns = (graph.tail, graph.head, graph.metric, demand.capacity)
    arcs = list(zip(*(c.tolist() for c in columns), strict=True))
    rates = [(a, b, int(demand.rates[a, b])) for a in range(nodes) for b in range(nodes) if a != b]
    assert found.loads is not None  # noqa: S101 - asked for
    for peer, most in peers.items():
        answer = ask(peer, {"nodes": nodes, "arcs": arcs, "demands": rates, "cuts": ends[:most]})
        if answer is None:
            continue
        each = answer["seconds"] / len(answer["loads"])
        why = why_not(graph, found.loads[:most], answer["loads"])
        verdict = f"no ratio: {why}" if why else f"same loads; {each / (seconds / len(lost)):,.0f} times ours"
        name = f"{peer.split('_')[0]} {answer['version']}"
        built = f"{each * 1000:,.1f} ms a failure, of {len(answer['loads'])} (+{answer['load']:.1f} s to build)"
        row(name, answer["seconds"], f"{built}; {verdict}")


def main() -> None:
    """Print every table."""
    if kernel.trouble():
        sys.exit(f"the benchmark needs the compiled core: {kernel.trouble()}")
    cores = f"{os.cpu_count()} cores, Python {sys.version.split()[0]}"
    print(f"{cores}; wall time, the median of our runs, a peer's one run")
    small, big = planes(50), planes(1000)
    signalled(50, 1000, 1.0, [("pairs", pairs_of(small))])
    for load in (1.0, 1.6):
        signalled(1000, 100_000, load, [("circuits", singles(big)), ("routers", of_nodes(big))])
    loaded(1000)
    loaded(2000)
    beside(20, {"netgraph_failures": 1000, "pyntm_failures": 1000})
    beside(100, {"netgraph_failures": 40, "pyntm_failures": 2})


if __name__ == "__main__":
    main()
