"""A seal says what a failure will do, readable and the same every time."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from nets import GIG
from trunkline.model.load import load
from trunkline.risk.scenario import scenarios
from trunkline.risk.sweep import chunks, sweep

PROGRAM = Path(sys.executable).with_name("trunkline")
TINY = Path(__file__).parent.parent.parent / "examples" / "tiny.yaml"


def test_a_cut_of_tiny_by_hand() -> None:
    """Without `short`, customer's 60G goes to `long` (100G) and displaces internal's 50G, for which 40G are left.

    Internal follows the IGP over `long` all the same: 110G are offered to 100G.  Customer's share of the queue (70 %)
    is more than its 60G, so internal gets 40G and loses 10G.
    """
    net = load(TINY).network
    (rows,) = sweep(net, chunks(scenarios(net, only=["short"])), seal=True)
    said = dict(rows.seals)["short"]
    assert (said["kind"], said["things"], said["during"]) == ("circuit", ["short"], "")
    after = said["states"]["after"]
    assert [(x["lsp"], x["action"], x["bandwidth"], x["by"], x["circuit"]) for x in after["signalling"]] == [
        ("a-dr1/customer", "down", 60 * GIG, "", ""),
        ("a-dr1/internal", "preempted", 50 * GIG, "a-dr1/customer", "long@a-bb1"),
        ("a-dr1/customer", "placed", 60 * GIG, "", ""),
        ("a-dr1/internal", "unplaced", 50 * GIG, "", ""),
    ]
    assert after["signalling"][2]["path"] == ["a-bb1--a-dr1@a-dr1", "long@a-bb1", "b-bb1--b-dr1@b-bb1"]
    assert after["lost"] == {"customer": 0, "internal": 10 * GIG}
    assert after["hottest"] == {"arc": "long@a-bb1", "utilisation": 1_100_000}
    assert after["broken"] == ["loss", "placed", "utilisation"]
    assert said["states"]["reoptimised"] == {**after, "signalling": []}


def test_seals_come_beside_the_rows_from_any_number_of_workers() -> None:
    """Eighteen scenarios, in three chunks."""
    net = load(TINY).network
    wanted = scenarios(net)
    bare = list(sweep(net, chunks(wanted)))
    for workers in (1, 2):
        found = list(sweep(net, chunks(wanted), workers, seal=True))
        assert len(found) == 3
        assert [name for rows in found for name, _ in rows.seals] == [s.name for s in wanted]
        assert [replace(rows, seals=()) for rows in found] == bare
        seals = [rows.seals for rows in found]
        assert seals == [rows.seals for rows in sweep(net, chunks(wanted), seal=True)]


def test_a_seal_of_parts_that_are_there_is_the_same(tmp_path: Path) -> None:
    """What was sealed on the way, and what is sealed when all parts are there already."""
    texts = []
    for name in ("one", "two"):
        seal, out = tmp_path / name, tmp_path / "out"
        command = [str(PROGRAM), "break", str(TINY), "--kinds", "router", "--out", str(out), "--seal", str(seal)]
        subprocess.run(command, capture_output=True, check=False)
        texts.append(seal.read_bytes())
    assert texts[0] == texts[1]
    assert len(json.loads(texts[0])["scenarios"]) == 5


def test_the_command_writes_it_and_says_its_digest(tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two"):
        file = tmp_path / name
        command = [str(PROGRAM), "break", str(TINY), "--only", "short", "--seal", str(file)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        texts.append(file.read_bytes())
        assert f"sha256 {hashlib.sha256(texts[-1]).hexdigest()}" in done.stderr
    assert texts[0] == texts[1]
    document = json.loads(texts[0])
    assert document["schema"] == "trunkline/seal/1"
    assert document["network"]["sha256"] == load(TINY).sha256
    assert len(document["scenarios"]["short"]["lab"]) == 64
