"""What passes over a circuit, as a pcap file."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

from trunkline.lab.lab import Lab
from trunkline.lab.namespaces import full, inside
from trunkline.lab.programs import find
from trunkline.model.problem import Problem, Problems, nearest


def capture(lab: Lab, circuit: str, file: Path, seconds: float | None) -> None:
    """Write every frame of a circuit or peer port, both directions, until the time is over or Ctrl-C.

    Raises Problems where there is no such circuit or the file cannot be written, OSError where tcpdump fails.
    """
    cables = lab.wiring(lab.state.scale).cables
    if circuit not in cables:
        message = f"no circuit or peer port is named '{circuit}'"
        raise Problems([Problem("", 0, 0, "reference", message, "", "", nearest(circuit, cables))])
    end = cables[circuit].ends[0]
    command = [find("tcpdump"), "-i", end.interface, "-U", "-w", "-", "-Z", "root"]
    try:
        output = file.open("wb")
    except OSError as error:
        raise Problems([Problem(str(file), 0, 0, "unwritable", error.strerror or str(error))]) from None
    with output, inside(full(lab.name, end.thing)):
        tcpdump = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
    said = _until(tcpdump, seconds)
    if tcpdump.returncode:
        raise OSError(f"tcpdump: {said.strip()}")


def _until(tcpdump: subprocess.Popen[str], seconds: float | None) -> str:
    try:
        _, said = tcpdump.communicate(timeout=seconds)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        tcpdump.send_signal(signal.SIGINT)
        _, said = tcpdump.communicate()
    return said
