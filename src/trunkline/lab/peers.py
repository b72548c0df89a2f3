"""Peers: behind every port a BGP speaker that says what the file says its peer announces there.

A port is a router of its own, with a router id in the order of the ports' names: FRR ends ties among external routes
by router id, and the model by port name (docs/decisions/0007-bgp.md).  Customers with few prefixes run GoBGP,
everybody else BIRD.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path

from trunkline.devices.device import External
from trunkline.devices.frr.render import Secrets
from trunkline.devices.policy import large, plain
from trunkline.lab.daemons import Failed
from trunkline.lab.namespaces import full, inside, start
from trunkline.lab.netlink import Prefix
from trunkline.lab.programs import find
from trunkline.lab.wiring import Wiring
from trunkline.model.nouns import Announcement, Kind

FIRST_ID = IPv4Address("198.18.0.1")
"""Router ids of the ports count up from here (RFC 2544 addresses, which nobody routes)."""
FEW = 50
"""GoBGP learns its prefixes one command at a time."""
PATIENCE_S = 20.0


@dataclass(frozen=True)
class Speaker:
    """What stands behind a port: its session, its router id, and what it says, best announcement of a group first."""

    e: External
    router_id: IPv4Address
    asn: int
    """Ours: the AS it speaks to."""
    says: tuple[tuple[Prefix, Announcement], ...]

    @property
    def password(self) -> str:
        """The session's TCP-MD5 secret, as the router's configuration has it; empty where there is none."""
        return Secrets()(self.e.port.password) if self.e.port.password else ""

    @property
    def gobgp(self) -> bool:
        """Whether it runs GoBGP."""
        return self.e.peer.kind is Kind.CUSTOMER and len(self.says) <= FEW


def speakers(wiring: Wiring) -> list[Speaker]:
    """Return what stands behind every port, by the port's name."""
    externals = sorted((e for d in wiring.devices.values() for e in d.externals), key=lambda e: e.port.name)
    return [Speaker(e, FIRST_ID + n, wiring.net.ibgp.asn, _says(wiring, e)) for n, e in enumerate(externals)]


def _says(wiring: Wiring, e: External) -> tuple[tuple[Prefix, Announcement], ...]:
    """One announcement per prefix: a session carries one route to a prefix, and a peer says the best it has."""
    found: dict[Prefix, Announcement] = {}
    at_port = [a for a in e.peer.announces if a.at is None or e.port.name in a.at]
    for a in sorted(at_port, key=lambda a: (len(a.path), a.origin, a.med or 0)):
        for prefix in wiring.net.group[a.group].prefixes:
            found.setdefault(prefix, a)
    return tuple(found.items())


def speak(lab: str, folder: Path, found: Iterable[Speaker], workers: Executor) -> None:
    """Start every speaker.  Raises Failed where GoBGP does not take its prefixes."""

    def one(speaker: Speaker) -> None:
        home = folder / speaker.e.port.name
        home.mkdir()
        (_gobgp if speaker.gobgp else _bird)(full(lab, speaker.e.port.name), home, speaker)

    list(workers.map(one, found))


def _bird(namespace: str, home: Path, speaker: Speaker) -> None:
    config = home / "bird.conf"
    config.write_text(bird_config(speaker, home / "bird.log"), encoding="utf-8")
    start(namespace, [find("bird"), "-f", "-c", str(config), "-s", str(home / "bird.ctl")], home / "bird.out")


