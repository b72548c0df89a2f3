"""The programs that a lab runs, or the one command that brings those that lack."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable

from trunkline.model.problem import Missing

FOLDERS = ("/usr/lib/frr", "/usr/libexec/frr", "/usr/local/sbin", "/usr/sbin")
"""Where distributions put FRR's daemons and what only root runs."""
PACKAGES = {"bird": "bird2", "gobgp": "gobgpd", "gobgpd": "gobgpd", "ip": "iproute2", "tc": "iproute2"}
"""Debian's package of a program; FRR's programs are in `frr`, the rest in one of their own name."""
FRR = ("zebra", "bfdd", "isisd", "staticd", "bgpd", "vtysh")


def find(program: str) -> str:
    """Return where a program is.  Raises Missing where it is not installed."""
    require([program])
    return str(_path(program))


def require(programs: Iterable[str]) -> None:
    """Raise Missing unless we are root and all these programs are here."""
    if os.geteuid():
        raise Missing("a lab makes network namespaces, which needs root: the same command after `sudo`")
    packages = {"frr" if p in FRR else PACKAGES.get(p, p) for p in programs if _path(p) is None}
    if packages:
        lacking = " ".join(sorted(packages))
        raise Missing(f"the lab lacks {lacking}. To install: sudo apt-get install -y {lacking}")


def _path(program: str) -> str | None:
    return shutil.which(program, path=os.pathsep.join((*FOLDERS, os.environ.get("PATH", ""))))
