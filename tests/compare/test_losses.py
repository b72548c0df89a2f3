"""What losses cost, by hand on a line of four routers; any number of workers, the same answer."""

from __future__ import annotations

from bgp_worlds import line
from trunkline.compare.designs import design
from trunkline.compare.losses import Loss, losses


def rows(text: str, workers: int = 1) -> dict[str, Loss]:
    net = line()
    return {row.lost: row for row in losses(net, [design(net, text)], workers=workers).rows}


def test_what_is_lost_is_named_by_what_it_is() -> None:
    """The line has no PRs, one peer, four BBs of which reflectors are called so, and two regions."""
    kinds = {lost: row.kind for lost, row in rows("route-reflector+reflectors=b").items()}
    assert kinds == {"t": "peer", "a": "bb", "b": "reflector", "c": "bb", "d": "bb", "east": "region", "west": "region"}
    assert rows("full-mesh")["b"].kind == "bb"


def test_without_its_only_transit_nobody_has_a_route() -> None:
    """Fifteen prefixes (ten and five) at each of four routers, for good; a and d withdraw towards two regions each."""
    lost = rows("full-mesh")["t"]
    assert (lost.after, lost.meanwhile) == (60, 0)
    # a and d each send one withdrawal a family to each of their three neighbours
    assert lost.messages == 12
    # each withdrawal is of the group's prefixes: (10 + 5) x 3 neighbours x 2 border routers
    assert lost.prefix_updates == 90


def test_confined_the_region_alone_loses() -> None:
    """d goes: with transit confined, c has no other exit and none comes; a and b do not notice."""
    lost = rows("regional")["d"]
    assert (lost.after, lost.messages) == (15, 0)


def test_workers_change_nothing() -> None:
    assert rows("full-mesh", 2) == rows("full-mesh", 1)
