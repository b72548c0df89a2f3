"""pyNTM on the same failures: equal-cost loads of a demand matrix, each circuit failed, simulated and restored.

Reads the input as JSON, writes the answer; pyNTM's own prints go to stderr.  It simulates the whole network each time.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
from importlib.metadata import version
from typing import Any

from pyNTM import Demand, Interface, Node, PerformanceModel

MBIT = 10**6


def main() -> None:
    """Simulate every failure of standard input; loads by arc, bit/s, in the order of the arcs given."""
    given: dict[str, Any] = json.load(sys.stdin)
    with contextlib.redirect_stdout(sys.stderr):
        begin = time.perf_counter()
        nodes = [Node(f"n{i}") for i in range(given["nodes"])]
        interfaces = [
            Interface(
                f"{tail}>{head}",
                metric,
                capacity // MBIT,
                nodes[tail],
                nodes[head],
                f"{min(tail, head)}-{max(tail, head)}",
            )
            for tail, head, metric, capacity in given["arcs"]
        ]
        demands = {Demand(nodes[a], nodes[b], rate / MBIT, f"d{i}") for i, (a, b, rate) in enumerate(given["demands"])}
        model = PerformanceModel(set(interfaces), set(nodes), demands, set())
        model.update_simulation()
        loaded = time.perf_counter()
        loads = []
        for tail, head in given["cuts"]:
            model.fail_interface(f"{tail}>{head}", f"n{tail}")
            model.update_simulation()
            loads.append([0.0 if i.failed else i.traffic * MBIT for i in interfaces])
            model.unfail_interface(f"{tail}>{head}", f"n{tail}")
        done = time.perf_counter()
    answer = {"version": version("pyNTM"), "seconds": done - loaded, "load": loaded - begin, "loads": loads}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
