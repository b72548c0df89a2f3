"""A flow's main path as people read it: at every router the way that takes the most, the first by name among equals."""

from __future__ import annotations

from trunkline.demand.flows import Flow, split, split_by_weight
from trunkline.traffic.fib import Fib, Step, Way


def main_path(fib: Fib, flow: Flow) -> str:
    """Return `a -> b =lsp=> c : port`; ` +` after a router says that some of it goes another way from there."""
    words, router, seen = [flow.start], flow.start, {flow.start}
    if flow.port is not None:
        words.insert(0, f"{flow.port} :")
    while True:
        step = fib.step(router, flow.group, flow.cls, flow.family)
        way = _largest(step, flow.rate)
        if way is None:
            break
        if sum(len(turn.ways) for turn in step.turns) > 1:
            words.append("+")
        words += [f"={way.lsp.name}=>" if way.lsp else "->", way.head]
        if way.head in seen:
            return " ".join([*words, "(loop)"])
        seen.add(way.head)
        router = way.head
    if step.reason is not None:
        words.append(f"({step.reason})")
    return " ".join([*words, f": {step.ports[0]}"] if step.ports else words)


def _largest(step: Step, rate: int) -> Way | None:
    ways = [
        (part, way)
        for turn, share in zip(step.turns, split(rate, len(step.turns)), strict=True)
        for way, part in zip(turn.ways, split_by_weight(share, turn.weights), strict=True)
    ]
    return max(ways, key=lambda found: found[0])[1] if ways else None
