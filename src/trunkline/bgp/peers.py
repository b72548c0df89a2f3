"""What routers hold while they exchange routes: a RIB each, and for each direction of a session what was last sent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from trunkline.bgp.decision import Candidate, Learned
from trunkline.bgp.exchange import Audience
from trunkline.bgp.lockstep import Bunch

Paths = tuple[Candidate, ...]
Path = tuple[str, Candidate]
"""A path to be told and the neighbour that it was heard from (empty: the router's own): that one is not told it."""


@dataclass(eq=False)
class Rib:
    """A router's routes, by bunch."""

    received: list[dict[str, Paths]]
    """The Adj-RIB-In: what each neighbour's UPDATEs say."""
    heard: list[dict[str, Paths]]
    """What the router makes of it, by neighbour."""
    best: list[Candidate | None]
    says: list[dict[Audience, Paths]]
    """What it wants each audience to know."""
    wires: list[dict[Audience, tuple[Path, ...]]]
    """The same as on the wire."""


def empty(bunches: int) -> Rib:
    """Return the RIB of a router that has heard nothing yet."""

    def each() -> list[dict[str, Paths]]:
        return [{} for _ in range(bunches)]

    return Rib(each(), each(), [None] * bunches, [{} for _ in range(bunches)], [{} for _ in range(bunches)])


@dataclass(eq=False)
class Session:
    """One direction of a session: the Adj-RIB-Out, what waits, and the MRAI timer."""

    speaker: str
    listener: str
    up: bool
    add_path: bool
    """Whether UPDATEs carry path identifiers: a path is then withdrawn by name, else another one replaces it."""
    sent: dict[int, Paths] = field(default_factory=dict)
    pending: dict[int, int] = field(default_factory=dict)
    """Bunches that may have to be told anew, and the depth of what caused it."""
    ready: int = 0
    """When the MRAI timer lets the next UPDATE go."""
    arrived: int = 0
    """When the last one sent arrives: none overtakes it."""
    due: bool = False
    """Whether it is to be woken when the timer ends."""

    def identifiers(self, paths: Iterable[Candidate]) -> set[tuple[str, str | None]]:
        """Return what a withdrawal calls these paths."""
        return {(c.route.router, c.route.port) if self.add_path else ("", None) for c in paths}


@dataclass(frozen=True, eq=False)
class Burst:
    """The UPDATEs that leave a router for a neighbour at one time: what they leave in its Adj-RIB-In, by bunch."""

    speaker: str
    listener: str
    paths: dict[int, Paths]
    messages: int
    depth: int
    """How many UPDATEs, each sent because of the one before, lead here from the event."""


@dataclass(eq=False)
class Tally:
    """The UPDATEs of a burst: one for each attribute set, one for all withdrawals.

    The limit of 4,096 octets is not modelled.
    """

    group_updates: int = 0
    prefix_updates: int = 0
    _attributes: dict[tuple[bool, tuple[int, ...]], set[int]] = field(default_factory=dict)
    _withdrawals: bool = False

    def add(self, session: Session, bunch: Bunch, old: Paths, new: Paths) -> None:
        """Count what it takes to tell of the new paths where the old ones are known."""
        count = 0
        for said in new:
            if said not in old:
                count += 1
                key = said.learned is Learned.IBGP, said.clusters
                exit_ = said.route.router, said.route.port or ""
                self._attributes.setdefault(key, set()).update(bunch.attributes[exit_])
        withdrawn = len(session.identifiers(old) - session.identifiers(new)) if old else 0
        self._withdrawals = self._withdrawals or withdrawn > 0
        self.group_updates += (count + withdrawn) * len(bunch.groups)
        self.prefix_updates += (count + withdrawn) * bunch.prefixes

    @property
    def advertises(self) -> bool:
        """Whether any of the UPDATEs advertises."""
        return bool(self._attributes)

    @property
    def messages(self) -> int:
        """How many UPDATEs it takes."""
        return sum(len(found) for found in self._attributes.values()) + self._withdrawals


def on_the_wire(said: Candidate) -> Path:
    """Return what an UPDATE says of a path: nothing of the speaker's own view of it."""
    return said.sender, Candidate(said.route, said.learned, 0, 0, 0, "", said.clusters)
