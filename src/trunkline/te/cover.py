"""What every LSP has against every failure of a part of its path, and why it has nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from trunkline.igp.solve import Arc
from trunkline.model.network import Network
from trunkline.model.nouns import Lsp, Role
from trunkline.model.protection import Guard
from trunkline.model.tables import Table, table
from trunkline.te.repairs import Bypass, Repairs, Unprotected
from trunkline.te.result import Placement


class Part(StrEnum):
    """What of an LSP can fail, in the order in which its path meets it."""

    HEAD = "head"
    LINK = "link"
    NODE = "node"
    TAIL = "tail"


@dataclass(frozen=True)
class Cover:
    """What an LSP has against the failure of a part of it: a bypass, a standby, or a reason for neither."""

    lsp: Lsp
    part: Part
    thing: str
    """The arc or the router."""
    bypass: Bypass | None = None
    standby: bool = False
    reason: Unprotected | None = None

    @property
    def how(self) -> str:
        """In words."""
        return f"{self.bypass.guard} bypass" if self.bypass else "standby" if self.standby else str(self.reason)


def covers(net: Network, placement: Placement, repairs: Repairs) -> Iterator[Cover]:
    """Yield every part of every placed LSP, in order of identity and then along its path.

    The arguments are those of `protect`, and what it has returned for them.
    """
    for p in placement.placed:
        if p.path is None:
            continue
        egress = net.router[p.lsp.tail].role is Role.PR
        yield Cover(p.lsp, Part.HEAD, p.lsp.head, reason=Unprotected.HEAD)
        yield from _between(repairs, p.lsp, p.path)
        yield Cover(p.lsp, Part.TAIL, p.lsp.tail, reason=Unprotected.EGRESS if egress else Unprotected.TAIL)


def _between(repairs: Repairs, lsp: Lsp, path: Sequence[Arc]) -> Iterator[Cover]:
    second = repairs.standby.get(lsp.id)
    without = Unprotected.STANDBY if second is not None else repairs.no_standby.get(lsp.id, Unprotected.NOT_ASKED)
    for arc in path:
        link = node = repairs.bypass.get((lsp.id, arc))
        if node is not None and node.guard is not Guard.NODE:
            node = None
        parts = [(Part.LINK, Guard.LINK, arc.name, link), (Part.NODE, Guard.NODE, arc.head, node)]
        for part, guard, thing, bypass in parts if arc.head != lsp.tail else parts[:1]:
            standby = second is not None and thing not in second.routers
            reason = None
            if bypass is None and not standby:
                reason = repairs.lacking.get((guard, lsp.id, arc), without)
            yield Cover(lsp, part, thing, bypass, standby, reason)


def tables(found: Iterable[Cover]) -> dict[str, Table]:
    """Return `protected` (parts of LSPs, counted) and `unprotected` (one by one)."""
    found = tuple(found)
    count: Counter[tuple[str, Part, str]] = Counter((c.lsp.cls, c.part, c.how) for c in found)
    order = tuple(Part)
    rows = sorted(count.items(), key=lambda item: (item[0][0], order.index(item[0][1]), -item[1], item[0][2]))
    lacking = [(c.lsp.id, c.lsp.cls, str(c.part), c.thing, str(c.reason)) for c in found if c.reason]
    return {
        "protected": table("class part how parts:int", [(cls, str(part), how, n) for (cls, part, how), n in rows]),
        "unprotected": table("lsp class part thing reason", lacking),
    }
