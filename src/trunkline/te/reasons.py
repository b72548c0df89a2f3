"""Why an LSP has no path, or not the bandwidth it wants: constraints are put back one by one until none is left."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from trunkline.engine.graph import Int64, frozen
from trunkline.engine.placement import Links, routes
from trunkline.model.network import Network
from trunkline.model.nouns import Lsp
from trunkline.te.columns import Axes, columns
from trunkline.te.result import Unplaced


def reasons(axis: Axes, now: Network, table: Links, lacking: list[int], shortest: Int64) -> dict[int, Unplaced]:
    """Return the first constraint, in the order of `Unplaced`, that each of these LSPs (by index) cannot meet.

    `shortest` is (lsps,): -1 where an LSP has no path in an empty network.
    """
    found: dict[int, Unplaced] = {}
    rest = []
    for index in lacking:
        lsp = axis.net.lsps[index]
        # With a limit, a path through explicit hops may be found because a shorter segment is not.
        if shortest[index] >= 0 and (lsp.hop_limit is None or lsp.paths == ((),)):
            found[index] = Unplaced.BANDWIDTH
        elif lsp.head not in now.router or lsp.tail not in now.router:
            found[index] = Unplaced.ENDPOINT_DOWN
        else:
            rest.append(index)
    for reason in (Unplaced.NO_PATH, Unplaced.AFFINITY, Unplaced.EXPLICIT, Unplaced.HOP_LIMIT):
        if not (open_ := [index for index in rest if index not in found]):
            break
        asked = columns(axis, tuple(_with_constraints_to(reason, axis.net.lsps[index]) for index in open_))
        paths = routes(table, asked, frozen(np.zeros(len(asked)), np.int64))
        found |= {index: reason for index, option in zip(open_, paths.option.tolist(), strict=True) if option < 0}
    return found | {index: Unplaced.BANDWIDTH for index in rest if index not in found}


def _with_constraints_to(reason: Unplaced, lsp: Lsp) -> Lsp:
    """The LSP without the constraints that come after this one, so that only they can be to blame later."""
    match reason:
        case Unplaced.NO_PATH:
            return replace(lsp, include_any=(), include_all=(), exclude=(), paths=((),), hop_limit=None)
        case Unplaced.AFFINITY:
            return replace(lsp, paths=((),), hop_limit=None)
        case Unplaced.EXPLICIT:
            return replace(lsp, hop_limit=None)
        case _:
            return lsp
