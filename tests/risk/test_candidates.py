"""Which circuits that could be built matter; distances by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nets import GIG, circuit, network
from trunkline.model.network import Network
from trunkline.model.nouns import Circuit, Family, Hop, Igp, Lsp
from trunkline.model.prices import Prices
from trunkline.risk.candidates import that_matter

PRICES = Prices("kUSD", member=((100 * GIG, 10),))
LSP = Lsp("a", "gold", "c", "gold", 3, 3, GIG)


def line(*lsps: Lsp) -> Network:
    """a - b - c of metric 5 each: 10 from a to c."""
    return replace(network([circuit("a", "b", 5), circuit("b", "c", 5)]), lsps=lsps)


def matter(net: Network, *new: Circuit) -> set[str]:
    return set(that_matter(net, PRICES, new))


def test_what_is_longer_than_the_way_there_is_is_on_none() -> None:
    """a - c matters up to 10, in either direction; a - b up to 5."""
    new = [circuit("a", "c", metric, name=f"ac{metric}") for metric in (9, 10, 11)]
    new += [
        circuit("a", "c", 11, name="back", back=10),
        circuit("a", "b", 6, name="ab6"),
        circuit("b", "a", 5, name="ab5"),
    ]
    assert matter(line(), *new) == {"ac9", "ac10", "back", "ab5"}


def test_after_a_failure_ways_are_longer_and_what_leads_nowhere_does_not_matter() -> None:
    """Nothing leads from a to c without b, and nothing to b."""
    new = [circuit("a", "c", 1000, name="ac"), circuit("a", "b", 1, name="ab")]
    assert matter(line().without("b"), *new) == {"ac"}


def test_an_lsp_goes_by_the_te_metric_where_there_is_room_for_sure() -> None:
    """TE metrics are 1 on the line: a - c of 11 and TE 2 is as short for an LSP, TE 3 is not.

    What nobody sells may be full: without b - c, an LSP from a to c has no other way.
    """
    cheap = [replace(c, te_metric_ab=1, te_metric_ba=1) for c in line().circuits]
    new = [replace(circuit("a", "c", 11, name=f"te{te}"), te_metric_ab=te, te_metric_ba=te) for te in (2, 3)]
    assert matter(replace(line(LSP), circuits=tuple(cheap)), *new) == {"te2"}
    assert matter(replace(line(), circuits=tuple(cheap)), *new) == set()
    narrow = (cheap[0], replace(cheap[1], capacity=40 * GIG))
    assert matter(replace(line(LSP), circuits=narrow), *new) == {"te2", "te3"}


def test_topologies_are_two_where_is_is_has_two() -> None:
    """For IPv6 b - c is not there."""
    four = replace(line().circuits[1], families=(Family.V4,))
    net = replace(line(), circuits=(line().circuits[0], four))
    new = circuit("a", "c", 11, name="ac")
    assert matter(net, new) == set()
    assert matter(replace(net, igp=Igp(multi_topology=True)), new) == {"ac"}


@pytest.mark.parametrize(
    "lsp",
    [
        replace(LSP, exclude=("red",)),
        replace(LSP, include_any=("red",)),
        replace(LSP, include_all=("red",)),
        replace(LSP, hop_limit=1),
        replace(LSP, paths=((Hop("b"),), ())),
        replace(LSP, standby="reserved"),
    ],
)
def test_an_lsp_with_constraints_may_go_anywhere(lsp: Lsp) -> None:
    new = circuit("a", "c", 1000, name="ac")
    assert matter(line(LSP), new) == set()
    assert matter(line(lsp), new) == {"ac"}
