"""How long things take between routers: the knobs of the simulation, and the way of a message."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from trunkline.igp.solve import Reach
from trunkline.model.network import Network
from trunkline.model.nouns import Family

SECOND = 1_000_000


@dataclass(frozen=True)
class Timing:
    """What takes how long, microseconds; the defaults are those of FRR in its `traditional` profile where it has one.

    Raises ValueError where a time is negative.
    """

    processing: int = 100
    """A router's work on one UPDATE; UPDATEs wait for each other there.  An assumption."""
    mrai: int = 0
    """MinRouteAdvertisementIntervalTimer inside the network: FRR 0, RFC 4271 (10) suggests 5 s; no jitter."""
    withdrawals_wait: bool = True
    """Whether withdrawals wait for it too, as RFC 4271 (9.2.1.1) says and RFC 1771 did not."""
    igp: int = SECOND
    """From the event until IS-IS has converged, everywhere at once.  An assumption."""
    hold: int = 180 * SECOND
    """From the event until a session to a router that is out of reach ends (RFC 4271 10: 90 s)."""
    fast_convergence: bool = False
    """Whether it ends as soon as IS-IS has no route to the neighbour instead (`bgp fast-convergence`)."""
    connect: int = SECOND
    """From a neighbour's coming within reach until the session is up: FRR's start timer; the handshake is left out."""

    def __post_init__(self) -> None:
        for knob in fields(self):
            if getattr(self, knob.name) < 0:
                raise ValueError(f"{knob.name} must not be negative, not {getattr(self, knob.name)}")

    @property
    def ends(self) -> int:
        """When a session to a router that is out of reach ends."""
        return min(self.igp, self.hold) if self.fast_convergence else self.hold


@dataclass(frozen=True, eq=False)
class Ways:
    """When messages arrive: they take the IGP's shortest path, the first by name of equal ones.

    What is sent over a circuit that the event took away waits, as TCP sends it again, until the IGP has converged.
    """

    net: Network
    family: Family
    before: Reach
    after: Reach
    converged: int
    lost: frozenset[str]
    """Circuits that the event took away."""
    _known: dict[tuple[bool, str, str], int | None] = field(default_factory=dict, repr=False)

    def arrival(self, speaker: str, listener: str, sent: int) -> int:
        """Return when a message arrives that is sent at a time, between routers that reach each other in the end."""
        early = self._latency(False, speaker, listener) if sent < self.converged else None
        if early is not None:
            return sent + early
        late = self._latency(True, speaker, listener)
        if late is None:
            raise ValueError(f"{speaker} does not reach {listener}")
        return max(sent, self.converged) + late

    def _latency(self, converged: bool, speaker: str, listener: str) -> int | None:
        key = converged, speaker, listener
        if key not in self._known:
            self._known[key] = self._walk(*key)
        return self._known[key]

    def _walk(self, converged: bool, at: str, listener: str) -> int | None:
        """Return the latency of the way that the IGP knows; None where there is none, or the event broke it."""
        reach = self.after if converged else self.before
        latency = 0
        while at != listener:
            hops = reach.next_hops(self.family, at, listener)
            if not hops or (not converged and hops[0].circuit in self.lost):
                return None
            latency += self.net.circuit[hops[0].circuit].latency
            at = hops[0].head
        return latency
