"""What every router must hold, said before it is looked at: from the same solvers as `plan`.

A lab signals no LSPs (FRR has no RSVP-TE), so packets follow the IGP to the exits that BGP chose.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Any

from trunkline.bgp.decision import Candidate, Decision, Learned, held
from trunkline.bgp.policy import heard
from trunkline.bgp.solve import Routes
from trunkline.bgp.solve import solve as converge_bgp
from trunkline.devices.device import Device
from trunkline.igp.solve import Reach
from trunkline.igp.solve import solve as converge_igp
from trunkline.lab.netlink import Prefix
from trunkline.lab.seen import Source
from trunkline.lab.wiring import attachment
from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Family, Port
from trunkline.model.route import ANYWHERE, Route, prefixes_of


@dataclass(frozen=True)
class Way:
    """Where a prefix leads from a router: the interfaces out of which its packets may go, why, and whose it is."""

    interfaces: frozenset[str]
    why: str
    whose: str


@dataclass(frozen=True)
class Choice:
    """BGP's choice for a prefix: the best path, and the next hops of those that share."""

    best: Source
    sharing: frozenset[str]
    """Next hops, empty for its own: which of several reflectors a shared path came from changes nothing."""
    held: frozenset[Source]
    """Every path that came and was let in, used or not."""
    carries: str
    """What the best path carries once rules have set what they set: see `attributes`."""
    why: str


@dataclass(frozen=True)
class Prediction:
    """What one router must hold."""

    fib: Mapping[Prefix, Way]
    distances: Mapping[tuple[Family, str], int]
    choices: Mapping[Prefix, Choice]
    told: Mapping[str, frozenset[Prefix]]
    """What each of its external peers hears from it, by port; of the defaults that it originates nothing is said."""
    unsaid: frozenset[Prefix]
    """The defaults that the router originates: FRR says them to others and holds none of its own."""


