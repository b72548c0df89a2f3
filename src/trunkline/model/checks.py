"""Warnings that the file alone gives rise to: it can be read, and it will hurt."""

from __future__ import annotations

from trunkline.model.document import Faults, Spot
from trunkline.model.names import Names
from trunkline.model.network import Network
from trunkline.model.nouns import Kind
from trunkline.model.read import Entry


def warn(net: Network, root: Entry, names: Names) -> None:
    """Note every warning."""
    _isolated(net, names)
    _priorities(net, names)
    _fallback(net, names)
    _six_off(net, root, names.faults)


def _isolated(net: Network, names: Names) -> None:
    joined = {end for c in net.circuits for end in (c.a, c.b)}
    for router in net.routers:
        if router.name not in joined:
            names.faults.warn("isolated", names.spots["router", router.name], f"no circuit ends at '{router.name}'")


def _priorities(net: Network, names: Names) -> None:
    for lsp in net.lsps:
        if (lsp.setup, lsp.hold) == (7, 0):
            spot = names.spots["lsp", lsp.id]
            names.faults.warn(
                "priority-trap", spot, "setup 7 and hold 0: such an LSP never preempts and is never preempted"
            )
    if len({lsp.cls for lsp in net.lsps}) > 1 and {(lsp.setup, lsp.hold) for lsp in net.lsps} == {(7, 7)}:
        spot = names.spots["lsp", net.lsps[0].id]
        names.faults.warn("priority-trap", spot, "every LSP has setup 7 and hold 7: no class comes before another")


def _fallback(net: Network, names: Names) -> None:
    transits = {
        (net.router[p.router].region, p.router) for peer in net.peers if peer.kind is Kind.TRANSIT for p in peer.ports
    }
    if net.ibgp.fallback_default or not transits:
        return
    cure = "`ibgp: {fallback_default: true}`"
    without: list[str] = []
    for region in net.regions:
        exits = sorted(router for where, router in transits if where == region)
        if len(exits) == 1:
            why = f"all its transit is at '{exits[0]}', and transit routes stay in their region"
            message = f"the region '{region}' can lose the Internet: {why}"
            names.faults.warn("no-fallback", names.spots["region", region], message, cure)
        elif not exits and any(r.region == region for r in net.routers):
            without.append(region)
    if without:  # one line for all of them: an import may have a region per country
        message = f"no transit in {', '.join(without)}, and transit routes stay in their region: no way to the Internet"
        names.faults.warn("no-fallback", names.spots["region", without[0]], message, cure)


def _six_off(net: Network, root: Entry, faults: Faults) -> None:
    if net.lsps and any(d.v6_ppm for d in net.demands) and net.te.v6_over_lsp == "off":
        spot = root.at("te") if root.has("te") else Spot(root.spot.place, "te")
        message = "IPv6 stays off the LSPs and takes the IGP's path (te.v6_over_lsp is `off`)"
        faults.warn("v6-off-lsps", spot, message, "6pe or shortcuts, where IPv6 should ride them")
