"""A device in FRR's words: one file per daemon, and all of them as one `frr.conf`.

Templates stand beside this file; a folder of the user's own may replace a template, or single blocks of it with
`{% extends "builtin/bgpd.conf.j2" %}`.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PackageLoader, PrefixLoader, StrictUndefined
from jinja2.exceptions import TemplateError, TemplateSyntaxError

from trunkline.bgp.design import Relation, paths_to
from trunkline.bgp.policy import passes
from trunkline.devices.device import Device, External
from trunkline.devices.frr import sessions
from trunkline.devices.policy import Clause, filters, large, peer_rules, plain, tags
from trunkline.model.network import Network
from trunkline.model.nouns import DEFAULT_GROUP, Circuit, Family, Kind
from trunkline.model.problem import Problem, Problems
from trunkline.model.route import LOCAL_PREF, Route, originated
from trunkline.model.units import exact_rate

DAEMONS = ("zebra", "bfdd", "isisd", "staticd", "bgpd")
"""In the order in which they are started and written."""

FAST = 10**10 % 2**32 + 127
"""bit/s above which a circuit is faster than FRR's guess for a veth (zebra.conf.j2 says why that matters).

The guess is 10 Gbit/s in 32 bits, and a float32 of bytes per second there is 128 bit/s wide."""

PREFIX = "r+"
"""Before the hostname of a router whose name begins with a point, an underscore or a hyphen."""


@dataclass(frozen=True)
class Secrets:
    """Values of secrets by name; without them a configuration holds references such as `${core}`."""

    values: Mapping[str, str] | None = None

    def __call__(self, name: str) -> str:
        """Return the value, or the reference where there are no values.  Raises Problems where one lacks."""
        if self.values is None:
            return f"${{{name}}}"
        if name not in self.values:
            raise Problems([Problem("", 0, 0, "secret", f"no secret is named '{name}'", "", "it in the secrets file")])
        return self.values[name]


def hostname(router: str) -> str:
    """Return what FRR calls a router: it wants a letter or a digit first.  No router's name has a `+` in it."""
    return router if router[0].isalnum() else f"{PREFIX}{router}"


def router_of(hostname: str) -> str:
    """Return the router whose hostname this is."""
    return hostname.removeprefix(PREFIX)


