"""`headroom` from end to end: read, probe, prove, and say it as one document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from trunkline.model.load import Loaded, load
from trunkline.model.network import Network
from trunkline.model.problem import Problem, Problems, nearest
from trunkline.model.tables import Table
from trunkline.report.files import table_document
from trunkline.report.progress import Watching
from trunkline.risk.headroom import Limit, Proof, limits_table, matrix, prove
from trunkline.risk.room import entries
from trunkline.risk.surviving import surviving


@dataclass(frozen=True)
class Wanted:
    """What is asked: of which class, surviving what, between which two sites (None: all of them)."""

    cls: str
    surviving: str
    pair: tuple[str, str] | None
    workers: int = 1


@dataclass(frozen=True, eq=False)
class Headroom:
    """What can be added between sites; proved by replay where it is about one pair."""

    name: str
    loaded: Loaded
    wanted: Wanted
    scenarios: int
    """How many failures were tried."""
    limits: tuple[Limit, ...]
    proof: Proof | None

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The table `headroom`."""
        return {"headroom": limits_table(self.limits, self.wanted.cls)}

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The whole answer as plain data: schema `trunkline/headroom/1`."""
        proof = self.proof
        return {
            "schema": "trunkline/headroom/1",
            "network": {"sha256": self.loaded.sha256},
            "class": self.wanted.cls,
            "surviving": self.wanted.surviving,
            "scenarios": self.scenarios,
            "proved": proof is not None,
            "beyond": None
            if proof is None
            else {
                "rate": proof.beyond,
                "loses": proof.loses.what,
                "by": proof.loses.rate,
            },
            "tables": {name: table_document(found) for name, found in self.tables.items()},
        }


def headroom(file: Path, wanted: Wanted, console: Console, quiet: bool) -> Headroom:
    """Read a network and say what can be added.  Raises Problems for bad input."""
    with Watching(console, quiet) as watching:
        loaded = load(file)
        net = loaded.network
        check_names(net, wanted.cls, wanted.pair or ())
        failures = surviving(net, wanted.surviving)
        proof, limits = None, tuple[Limit, ...]()
        if wanted.pair is None:
            limits = matrix(net, wanted.cls, failures, wanted.workers, watching.stage)
        else:
            proof = prove(net, wanted.pair, wanted.cls, failures, wanted.workers, watching.stage)
            limits = (proof.limit,)
    return Headroom(loaded.name or file.stem, loaded, wanted, len(failures), limits, proof)


def check_names(net: Network, cls: str | None, sites: Iterable[str]) -> None:
    """Raise Problems for a class or a site that is not there, a site where nothing can start, and one named twice."""
    names, sites = [site.name for site in net.sites], tuple(sites)
    found = []
    if cls is not None and cls not in net.cls:
        found.append(_problem(f"no class is named '{cls}'", "class", nearest(cls, net.cls)))
    for site in dict.fromkeys(sites):
        if site not in names:
            found.append(_problem(f"no site is named '{site}'", "site", nearest(site, names)))
        elif not entries(net, site):
            found.append(_problem(f"the site '{site}' has no router", "site"))
    if len(set(sites)) < len(sites):
        found.append(_problem(f"from '{sites[0]}' to itself there is nothing to carry", "site"))
    if found:
        raise Problems(found)


def _problem(message: str, field: str, near: str = "") -> Problem:
    return Problem("", 0, 0, "reference", message, field, nearest=near)
