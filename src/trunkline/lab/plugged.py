"""What a lab was made of besides configuration, in words by thing: it stays for as long as the lab is up."""

from __future__ import annotations

import json
from collections.abc import Iterator

from trunkline.lab.peers import speakers
from trunkline.lab.state import home
from trunkline.lab.wiring import Wiring

FILE = "+plugged.json"
"""In a lab's folder, beside a folder per router and port: no name has a `+`."""


def plugged(wiring: Wiring) -> dict[str, str]:
    """Return every thing with what cannot be changed of it: ends, addresses, rates, what peers say."""
    return dict(sorted((*_routers(wiring), *_cables(wiring), *_peers(wiring), *_datacenters(wiring))))


def remember(lab: str, wiring: Wiring) -> None:
    """Write it into a lab's folder."""
    (home(lab) / FILE).write_text(json.dumps(plugged(wiring), indent=1) + "\n", encoding="utf-8")


def read(lab: str) -> dict[str, str]:
    """Return what was written."""
    found: dict[str, str] = json.loads((home(lab) / FILE).read_text(encoding="utf-8"))
    return found


def _routers(wiring: Wiring) -> Iterator[tuple[str, str]]:
    for name, device in wiring.devices.items():
        yield f"router '{name}'", f"{device.router.loopback} {device.router.loopback6} AS {wiring.net.ibgp.asn}"
        for i in device.interfaces:
            families = " ".join(i.families)
            yield f"circuit '{i.circuit.name}' at '{name}'", f"{i.name} {i.v4} {i.v6} {families}"


def _cables(wiring: Wiring) -> Iterator[tuple[str, str]]:
    for name, cable in wiring.cables.items():
        ends = " to ".join(f"{end.thing} {end.interface}" for end in cable.ends)
        yield f"cable '{name}'", f"{ends}, {cable.rate or 'any'} bit/s"


def _peers(wiring: Wiring) -> Iterator[tuple[str, str]]:
    for speaker in speakers(wiring):
        e = speaker.e
        says = ", ".join(f"{prefix} {a.path} {a.med} {a.origin}" for prefix, a in speaker.says)
        addresses = f"{e.here4} {e.there4} {e.here6} {e.there6} {e.port.password or 'no password'}"
        yield f"peer port '{e.port.name}'", f"{e.peer.kind} {e.peer.name} AS {e.peer.asn} {addresses} says {says}"


def _datacenters(wiring: Wiring) -> Iterator[tuple[str, str]]:
    for dc in wiring.net.datacenters:
        yield f"data centre '{dc.name}'", " ".join(map(str, wiring.net.group[dc.name].prefixes))
