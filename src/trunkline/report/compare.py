"""`compare` from end to end: read, measure every design, and say it as one document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from trunkline.compare.announced import announced
from trunkline.compare.compare import Comparison, compare
from trunkline.compare.designs import chosen, design
from trunkline.compare.growth import Growth, grow
from trunkline.compare.losses import Losses, losses
from trunkline.compare.migrate import Migration, migrate
from trunkline.compare.stepfiles import step_files
from trunkline.feeds.feed import Feed
from trunkline.feeds.read import read
from trunkline.feeds.synthetic import synthetic
from trunkline.model.load import Loaded, load
from trunkline.model.network import Network
from trunkline.model.policy import Rule
from trunkline.model.problem import Problem, Problems, Severity
from trunkline.model.tables import Table
from trunkline.report.files import table_document
from trunkline.report.progress import Watching


@dataclass(frozen=True)
class Wanted:
    """What is asked of a comparison: which designs, and what beside their figures."""

    designs: Sequence[str] = ()
    steps: bool = False
    """Whether to order the change from the first design to the second."""
    losses: bool = False
    """Whether to lose every peer, PR, BB, reflector and region in turn."""
    workers: int = 1
    """Processes for the losses."""
    grow: tuple[int, int] | None = None
    """From how many routers (or from the network as it is) up to how many."""
    bounds: Mapping[str, int] = field(default_factory=dict)
    """Bounds of one router, by figure."""
    feeds: Sequence[str] = ()
    """Whole tables, each `PEER=FILE`, `PEER=FILE#PEER_IN_IT` or `PEER=synthetic:SEED`; PEER may be PEER@ROUTER."""


@dataclass(frozen=True, eq=False)
class Compared:
    """A comparison with what it was read from, and growth and migration where they were asked for."""

    name: str
    file: Path
    loaded: Loaded
    comparison: Comparison
    growth: Growth | None
    migration: Migration | None
    losses: Losses | None = None
    notes: tuple[Problem, ...] = ()
    """What is to be said beside the answer."""

    @cached_property
    def tables(self) -> dict[str, Table]:
        """Every figure."""
        found = dict(self.comparison.tables)
        for more in (self.losses, self.growth, self.migration):
            found |= more.tables if more is not None else {}
        return found

    @property
    def ok(self) -> bool:
        """Whether a change of designs that was asked for can be made."""
        return self.migration is None or self.migration.failed is None

    def step_files(self) -> dict[str, bytes]:
        """Return every state of a migration as a network file, `steps/000.yaml` and on; none where there is none."""
        if self.migration is None:
            return {}
        return {f"steps/{name}": text for name, text in step_files(self.file, self.migration).items()}

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The whole answer as plain data: schema `trunkline/compare/1`."""
        net = self.comparison.net
        counts = {"routers": len(net.routers), "peers": len(net.peers), "ports": len(net.ports)}
        return {
            "schema": "trunkline/compare/1",
            "network": {"sha256": self.loaded.sha256, **counts},
            "ok": self.ok,
            "warnings": [{"code": n.code, "message": n.message} for n in self.notes],
            "designs": [m.design.name for m in self.comparison.measurements],
            "tables": {name: table_document(found) for name, found in self.tables.items()},
        }


def compared(file: Path, wanted: Wanted, console: Console, quiet: bool) -> Compared:
    """Read a network and measure its designs.  Raises Problems for bad input."""
    with Watching(console, quiet) as watching:
        loaded = load(file)
        net = loaded.network
        designs = chosen(net, wanted.designs)
        feeds = _feeds(net, wanted.feeds, watching)
        fed = announced(net, feeds) if feeds else None
        comparison = compare(net, designs, fed, watching.stage)
        lost = losses(net, designs, watching.stage, wanted.workers) if wanted.losses else None
        growth, change = None, None
        if wanted.grow:
            least, most = wanted.grow
            growth = grow(net, designs, most, wanted.bounds, watching.stage, least)
        if wanted.steps:
            before, after = (design(net, text) for text in wanted.designs[:2])  # `designs` has each but once
            change = migrate(net, before, after, wanted.bounds.get("sessions"), watching.stage)
    return Compared(loaded.name or file.stem, file, loaded, comparison, growth, change, lost, tuple(_notes(net, feeds)))


def _feeds(net: Network, texts: Sequence[str], watching: Watching) -> dict[str, Feed]:
    found: dict[str, Feed] = {}
    for text in texts:
        name, equals, what = text.partition("=")
        if not (name and equals and what) or name in found:
            message = f"'{name}' has a table already" if name in found else f"'{text}' names no table of a peer"
            raise Problems([Problem("", 0, 0, "feed", message, "", "PEER=FILE or PEER=synthetic")])
        watching.stage(f"reading the table of {name}")
        found[name] = _feed(net, name, what)
    return found


def _feed(net: Network, name: str, what: str) -> Feed:
    kind, _, seed = what.partition(":")
    if kind != "synthetic":
        file, _, peer = what.partition("#")
        return read(file, peer or None)
    if seed and not (seed.isascii() and seed.isdigit()):
        raise Problems([Problem("", 0, 0, "feed", f"'{seed}' is no seed", "", "synthetic or synthetic:1")])
    peer = net.port[name].peer if name in net.port else name
    return synthetic(net.peer[peer].asn if peer in net.peer else 1, seed=int(seed or 1))


def _notes(net: Network, feeds: Mapping[str, Feed]) -> Iterator[Problem]:
    """What a table's file held that could not be used, and which rules do not see it, as warnings."""
    fed = [peer for peer in net.peers if any(name.partition("@")[0] == peer.name for name in feeds)]
    rules: list[Rule] = [*net.ibgp.rules, *(rule for peer in fed for rule in peer.imports)]
    blind = sum(bool(rule.prefixes) for rule in rules) if feeds else 0
    if blind:
        message = (
            f"{blind} of the rules ask for prefixes, and match none of a table: its groups are counted, not listed"
        )
        yield Problem("", 0, 0, "feed-prefixes", message, severity=Severity.WARNING)
    for name, feed in feeds.items():
        if feed.broken:
            message = f"the table of {name} breaks off {feed.broken}; what stood before that is used"
            yield Problem("", 0, 0, "feed-broken", message, severity=Severity.WARNING)
        for what in feed.left_out:
            yield Problem("", 0, 0, "feed-left-out", f"the table of {name}: {what}", severity=Severity.WARNING)