def environment(templates: Path | None = None) -> Environment:
    """Return the templates: the user's first, then ours; ours also as `builtin/NAME`."""
    ours = PackageLoader("trunkline.devices.frr", "templates")
    own = [FileSystemLoader(templates)] if templates else []
    env = Environment(
        loader=ChoiceLoader([*own, ours, PrefixLoader({"builtin": ours})]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  # configuration, not HTML
    )
    env.filters |= {
        "rate": exact_rate,
        "bandwidth": bandwidth,
        "maximum": maximum,
        "bitmask": lambda bits: f"0x{sum(1 << bit for bit in bits):x}",
        "hostname": hostname,
        "version": {"v4": 4, "v6": 6}.__getitem__,
        "session": sessions.name,
        "list_name": sessions.list_name,
        "rule_prefixes": sessions.rule_prefixes,
        "plain": plain,
        "large": large,
    }
    return env


LACKS = {
    "best_external": "FRR 8.4 tells its best path or nothing: `add_path: all` tells the others too",
    "optimal": "FRR 8.4 chooses one best path for all clients: `add_path: all` lets each choose for itself",
    "add_path": "FRR 8.4 tells the best path, `all`, or the best `per-as`; there is no number",
}
"""Keys of `ibgp` that FRR has nothing for, and what it has."""


def check(net: Network) -> None:
    """Raise Problems where the network asks for what FRR has not."""
    ibgp = net.ibgp
    numbers = any(paths_to(ibgp, relation).isdigit() for relation in Relation)
    asked = {"best_external": ibgp.best_external, "optimal": ibgp.optimal, "add_path": numbers}
    problems = [
        Problem("", 0, 0, "frr-lacks", f"FRR cannot be told this: {LACKS[key]}", f"ibgp.{key}")
        for key, wanted in asked.items()
        if wanted
    ]
    if problems:
        raise Problems(problems)


def render(device: Device, env: Environment, secrets: Secrets = Secrets()) -> dict[str, str]:
    """Return a device's configuration by daemon.  Raises whatever a user's template raises."""
    net, router = device.net, device.router

    def clauses(side: str, other: str) -> tuple[Clause, ...]:
        between = (router.region, other) if side == "export" else (other, router.region)
        return filters(net, side, *between)

    def rules(side: str, e: External) -> tuple[Clause, ...]:
        return peer_rules(net, e.peer, side, router.name)

    def default_to(region: str, family: str) -> Route | None:
        if not device.fallback:
            return None
        own = originated(net, DEFAULT_GROUP, Family(family), router.name, Kind.DEFAULT)
        return passes(net, own, "export", router.region, region)

    exports = partial(sessions.exports, device)
    regions = tuple(dict.fromkeys(group.region for group in device.peer_groups))
    matched = [c for region in regions for side in ("export", "import") for c in clauses(side, region)]
    matched += [c for e in device.externals for c in (*exports(e), *rules("import", e), *rules("export", e))]
    names = {
        "device": device,
        "router": router,
        "net": net,
        "fast": FAST,
        "preference": {str(kind): value for kind, value in LOCAL_PREF.items()},
        "lists": sessions.lists(matched),
        "as_path_lists": sessions.as_path_lists(matched),
        "community_lists": sessions.community_lists(matched),
        "prefix_lists": sessions.prefix_lists(device, matched),
        "secret": secrets,
        "regions": regions,
        "clauses": clauses,
        "rules": rules,
        "default_to": default_to,
        "own_tags": lambda kind, group: tags(net, Kind(kind), router.region, None, group),
        "imports": partial(sessions.imports, device),
        "exports": exports,
        "is_listed": lambda group: bool(net.group[group.name].prefixes),
    }
    return {daemon: _tidy(env.get_template(f"{daemon}.conf.j2").render(names)) for daemon in DAEMONS}


def broken(error: Exception) -> Problems:
    """Return what a user's template raised, with the line of the template that did."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(".j2")]
    where, line = (frames[-1].filename, frames[-1].lineno or 0) if frames else ("", 0)
    if isinstance(error, TemplateSyntaxError):
        where, line = error.filename or error.name or "", error.lineno
    told = str(error) if isinstance(error, TemplateError) else f"{type(error).__name__}: {error}"
    return Problems([Problem(where, line, 1 if line else 0, "template", told)])


def whole(parts: Mapping[str, str]) -> str:
    """Return one `frr.conf` of what the daemons are told: what several repeat stands once, at the top."""
    head: list[str] = []
    bodies = []
    for daemon in DAEMONS:
        lines = parts[daemon].splitlines()
        end = lines.index("!") if "!" in lines else len(lines)
        head += [line for line in lines[:end] if line not in head]
        bodies += lines[end:]
    return "\n".join([*head, *bodies, "!", "end"]) + "\n"


def _tidy(text: str) -> str:
    """No blank lines, no spaces at the end of a line."""
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip()) + "\n"


def bandwidth(bps: int) -> str:
    """Return bit/s as FRR takes it: bytes per second, an IEEE 754 float rounded down (RFC 5305 3.4)."""
    return f"{_below(bps):.9g}"


def maximum(circuit: Circuit) -> str:
    """Return the maximum link bandwidth; FRR wants it above the reservable one, so equal ones differ by one step."""
    reservable = np.float32(_below(circuit.reservable))
    capacity = np.float32(_below(circuit.capacity))
    return f"{float(capacity if capacity > reservable else np.nextafter(reservable, np.float32(np.inf))):.9g}"


def _below(bps: int) -> float:
    """The largest float32 that is at most bps / 8."""
    near = np.float32(bps / 8)
    return float(near if float(near) * 8 <= bps else np.nextafter(near, np.float32(0)))
