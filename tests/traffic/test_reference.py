"""The walk and the FIB proof against plain versions: every path on its own, in fractions.

Nothing here uses the FIB's steps: only routes, next hops and placed LSPs.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

from hypothesis import assume, given, settings

from traffic_nets import walked
from traffic_worlds import seeds, world
from trunkline.bgp.decision import Learned
from trunkline.demand.aim import aim
from trunkline.demand.reason import Reason
from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Family, Kind
from trunkline.te.result import Placed
from trunkline.traffic.loads import Loads

Next = list[tuple[str, Fraction, tuple[str, ...]]]
"""(next router, share, arcs crossed), or (router, share, the way there)."""


def forward(loads: Loads, at: str, to: tuple[str, str, Family], dead: str = "") -> Next | str:
    """Where a router sends a packet for (group, class, family), or the port, router or reason where it ends."""
    group, cls, family = to
    net, routes = loads.fib.net, loads.fib.routes
    decision = routes.lookup(at, group, family)
    ends = [bool(peer.ports) for peer in net.peers if any(a.group == group for a in peer.announces)]
    ends += [bool(net.datacenter[group].attach)] if group in net.datacenter else []
    nowhere = Reason.NO_ROUTE if not ends or any(ends) else Reason.TARGET_DOWN
    if decision is None:
        return nowhere
    if decision.best.learned is Learned.EBGP:
        return decision.best.route.port or ""  # `world` gives a router one port of a peer at most: no multipath
    if decision.best.learned is Learned.LOCAL:
        return nowhere if decision.best.route.group == DEFAULT_GROUP else at
    found: Next = []
    for candidate in decision.multipath:
        part = Fraction(1, len(decision.multipath))
        exit_ = candidate.route.router
        lsps: list[Placed] = []
        if family is Family.V4 or net.te.v6_over_lsp == "6pe":
            for name in (cls, *net.cls[cls].fallback):
                lsps = lsps or [p for p in loads.fib.placement.riding(at, exit_, name) if p.lsp.id != dead]
        total = sum(p.reserved for p in lsps)
        for p in lsps:
            even = net.te.parallel == "equal" or not total
            weight = Fraction(1, len(lsps)) if even else Fraction(p.reserved, total)
            found.append((exit_, part * weight, tuple(a.name for a in p.path or ())))
        hops = loads.fib.reach.next_hops(family, at, exit_) if not lsps else ()
        found += [(arc.head, part / len(hops), (arc.name,)) for arc in hops]
    return found


def every_path(loads: Loads, start: str, to: tuple[str, str, Family]) -> tuple[Counter[str], Counter[str]]:
    """The share of a flow on each arc and at each end, path by path."""
    arcs: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    todo: Next = [(start, Fraction(1), (start,))]
    while todo:
        at, share, way = todo.pop()
        ahead = forward(loads, at, to)
        if isinstance(ahead, str):
            ends[ahead] += share  # type: ignore[assignment]
            continue
        for head, part, crossed in ahead:
            for arc in crossed:
                arcs[arc] += share * part  # type: ignore[assignment]
            if head in way:
                ends[Reason.LOOP] += share * part  # type: ignore[assignment]
            else:
                todo.append((head, share * part, (*way, head)))
    return arcs, ends


def roomy(seed: int) -> Loads:
    """A random network's walk where nothing is full and IPv6 takes LSPs like IPv4 or not at all."""
    net, lsps = world(seed)
    assume(net.te.v6_over_lsp != "shortcuts")
    peers = tuple(replace(p, ports=tuple(replace(x, capacity=10**14) for x in p.ports)) for p in net.peers)
    return walked(replace(net, circuits=tuple(replace(c, capacity=10**14) for c in net.circuits), peers=peers), *lsps)


@given(seeds)
@settings(max_examples=150)
def test_the_walk_is_every_path_followed_on_its_own(seed: int) -> None:
    loads = roomy(seed)
    net = loads.fib.net
    flows = _flows(loads)
    for d in loads.deliveries:
        arcs: Counter[str] = Counter()
        ends: Counter[str] = Counter()
        for start, rate in flows[d.demand.name, d.family]:
            shares, ended = every_path(loads, start, (d.demand.target, d.demand.cls, d.family))
            arcs.update({arc: share * rate for arc, share in shares.items()})
            ends.update({end: share * rate for end, share in ended.items()})
        slack = 200  # a remainder of less than 8 bit/s at each of a few dozen splits
        got = dict(d.arcs)
        assert all(abs(got.get(arc, 0) - arcs[arc]) <= slack for arc in {*got, *arcs})
        reached = Counter(dict(d.exits))
        for reason, _, rate in d.lost:
            reached[reason] += rate
        assert d.rate == sum(reached.values())
        assert not flows[d.demand.name, d.family] or all(abs(reached[e] - ends[e]) <= slack for e in {*reached, *ends})
    assert net.demands


def _flows(loads: Loads) -> dict[tuple[str, Family], list[tuple[str, int]]]:
    net = loads.fib.net
    found: dict[tuple[str, Family], list[tuple[str, int]]] = {(d.name, f): [] for d in net.demands for f in Family}
    for flow in aim(net, loads.fib.reach, loads.fib.routes).flows:
        found[flow.demand, flow.family].append((flow.start, flow.rate))
    return found


def leaks(loads: Loads, dead: str) -> bool:
    """Whether any router that chose its own region's transit reaches another region's port, every path tried."""
    net = loads.fib.net
    ports = {p.name: p.router for p in net.ports}
    for group in net.groups:
        for to in [(group.name, c.name, f) for c in net.classes for f in Family]:
            for r in net.routers:
                if _own_transit(loads, net, r.name, to) and any(
                    net.router[ports[end]].region != r.region for end in _ends(loads, r.name, to, dead) if end in ports
                ):
                    return True
    return False


def _own_transit(loads: Loads, net: Network, router: str, to: tuple[str, str, Family]) -> bool:
    decision = loads.fib.routes.lookup(router, to[0], to[2])
    route = decision.best.route if decision else None
    return bool(route and route.kind is Kind.TRANSIT and route.region == net.router[router].region)


def _ends(loads: Loads, at: str, to: tuple[str, str, Family], dead: str, way: tuple[str, ...] = ()) -> set[str]:
    ahead = forward(loads, at, to, dead)
    if isinstance(ahead, str):
        return {ahead}
    return set().union(*(_ends(loads, h, to, dead, (*way, at)) for h, _, _ in ahead if h not in (*way, at)))


@given(seeds)
@settings(max_examples=100)
def test_the_fib_proof_is_every_path_with_every_lsp_down(seed: int) -> None:
    loads = roomy(seed)
    proof = loads.confined
    dead = [p.lsp.id for p in loads.fib.placement.placed]
    assert proof.holds == (not any(leaks(loads, lsp) for lsp in ["", *dead]))
    if not proof.holds:
        assert leaks(loads, proof.lsp_down)