def bird_config(speaker: Speaker, log: Path) -> str:
    """Return BIRD 2's configuration: a static protocol per announcement and family, whose export filter dresses it."""
    e = speaker.e
    lines = [f"router id {speaker.router_id};", f'log "{log}" {{ warning, error, fatal, bug, auth }};']
    lines += ["protocol device {}"]
    said = list(dict.fromkeys(a for _, a in speaker.says))
    for version in (4, 6):
        rules = []
        for number, a in enumerate(said):
            prefixes = [p for p, of in speaker.says if of == a and p.version == version]
            name = f"says{number}_v{version}"
            routes = " ".join(f"route {p} blackhole;" for p in prefixes)
            lines.append(f"protocol static {name} {{ ipv{version}; {routes} }}  # {a.group}")
            rules.append(f'    if proto = "{name}" then {{ {_dress(a)} accept; }}')
        here, there = (e.here4.ip, e.there4) if version == 4 else (e.here6.ip, e.there6)
        lines += [
            f"protocol bgp us_v{version} {{",
            f"  local {there} as {e.peer.asn}; neighbor {here} as {speaker.asn};",
            "  connect delay time 1; connect retry time 5; error wait time 1, 4;",
            *([f'  password "{speaker.password}";'] if speaker.password else []),
            f"  ipv{version} {{ import all; export filter {{",
            *rules,
            "    reject; }; };",
            "}",
        ]
    return "\n".join(lines) + "\n"


def _dress(a: Announcement) -> str:
    """The attributes of an announcement: the AS path behind the peer's own AS, which BGP itself puts in front."""
    words = [f"bgp_path.prepend({asn});" for asn in reversed(a.path[1:])]
    words.append(f"bgp_origin = ORIGIN_{a.origin.upper()};")
    if a.med is not None:
        words.append(f"bgp_med = {a.med};")
    words += [f"bgp_community.add(({c.replace(':', ',')}));" for c in plain(a.communities)]
    words += [f"bgp_large_community.add(({c.replace(':', ',')}));" for c in large(a.communities)]
    return " ".join(words)


def gobgp_config(speaker: Speaker) -> str:
    """Return GoBGP's configuration: the session, one neighbour per family."""
    e = speaker.e
    lines = ["[global.config]", f"  as = {e.peer.asn}", f'  router-id = "{speaker.router_id}"', "  port = 179"]
    for here, family in ((e.here4.ip, "ipv4-unicast"), (e.here6.ip, "ipv6-unicast")):
        lines += ["[[neighbors]]", "  [neighbors.config]"]
        lines += [f'    neighbor-address = "{here}"', f"    peer-as = {speaker.asn}"]
        if speaker.password:
            lines.append(f'    auth-password = "{speaker.password}"')
        lines += ["  [neighbors.timers.config]", "    connect-retry = 5", "    idle-hold-time-after-reset = 5"]
        lines += ["  [[neighbors.afi-safis]]", "    [neighbors.afi-safis.config]", f'      afi-safi-name = "{family}"']
    return "\n".join(lines) + "\n"


def _gobgp(namespace: str, home: Path, speaker: Speaker) -> None:
    config = home / "gobgpd.toml"
    config.write_text(gobgp_config(speaker), encoding="utf-8")
    start(namespace, [find("gobgpd"), "-f", str(config), "--api-hosts", "127.0.0.1:50051"], home / "gobgpd.out")
    client = find("gobgp")
    deadline = time.monotonic() + PATIENCE_S
    for prefix, a in speaker.says:
        next_hop = speaker.e.there4 if prefix.version == 4 else speaker.e.there6
        command = [client, "global", "rib", "add", "-a", f"ipv{prefix.version}", str(prefix)]
        command += ["origin", a.origin, "nexthop", str(next_hop)]
        command += ["med", str(a.med)] if a.med is not None else []
        command += ["aspath", " ".join(map(str, a.path[1:]))] if a.path[1:] else []
        command += ["community", ",".join(plain(a.communities))] if plain(a.communities) else []
        command += ["large-community", ",".join(large(a.communities))] if large(a.communities) else []
        while (said := _said(namespace, command)) is not None:
            if time.monotonic() > deadline:
                raise Failed([f"{speaker.e.port.name}: gobgp does not take {prefix}: {said}"])
            time.sleep(0.1)


def _said(namespace: str, command: list[str]) -> str | None:
    """Run a command; return what it says where it fails."""
    with inside(namespace):
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return (done.stderr or done.stdout).strip() if done.returncode else None
