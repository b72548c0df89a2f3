"""Random networks of 2 to 12 routers under every design, and things that can happen to them."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

from bgp_worlds import KINDS, REGIONS
from nets import circuit, network, router
from traffic_nets import complete
from trunkline.bgp.timing import SECOND, Timing
from trunkline.model.event import Cut, Restore
from trunkline.model.network import Network
from trunkline.model.nouns import AddPath, Announcement, Condition, Ibgp, IbgpSession, Peer, Port
from trunkline.model.policy import PolicyRule

DESIGNS = ("regional", "full-mesh", "route-reflector", "regional-rr", "sessions")
MODES = ("none", "none", "all", "per-as", "2")


def churning(seed: int) -> Network:
    """A random network, design and set of groups, near ties."""
    pick = random.Random(seed)  # noqa: S311
    names = "abcdefghijkl"[: pick.randint(2, 12)]
    routers = [router(n, pick.choice(REGIONS)) for n in names]
    chain = list(pairwise(names))
    chords = [(x, y) for i, x in enumerate(names) for y in names[i + 2 :] if pick.random() < 0.3]
    circuits = [
        replace(circuit(x, y, pick.randint(1, 3)), latency=pick.choice([0, 1000, 1000, 7000]))
        for x, y in chain + chords
    ]
    peers = []
    for number in range(pick.randint(1, 6)):
        name, first = f"p{number}", pick.choice([1, 2, 3])
        homes = sorted(pick.sample(names, min(len(names), pick.randint(1, 2))))
        ports = tuple(Port(f"{name}@{at}", name, at, 10**9, local_pref=100) for at in homes)
        said = tuple(
            Announcement(f"net{n}", (first,) * (1 + (pick.random() < 0.2)), pick.randint(0, 2))
            for n in range(4)
            if pick.random() < 0.7
        )
        peers.append(Peer(name, pick.choice(KINDS), first, ports, said))
    net = complete(network(circuits, routers), peers, {"dc": [names[0], names[-1]]}, [])
    return replace(net, ibgp=_ibgp(pick, names))


def _ibgp(pick: random.Random, names: str) -> Ibgp:
    hub = names[0]
    listed = [IbgpSession(hub, n, n if pick.random() < 0.7 else None) for n in names[1:]]
    listed += [IbgpSession(x, y) for i, x in enumerate(names[1:]) for y in names[i + 2 :] if pick.random() < 0.2]
    reflectors = tuple(sorted(pick.sample(names, pick.randint(1, 2)))) if pick.random() < 0.5 else ()
    blocked = tuple(
        PolicyRule(False, source=s, target=t, group=pick.choice([None, "net1"]))
        for s in REGIONS
        for t in REGIONS
        if s != t and pick.random() < 0.2
    )
    return Ibgp(
        design=pick.choice(DESIGNS),
        profile=pick.choice(["rfc", "frr"]),
        rules=blocked,
        fallback_default=pick.random() < 0.5,
        reflectors=reflectors,
        shared_cluster=pick.random() < 0.3,
        add_path=AddPath(*(pick.choice(MODES) for _ in range(3))),
        best_external=pick.random() < 0.3,
        optimal=pick.random() < 0.3,
        sessions=tuple(listed),
    )


def happening(seed: int, net: Network) -> tuple[Cut | Restore | None, Condition, Timing]:
    """Something that happens to a network, what is down before, and a timing."""
    pick = random.Random(-seed - 1)  # noqa: S311
    names = [p.name for p in net.ports] + [c.name for c in net.circuits] + [r.name for r in net.routers]
    names += [p.name for p in net.peers] + list(net.regions)
    timing = Timing(
        processing=pick.choice([0, 0, 100, 3000]),
        mrai=pick.choice([0, 0, 5000, 5 * SECOND]),
        withdrawals_wait=pick.random() < 0.5,
        igp=pick.choice([0, 3000, SECOND]),
        hold=pick.choice([0, 2000, 180 * SECOND]),
        fast_convergence=pick.random() < 0.3,
        connect=pick.choice([0, SECOND]),
    )
    first, second = pick.sample(names, 2)
    match pick.randrange(4):
        case 0:
            return None, Condition(down=frozenset(pick.choice([(), (first,)]))), timing
        case 1:
            return Cut((first,)), Condition(), timing
        case 2:
            return Cut((first,)), Condition(down=frozenset((second,))), timing
        case _:
            return Restore((first,)), Condition(down=frozenset((first, second))), timing
