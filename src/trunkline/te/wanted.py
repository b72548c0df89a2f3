"""What bandwidth every LSP wants: its own, or what the demands of its class aim at its tail."""

from __future__ import annotations

from collections import defaultdict

from trunkline.demand.flows import Flows, split
from trunkline.model.network import Network
from trunkline.model.nouns import Family


def wanted(net: Network, flows: Flows) -> list[int]:
    """Return bit/s for every LSP of the network, in its order.

    What is aimed from head to tail in a class is split over the parallel LSPs that have no bandwidth of their own, by
    divmod, the remainder to the first by name.  IPv6 counts where it rides the LSPs.
    """
    families = (Family.V4,) if net.te.v6_over_lsp == "off" else (Family.V4, Family.V6)
    parallel: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    wants = []
    for index, lsp in enumerate(net.lsps):
        wants.append(lsp.bandwidth or 0)
        if lsp.bandwidth is None:
            parallel[lsp.head, lsp.tail, lsp.cls].append(index)
    for (head, tail, cls), members in parallel.items():
        rate = sum(flows.aimed.get((family, head, tail, cls), 0) for family in families)
        for index, part in zip(members, split(rate, len(members)), strict=True):
            wants[index] = part
    return wants
