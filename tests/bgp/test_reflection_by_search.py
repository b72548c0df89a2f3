"""RFC 4456 and RFC 7911 read anew on small random networks: what `solve` gives every router must explain itself.

A router's paths are plain tuples here.  Given what each router holds, what it tells each neighbour follows, and from
that what each should hold: that it does hold exactly this is what makes a state stable.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import pytest

from nets import circuit, network, router
from traffic_nets import complete
from trunkline.bgp.alike import alike
from trunkline.bgp.choices import choices
from trunkline.bgp.decision import held
from trunkline.bgp.enter import entries
from trunkline.bgp.exchange import exchange
from trunkline.bgp.solve import Routes, solve
from trunkline.igp import solve as igp
from trunkline.model.network import Network
from trunkline.model.nouns import AddPath, Announcement, Family, Ibgp, IbgpSession, Kind, Peer, Port
from trunkline.model.policy import Change, PolicyRule

MODES = ("none", "none", "all", "per-as", "2")


class Path(NamedTuple):
    """A path that a router holds.  `sender` is empty for its own."""

    port: str
    sender: str
    clusters: tuple[str, ...]
    preference: int
    med: int
    communities: tuple[str, ...]


def world(seed: int) -> Network:
    """Three to five routers in two regions, any sessions between them, up to four ports that announce one group."""
    pick = random.Random(seed)  # noqa: S311
    names = "abcde"[: pick.randint(3, 5)]
    pairs = list(combinations(names, 2))
    routers = [router(n, pick.choice(["east", "west"])) for n in names]
    some = [p for p in pairs if pick.random() < 0.5 or p[1] == chr(ord(p[0]) + 1)]
    net = network([circuit(x, y, pick.randint(1, 3)) for x, y in some], routers)
    peers = []
    for number in range(pick.randint(2, 4)):
        port = Port(f"p{number}@{(at := pick.choice(names))}", f"p{number}", at, 10**9)
        asn = pick.choice([1, 2])
        said = Announcement(
            "net", (asn,) * pick.choice([1, 1, 2]), pick.randint(0, 2), communities=pick.choice([(), ("1:1",)])
        )
        kind = pick.choice([Kind.PEERING, Kind.PEERING, Kind.TRANSIT])
        peers.append(Peer(f"p{number}", kind, asn, (port,), (said,)))
    up = [p for p in pairs if pick.random() < 0.8]
    listed = tuple(IbgpSession(*p, client=pick.choice([None, *p])) for p in up)
    ibgp = Ibgp(
        design="sessions", sessions=listed, rules=tuple(rules(pick)), add_path=AddPath(*pick.choices(MODES, k=3)),
        best_external=pick.random() < 0.3, optimal=pick.random() < 0.3, shared_cluster=pick.random() < 0.3,
        client_to_client=pick.random() < 0.8, confine=pick.random() < 0.3, profile="rfc",
    )  # fmt: skip
    return replace(complete(net, peers, {}, []), ibgp=ibgp)


def rules(pick: random.Random) -> list[PolicyRule]:
    found = []
    for _ in range(pick.choice([0, 0, 1, 2])):
        change = Change(
            local_pref=pick.choice([None, 150, 250]), med=pick.choice([None, 0, 9]),
            communities=pick.choice([(), ("2:2",)]),
        )  # fmt: skip
        found.append(
            PolicyRule(
                pick.choice([None, None, True, False]),
                source=pick.choice([None, "east"]),
                communities=pick.choice([(), (), ("1:1",), ("2:2",)]),
                side=pick.choice(["export", "both"]),
                change=change,
            )
        )
    return found


class Reading:
    """The documents, on one network; `metric` is the IGP's."""

    def __init__(self, net: Network) -> None:
        self.net, self.ibgp, self.reach = net, net.ibgp, igp.solve(net)
        self.client = {frozenset((s.a, s.b)): s.client for s in net.ibgp.sessions}
        reflectors = sorted({s.a if s.client == s.b else s.b for s in net.ibgp.sessions if s.client})
        region = {r: net.router[r].region for r in net.router}
        shared = {r: min(x for x in reflectors if region[x] == region[r]) for r in reflectors}
        self.cluster = shared if net.ibgp.shared_cluster else {r: r for r in reflectors}
        self.announced = {peer.name: peer for peer in net.peers}

    def said(self, path: Path) -> Announcement:
        return self.announced[path.port.split("@")[0]].announces[0]

    def is_what(self, at: str, other: str) -> str:
        client = self.client.get(frozenset((at, other)), "nobody")
        return {other: "client", at: "reflector", None: "peer", "nobody": ""}[client]

    def best(self, at: str, paths: list[Path], place: str = "") -> Path:
        """RFC 4271 9.1.2.2 and RFC 4456 9, by the IGP metrics of another place where RFC 9107 has it so."""
        top = min((-p.preference, len(self.said(p).path)) for p in paths)
        left = [p for p in paths if (-p.preference, len(self.said(p).path)) == top]
        least = {a: min((p.med for p in left if self.said(p).path[0] == a), default=0) for a in (1, 2)}
        left = [p for p in left if p.med == least[self.said(p).path[0]]]

        def rest(p: Path) -> tuple[bool, int | None, str, int, str, str]:
            border = p.port.split("@")[1]
            metric = self.reach.distance(Family.V4, place or at, border)
            return (
                bool(p.sender),
                metric if p.sender or place else 0,
                border,
                len(p.clusters),
                p.sender or p.port,
                p.port,
            )

        return min(left, key=rest)

    def tells(self, at: str, to: str, paths: list[Path]) -> list[Path]:
        """What a router tells a neighbour: RFC 4456 6, RFC 7911, and the best that may be told at all."""
        what = self.is_what(at, to)
        modes = self.ibgp.add_path
        mode = {"client": modes.to_clients, "reflector": modes.to_reflectors, "peer": modes.to_peers}[what]
        place = to if self.ibgp.optimal and what == "client" else ""
        may = [p for p in paths if self.may(at, p, what)]
        if mode == "all":
            return may
        if mode == "none":
            first = self.best(at, paths, place)
            return [first] if first in may else [self.best(at, may, place)] if may and self.ibgp.best_external else []
        several = []
        if mode == "per-as":
            for asn in (1, 2):
                ours = [p for p in paths if self.said(p).path[0] == asn]
                several += [self.best(at, ours, place)] if ours else []
        else:
            left = list(paths)
            while left and len(several) < int(mode):
                several.append(self.best(at, left, place))
                left.remove(several[-1])
        return [p for p in several if p in may]

    def may(self, at: str, path: Path, what: str) -> bool:
        if not path.sender:
            return True
        if self.is_what(at, path.sender) == "client":
            return what != "client" or self.ibgp.between_clients
        return what == "client"

    def filtered(self, path: Path, source: str, target: str) -> Path | None:
        """The path after both filters between two regions; within one region there is none."""
        for side in ("export", "import") if source != target else ():
            crosses = None
            for rule in self.ibgp.rules:
                if (rule.side in (side, "both") and rule.source in (None, source)
                        and set(rule.communities) <= set(path.communities)):  # fmt: skip
                    change = rule.change
                    path = path._replace(
                        preference=path.preference if change.local_pref is None else change.local_pref,
                        med=path.med if change.med is None else change.med,
                        communities=tuple(sorted({*path.communities, *change.communities})),
                    )
                    crosses = rule.cross
                    if crosses is not None:
                        break
            transit = self.announced[path.port.split("@")[0]].kind is Kind.TRANSIT
            if crosses is False or (crosses is None and transit and self.ibgp.confines):
                return None
        return path

    def own(self, at: str) -> set[Path]:
        found = set()
        for peer in self.net.peers:
            said = peer.announces[0]
            preference = {Kind.PEERING: 200, Kind.TRANSIT: 100}[peer.kind]
            if peer.ports[0].router == at:
                found.add(Path(peer.ports[0].name, "", (), preference, said.med or 0, said.communities))
        return found

    def hears(self, at: str, holds: dict[str, set[Path]]) -> set[Path]:
        """What a router should hold, given what all hold."""
        found = self.own(at)
        for speaker in self.net.router:
            if speaker == at or not self.is_what(speaker, at) or not holds.get(speaker):
                continue
            regions = self.net.router[speaker].region, self.net.router[at].region
            for path in self.tells(speaker, at, sorted(holds[speaker])):
                passed = self.filtered(path, *regions)
                clusters = (*path.clusters, self.cluster[speaker]) if path.sender else ()
                looped = at in (path.port.split("@")[1], path.sender) or self.cluster.get(at) in clusters
                if passed and not looped:
                    found.add(passed._replace(sender=speaker, clusters=clusters))
        return found


