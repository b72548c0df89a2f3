"""The BGP decision process (RFC 4271 9.1), step by step, with what the RFC leaves open fixed by a profile.

MED is no order: it eliminates within each neighbour AS (RFC 4271 9.1.2.2 c), so steps work on the whole set of
candidates and never compare pairs.  Multipath is not a step: it is the set still equal after the IGP metric.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from trunkline.model.nouns import Ibgp, Kind
from trunkline.model.route import Route

Exit = tuple[str, str]
"""Where a route leaves the network: border router and port (empty where the router originates it)."""
ORIGINS = ("igp", "egp", "incomplete")
"""Best first (RFC 4271 9.1.2.2 b)."""


class Learned(StrEnum):
    """How a router came by a route."""

    LOCAL = "local"
    EBGP = "ebgp"
    IBGP = "ibgp"


class Candidate(NamedTuple):
    """A route as one router weighs it: how it was learned, and the IGP metric to its next hop (0 for its own).

    `router_id` is that of the router where it entered: the sender's, or the ORIGINATOR_ID of what was reflected.
    """

    route: Route
    learned: Learned
    metric: int
    router_id: int
    address: int | str
    """The peer's address or, where sessions have none yet, the port's name: the last tie-break."""
    sender: str = ""
    """The iBGP neighbour that it was heard from; empty for the router's own."""
    clusters: tuple[int, ...] = ()
    """The reflectors it went through, by CLUSTER_ID (RFC 4456 8)."""
    next_hop: int | None = None
    """The next hop's address; None is the peer's own."""


@dataclass(frozen=True)
class Outcome:
    """The best candidate, the multipath set (best included, by router and port), and which step beat each other one."""

    best: Candidate
    multipath: tuple[Candidate, ...]
    beaten: tuple[tuple[Candidate, str], ...]

    @cached_property
    def exits(self) -> tuple[str, ...]:
        """The border routers of the multipath set, by name."""
        return tuple(sorted({c.route.router for c in self.multipath}))

    @cached_property
    def transit(self) -> frozenset[str]:
        """The regions where the transit routes among all of these entered."""
        routes = (c.route for c in (self.best, *(c for c, _ in self.beaten)))
        return frozenset(route.region for route in routes if route.kind is Kind.TRANSIT)


@dataclass(frozen=True, eq=False)
class Decision:
    """What a router decides.

    Many routers come to one outcome, at other metrics: `metrics` are this one's, by border router, where the outcome
    does not have them already.
    """

    outcome: Outcome
    metrics: Mapping[str, int] | None = None

    def __eq__(self, other: object) -> bool:
        """Whether both are the same to the last metric, however they came about."""
        if not isinstance(other, Decision):
            return NotImplemented
        return (self.best, self.multipath, self.beaten) == (other.best, other.multipath, other.beaten)

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def best(self) -> Candidate:
        """The best candidate."""
        return self._here(self.outcome.best)

    @cached_property
    def multipath(self) -> tuple[Candidate, ...]:
        """The multipath set, best included, by router and port."""
        best = self.outcome.best
        return tuple([self.best if c is best else self._here(c) for c in self.outcome.multipath])

    @cached_property
    def beaten(self) -> tuple[tuple[Candidate, str], ...]:
        """Each other candidate, and the step that beat it."""
        return tuple([(self._here(c), step) for c, step in self.outcome.beaten])

    @property
    def exits(self) -> tuple[str, ...]:
        """The border routers of the multipath set, by name."""
        return self.outcome.exits

    def _here(self, candidate: Candidate) -> Candidate:
        return candidate if self.metrics is None else candidate._replace(metric=self.metrics[candidate.route.router])


def held(decision: Decision) -> tuple[Candidate, ...]:
    """Return every route the router holds after import: the best, and all it beat."""
    return (decision.best, *(c for c, _ in decision.beaten))


Step = tuple[str, Callable[[Candidate], int | str]]

BEFORE_MED: tuple[Step, ...] = (
    ("local preference", lambda c: -c.route.local_pref),
    ("locally originated", lambda c: c.learned is not Learned.LOCAL),
    ("AS path length", lambda c: len(c.route.path)),
    ("origin", lambda c: ORIGINS.index(c.route.origin)),
)
AFTER_MED: tuple[Step, ...] = (
    ("eBGP over iBGP", lambda c: c.learned is Learned.IBGP),
    ("IGP metric", lambda c: c.metric),
)
LAST: tuple[Step, ...] = (
    ("router id", lambda c: c.router_id),
    ("CLUSTER_LIST length", lambda c: len(c.clusters)),
    ("peer address", lambda c: c.address),
    ("port name", lambda c: c.route.port or ""),  # several paths of one peer (RFC 7911): no rule says, so the name does
)


def neighbour(candidate: Candidate) -> int:
    """The neighbour AS that MEDs are compared within; 0 where the route is our own."""
    return candidate.route.path[0] if candidate.route.path else 0


