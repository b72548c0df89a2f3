"""Every router's configuration for one network operating system, and how it is written down."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import yaml

from trunkline.devices.device import devices
from trunkline.devices.frr import render as frr
from trunkline.model.network import Network
from trunkline.model.nouns import Circuit
from trunkline.model.problem import Problem, Problems, nearest

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
        made[name] = frr.whole(frr.render(found[name], env, secrets or frr.Secrets()))
    return made


def read_secrets(path: Path) -> frr.Secrets:
    """Return the secrets of a YAML file of `name: value` lines.  Raises Problems where it is none."""
    try:
        found = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506  # makes only text
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "it is no YAML file"
        raise Problems([Problem(str(path), 0, 0, "secrets", why, "", "lines such as `core: secret`")]) from None
    if not isinstance(found, dict) or not all(isinstance(value, str) and value for value in found.values()):
        raise Problems(
            [Problem(str(path), 0, 0, "secrets", "it is no map of texts", "", "lines such as `core: secret`")]
        )
    return frr.Secrets(found)


def files(configs: Mapping[str, str]) -> dict[str, str]:
    """Return what a folder for these configurations holds, by file name: `ROUTER/frr.conf` and `ROUTER/daemons`."""
    daemons = "".join(f"{daemon}=yes\n" for daemon in frr.DAEMONS)
    found = {f"{router}/frr.conf": text for router, text in configs.items()}
    return found | {f"{router}/daemons": daemons for router in configs}


def cautions(net: Network) -> list[str]:
    """Return what FRR is known to do otherwise than the network says, in words.

    After a flap of the longer of two parallel circuits FRR sends by it at the metric of the shorter (FRR issue 19470).
    """
    pairs: dict[tuple[str, str], list[Circuit]] = defaultdict(list)
    for circuit in net.circuits:
        one, other = sorted((circuit.a, circuit.b))
        pairs[one, other].append(circuit)
    return [
        f"{' and '.join(c.name for c in many)} are parallel with different metrics: once the longer one has been down, "
        "FRR may keep to it (FRR issue 19470)"
        for many in pairs.values()
        if len({(c.metric_ab, c.metric_ba) if c.a < c.b else (c.metric_ba, c.metric_ab) for c in many}) > 1
    ]
