"""Events against a network: what can be named, what an earlier file has cut, and what a cut of nothing does."""

from __future__ import annotations

from pathlib import Path

import pytest

from trunkline.model.event import Cut, Restore
from trunkline.model.load import load, load_events
from trunkline.model.network import Network
from trunkline.model.nouns import Condition
from trunkline.model.problem import Problems
from trunkline.report.plan import read_history

FILE = """\
trunkline: 1
regions: [east, void]
sites: {n: {region: east, routers: {pr: 1, bb: 1}}, bare: {region: east}}
circuits: [{name: c, a: n-pr1, b: n-bb1, capacity: 10G, risks: [duct]}]
peers:
  isp: {kind: transit, asn: 64501, at: [n-pr1, n-pr1], port: 10G}
"""


@pytest.fixture
def net(tmp_path: Path) -> Network:
    (tmp_path / "net.yaml").write_text(FILE)
    return load(tmp_path / "net.yaml").network


def events(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "events.yaml"
    file.write_text(text)
    return file


def test_a_port_is_cut_by_its_name(net: Network, tmp_path: Path) -> None:
    found = load_events(events(tmp_path, "[{cut: ['isp@n-pr1', 'isp@n-pr1#2']}, {restore: 'isp@n-pr1#2'}]"), net)
    assert found == (Cut(("isp@n-pr1", "isp@n-pr1#2")), Restore(("isp@n-pr1#2",)))
    assert [p.name for p in net.under(Condition(frozenset({"isp@n-pr1"}))).ports] == ["isp@n-pr1#2"]


@pytest.mark.parametrize("word", ["isp@", "@n-pr1", "isp@n-pr1#", "isp@n-pr1#0", "a@b@c", "isp#2"])
def test_what_no_port_can_be_called(net: Network, tmp_path: Path, word: str) -> None:
    with pytest.raises(Problems) as caught:
        load_events(events(tmp_path, f"[{{cut: ['{word}']}}]"), net)
    assert [p.code for p in caught.value.problems] == ["name"]


def test_a_file_restores_what_an_earlier_one_cut(net: Network, tmp_path: Path) -> None:
    cut = events(tmp_path, "[{cut: [c, duct]}, {restore: duct}]")
    (tmp_path / "back.yaml").write_text("[{restore: c}]")
    back = tmp_path / "back.yaml"
    assert read_history((cut, back), net)[2:] == [Restore(("c",))]
    for files in ((back,), (cut, back, back)):
        with pytest.raises(Problems) as caught:
            read_history(files, net)
        assert [p.code for p in caught.value.problems] == ["restore"]


def test_growth_adds_up_over_files(tmp_path: Path) -> None:
    # 1T grown a thousand times is 1P, and again 1000P, which is the most; any more is refused
    file = FILE + "classes: {k: {}}\ndemands: [{from: n-pr1, to: n-bb1, class: k, rate: 1T}]\n"
    (tmp_path / "net.yaml").write_text(file)
    grow = events(tmp_path, "[{grow: {factor: 1000}}]")
    net = load(tmp_path / "net.yaml").network
    assert len(read_history((grow, grow), net)) == 2
    with pytest.raises(Problems) as caught:
        read_history((grow, grow, grow), net)
    assert [p.code for p in caught.value.problems] == ["range"]


@pytest.mark.parametrize("nothing", ["bare", "void"])
def test_cutting_what_holds_nothing_changes_nothing(net: Network, tmp_path: Path, nothing: str) -> None:
    assert load_events(events(tmp_path, f"[{{cut: {nothing}}}]"), net) == (Cut((nothing,)),)
    assert net.under(Condition(frozenset({nothing}))) == net


def test_down_by_name_and_by_risk_needs_both_back(net: Network) -> None:
    assert net.under(Condition(frozenset({"duct"}))).circuits == ()
    assert net.under(Condition(frozenset({"c"}))).circuits == ()
    assert net.under(Condition()).circuits == net.circuits
