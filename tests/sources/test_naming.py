"""Names of other people's things as the network file takes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from imported import imported, source
from trunkline.sources.naming import Names
from trunkline.sources.rules import RULES, Ledger
from trunkline.sources.write import scalar


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("plain-1.a_b", "plain-1.a_b"),
        ("São Paulo", "Sao-Paulo"),
        ("Łódź", "Lodz"),
        ("Gießen / Süd", "Giessen-Sud"),
        ("東京", "node"),
        ("", "node"),
        ("..", "node"),
        ("x" * 60, "x" * 40),
    ],
)
def test_what_may_stand_in_a_name(raw: str, name: str) -> None:
    ledger = Ledger()
    assert Names(ledger).clean(raw, "node") == name
    assert ("name-sanitised" in ledger.applied()) == (raw != name)


def test_one_name_one_thing() -> None:
    names = Names(Ledger())
    assert [names.take(name) for name in ("a", "a-2", "a", "a", "all")] == ["a", "a-2", "a-3", "a-4", "all-2"]


def test_a_rule_has_to_be_in_the_table() -> None:
    with pytest.raises(KeyError):
        Ledger().apply("because", "x")
    assert list(RULES) == sorted(RULES)


@pytest.mark.parametrize("word", ["no", "null", "12", "1e3", "2024-01-01", "1.5", "0x1f", "1_000"])
def test_what_yaml_would_read_as_something_else_is_quoted(word: str) -> None:
    assert scalar(word) == f"'{word}'"


def test_names_that_mean_something_elsewhere_survive(tmp_path: Path) -> None:
    nodes = source(tmp_path, "n.csv", "name,site,region\nno,12,off\nall,1e3,~x\nmain,,\n")
    _, net = imported(nodes)
    assert [(r.name, r.site, r.region) for r in net.routers] == [
        ("all-2", "1e3", "x"),
        ("main", "main-site", "main-2"),  # the router was there first
        ("no", "12", "off"),
    ]
