"""What a real bgpd takes, over sessions, prefixes, paths, attribute sets and what it tells.

The fit that it prints is in src/trunkline/compare/memory.py.  Run as root on a machine with frr and bird2:
`unshare -n .venv/bin/python benchmarks/bgpd_memory.py`, some eight minutes.  Feeders and listeners (BIRD) talk to one
bgpd over the loopback of a network namespace of their own; nothing leaves it.
"""

from __future__ import annotations

import ipaddress
import itertools
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

IP, BGPD, BIRD, VTYSH = "/usr/sbin/ip", "/usr/lib/frr/bgpd", "/usr/sbin/bird", "/usr/bin/vtysh"
HERE = "10.255.0.254"
NULL = subprocess.DEVNULL
PATIENCE_S = 300


@dataclass(frozen=True)
class Case:
    """One setting: `feeders` send the same prefixes, each with as many sets of attributes; `listeners` in groups."""

    prefixes: int
    feeders: int
    sets: int
    communities: bool = False
    groups: int = 0
    listeners: int = 0

    @property
    def terms(self) -> tuple[int, ...]:
        """Constant, sessions, prefixes, paths, attribute sets, those of them with communities, routes told."""
        sessions, sets = self.feeders + self.listeners, self.sets * self.feeders
        paths, told = self.prefixes * self.feeders, self.prefixes * self.groups
        return (1, sessions, self.prefixes, paths, sets, sets * self.communities, told)


NAMES = ("base", "session", "prefix", "path", "attribute set", "communities", "told")
CASES = [
    Case(0, 1, 0),
    Case(0, 24, 0),
    Case(0, 48, 0),
    *(Case(n, k, a) for n, k, a in itertools.product((50_000, 200_000), (1, 2, 6), (100, 20_000))),
    *(Case(50_000, k, a, True) for k, a in itertools.product((1, 2), (5_000, 20_000))),
    *(Case(100_000, 2, 10_000, False, g, g * each) for g, each in itertools.product((1, 2, 4), (1, 4))),
]


def feeder(number: int, case: Case) -> str:
    """BIRD's configuration; neighbours beyond the feeders only listen."""
    feeds = number <= case.feeders
    lines = [f"router id 10.255.1.{number};", "protocol device {}"]
    if feeds and case.prefixes:
        lines.append("protocol static { ipv4;")
        for i in range(case.prefixes):
            net, tag = ipaddress.ip_network((0x14000000 + 256 * i, 24)), i % case.sets
            mark = f"bgp_path.prepend({100_000 + tag}); bgp_path.prepend({200_000 + number});"
            mark += f" bgp_community.add(({number}, {tag}));" if case.communities else ""
            lines.append(f"route {net} blackhole {{ {mark} }};")
        lines.append("}")
    way = "import none; export all; next hop self;" if feeds else "import all; export none;"
    ends = f"local 10.255.1.{number} port 1790 as 64512; neighbor {HERE} port 1790 as 64512; multihop; strict bind yes;"
    return "\n".join([*lines, f"protocol bgp {{ {ends} ipv4 {{ {way} }}; }}"])


def measured_daemon(case: Case) -> str:
    """The configuration of bgpd: it tells the listeners, group by group, and the feeders nothing."""
    numbers = range(1, case.feeders + case.listeners + 1)
    lines = ["router bgp 64512", " bgp router-id 10.255.255.1", " no bgp default ipv4-unicast"]
    for n in numbers:
        there = f" neighbor 10.255.1.{n}"
        lines += [f"{there} remote-as 64512", f"{there} port 1790", f"{there} update-source {HERE}"]
        lines.append(f"{there} timers connect 2")
    lines.append(" address-family ipv4 unicast")
    for n in numbers:
        listens = n > case.feeders
        name = f"group-{(n - case.feeders) % case.groups}" if listens else "none"
        lines += [f"  neighbor 10.255.1.{n} activate", f"  neighbor 10.255.1.{n} route-map {name} out"]
        lines += [f"  neighbor 10.255.1.{n} route-reflector-client"] if listens else []
    lines += [" exit-address-family", "exit", "route-map none deny 10", "exit"]
    for group in range(case.groups):
        lines += [f"route-map group-{group} permit 10", f" set local-preference {100 + group}", "exit"]
    return "\n".join(lines) + "\n"


