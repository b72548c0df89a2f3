"""What the file alone shows to be wrong or a trap: one name for two things, priorities that never preempt."""

from __future__ import annotations

from trunkline.model.draft import Draft
from trunkline.model.edge import Edge
from trunkline.model.network import Network
from trunkline.model.nouns import Kind
from trunkline.model.topology import Topology


def names(draft: Draft, topology: Topology, edge: Edge) -> None:
    """Report names that mean two things among those that can fail together."""
    owner: dict[str, tuple[str, str]] = {}
    things = [
        *(("region", name, "regions") for name in topology.regions),
        *(("site", name, f"sites.{name}") for name in sorted(topology.sites)),
        *(("router", name, topology.fields[name]) for name in sorted(topology.routers)),
        *(("circuit", name, topology.line_fields[name]) for name in sorted(topology.line_fields)),
        *(("peer", peer.name, f"peers.{peer.name}") for peer in edge.peers),
        *(("shared risk", risk, f"{field}.risks") for risk, field in sorted(_risks(topology).items())),
    ]
    for noun, name, field in things:
        if name not in owner:
            owner[name] = noun, field
            continue
        other, before = owner[name]
        at = draft.document.where(before)
        what = f"{noun} '{name}' has the name of a {other}, at {at.file}:{at.line}:{at.column}"
        draft.error(field, "duplicate-name", what, "another name: what fails is called by its name")


def _risks(topology: Topology) -> dict[str, str]:
    found: dict[str, str] = {}
    for circuit in topology.circuits.values():
        for risk in circuit.risks:
            field = topology.line_fields[circuit.name]
            found[risk] = min(found.get(risk, field), field)
    return found


def warn(draft: Draft, net: Network) -> None:
    """Warn of traps in a network that loads."""
    _isolated(draft, net)
    _priorities(draft, net)
    _transit(draft, net)
    _v6(draft, net)


def _isolated(draft: Draft, net: Network) -> None:
    joined = {end for c in net.circuits for end in (c.a, c.b)}
    for router in net.routers:
        if router.name not in joined:
            draft.warn(f"routers.{router.name}", "isolated", f"router '{router.name}' has no circuit")


def _priorities(draft: Draft, net: Network) -> None:
    for name, row in draft.rows("classes"):
        cls = net.cls[name]
        if (cls.setup, cls.hold) == (7, 0):
            what = f"LSPs of class '{name}' have setup 7 and hold 0: they never preempt and are never preempted"
            draft.warn(row.at("lsp_priority"), "priority", what)
    levels = {(lsp.setup, lsp.hold) for lsp in net.lsps}
    if levels == {(7, 7)} and len({lsp.cls for lsp in net.lsps}) > 1:
        draft.warn("lsps", "priority", "every LSP has setup 7 and hold 7: no class has precedence over another")


def _transit(draft: Draft, net: Network) -> None:
    if net.ibgp.fallback_default or not any(peer.kind is Kind.TRANSIT for peer in net.peers):
        return
    at: dict[str, set[str]] = {region: set() for region in net.regions}
    for peer in net.peers:
        if peer.kind is Kind.TRANSIT:
            for port in peer.ports:
                at[net.router[port.router].region].add(port.router)
    inhabited = {router.region for router in net.routers}
    for region in sorted(inhabited):
        if len(at[region]) <= 1:
            hangs = f"all its transit hangs on '{min(at[region])}'" if at[region] else "it has no transit"
            what = f"region '{region}' has no fallback: {hangs}, and `ibgp.fallback_default` is off"
            draft.warn("ibgp" if draft.root.get("ibgp") else "peers", "no-fallback", what)


def _v6(draft: Draft, net: Network) -> None:
    if net.te.v6_over_lsp == "off" and net.lsps and any(demand.v6_ppm for demand in net.demands):
        what = "IPv6 demands take the IGP, not LSPs: `te.v6_over_lsp` is off"
        draft.warn("te" if draft.root.get("te") else "demands", "v6-off-lsp", what)
