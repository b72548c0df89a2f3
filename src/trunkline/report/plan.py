"""`plan` from end to end: read, prove, judge; every way of showing the answer starts from this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rich.console import Console

from trunkline.flow import Proof, prove
from trunkline.model.event import Event, after
from trunkline.model.load import Loaded, load, load_events
from trunkline.model.network import Network
from trunkline.model.nouns import Condition
from trunkline.model.problem import Problem
from trunkline.report.files import plan_document
from trunkline.report.progress import Watching
from trunkline.report.summary import summarise


@dataclass(frozen=True, eq=False)
class Planning:
    """A proof with what it was read from."""

    name: str
    loaded: Loaded
    proof: Proof
    summary: Mapping[str, Any]
    """The figures that fit on a screen."""

    @cached_property
    def notes(self) -> tuple[Problem, ...]:
        """The warnings of the file and of the results."""
        return (*self.loaded.warnings, *self.proof.settled.warnings)

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The whole answer as plain data."""
        return plan_document(self.proof, self.loaded.sha256, self.summary, self.notes)


def planned(net: Path, events: tuple[Path, ...], workers: int, console: Console, quiet: bool) -> Planning:
    """Read a network and its events, prove it and judge it.  Raises Problems for bad input."""
    with Watching(console, quiet) as watching:
        loaded, proof = _proved(net, events, workers, watching)
        watching.stage("other orders of signalling")
        return Planning(loaded.name or net.stem, loaded, proof, summarise(proof))


def proved(net: Path, events: tuple[Path, ...], console: Console, quiet: bool) -> Proof:
    """Read a network and its events and prove it, no more.  Raises Problems for bad input."""
    with Watching(console, quiet) as watching:
        return _proved(net, events, 1, watching)[1]


def _proved(net: Path, events: tuple[Path, ...], workers: int, watching: Watching) -> tuple[Loaded, Proof]:
    loaded = load(net)
    history = read_history(events, loaded.network)
    return loaded, prove(loaded.network, history, watching.stage, workers)


def read_history(files: tuple[Path, ...], net: Network) -> list[Event]:
    """Return the events of all files, in order."""
    history: list[Event] = []
    condition = Condition()
    for file in files:
        for event in load_events(file, net, condition):
            condition = after(condition, event)
            history.append(event)
    return history
