"""Where sites stand: hops in a schematic, coordinates on a map, and places made up where a file lacks some."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from trunkline.model.load import load
from trunkline.model.network import Network
from trunkline.model.nouns import Site
from trunkline.report.layout import HOP, spots


def joined(tmp_path: Path, sites: dict[str, str], pairs: list[tuple[str, str]]) -> Network:
    """A network of one router a site, with circuits between these sites."""
    lines = ["trunkline: 1", "regions: [r]", "sites:"]
    lines += [f"  {name}: {{region: r{place}}}" for name, place in sites.items()]
    lines += ["routers:", *(f"  {name}-bb1: {{site: {name}, role: bb}}" for name in sites), "circuits:"]
    lines += [f"  - {{a: {a}-bb1, b: {b}-bb1, capacity: 10G, latency: 1ms}}" for a, b in pairs]
    file = tmp_path / "net.yaml"
    file.write_text("\n".join(lines) + "\n")
    return load(file).network


def distance(net: Network, a: str, b: str) -> float:
    at = spots(net)
    (ax, ay), (bx, by) = ((at[n].x or 0, at[n].y or 0) for n in (a, b))
    return math.hypot(ax - bx, ay - by)


def test_a_chain_is_drawn_straight(tmp_path: Path) -> None:
    """a - b - c - d: three hops between the ends are three hop lengths only on a straight line."""
    net = joined(tmp_path, dict.fromkeys("abcd", ""), [("a", "b"), ("b", "c"), ("c", "d")])
    for pair, hops in (("ab", 1), ("bc", 1), ("cd", 1), ("ac", 2), ("bd", 2), ("ad", 3)):
        assert distance(net, *pair) == pytest.approx(hops * HOP, rel=0.03)


def test_a_square_of_squares_is_drawn_flat(tmp_path: Path) -> None:
    """3 by 3: neighbours stand nearer to each other than any two sites that are two or more hops apart."""
    names = [f"s{i}{j}" for i in range(3) for j in range(3)]
    pairs = [
        (a, b) for a in names for b in names if a < b and abs(int(a[1]) - int(b[1])) + abs(int(a[2]) - int(b[2])) == 1
    ]
    net = joined(tmp_path, dict.fromkeys(names, ""), pairs)
    others = [(a, b) for a in names for b in names if a < b and (a, b) not in pairs]
    assert len(pairs) == 12
    assert max(distance(net, *p) for p in pairs) < min(distance(net, *p) for p in others)


def test_a_triangle_has_equal_sides(tmp_path: Path) -> None:
    net = joined(tmp_path, dict.fromkeys("abc", ""), [("a", "b"), ("b", "c"), ("a", "c")])
    assert [distance(net, *pair) for pair in ("ab", "bc", "ac")] == pytest.approx([HOP] * 3, rel=0.01)


def test_what_is_not_connected_stands_apart(tmp_path: Path) -> None:
    net = joined(tmp_path, dict.fromkeys("abcd", ""), [("a", "b"), ("c", "d")])
    assert min(distance(net, *pair) for pair in ("ac", "ad", "bc", "bd")) > 1.2 * HOP


def test_a_site_without_coordinates_stands_amid_those_it_is_joined_to(tmp_path: Path) -> None:
    places = {"a": ", at: [40, 0]", "b": ", at: [50, 20]", "c": ""}
    at = spots(joined(tmp_path, places, [("a", "c"), ("c", "b")]))
    assert (at["c"].lat, at["c"].lon, at["c"].guessed) == (45_000_000, 10_000_000, True)
    assert (at["a"].lat, at["a"].lon, at["a"].guessed) == (40_000_000, 0, False)


def test_places_that_are_made_up_do_not_cover_each_other(tmp_path: Path) -> None:
    places = {"a": ", at: [40, 0]", "b": ", at: [50, 20]", "c": "", "d": ""}
    at = spots(joined(tmp_path, places, [("a", "c"), ("c", "b"), ("a", "d"), ("d", "b")]))
    assert len({(spot.lat, spot.lon) for spot in at.values()}) == 4


def test_too_few_coordinates_make_a_schematic(tmp_path: Path) -> None:
    places = {"a": ", at: [40, 0]", "b": "", "c": ""}
    at = spots(joined(tmp_path, places, [("a", "b"), ("b", "c")]))
    assert [spot.lat for spot in at.values()] == [None] * 3


def test_no_sites_and_one_site_are_drawn_too() -> None:
    assert spots(Network()) == {}
    lone = spots(replace(Network(), regions=("r",), sites=(Site("a", "r"),)))
    assert lone["a"].x is not None