def contenders(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates that are still equal when it comes to eBGP over iBGP and the IGP metric."""
    return _contenders(list(candidates), [])


def _contenders(left: list[Candidate], beaten: list[tuple[Candidate, str]]) -> list[Candidate]:
    for name, key in BEFORE_MED:
        left = _least(left, key, name, beaten)
    return _least(left, _excess_med(left), "MED", beaten) if len(left) > 1 else left


def decide(candidates: Sequence[Candidate], ibgp: Ibgp) -> Decision:
    """Return the decision over at least one candidate."""
    beaten: list[tuple[Candidate, str]] = []
    left = _contenders(list(candidates), beaten)
    for name, key in AFTER_MED:
        left = _least(left, key, name, beaten)
    equal = left
    for name, key in LAST:
        left = _least(left, key, name, beaten)
    return Decision(Outcome(left[0], _multipath(left[0], equal, candidates, ibgp), tuple(beaten)))


def best_of(candidates: Sequence[Candidate]) -> Candidate:
    """Return the best of at least one candidate: that of `decide`."""
    left = contenders(candidates)
    for name, key in (*AFTER_MED, *LAST):
        if len(left) == 1:
            break
        left = _least(left, key, name, [])
    return left[0]


def nearest(contending: Sequence[Candidate], near: Sequence[Candidate], ibgp: Ibgp) -> tuple[Candidate, ...]:
    """Return the multipath set of a router that hears all by iBGP: `near` is as near to it as can be.

    `contending` are those of the contenders that are: what no other candidate is told apart from by then.
    """
    left = list(contending)
    for name, key in LAST:
        left = _least(left, key, name, [])
    return _multipath(left[0], contending, near, ibgp)


def _multipath(
    best: Candidate, equal: Sequence[Candidate], candidates: Sequence[Candidate], ibgp: Ibgp
) -> tuple[Candidate, ...]:
    pool = equal if ibgp.profile == "rfc" else [c for c in candidates if _paths_equal(c, best)]
    multipath = [c for c in pool if c is best or _may_share(c, best, ibgp)]
    one: Callable[[Candidate], tuple[int | str, ...]] = exit_of if ibgp.profile == "rfc" else _next_hop
    first = (lambda c: c.router_id) if ibgp.profile == "rfc" else one
    multipath.sort(key=lambda c: (c is not best, first(c), exit_of(c), len(c.clusters), c.address))
    exits = {one(c): c for c in reversed(multipath)}  # what several reflectors send is one exit
    return tuple(sorted([c for c in multipath if exits[one(c)] is c][: ibgp.multipath], key=exit_of))


def _next_hop(candidate: Candidate) -> tuple[int | str]:
    """FRR shares over each next hop once, the lowest first (bgp_mp_list_add, bgp_path_info_mpath_update of 8.4)."""
    return (candidate.address if candidate.next_hop is None else candidate.next_hop,)


def exit_of(candidate: Candidate) -> Exit:
    """Return where a route leaves the network."""
    return candidate.route.router, candidate.route.port or ""


def _least(
    left: list[Candidate], key: Callable[[Candidate], int | str], step: str, beaten: list[tuple[Candidate, str]]
) -> list[Candidate]:
    """Return the candidates of the least key, and note the others as beaten by this step."""
    if len(left) == 1:
        return left
    keys = [key(c) for c in left]
    least = min(keys)
    if least == max(keys):
        return left
    beaten += [(c, step) for c, k in zip(left, keys, strict=True) if k != least]
    return [c for c, k in zip(left, keys, strict=True) if k == least]


def _excess_med(left: Sequence[Candidate]) -> Callable[[Candidate], int]:
    """Return the key of how far a MED is above the least of its neighbour AS: 0 survives."""
    least: dict[int, int] = {}
    for c in left:
        least[neighbour(c)] = min(c.route.med, least.get(neighbour(c), c.route.med))
    return lambda c: c.route.med - least[neighbour(c)]


def _paths_equal(one: Candidate, best: Candidate) -> bool:
    """FRR compares each path with the best alone, MED only where the neighbour AS is the same (bgp_path_info_cmp)."""
    if one.metric != best.metric:  # it tells most apart
        return False
    steps = (*AFTER_MED, *BEFORE_MED)
    same_med = neighbour(one) != neighbour(best) or one.route.med == best.route.med
    return same_med and all(key(one) == key(best) for _, key in steps)


def _may_share(one: Candidate, best: Candidate, ibgp: Ibgp) -> bool:
    """Whether a path that is equal to the best may share its load."""
    if one.learned is not best.learned:
        return False
    if ibgp.as_path_relax:
        return True
    if ibgp.profile == "frr" and best.learned is Learned.EBGP:
        return neighbour(one) == neighbour(best)
    return one.route.path == best.route.path
