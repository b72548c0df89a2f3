"""Every router's configuration for one network operating system, and how it is written down."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from trunkline.bgp.design import Relation, paths_to
from trunkline.bgp.enter import entries
from trunkline.devices.device import devices
from trunkline.devices.frr import render as frr
from trunkline.devices.frr.commands import commands
from trunkline.model.document import Faults, Map, Place, Text
from trunkline.model.network import Network
from trunkline.model.nouns import Circuit, Family
from trunkline.model.problem import Problem, Problems, nearest
from trunkline.model.route import Route
from trunkline.model.yamltext import parse_yaml

Watch = Callable[[str], None]
"""Told the name of each router as its turn comes."""


def configurations(
    net: Network,
    routers: Iterable[str] = (),
    templates: Path | None = None,
    secrets: frr.Secrets | None = None,
    watch: Watch = lambda _: None,
) -> dict[str, str]:
    """Return the configuration of every router, or of some, by name.  Raises Problems for what cannot be rendered."""
    frr.check(net)
    found = devices(net)
    wanted = sorted(set(routers)) or sorted(found)
    unknown = [
        Problem("", 0, 0, "reference", f"no router is named '{name}'", nearest=nearest(name, found))
        for name in wanted
        if name not in found
    ]
    if unknown:
        raise Problems(unknown)
    if templates is not None and not templates.is_dir():
        raise Problems([Problem(str(templates), 0, 0, "templates", "no such folder", "", "a folder of templates")])
    env = frr.environment(templates)
    made = {}
    for name in wanted:
        watch(name)
        try:
            made[name] = frr.whole(frr.render(found[name], env, secrets or frr.Secrets()))
        except Problems:
            raise
        except Exception as error:  # a template is a program: whatever it raises is for who wrote it
            if templates is None:
                raise
            raise frr.broken(error) from None
    return made


def told(before: Network, after: Network) -> dict[str, list[str]]:
    """Return what each router whose configuration differs is to be told, after `configure terminal`, by name.

    Both networks have the same routers and circuits, in which settings differ.  Raises Problems as above.
    """
    names = {new.name for old, new in zip(before.routers, after.routers, strict=True) if old != new}
    for old, new in zip(before.circuits, after.circuits, strict=True):
        names |= {new.a, new.b} if old != new else set()
    if not names:
        return {}
    was, now = configurations(before, names), configurations(after, names)
    return {name: commands(was[name], now[name]) for name in sorted(names) if was[name] != now[name]}


def read_secrets(path: Path) -> frr.Secrets:
    """Return the secrets of a YAML file of `name: value` lines, or of a pipe.  Raises Problems where it is none.

    What is wrong is said without quoting a value.
    """
    try:
        tree = parse_yaml(path.read_text(encoding="utf-8"), str(path), Faults())
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "it is not UTF-8"
        raise _no_secrets(Place(str(path), 0, 0), why) from None
    if not isinstance(tree, Map):
        raise _no_secrets(Place(str(path), 0, 0), "it is no map in YAML")
    found = {}
    for name, value in tree.entries:
        if not isinstance(value, Text) or not _WORD.fullmatch(value.value):
            raise _no_secrets(value.place, f"'{name.value}' is no word: visible characters of ASCII without blanks")
        found[name.value] = value.value
    return frr.Secrets(found)


_WORD = re.compile("[!-~]+")


def _no_secrets(place: Place, why: str) -> Problems:
    expected = "lines such as `core: secret`"
    return Problems([Problem(place.file, place.line, place.column, "secrets", why, "", expected)])


def files(configs: Mapping[str, str]) -> dict[str, str]:
    """Return what a folder for these configurations holds, by file name: `ROUTER/frr.conf` and `ROUTER/daemons`."""
    daemons = "".join(f"{daemon}=yes\n" for daemon in frr.DAEMONS)
    found = {f"{router}/frr.conf": text for router, text in configs.items()}
    return found | {f"{router}/daemons": daemons for router in configs}


def cautions(net: Network) -> list[str]:
    """Return what FRR is known to do otherwise than the network says, in words.

    After a flap of the first of two parallel circuits FRR sends by one at the metric of the other (FRR issue 19470).
    In a single topology FRR has no IPv6 next hop over an adjacency without IPv6 (seen in 8.4).
    Groups whose prefixes the file does not list are all one to a router, where a peer announces several.
    """
    four = [c.name for c in net.circuits if Family.V6 not in c.families and not net.igp.multi_topology]
    found = [
        f"{name} carries no IPv6 in a single topology: FRR has no IPv6 route over it, where the network says "
        "that IPv6 is sent into it and lost"
        for name in four
    ]
    found += [
        f"{' and '.join(ports)} say {group} alike but for the AS path: over Add-Path other routers of FRR prefer what "
        "came first, and share and announce by that"
        for group, ports in _twins(net)
    ]
    found += [
        f"{' and '.join(c.name for c in many)} are parallel with different metrics: once one has been down, FRR may "
        "send over one at the metric of another (FRR issue 19470)"
        for many in unequal(net)
    ]
    return found + _alike(net)


def unequal(net: Network) -> list[tuple[Circuit, ...]]:
    """Return the circuits of every pair of routers that are parallel with different metrics, the shortest first."""
    pairs: dict[tuple[str, str], list[Circuit]] = defaultdict(list)
    for circuit in net.circuits:
        one, other = sorted((circuit.a, circuit.b))
        pairs[one, other].append(circuit)
    return [
        tuple(sorted(many, key=lambda c: (c.metric_ab + c.metric_ba, c.name)))
        for many in pairs.values()
        if len({(c.metric_ab, c.metric_ba) if c.a < c.b else (c.metric_ba, c.metric_ab) for c in many}) > 1
    ]


def _alike(net: Network) -> list[str]:
    named = {rule.group for rule in net.ibgp.rules}
    named |= {rule.group for peer in net.peers for rule in (*peer.imports, *peer.exports)}
    found = []
    for peer in net.peers:
        counted = sorted({a.group for a in peer.announces if not net.group[a.group].prefixes})
        asked = [group for group in counted if group in named]
        if asked and len(counted) > 1:
            found.append(
                f"rules name {' and '.join(asked)}: routers cannot tell {' from '.join(counted)} of {peer.name}, whose "
                "prefixes the file does not list, and apply no such rule to them"
            )
    return found


def _twins(net: Network) -> list[tuple[str, tuple[str, ...]]]:
    """Groups with ports of one router whose routes only the AS path tells apart, where routers tell several paths."""
    several = {paths_to(net.ibgp, relation) for relation in Relation} != {"none"}
    found = []
    for family in Family if several else ():
        for group, by_router in sorted(entries(net, family).items()):
            for routes in by_router.values():
                alike: dict[tuple[object, ...], list[Route]] = defaultdict(list)
                for route in routes:
                    alike[route.local_pref, len(route.path), route.origin].append(route)
                many = [rs for rs in alike.values() if len({r.path for r in rs}) > 1]
                found += [(group, tuple(sorted(r.port or "" for r in rs))) for rs in many]
    return sorted(set(found))
