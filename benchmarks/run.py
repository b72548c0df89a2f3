"""Ours beside pyNTM and NetworkX: the same generated input, the same run, each peer in a venv of its own.

A ratio is printed only where both did the same work (`compare.why_not`); otherwise the reason.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from inputs import backbone, for_peers, mesh, network
from same_work import Metrics, why_not

from trunkline.engine import kernel, reference, spf
from trunkline.engine.placement import Did, Links, Lsps, State, Step, advance, cold
from trunkline.igp.solve import solve
from trunkline.te.place import place

ROOT = Path(__file__).parent.parent
PEERS = {"networkx_cspf": "networkx==3.6.*", "pyntm_model": "pyNTM==5.0.*", "mrtparse_reader": "mrtparse==2.2.*"}


def timed(body: Callable[[], Any], repeats: int = 5) -> tuple[float, Any]:
    """The median wall time of several runs, seconds, and the last result."""
    times, result = [], None
    for _ in range(repeats):
        begin = time.perf_counter()
        result = body()
        times.append(time.perf_counter() - begin)
    return statistics.median(times), result


def row(who: str, seconds: float | None, rest: str) -> None:
    """Print one line of a table."""
    print(f"  {who:<28} {'-' if seconds is None else f'{seconds:9.4f} s':>11}   {rest}", flush=True)


def venv(peer: str) -> Path | None:
    """Make the peer's venv, once; None where it cannot be installed."""
    folder = ROOT / ".bench" / peer
    python = folder / "bin" / "python"
    try:
        if not (folder / "ready").exists():
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
            subprocess.run([str(python), "-m", "pip", "install", "-q", PEERS[peer]], check=True)
            (folder / "ready").touch()
    except subprocess.CalledProcessError as error:
        row(peer, None, f"could not be installed: {error}")
        return None
    return python


