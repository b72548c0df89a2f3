"""pyNTM's PerformanceModel on the same input.  Reads it as JSON, writes the answer; pyNTM's own prints go to stderr.

pyNTM chooses among equal paths at random, so its seed is fixed here and only metrics are compared.
"""

from __future__ import annotations

import contextlib
import json
import random
import sys
import time
from importlib.metadata import version
from typing import Any

from pyNTM import RSVP_LSP, Interface, Node, PerformanceModel

MBIT = 10**6


def main() -> None:
    """Place the LSPs of standard input; the order is pyNTM's own."""
    given: dict[str, Any] = json.load(sys.stdin)
    random.seed(1)
    with contextlib.redirect_stdout(sys.stderr):
        begin = time.perf_counter()
        nodes = [Node(f"n{i}") for i in range(given["nodes"])]
        interfaces = {
            Interface(
                f"{tail}>{head}",
                metric,
                capacity // MBIT,
                nodes[tail],
                nodes[head],
                f"{min(tail, head)}-{max(tail, head)}",
            )
            for tail, head, metric, capacity in given["arcs"]
        }
        lsps = [
            RSVP_LSP(nodes[head], nodes[tail], f"l{i}", configured_setup_bandwidth=rate // MBIT)
            for i, (head, tail, rate) in enumerate(given["lsps"])
        ]
        model = PerformanceModel(interfaces, set(nodes), set(), set(lsps))
        loaded = time.perf_counter()
        model.update_simulation()
        done = time.perf_counter()
    metrics = [lsp.path["path_cost"] if isinstance(lsp.path, dict) else None for lsp in lsps]
    answer = {"version": version("pyNTM"), "seconds": done - loaded, "load": loaded - begin, "metrics": metrics}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
