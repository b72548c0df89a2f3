"""What peers hear from us, asked of themselves: the BGP speaker behind a port, not the router that speaks to it."""

from __future__ import annotations

import json
import re
import socket
import subprocess
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path

from trunkline.devices.device import External
from trunkline.lab.namespaces import full, inside
from trunkline.lab.netlink import Prefix
from trunkline.lab.programs import find

PATIENCE_S = 10.0
LAST = re.compile(rb"\d{4} ")
"""How the last line of what BIRD answers begins: a blank follows its code, a hyphen those before it."""
ROUTE = re.compile(r"^(?:1007-| )([0-9a-f.:]+/\d+) ", re.MULTILINE)
"""A route in BIRD's table: the first line has the code, those of further networks a blank."""


def heard(lab: str, folder: Path, e: External) -> frozenset[Prefix]:
    """Return the prefixes that the peer behind a port has from us.  Raises OSError where its speaker is gone."""
    home = folder / e.port.name
    found = _of_bird(home / "bird.ctl") if (home / "bird.conf").exists() else _of_gobgp(full(lab, e.port.name), e)
    return frozenset(map(ip_network, found))


def _of_bird(path: Path) -> Iterator[str]:
    with socket.socket(socket.AF_UNIX) as bird:
        bird.settimeout(PATIENCE_S)
        bird.connect(str(path))
        _reply(bird)
        for version in (4, 6):
            bird.sendall(f"show route protocol us_v{version}\n".encode())
            yield from ROUTE.findall(_reply(bird))


def _reply(bird: socket.socket) -> str:
    said = b""
    while not (said.endswith(b"\n") and LAST.match(said[:-1].rpartition(b"\n")[2])):
        part = bird.recv(1 << 16)
        if not part:
            raise ConnectionError("BIRD closed its socket")
        said += part
    return said.decode()


def _of_gobgp(namespace: str, e: External) -> Iterator[str]:
    for here in (e.here4.ip, e.here6.ip):
        command = [find("gobgp"), "global", "rib", "-a", f"ipv{here.version}", "-j"]
        with inside(namespace):
            done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            raise ConnectionError(f"gobgp: {done.stderr.strip() or done.stdout.strip()}")
        for prefix, paths in json.loads(done.stdout).items():
            if any(path.get("neighbor-ip") == str(here) for path in paths):
                yield prefix