def ask(peer: str, given: dict[str, Any]) -> dict[str, Any] | None:
    """Run a peer on an input and return its answer."""
    python = venv(peer)
    if python is None:
        return None
    print(f"  ... {peer} is running", file=sys.stderr, flush=True)
    script = ROOT / "benchmarks" / "peers" / f"{peer}.py"
    done = subprocess.run(
        [str(python), str(script)],
        input=json.dumps(given),
        env={**os.environ, "PYTHONHASHSEED": "0"},  # pyNTM walks sets, so its order of signalling hangs on this
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        row(peer, None, f"failed with exit status {done.returncode}: {last[0]}")
        return None
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def metrics_of(links: Links, state: State, order: list[int]) -> Metrics:
    """The metric of every LSP's path, in order of signalling."""
    metric = links.graph.metric
    paths = state.paths
    return [int(metric[paths.of(i)].sum()) if paths.option[i] >= 0 else None for i in order]


def ours(who: str, core: ModuleType, world: tuple[Links, Lsps, Step], repeats: int) -> tuple[float, State]:
    """Time a cold start on one core, and print it with what it did."""
    links, lsps, step = world
    seconds, (state, log) = timed(lambda: advance(links, lsps, cold(len(lsps)), step, core), repeats)
    placed, preempted = int((state.paths.option >= 0).sum()), int((log.did == Did.PREEMPTED).sum())
    row(who, seconds, f"{placed:,} of {len(lsps):,} placed, {preempted:,} preemptions")
    return seconds, state


def beside(title: str, world: tuple[Links, Lsps, Step], peers: tuple[str, ...], sample: int | None = None) -> None:
    """One input: ours on both cores, then each peer with a ratio or the reason why there is none."""
    links, lsps, step = world
    print(f"\n{title}")
    seconds, state = ours("trunkline, compiled core", kernel, world, 5)
    if len(lsps) <= 10_000:
        ours("trunkline, pure Python", reference, world, 1)
    mine = metrics_of(links, state, step.turns.tolist())
    for peer in peers:
        answer = ask(peer, for_peers(links, lsps, step, sample))
        if answer is None:
            continue
        placed = sum(m is not None for m in answer["metrics"])
        why = why_not(mine, answer["metrics"])
        verdict = f"no ratio: {why}" if why else f"{answer['seconds'] / seconds:,.0f} times ours"
        load = f" (+{answer['load']:.1f} s to build its model)" if "load" in answer else ""
        name = f"{peer.split('_')[0]} {answer['version']}"
        row(name, answer["seconds"], f"{placed:,} placed, no priorities{load}; {verdict}")


def whole_placement() -> None:
    """What `te.place` costs with its Python results: paths, reasons, reservations, the log."""
    print("\n9,900 LSPs on 100 routers as `te.place` returns them, with log and reservations")
    net, flows = network(*mesh(backbone(100), 9900, 0.5, 8))
    reach = solve(net)
    seconds, placement = timed(lambda: place(net, net, reach, flows), 3)
    row("trunkline, compiled core", seconds, f"{len(placement.log):,} lines in its log")


def dense() -> None:
    """Equal-cost loads of a full matrix."""
    print("\ndense ECMP loads on 1,000 routers (999,000 demands)")
    graph = backbone(1000)
    demand = np.full((1000, 1000), 10**6, np.int64)
    np.fill_diagonal(demand, 0)
    seconds, _ = timed(lambda: spf.loads(graph, demand, backend=kernel), 3)
    row("trunkline, compiled core", seconds, "no peer here: NetworkX has no equal-cost split of a matrix")


def whole_process() -> None:
    """`plan` of aurora as a user runs it, Python's start included; a first run has no bytecode to read yet."""
    print("\n`trunkline plan examples/aurora.yaml`, the whole process")
    command = [sys.executable, "-m", "trunkline", "plan", str(ROOT / "examples" / "aurora.yaml")]
    for who, backend in (("trunkline, compiled core", "kernel"), ("trunkline, pure Python", "reference")):
        with tempfile.TemporaryDirectory() as bytecode:
            environment = {**os.environ, "TRUNKLINE_BACKEND": backend, "PYTHONPYCACHEPREFIX": bytecode}
            environment.pop("PYTHONDONTWRITEBYTECODE", None)
            run = partial(subprocess.run, command, env=environment, check=True, capture_output=True)
            row(who, timed(run, 1)[0], "first run, no bytecode yet")
            row(who, timed(run, 5)[0], "later runs, median of 5")


def whole_tables() -> None:
    """What peers announce, prefix by prefix: a process of its own, for its peak memory."""
    print("\n1,220,000 prefixes from each of three transits, with the peak memory so far")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, str(ROOT / "benchmarks" / "tables.py"), folder], check=True)
        answer = ask("mrtparse_reader", {"file": str(Path(folder) / "one"), "records": 20_000})
    if answer is not None:
        rest = f"the first {answer['records']:,} records of one; no ratio: it makes no table"
        row(f"mrtparse {answer['version']}", answer["seconds"], rest)


def main() -> None:
    """Print every table."""
    if kernel.trouble():
        sys.exit(f"the benchmark needs the compiled core: {kernel.trouble()}")
    print(
        f"{os.cpu_count()} cores, Python {sys.version.split()[0]}; wall time, the median of our runs, a peer's one run"
    )
    both = ("networkx_cspf", "pyntm_model")
    beside("380 LSPs on 20 routers, room for all, one priority", mesh(backbone(20), 380, 0.5), both)
    beside("9,900 LSPs on 100 routers, room for all, one priority", mesh(backbone(100), 9900, 0.5), both)
    beside("9,900 LSPs on 100 routers at 1.6 times the load, 8 priorities", mesh(backbone(100), 9900, 1.6, 8), both[:1])
    big = mesh(backbone(1000), 100_000, 0.5, 8)
    beside("100,000 LSPs on 1,000 routers, 8 priorities (NetworkX: the first 500)", big, both[:1], 500)
    whole_placement()
    dense()
    whole_process()
    whole_tables()


if __name__ == "__main__":
    main()
