"""A seal says what a failure will do, readable and the same every time."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

from trunkline.model.load import load
from trunkline.risk.scenario import scenarios
from trunkline.risk.seal import sealed
from trunkline.risk.sweep import Sweep

PROGRAM = Path(sys.executable).with_name("trunkline")
TINY = Path(__file__).parent.parent.parent / "examples" / "tiny.yaml"


def test_a_cut_of_tiny_by_hand() -> None:
    """Of the 60G and 50G over `short`, 100G fit on `long`: the first class's LSP takes it, the other finds no room."""
    net = load(TINY).network
    said = sealed(Sweep(net), scenarios(net, only=["short"]))["short"]
    assert (said["kind"], said["things"], said["during"]) == ("circuit", ["short"], "")
    after = said["states"]["after"]
    assert after["hottest"]["arc"] == "long@a-bb1"
    first = [line for line in after["signalling"] if line["action"] in ("placed", "unplaced")]
    assert [line["action"] for line in first][:1] == ["placed"]
    assert "long@a-bb1" in first[0]["path"]
    assert (after["on_fallback"], after["cut_off"]) == ([], [])


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
