"""Real FRR daemons reading a configuration, for tests: what they refuse."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

import pytest

DAEMONS = Path("/usr/lib/frr")

needs_frr = pytest.mark.skipif(
    not (DAEMONS / "zebra").exists(), reason="FRR is not installed (apt-get install frr brings it)"
)
REFUSED = re.compile(r"\[SHWNK-NWT5S\]\[EC \d+\] (.* on config line \d+: .*)")
"""FRR's message for a line that it does not take, whatever the reason."""


def refused(daemon: str, text: str) -> list[str]:
    """Return the lines of a configuration that a daemon does not take; it reads them as a user of its own."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        file = Path(folder) / f"{daemon}.conf"
        file.write_text(text)
        done = subprocess.run(
            [str(DAEMONS / daemon), "--dryrun", "-f", str(file), "--log", "stdout"],
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return sorted(set(REFUSED.findall(done.stdout + done.stderr)))
