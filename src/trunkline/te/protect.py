"""Protection of a settled network: standby paths first, then bypasses."""

from __future__ import annotations

from collections.abc import Sequence

from trunkline.engine.placement import Lsps
from trunkline.igp.solve import Reach
from trunkline.model.network import Network
from trunkline.model.nouns import Lsp
from trunkline.te.around import Around, Avoid, trials, why
from trunkline.te.bypass import Bypasses
from trunkline.te.repairs import Repairs, Standby, Unprotected
from trunkline.te.result import Placed, Placement


def protect(net: Network, reach: Reach, placement: Placement) -> Repairs:
    """Return the backup paths that the file asks for, set up on what is left when every LSP is placed.

    `net` is the network as it stands, `reach` and `placement` what it has settled on.
    """
    around = Around.of(net, reach, placement)
    placed = [p for p in placement.placed if p.path is not None]
    standbys, without = _standbys(around, [p for p in placed if p.lsp.standby != "none"])
    bypasses = Bypasses(around, net.protection)
    bypasses.all(placed)
    made = sorted(bypasses.made, key=lambda b: b.name)
    return Repairs(tuple(made), tuple(standbys), tuple(without), bypasses.lacking)


def _standbys(around: Around, placed: Sequence[Placed]) -> tuple[list[Standby], list[tuple[Lsp, Unprotected]]]:
    """The standby path of each LSP, in order of setup priority, then identity."""
    found: list[Standby] = []
    without = []
    order = sorted(placed, key=lambda p: (p.lsp.setup, p.lsp.id))
    for p, asked in zip(order, around.asked([p.lsp for p in order]), strict=True):
        made = _standby(around, p, asked)
        if isinstance(made, Standby):
            around.book(made.path, made.bandwidth)
            found.append(made)
        else:
            without.append((p.lsp, made))
    return sorted(found, key=lambda s: s.lsp.id), sorted(without, key=lambda w: w[0].id)


def _standby(around: Around, placed: Placed, asked: Lsps) -> Standby | Unprotected:
    """A path without the first one's circuits; without their risks, as the file says; and without its routers if so."""
    lsp, first = placed.lsp, placed.path or ()
    bandwidth = placed.reserved if lsp.standby == "reserved" else 0
    circuits = frozenset(arc.circuit for arc in first)
    middle = frozenset(arc.head for arc in first[:-1])
    risks, sharing = trials(around.net.protection.risks), around.sharing(circuits)
    for avoids in risks:
        for routers in (middle, frozenset[str]()):
            path = around.path(asked, bandwidth, Avoid(circuits, routers).plus(sharing if avoids else ()))
            if path is not None:
                shares = tuple(sorted({arc.circuit for arc in path} & sharing))
                return Standby(lsp, path, bandwidth, shares, tuple(sorted({a.head for a in path} & middle)))
    bare = Avoid(circuits)
    return why(around, asked, bare, bare.plus(sharing) if risks[-1] else None)
