"""Tables in the place of peers' announcements, against the same prefixes as groups of a file, one for each prefix."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from feeds.tables import routes
from nets import circuit, network, router
from traffic_nets import complete
from trunkline.bgp.alike import Alike
from trunkline.bgp.enter import entries
from trunkline.compare.announced import announced, tables
from trunkline.compare.measure import Alikes, Measured, measure
from trunkline.compare.yardstick import Yardstick
from trunkline.feeds.feed import Feed
from trunkline.feeds.read import read
from trunkline.igp import solve as igp
from trunkline.model.network import Network
from trunkline.model.nouns import Announcement, Family, Ibgp, Kind, Peer, Port, PrefixGroup
from trunkline.model.policy import Change, PeerRule, PolicyRule


def world(pick: random.Random, rules: bool) -> Network:
    """Five routers in a ring, two regions; p and q are of one AS, r is a customer; rules that match and set."""
    ring = [("a", "b", 1), ("b", "c", 2), ("c", "d", 1), ("d", "e", 3), ("e", "a", 1)]
    routers = [router(n, "west" if n in "ab" else "east") for n in "abcde"]
    net = network([circuit(x, y, metric) for x, y, metric in ring], routers)
    peers = []
    for name, kind, asn, at in (
        ("p", Kind.TRANSIT, 1, "ac"),
        ("q", Kind.TRANSIT, 1, "d"),
        ("r", Kind.PEERING, 2, "ce"),
    ):
        ports = tuple(Port(f"{name}@{r}", name, r, 10**9, med=pick.choice([None, None, 3])) for r in at)
        peers.append(Peer(name, kind, asn, ports, (), imports=tuple(import_rules(pick, at)) if rules else ()))
    between = [
        PolicyRule(
            pick.choice([None, True, False]), source=pick.choice([None, "west"]),
            communities=pick.choice([(), ("1:1",)]), as_path=pick.choice([None, "_7_"]),
            change=Change(pick.choice([None, 100, 150]), pick.choice([None, 0]), pick.choice([(), ("1:1",)])),
        )
        for _ in range(pick.randint(0, 2) if rules else 0)
    ]  # fmt: skip
    design = pick.choice(["full-mesh", "regional", "route-reflector"])
    relax = pick.random() < 0.5
    return replace(
        complete(net, peers, {}, []),
        ibgp=Ibgp(design=design, reflectors=("b", "d"), rules=tuple(between), profile="rfc", as_path_relax=relax),
    )


def import_rules(pick: random.Random, at: str) -> list[PeerRule]:
    return [
        PeerRule(
            pick.choice([None, None, True, False]), at=pick.choice([(), (at[0],)]),
            communities=pick.choice([(), ("1:1",)]), as_path=pick.choice([None, "_7$"]),
            change=Change(pick.choice([None, 120]), pick.choice([None, 1]), pick.choice([(), ("1:1",)]),
                          pick.choice([None, 1])),
        )
        for _ in range(pick.randint(0, 2))
    ]  # fmt: skip


def feed(pick: random.Random, path: Path, asn: int) -> Feed:
    lines = ["prefix,as_path,origin,med,communities"]
    for n in range(90):
        if pick.random() < 0.8:
            prefix = f"10.{n}.0.0/16" if n < 70 else f"2001:db8:{n}::/48"
            way = " ".join(pick.choice(["7", "8"]) for _ in range(pick.randint(0, 1)))
            first = pick.choice([f"{asn} ", f"{asn} ", ""])  # taken at a collector, the peer's own AS is not in it
            path_ = (first + way).strip() or str(asn)
            lines.append(
                f"{prefix},{path_},{pick.choice(['igp', 'egp'])},{pick.choice(['', '2'])},{pick.choice(['', '1:1'])}"
            )
    path.write_text("\n".join(lines) + "\n")
    return read(path)


def one_by_one(net: Network, feeds: dict[str, Feed]) -> Network:
    """Every prefix a group, announced as the tables have it."""
    said: dict[str, list[Announcement]] = {peer.name: [] for peer in net.peers}
    groups = {}
    for table in tables(net, feeds).values():
        asn = net.peer[table.peer].asn
        for prefix, a in routes(table.feed).items():
            name = prefix.replace("/", "-").replace(":", "-")
            groups[name] = PrefixGroup(name, int(":" not in prefix), int(":" in prefix))
            path = a.path if a.path[:1] == (asn,) else (asn, *a.path)
            said[table.peer].append(Announcement(name, path, a.med, a.origin, table.ports, a.communities))
    peers = tuple(replace(p, announces=tuple(said[p.name])) for p in net.peers)
    return replace(net, peers=peers, groups=tuple(groups[name] for name in sorted(groups)))


def measured(net: Network, groups: Alikes | None = None) -> Measured:
    reach = igp.solve(net)
    return measure(net, reach, {f: Yardstick(net, reach, f) for f in Family}, groups)


def alone(net: Network) -> Alikes:
    """Every group by itself, none taken to be like another."""
    return {f: tuple(Alike((group,), own) for group, own in entries(net, f).items()) for f in Family}


@pytest.mark.parametrize("seed", range(40))
def test_bunches_are_what_their_prefixes_are(seed: int, tmp_path: Path) -> None:
    pick = random.Random(seed)  # noqa: S311
    net = world(pick, rules=seed >= 10)
    feeds = {
        name: feed(pick, tmp_path / f"{name}.csv", asn) for name, asn in (("p", 1), ("p@c", 1), ("q", 1), ("r", 2))
    }
    if pick.random() < 0.5:
        del feeds["p@c"]
    few, many = announced(net, feeds), one_by_one(net, feeds)
    short, long = measured(few), measured(many, alone(many))
    assert short.routers == long.routers
    for family in Family:  # how many leave where is rounded for each group
        counts = [sum(n for (_, f), n in found.exits.items() if f is family) for found in (short, long)]
        assert counts[0] == counts[1]
    hidden: list[Counter[Family]] = [Counter(), Counter()]
    for count, found in zip(hidden, (short, long), strict=True):
        for (_, family), group in found.groups.items():
            count[family] += group.hidden * group.prefixes
    assert hidden[0] == hidden[1]


def test_rules_that_set_leave_paths_alone_that_they_do_not_look_at(tmp_path: Path) -> None:
    """100 prefixes by as many ways, all of one length: a rule tells those of 1:1 from the others, and that is all."""
    pick = random.Random(0)  # noqa: S311
    net = world(pick, rules=False)
    rule = PolicyRule(None, communities=("1:1",), change=Change(local_pref=150))
    net = replace(net, ibgp=replace(net.ibgp, rules=(rule,)))
    rows = [f"10.{n}.0.0/16,1 {100 + n},igp,,{'1:1' if n % 4 else ''}" for n in range(100)]
    path = tmp_path / "p.csv"
    path.write_text("\n".join(["prefix,as_path,origin,med,communities", *rows]) + "\n")
    found = announced(net, {"p": read(path)})
    assert [(g.name, g.v4) for g in found.groups] == [("table.1", 25), ("table.2", 75)]
    # each peer's rules are followed at its own ports: c takes nothing of 1:1
    deaf = PeerRule(False, at=("c",), communities=("1:1",))
    net = replace(net, peers=tuple(replace(p, imports=(deaf,) if p.name == "p" else ()) for p in net.peers))
    assert [(g.name, g.v4) for g in announced(net, {"p": read(path)}).groups] == [("table.1", 25), ("table.2", 75)]
