"""The public names, what results print, and the notebook example."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import trunkline

ROOT = Path(__file__).parent.parent
TINY = ROOT / "examples" / "tiny.yaml"


def test_every_public_name_is_there() -> None:
    assert [name for name in trunkline.__all__ if getattr(trunkline, name).__name__ != name] == []
    with pytest.raises(AttributeError, match="no attribute 'prov'"):
        getattr(trunkline, "prov")  # noqa: B009  # the type checker refuses it in plain


def test_results_say_what_they_are_in_a_few_words() -> None:
    net = trunkline.load(TINY).network
    proof = trunkline.prove(net, trunkline.load_events(ROOT / "examples" / "tiny-cut.yaml", net))
    size = "<Network: 2 sites, 5 routers, 5 circuits, 1 peers, 2 datacenters, 2 lsps, 3 demands>"
    assert repr(net) == size
    assert repr(proof).splitlines()[0] == f"<Proof of {size}"
    assert repr(proof).splitlines()[1].startswith("  <State from cold: <Placement: 2 of 2 LSPs up, ")
    assert len(repr(trunkline.load(TINY))) < 400
    assert "<td" in proof._repr_html_()


def test_lsps_print_as_a_router_shows_them() -> None:
    # tiny.yaml: short has 100G; customer (60G) takes it, internal (50G) does not fit beside it and takes long
    cold = trunkline.prove(trunkline.load(TINY).network).cold
    assert str(cold.tables["lsps"]).splitlines() == [
        "To     From   State  Pri  Bandwidth  Metric  ActivePath   LSPname",
        "b-dr1  a-dr1  Up     2/2        60G      12  a-bb1 b-bb1  customer",
        "b-dr1  a-dr1  Up     5/5        50G      32  a-bb1 b-bb1  internal",
        "Total 2, Up 2, Down 0",
    ]


def test_an_lsp_without_a_path_says_why() -> None:
    net = trunkline.load(TINY).network.without("long")
    shown = str(trunkline.prove(net).cold.tables["lsps"])
    assert "b-dr1  a-dr1  Down   5/5          0       -  (no path with the bandwidth at its setup" in shown
    assert shown.endswith("Total 2, Up 1, Down 1")


def test_the_example_runs_and_its_figures_are_those_of_the_plan() -> None:
    run = subprocess.run(
        [sys.executable, ROOT / "examples" / "notebook.py"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert run.stderr == ""
    plan = (ROOT / "README.md").read_text()  # its screen is the plan of the same network and event
    assert "customer   2/2  552/552             0          0    112" in plan
    assert "internal   5/5  264/264            96         21     98" in plan
    rows = [line.split() for line in run.stdout.splitlines()]
    assert [row[:2] for row in rows if row[:1] in (["customer"], ["internal"])] == [
        ["customer", "112"],
        ["internal", "98"],
    ]
    assert sum(row[:1] == ["+"] for row in rows) == 1