def memory(pid: int) -> int:
    """Return what a process has for itself, bytes."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return 1024 * sum(int(line.split()[1]) for line in text.splitlines() if line.startswith(("Private_", "Swap:")))


def counts(home: Path) -> tuple[int, int, int]:
    """Return sessions that are up, prefixes received over all of them, and prefixes sent."""
    asked = [VTYSH, "--vty_socket", str(home), "-d", "bgpd", "-c", "show bgp ipv4 unicast summary"]
    shown = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    rows = [line.split() for line in shown.splitlines() if line.startswith("10.255.1.")]
    up = [row for row in rows if row[9].isdigit()]
    return len(up), sum(int(row[9]) for row in up), sum(int(row[10]) for row in up)


def settled(case: Case, home: Path, pid: int) -> int:
    """Wait until all was said and memory stands still for three seconds; return it."""
    same, last = 0, -1
    for _ in range(PATIENCE_S):
        time.sleep(1)
        up, received, sent = counts(home)
        said = up == case.feeders + case.listeners and received == case.prefixes * case.feeders
        done = said and sent >= case.prefixes * case.listeners
        taken = memory(pid)
        same = same + 1 if done and taken == last else 0
        last = taken
        if same == 3:
            return taken
    raise SystemExit(f"{case} did not settle: {counts(home)}")


def measured(case: Case) -> int:
    """Return what bgpd takes in a setting, bytes."""
    with tempfile.TemporaryDirectory(prefix="bgpd-memory-") as folder:
        home = Path(folder)
        home.chmod(0o777)
        (home / "bgpd.conf").write_text(measured_daemon(case))
        ways = ["-f", str(home / "bgpd.conf"), "-i", str(home / "bgpd.pid"), "--vty_socket", folder, "-u", "root"]
        started = [
            subprocess.Popen(
                [BGPD, "-Z", "-n", "-S", "-l", HERE, "-p", "1790", "-P", "0", "-g", "root", *ways],
                stdout=NULL,
                stderr=NULL,
            )
        ]
        try:
            for n in range(1, case.feeders + case.listeners + 1):
                conf = home / f"{n}.conf"
                conf.write_text(feeder(n, case))
                sockets = ["-s", str(home / f"{n}.ctl"), "-P", str(home / f"{n}.pid")]
                started.append(subprocess.Popen([BIRD, "-f", "-c", str(conf), *sockets], stdout=NULL, stderr=NULL))
            return settled(case, home, started[0].pid)
        finally:
            for one in started:
                one.kill()
                one.wait()


def fit(rows: Sequence[tuple[tuple[int, ...], int]]) -> None:
    """Print the coefficients of least relative squares, and how far off they are."""
    terms = np.array([r for r, _ in rows], float)
    taken = np.array([t for _, t in rows], float)
    found, *_ = np.linalg.lstsq(terms / taken[:, None], np.ones(len(rows)), rcond=None)
    print("fit, bytes:", {name: round(value) for name, value in zip(NAMES, found, strict=True)})
    error = np.abs(terms @ found / taken - 1)
    print(f"error: mean {error.mean():.1%}, worst {error.max():.1%}")


def main() -> None:
    subprocess.run([IP, "link", "set", "lo", "up"], check=True)
    for address in (HERE, *(f"10.255.1.{n}" for n in range(1, 64))):
        subprocess.run([IP, "address", "add", f"{address}/32", "dev", "lo"], check=True)
    rows = []
    for case in CASES:
        rows.append((case.terms, measured(case)))
        print(f"{case}: {rows[-1][1] / 2**20:.1f} MiB", flush=True)
    fit(rows)


if __name__ == "__main__":
    main()
