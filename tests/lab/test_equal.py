"""Networks that nobody drew, and aurora whole: what real FRR does is what the solvers say."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lab.generated import network
from lab.labs import EXAMPLES, needs_a_lab, nobody
from trunkline.lab import capture, drill, lab
from trunkline.model.load import load

pytestmark = pytest.mark.lab


@contextmanager
def running(file: Path) -> Iterator[lab.Lab]:
    """A lab of a network file, up and well; taken away whatever happens."""
    needs_a_lab("gobgpd", "gobgp")
    loaded = load(file)
    found = lab.of(f"equal{os.getpid()}", loaded.network, loaded.sha256)
    try:
        assert [h.wrong for h in lab.up(found, 1000, nobody) if h.wrong] == []
        yield found
    finally:
        lab.down(found.name)


@pytest.mark.parametrize("seed", [0, 2, 3, 6])  # 0, 2 and 6 each found something once
def test_a_generated_network_is_as_predicted_before_and_after_a_cut(seed: int, tmp_path: Path) -> None:
    (tmp_path / "net.yaml").write_text(network(seed))
    with running(tmp_path / "net.yaml") as found:
        assert drill.now(found, True, nobody).differences == ()
        thing = drill.circuits(found)[seed % len(drill.circuits(found))]
        assert [r.differences for r in drill.drill(found, thing, True, nobody)] == [(), ()]


def test_aurora_is_as_predicted_before_and_after_a_conduit_is_cut(tmp_path: Path) -> None:
    with running(EXAMPLES / "aurora.yaml") as found:
        assert drill.now(found, True, nobody).differences == ()
        rounds = drill.drill(found, "atlantic-north", True, nobody, tmp_path)
        assert [r.differences for r in rounds] == [(), ()]
        if shutil.which("tshark"):
            capture.capture(found, "atl-mid-1", tmp_path / "seen.pcap", 4.0)
            read = ["tshark", "-r", str(tmp_path / "seen.pcap")]
            malformed = subprocess.run([*read, "-Y", "_ws.malformed"], capture_output=True, text=True, check=True)
            assert malformed.stdout == ""
            kinds = subprocess.run(
                [*read, "-T", "fields", "-e", "_ws.col.Protocol"], capture_output=True, text=True, check=True
            )
            assert {"ISIS HELLO", "BFD Control"} <= set(kinds.stdout.split("\n"))
