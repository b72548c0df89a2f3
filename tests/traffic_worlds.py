"""Random small networks with LSPs and too much traffic, for the properties of the walk."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import strategies as st

from nets import circuit, network, router
from traffic_nets import complete, demand, lsp, peer
from trunkline.igp import solve as igp
from trunkline.model.network import Network
from trunkline.model.nouns import Ibgp, Kind, Te
from trunkline.te.result import Placed


def world(seed: int) -> tuple[Network, list[Placed]]:
    """Four to seven routers in two regions with transits, a peer, data centres, some LSPs, and too much traffic."""
    pick = random.Random(seed)  # noqa: S311
    names = "abcdefg"[: pick.randint(4, 7)]
    routers = [router(n, pick.choice(["east", "west"])) for n in names]
    pairs = [(x, y) for i, x in enumerate(names) for y in names[i + 1 :]]
    chosen = sorted(pick.sample(pairs, min(len(pairs), len(names) + pick.randint(0, 3))))
    gbps = [10, 40, 100]
    net = network([circuit(x, y, pick.randint(1, 4), pick.choice(gbps)) for x, y in chosen], routers)
    peers = [
        peer("t1", Kind.TRANSIT, [pick.choice(names)], ["internet"], 65001, pick.choice(gbps)),
        peer("t2", Kind.TRANSIT, [pick.choice(names)], ["internet"], 65002, pick.choice(gbps)),
        peer("x", Kind.PEERING, sorted(pick.sample(names, 2)), ["cdn"], 65003),
    ]
    homes = {"A": sorted(pick.sample(names, 2)), "B": [pick.choice(names)]}
    ends = [("A", "B"), ("B", "A"), ("A", "internet"), ("B", "internet"), ("B", "cdn"), ("x", "A"), ("internet", "B")]
    wanted = [
        replace(demand(s, t, 1, cls, pick.choice([0, 300_001])), rate=pick.randint(1, 60 * 10**9))
        for s, t in ends
        for cls in ("gold", "bulk")
    ]
    net = replace(
        complete(net, peers, homes, wanted),
        ibgp=Ibgp(fallback_default=pick.random() < 0.5),
        te=Te(pick.choice(["off", "6pe", "shortcuts"]), pick.choice(["equal", "bandwidth"])),
    )
    return net, _lsps(net, pick)


def _lsps(net: Network, pick: random.Random) -> list[Placed]:
    found, reach = [], igp.solve(net)
    for number in range(pick.randint(0, 6)):
        at = pick.choice(reach.nodes)
        walk = [at]
        while len(walk) < 4:
            nexts = sorted({a.head for a in reach.arcs if a.tail == walk[-1]} - set(walk))
            if not nexts:
                break
            walk.append(pick.choice(nexts))
        if len(walk) > 1:
            cls = pick.choice(["gold", "bulk"])
            found.append(lsp(net, " ".join(walk), cls, pick.randint(0, 5), f"l{number}"))
    return found


seeds = st.integers(0, 10**6)