@dataclass(frozen=True)
class Predicted:
    """What every router of a network must hold, by name."""

    net: Network
    reach: Reach
    routes: Routes
    routers: Mapping[str, Prediction]

    def document(self) -> dict[str, Any]:
        """Return all of it as plain data, in one order."""
        return {name: _plain(found) for name, found in sorted(self.routers.items())}

    @property
    def text(self) -> str:
        """The document as JSON: what is sealed."""
        return json.dumps(self.document(), sort_keys=True, indent=1) + "\n"

    @property
    def sha256(self) -> str:
        """The digest of the text, in hexadecimal."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def _plain(found: Prediction) -> dict[str, Any]:
    return {
        "fib": {str(prefix): sorted(way.interfaces) for prefix, way in found.fib.items()},
        "distances": {f"{family} {router}": metric for (family, router), metric in found.distances.items()},
        "bgp": {
            str(prefix): {
                "best": list(choice.best),
                "sharing": sorted(choice.sharing),
                "held": sorted(choice.held),
                "carries": choice.carries,
            }
            for prefix, choice in found.choices.items()
        },
        "told": {port: sorted(map(str, prefixes)) for port, prefixes in found.told.items()},
    }


def predict(net: Network, devices: Mapping[str, Device]) -> Predicted:
    """Return what every router of a network, under its condition, must hold; `devices` are those of the whole lab."""
    reach = converge_igp(net)
    routes = converge_bgp(net, reach)
    found = {
        r.name: Prediction(
            *_fib(net, reach, routes, devices[r.name]),
            _choices(net, routes, devices[r.name]),
            _told(net, routes, r.name),
            _unsaid(routes, r.name),
        )
        for r in net.routers
    }
    return Predicted(net, reach, routes, found)


def _fib(
    net: Network, reach: Reach, routes: Routes, device: Device
) -> tuple[dict[Prefix, Way], dict[tuple[Family, str], int]]:
    fib: dict[Prefix, Way] = {}
    distances: dict[tuple[Family, str], int] = {}
    names = {i.circuit.name: i.name for i in device.interfaces}
    for other in net.routers:
        for family, loopback in ((Family.V4, other.loopback), (Family.V6, other.loopback6)):
            metric = reach.distance(family, device.name, other.name)
            if other.name == device.name or metric is None:
                continue
            distances[family, other.name] = metric
            arcs = reach.next_hops(family, device.name, other.name)
            interfaces = frozenset(names[a.circuit] for a in arcs)
            fib[ip_network(loopback)] = Way(interfaces, f"IS-IS, metric {metric}", f"{other.name}'s loopback")
    for family, group, decision in _decisions(net, routes, device.name):
        interfaces = frozenset(_interfaces(net, reach, device, decision, family))
        for prefix in prefixes_of(net, group, family):
            fib[prefix] = Way(interfaces, f"BGP, {_why(decision)}", group)
    return fib, distances


def _decisions(net: Network, routes: Routes, router: str) -> list[tuple[Family, str, Decision]]:
    """Every decision that a router acts on; the default that it originates itself is said to others alone."""
    found = []
    for family in Family:
        for group in (*(g.name for g in net.groups), DEFAULT_GROUP):
            decision = routes.best(router, group, family)
            local = decision is not None and decision.best.learned is Learned.LOCAL
            if decision is not None and not (group == DEFAULT_GROUP and local):
                found.append((family, group, decision))
    return found


def _unsaid(routes: Routes, router: str) -> frozenset[Prefix]:
    found = {family: routes.best(router, DEFAULT_GROUP, family) for family in Family}
    return frozenset(ANYWHERE[f] for f, d in found.items() if d is not None and d.best.learned is Learned.LOCAL)


def _interfaces(net: Network, reach: Reach, device: Device, decision: Decision, family: Family) -> set[str]:
    best = decision.best
    if best.learned is Learned.LOCAL:
        return {attachment(best.route.group)}
    ports = {e.port.name: e.interface for e in device.externals}
    names = {i.circuit.name: i.name for i in device.interfaces}
    found = set()
    for candidate in decision.multipath:
        if candidate.learned is Learned.EBGP:
            found.add(ports[candidate.route.port or ""])
        else:
            found |= {names[a.circuit] for a in reach.next_hops(family, device.name, candidate.route.router)}
    return found


def _choices(net: Network, routes: Routes, device: Device) -> dict[Prefix, Choice]:
    found: dict[Prefix, Choice] = {}
    for family, group, decision in _decisions(net, routes, device.name):
        sharing = frozenset(_source(net, device, c, family).next_hop for c in decision.multipath)
        holds = frozenset(_source(net, device, c, family) for c in held(decision))
        best = decision.best
        carries = attributes(best.route.local_pref, best.route.path, best.route.med)
        choice = Choice(_source(net, device, best, family), sharing, holds, carries, _why(decision))
        found |= dict.fromkeys(prefixes_of(net, group, family), choice)
    return found


def _told(net: Network, routes: Routes, router: str) -> dict[str, frozenset[Prefix]]:
    found: dict[str, set[Prefix]] = {port.name: set() for port in net.ports if port.router == router}
    for family, group, decision in _decisions(net, routes, router):
        for name, prefixes in found.items():
            if _is_for(net, net.port[name], decision.best.route):
                prefixes.update(prefixes_of(net, group, family))
    return {name: frozenset(prefixes) for name, prefixes in found.items()}


def _is_for(net: Network, port: Port, route: Route) -> bool:
    """Whether a peer takes a route from us: it is not its own, nor has it its AS in it (RFC 4271 9.1.2)."""
    sent = heard(net, port, route)
    return sent is not None and route.port != port.name and net.peer[port.peer].asn not in sent.path


def attributes(local_pref: int, path: Iterable[int], med: int) -> str:
    """Return what a path carries, in words."""
    return f"preference {local_pref}, AS path {' '.join(map(str, path)) or 'empty'}, MED {med}"


def _source(net: Network, device: Device, candidate: Candidate, family: Family) -> Source:
    """Where a candidate came from: a reflector changes no next hop (RFC 4456 10)."""
    if candidate.learned is Learned.LOCAL:
        return Source("", "")
    if candidate.learned is Learned.IBGP:
        ends = (net.router[name] for name in (candidate.sender, candidate.route.router))
        return Source(*(str(end.loopback if family is Family.V4 else end.loopback6) for end in ends))
    (e,) = (e for e in device.externals if e.port.name == candidate.route.port)
    there = str(e.there4 if family is Family.V4 else e.there6)
    return Source(there, there)


def _why(decision: Decision) -> str:
    """The choice in words: which exit, and the last step that beat another."""
    best = decision.best
    exit_ = best.route.port or best.route.router
    said = f"{best.learned} from {exit_}, preference {best.route.local_pref}, metric {best.metric}"
    steps = [step for _, step in decision.beaten]
    return said + (f", by {steps[-1]}" if steps else ", the only path")
