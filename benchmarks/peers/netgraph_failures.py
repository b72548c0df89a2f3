"""NetGraph on the same failures: equal-cost loads of a demand matrix, each circuit lost in turn.

Reads the input as JSON, writes the answer.  Its graph and its demands are built once, and each failure is a mask,
which is how its own Monte Carlo runs; rows of single demands, which it can also yield, are left out.
"""

from __future__ import annotations

import json
import sys
import time
from importlib.metadata import version
from typing import Any

import netgraph_core
from ngraph import FlowPolicyPreset, Link, Network, Node
from ngraph.analysis.functions import build_demand_placement_inputs
from ngraph.analysis.placement import place_demands

GIG = 10**9


def main() -> None:
    """Place the demands of standard input under every failure; loads by arc, bit/s, in the order of the arcs given."""
    given: dict[str, Any] = json.load(sys.stdin)
    begin = time.perf_counter()
    net = Network()
    for i in range(given["nodes"]):
        net.add_node(Node(name=f"n{i:05}"))
    at = {(tail, head): arc for arc, (tail, head, _, _) in enumerate(given["arcs"])}
    circuit: dict[tuple[int, int], str] = {}
    for tail, head, metric, capacity in given["arcs"]:
        if tail < head:
            link = Link(source=f"n{tail:05}", target=f"n{head:05}", capacity=capacity / GIG, cost=metric)
            net.add_link(link)
            circuit[tail, head] = link.id
    how = {"mode": "pairwise", "flow_policy": FlowPolicyPreset.SHORTEST_PATHS_ECMP}
    demands = [
        {"source": f"^n{a:05}$", "target": f"^n{b:05}$", "volume": rate / GIG, **how} for a, b, rate in given["demands"]
    ]
    context, expansion, ids = build_demand_placement_inputs(net, demands)
    volumes = [d.volume for d in expansion.demands]
    loaded = time.perf_counter()
    found = []
    for tail, head in given["cuts"]:
        graph = netgraph_core.FlowGraph(context.multidigraph)
        lost = context.build_edge_mask({circuit[tail, head]})
        place_demands(expansion.demands, volumes, graph, context, context.build_node_mask(), lost, resolved_ids=ids)
        found.append(graph.edge_flow_view().tolist())
    done = time.perf_counter()
    ends = {name: pair for pair, name in circuit.items()}
    order = []  # which of the arcs given each of its edges is
    for external in context.multidigraph.ext_edge_ids_view().tolist():
        edge = context.edge_mapper.decode_ext_id(external)
        tail, head = ends[edge.link_id]
        order.append(at[tail, head] if edge.direction == "fwd" else at[head, tail])
    loads = []
    for flows in found:
        by_arc = [0.0] * len(order)
        for arc, flow in zip(order, flows, strict=True):
            by_arc[arc] = flow * GIG
        loads.append(by_arc)
    answer = {"version": version("ngraph"), "seconds": done - loaded, "load": loaded - begin, "loads": loads}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
