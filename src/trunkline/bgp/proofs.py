"""The file's own rules, proved over what BGP converged to: what a rule keeps out of a region is held by nobody there.

With reflectors, or with an exception for one side, a route may come round by a third region: the proof then fails and
names the sessions that it came over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from trunkline.bgp.decision import Candidate, held
from trunkline.bgp.enter import entries
from trunkline.bgp.policy import held_back_by
from trunkline.bgp.solve import Confinement, Routes
from trunkline.model.nouns import Family
from trunkline.model.policy import PolicyRule
from trunkline.model.route import Route


@dataclass(frozen=True)
class RuleProof:
    """Whether a rejecting rule holds, by its number in the file (from 1), with what it names in words."""

    number: int
    says: str
    proof: Confinement


def rule_proofs(routes: Routes) -> tuple[RuleProof, ...]:
    """Return a proof for each rule between regions that rejects, in order.

    A rule holds where no router of its `to` holds a route, used or not, that entered in its `from` and that, crossing
    straight from there, this rule would hold back.
    """
    found: dict[int, Confinement] = {}
    rules = {n: rule for n, rule in enumerate(routes.net.ibgp.rules, 1) if rule.cross is False}
    for router, candidate, numbers in _Names(routes, rules).breaches() if rules else ():
        for number in numbers:
            if number not in found:
                route = candidate.route
                path = routes.session_path(router, candidate)
                found[number] = Confinement(False, router, route.group, route.family, path)
    return tuple(RuleProof(n, words(rule), found.get(n, Confinement(True))) for n, rule in rules.items())


@dataclass(frozen=True)
class _Names:
    """Which routes each rule names: as they entered, before any other rule between regions."""

    routes: Routes
    rules: dict[int, PolicyRule]
    _named: dict[tuple[Route, str], tuple[int, ...]] = field(default_factory=dict)

    def breaches(self) -> Iterator[tuple[str, Candidate, tuple[int, ...]]]:
        """Yield every route that is held where rules keep it out: the router, the candidate, the rules' numbers."""
        net = self.routes.net
        entered = {(family, group): own for family in Family for group, own in entries(net, family).items()}
        for (router, group, family), decision in sorted(self.routes.decisions.items()):
            region = net.router[router].region
            for candidate in held(decision):
                if candidate.route.region != region:
                    own = entered[family, group][candidate.route.router]
                    once = [r for r in own if (r.port, r.path) == (candidate.route.port, candidate.route.path)]
                    yield router, candidate, tuple(n for r in once for n in self._by(r, region))

    def _by(self, route: Route, target: str) -> tuple[int, ...]:
        key = route, target
        if key not in self._named:
            by = held_back_by(self.routes.net, route, route.region, target)
            self._named[key] = tuple(n for n, rule in self.rules.items() if rule is by)
        return self._named[key]


def words(rule: PolicyRule) -> str:
    """Return what a rule names: `peering of carrier eu -> us`."""
    what = [str(rule.kind)] if rule.kind else []
    what += [f"of {rule.peer}"] if rule.peer else []
    what += [f"group {rule.group}"] if rule.group else []
    what += [f"in {' '.join(map(str, rule.prefixes))}"] if rule.prefixes else []
    what += [f"path {rule.as_path}"] if rule.as_path is not None else []
    what += [f"with {' '.join(rule.communities)}"] if rule.communities else []
    return f"{' '.join(what) or 'everything'} {rule.source or 'any'} -> {rule.target or 'any'}"
