"""What the placement tests share: LSPs in one line, and a network driven through a history of events."""

from __future__ import annotations

from dataclasses import replace

from nets import GIG
from trunkline.demand.flows import Flows
from trunkline.igp.solve import solve
from trunkline.model.event import Event, after
from trunkline.model.network import Network
from trunkline.model.nouns import Condition, Lsp
from trunkline.te.place import place
from trunkline.te.result import LogLine, Placement

NO_FLOWS = Flows(())


def lsp(head: str, tail: str, name: str, gbps: int, priority: int | tuple[int, int] = 4) -> Lsp:
    """An LSP with setup = hold = priority, or (setup, hold)."""
    setup, hold = (priority, priority) if isinstance(priority, int) else priority
    return Lsp(head, name, tail, "gold", setup, hold, gbps * GIG)


def with_lsps(net: Network, *lsps: Lsp) -> Network:
    return replace(net, lsps=tuple(sorted(lsps, key=lambda x: (x.head, x.name))))


def settle(net: Network, *events: Event, flows: tuple[Flows, ...] = ()) -> Placement:
    """Cold start, then the events in turn; `flows` are those before each event and after the last, none if empty."""
    condition, before = Condition(), None
    for index, event in enumerate((None, *events)):
        condition = after(condition, event) if event else condition
        now = net.under(condition)
        before = place(net, now, solve(now), flows[index] if flows else NO_FLOWS, event, before)
    assert before is not None
    return before


def path(placement: Placement, name: str) -> str | None:
    """The routers of an LSP's path, `a b c`; None where it is down."""
    (found,) = [p for p in placement.placed if p.lsp.name == name]
    return None if found.path is None else " ".join([found.lsp.head, *(arc.head for arc in found.path)])


def told(lines: tuple[LogLine, ...]) -> list[str]:
    """The log as `action name`, with `by x on circuit` for a preemption and the circuits of the path."""
    found = []
    for x in lines:
        words = [str(x.action), x.lsp.split("/")[1]]
        if x.by:
            words += ["by", x.by.split("/")[1], "on", x.circuit]
        found.append(" ".join([*words, *x.path]))
    return found
