"""What a lost peer, PR, BB, reflector or region costs under a design: messages, time, and who is without a route."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from trunkline.bgp.churn import churn
from trunkline.bgp.design import sessions
from trunkline.bgp.stranded import stranded
from trunkline.compare.designs import Design
from trunkline.flow import Watch
from trunkline.jobs import ordered
from trunkline.model.event import Cut
from trunkline.model.network import Network
from trunkline.model.nouns import Role
from trunkline.model.tables import Table, table


@dataclass(frozen=True)
class Loss:
    """What one loss costs under one design; prefixes are counted over routers that are there in the end."""

    design: str
    lost: str
    kind: str
    messages: int
    prefix_updates: int
    depth: int
    """The longest sequence of UPDATEs, each because of the one before."""
    settled: int
    """Microseconds until the last UPDATE was read."""
    meanwhile: int
    """Prefixes that some router had no route to for a while."""
    longest: int
    """The longest such while, microseconds."""
    after: int
    """Prefixes that some router has no route to in the end."""
    unsettled: int
    """Groups that never settle, a family each; `settled` is then when the others had."""


@dataclass(frozen=True)
class Losses:
    """Every loss under every design, and the regions that losses strand without a fallback."""

    rows: tuple[Loss, ...]
    net: Network

    @property
    def tables(self) -> dict[str, Table]:
        """`losses`, and `stranded`: regions that a loss leaves without the Internet, and what the fallback adds."""
        spec = (
            "design lost kind messages:int prefix_updates:int depth:int settled:int:us meanwhile:int longest:int:us "
            "after:int unsettled:int"
        )
        cut_off = "lost region family rescued:bool added_min:int:us added_median:int:us added_max:int:us"
        found = stranded(self.net)
        return {
            "losses": table(spec, [tuple(vars(row).values()) for row in self.rows]),
            "stranded": table(
                cut_off,
                [(s.lost, s.region, s.family, s.rescued, s.added_min, s.added_median, s.added_max) for s in found],
            ),
        }


def losses(net: Network, designs: Sequence[Design], watch: Watch = lambda _: None, workers: int = 1) -> Losses:
    """Return what each single loss costs under each design, one worker a loss; the order is that of the designs."""
    asked = [(design, lost, kind) for design in designs for lost, kind in _things(design.of(net))]
    rows = []
    for number, row in enumerate(ordered(partial(_losing, net), asked, min(workers, os.cpu_count() or 1)), 1):
        watch(f"loss {number:,} of {len(asked):,}: {row.lost} under {row.design}")
        rows.append(row)
    return Losses(tuple(rows), net)


def _things(net: Network) -> Iterator[tuple[str, str]]:
    """What is lost, one at a time: peers, then routers by role (a reflector is one whatever its role), then regions."""
    yield from ((peer.name, "peer") for peer in net.peers)
    reflectors = {router for router, clients in sessions(net).clients.items() if clients}
    for router in net.routers:
        if router.name in reflectors:
            yield router.name, "reflector"
        elif router.role in (Role.PR, Role.BB):
            yield router.name, str(router.role)
    yield from ((region, "region") for region in net.regions)


Asked = tuple[Design, str, str]
"""A design, what is lost, and of which kind that is."""


def _losing(net: Network) -> Callable[[Asked], Loss]:
    return partial(_loss, net)


def _loss(net: Network, asked: Asked) -> Loss:
    design, lost, kind = asked
    under = design.of(net)
    cost = churn(under, Cut((lost,)))
    without = {key: gone for key, gone in cost.without.items() if not gone.after}
    sizes = {key: under.prefixes(key[1], key[2]) for key in cost.without}
    return Loss(
        design.name,
        lost,
        kind,
        cost.messages,
        cost.prefix_updates,
        cost.depth,
        cost.settled_at,
        sum(sizes[key] for key in without),
        max((gone.time for gone in without.values()), default=0),
        sum(sizes[key] for key, gone in cost.without.items() if gone.after),
        len(cost.unsettled),
    )
