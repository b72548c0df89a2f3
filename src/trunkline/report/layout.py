"""Where sites stand on a map: by their coordinates, or, where a file has too few, by how they are joined.

Positions are integers and come out the same on every run: no random start, a fixed number of rounds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trunkline.model.network import Network
from trunkline.model.nouns import MILLION, Site

Distances = npt.NDArray[np.float64]

ROUNDS = 120
"""Rounds of improvement; a layout of 30 sites settles in fewer."""

HOP = 1000
"""The length of one hop in a schematic."""

APART = 300_000
"""Microdegrees that a site whose place was made up keeps from others, so that both can be seen."""


@dataclass(frozen=True)
class Spot:
    """A site's place: `lat` and `lon` in microdegrees on a map, or `x` and `y` in a schematic; `guessed` if made up."""

    lat: int | None = None
    lon: int | None = None
    x: int | None = None
    y: int | None = None
    guessed: bool = False


def spots(net: Network) -> dict[str, Spot]:
    """Return every site's place.

    A map where at least half of the sites have coordinates; the others then stand amid the sites they are joined to.
    A schematic otherwise: distances on it follow hops, not kilometres.
    """
    joined = _joined(net)
    known = {s.name: (_micro(s.lat), _micro(s.lon)) for s in net.sites if s.lat is not None and s.lon is not None}
    if known and len(known) * 2 >= len(net.sites):
        return _map(net.sites, known, joined)
    names = [s.name for s in net.sites]
    return {name: Spot(x=x, y=y) for name, (x, y) in zip(names, _schematic(names, joined), strict=True)}


def _micro(degrees: float) -> int:
    return round(degrees * MILLION)


def _joined(net: Network) -> dict[str, list[str]]:
    """Each site's neighbours: those that a circuit leads to, sorted."""
    found: dict[str, set[str]] = {s.name: set() for s in net.sites}
    for circuit in net.circuits:
        a, b = net.router[circuit.a].site, net.router[circuit.b].site
        if a != b:
            found[a].add(b)
            found[b].add(a)
    return {name: sorted(others) for name, others in found.items()}


def _map(
    sites: Sequence[Site], known: Mapping[str, tuple[int, int]], joined: Mapping[str, Sequence[str]]
) -> dict[str, Spot]:
    placed = dict(known)
    waiting = [s.name for s in sites if s.name not in known]
    while waiting:
        near = {name: [placed[n] for n in joined[name] if n in placed] for name in waiting}
        name = max(waiting, key=lambda n: (len(near[n]), -waiting.index(n)))
        amid = near[name] or list(placed.values())
        lat, lon = (sum(p[axis] for p in amid) // len(amid) for axis in (0, 1))
        while any(abs(lat - p[0]) < APART and abs(lon - p[1]) < APART for p in placed.values()):
            lat, lon = lat - APART, lon + APART
        placed[name] = max(lat, -85 * MILLION), lon
        waiting.remove(name)
    return {s.name: Spot(*placed[s.name], guessed=s.name not in known) for s in sites}


def _hops(names: Sequence[str], joined: Mapping[str, Sequence[str]]) -> Distances:
    """Hops between every two sites, float (sites, sites); sites that are not connected are one beyond the farthest."""
    number = {name: i for i, name in enumerate(names)}
    found = np.full((len(names), len(names)), np.inf)
    for start in range(len(names)):
        found[start, start] = 0
        queue = deque([start])
        while queue:
            at = queue.popleft()
            for other in (number[n] for n in joined[names[at]]):
                if found[start, other] == np.inf:
                    found[start, other] = found[start, at] + 1
                    queue.append(other)
    connected = found[np.isfinite(found)]
    return np.where(np.isfinite(found), found, connected.max(initial=0) + 1)


def _axis(hops: Distances, start: int) -> tuple[int, int]:
    """The site farthest from `start`, and the one farthest from that."""
    end = int(hops[start].argmax())
    return end, int(hops[end].argmax())


def _start(hops: Distances) -> Distances:
    """A first layout, float (sites, 2): along the longest way through the network, and across its middle."""
    a, b = _axis(hops, 0)
    along = (hops[a] - hops[b]) / 2
    middle = hops[a] + hops[b] - 2 * np.abs(along)
    c, d = _axis(hops, int(middle.argmax()))
    turn = 2 * np.pi * np.arange(len(hops)) / len(hops)  # what stands alike is told apart, a little
    return np.stack([along - 0.1 * np.cos(turn), (hops[c] - hops[d]) / 2 + 0.1 * np.sin(turn)], axis=1)


def _schematic(names: Sequence[str], joined: Mapping[str, Sequence[str]]) -> list[tuple[int, int]]:
    """Stress majorisation (Gansner, Koren, North 2004, section 2.3): distances come close to hops."""
    if not names:
        return []
    hops = _hops(names, joined)
    weight = np.divide(1, hops**2, out=np.zeros_like(hops), where=hops > 0)
    total = np.maximum(weight.sum(axis=1), 1e-9)[:, None]
    at = _start(hops)
    for _ in range(ROUNDS):
        apart = at[:, None, :] - at[None, :, :]
        length = np.maximum(np.sqrt((apart**2).sum(axis=2)), 1e-9)
        wanted = at[None, :, :] + apart * (hops / length)[:, :, None]
        better = (weight[:, :, None] * wanted).sum(axis=1) / total
        at = (at + better) / 2  # all move at once: half the way, or two sites would swap sides for ever
    return [(round(x * HOP), round(y * HOP)) for x, y in _level(at)]


def _level(at: Distances) -> Distances:
    """The layout turned so that its longest extent lies level: screens are wide."""
    x, y = (at - at.mean(axis=0)).T
    angle = np.arctan2(2 * (x * y).sum(), (x * x).sum() - (y * y).sum()) / 2
    return np.stack([x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)], axis=1)
