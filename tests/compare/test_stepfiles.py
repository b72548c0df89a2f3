"""A migration's states as network files: each reads back as the state it stands for."""

from __future__ import annotations

from pathlib import Path

import pytest

from trunkline.compare.designs import design
from trunkline.compare.migrate import migrate
from trunkline.compare.stepfiles import step_files
from trunkline.model.load import load
from trunkline.model.problem import Problems

TINY = Path(__file__).parents[2] / "examples" / "tiny.yaml"


def test_every_state_reads_back_as_it_is(tmp_path: Path) -> None:
    net = load(TINY).network
    change = migrate(net, design(net, "route-reflector+add-path-down=2"), design(net, "regional"))
    states = [change.start, *(step.net for step in change.steps)]
    files = step_files(TINY, change)
    assert list(files) == [f"{n:03}.yaml" for n in range(len(states))]
    for (name, text), state in zip(files.items(), states, strict=True):
        (tmp_path / name).write_bytes(text)
        assert load(tmp_path / name).network == state
    assert states[0].ibgp.add_path.to_clients == "2"
    assert states[-1].ibgp.add_path.to_clients == "none"


def test_comments_and_everything_else_stay(tmp_path: Path) -> None:
    net = load(TINY).network
    change = migrate(net, design(net, "full-mesh"), design(net, "regional"))
    text = TINY.read_text().splitlines()
    for file in step_files(TINY, change).values():
        lines = file.decode().splitlines()
        assert [line for line in lines if not line.startswith("ibgp")] == [t for t in text if not t.startswith("ibgp")]


def test_a_network_in_several_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(TINY.read_text())
    whole = tmp_path / "net.yaml"
    whole.write_text("trunkline: 1\ninclude: [base.yaml]\n")
    net = load(whole).network
    change = migrate(net, design(net, "full-mesh"), design(net, "regional"))
    with pytest.raises(Problems, match="the network is in 2 files"):
        step_files(whole, change)