def holds(net: Network, routes: Routes) -> dict[str, set[Path]]:
    names = {int(r.loopback): r.name for r in net.routers}
    found: dict[str, set[Path]] = {r: set() for r in net.router}
    for (at, _, family), decision in routes.decisions.items():
        for c in held(decision) if family is Family.V4 else ():
            via = tuple(names[number] for number in c.clusters)
            route = c.route
            found[at].add(Path(route.port or "", c.sender, via, route.local_pref, route.med, route.communities))
    return found


@pytest.mark.parametrize("block", range(6))
def test_every_state_explains_itself(block: int) -> None:
    settled = 0
    for seed in range(50 * block, 50 * block + 50):
        net = world(seed)
        reading, routes = Reading(net), solve(net, igp.solve(net))
        if routes.unsettled:
            continue
        settled += 1
        found = holds(net, routes)
        assert found == {r: reading.hears(r, found) for r in net.router}, seed
        best = {r: d.best for r in net.router if (d := routes.best(r, "net", Family.V4))}
        for at, one in best.items():
            first = reading.best(at, sorted(found[at]))
            assert (one.route.port, one.sender) == (first.port, first.sender), (seed, at)
    assert settled >= 40


@pytest.mark.parametrize("block", range(6))
def test_choices_of_many_routers_at_once_are_each_ones_own(block: int) -> None:
    for seed in range(50 * block, 50 * block + 50):
        net = world(seed)
        reach = igp.solve(net)
        routes = solve(net, reach)
        mesh = exchange(net, reach, Family.V4)
        (one,) = alike(net, entries(net, Family.V4))
        told, cycle = mesh.settle(one.own)
        made = choices(mesh, one.own, told)
        for at in net.router if not cycle else ():
            decision = routes.best(at, "net", Family.V4)
            heard = {(c.route, c.sender, c.clusters) for c in (held(decision) if decision else ())}
            assert {(c.route, c.sender, c.clusters) for c in made[at].held} == heard, (seed, at)
            shared = {(c.route.router, c.route.port) for c in (decision.multipath if decision else ())}
            assert set(made[at].exits) == shared, (seed, at)
