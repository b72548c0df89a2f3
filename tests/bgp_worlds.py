"""Small random networks in which border routers' choices depend on each other, and a line to reckon on by hand."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

from nets import circuit, network, router
from traffic_nets import complete, peer
from trunkline.model.network import Network
from trunkline.model.nouns import AddPath, Announcement, Ibgp, Kind, Peer, Port, PrefixGroup
from trunkline.model.policy import PolicyRule

KINDS = [Kind.TRANSIT, Kind.PEERING, Kind.CUSTOMER]
REGIONS = ("east", "south", "west")
DESIGNS = ("regional", "full-mesh", "route-reflector", "regional-rr")
MODES = ("none", "all", "per-as", "2")


def world(seed: int) -> Network:
    """Up to five routers in three regions, up to six ports that announce one group, everything near a tie."""
    pick = random.Random(seed)  # noqa: S311
    names = "abcde"[: pick.randint(2, 5)]
    routers = [router(n, pick.choice(REGIONS)) for n in names]
    chain = list(pairwise(names))
    chords = [(x, y) for i, x in enumerate(names) for y in names[i + 2 :] if pick.random() < 0.4]
    net = network([circuit(x, y, pick.randint(1, 3)) for x, y in chain + chords], routers)
    peers = []
    tight = pick.random() < 0.6  # nothing but MEDs and ties: where states depend on each other
    for number in range(pick.randint(2, 6)):
        at, name = pick.choice(names[:3] if tight else names), f"p{pick.randint(10, 99)}{number}"
        first = pick.choice([1, 2, 3])
        path = (first, 9) if not tight and pick.random() < 0.3 else (first,)
        preference = 110 if not tight and pick.random() < 0.1 else 100
        port = Port(f"{name}@{at}", name, at, 10**9, local_pref=preference)
        said = Announcement("net", path, pick.randint(0, 3), "igp" if tight else pick.choice(["igp", "igp", "egp"]))
        peers.append(Peer(name, pick.choice(KINDS), first, (port,), (said,)))
    blocked = [
        PolicyRule(False, source=s, target=t) for s in REGIONS for t in REGIONS if s != t and pick.random() < 0.3
    ]
    return replace(complete(net, peers, {}, []), ibgp=Ibgp(profile=pick.choice(["rfc", "frr"]), rules=tuple(blocked)))


def designed(seed: int) -> Network:
    """A small random network under a random design; up to four more groups at shifted lengths and MEDs."""
    pick = random.Random(seed)  # noqa: S311
    net = world(seed)
    ibgp = replace(
        net.ibgp, design=pick.choice(DESIGNS), add_path=AddPath(*(pick.choice(MODES) for _ in range(3))),
        best_external=pick.random() < 0.3, optimal=pick.random() < 0.3, shared_cluster=pick.random() < 0.3,
    )  # fmt: skip
    more = range(pick.randint(0, 4))
    groups = [PrefixGroup(f"net-{n}", 1, 1) for n in more]
    peers = []
    for p in net.peers:
        (said,) = p.announces
        # the same order of lengths and MEDs for all peers, or another one: alike, or not
        others = [
            replace(
                said, group=f"net-{n}", path=(*said.path, *[9] * (n % 2 if n < 2 else pick.randint(0, 1))),
                med=(said.med or 0) + 5 * n if n < 3 else pick.randint(0, 2),
            )
            for n in more
        ]  # fmt: skip
        peers.append(replace(p, announces=(said, *others)))
    return replace(net, ibgp=ibgp, groups=(*net.groups, *groups), peers=tuple(peers))


def line(**ibgp: object) -> Network:
    """A line a - b - c - d, each circuit of metric 10 and 1 ms; a transit at a and at d; 10 and 5 prefixes.

    a and b are in the west, c and d in the east.
    """
    routers = [router(n, "west" if n in "ab" else "east") for n in "abcd"]
    net = network([circuit("a", "b"), circuit("b", "c"), circuit("c", "d")], routers)
    net = complete(net, [peer("t", Kind.TRANSIT, ["a", "d"], ["internet"])], {}, [])
    return replace(net, ibgp=Ibgp(**ibgp))  # type: ignore[arg-type]
