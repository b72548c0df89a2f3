"""Reads an events file: what happens to a network, in order, every name checked against the network."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from trunkline.model.document import Document, Files
from trunkline.model.draft import Draft
from trunkline.model.event import Cut, Event, Grow, Overload, Reoptimize, Restore
from trunkline.model.network import Network
from trunkline.model.problem import Problems
from trunkline.model.schema import EVENTS
from trunkline.model.tree import Map, Seq, Text, decode, parse
from trunkline.model.typed import BAD, Reader, Row


def load_events(path: Path | str, net: Network) -> tuple[Event, ...]:
    """Return the events of a file in order.  Raises Problems: all errors of the run, sorted by place."""
    files = Files()
    file = str(path)
    tree = parse(file, decode(file, files.read(file)))
    if isinstance(tree, Seq | Text):
        tree = Map(((Text("events", tree.place), tree),), tree.place)
    reader = Reader()
    root = reader.read(tree, EVENTS, "")
    draft = Draft(
        Document((file,), "", tree, reader.places), root if isinstance(root, Row) else Row(""), reader.problems
    )
    script = _Script(draft, net)
    events = [script.event(i, given) for i, given in enumerate(draft.root.get("events", [])) if given is not BAD]
    if draft.problems:
        raise Problems(draft.problems)
    return tuple(event for event in events if event is not None)


class _Script:
    """Reads one event after the other; knows what is down at each."""

    def __init__(self, draft: Draft, net: Network) -> None:
        self.draft = draft
        self.down: set[str] = set()
        ends = {*net.router, *net.group}
        self.things: Collection[str] = {
            *net.router,
            *net.circuit,
            *net.port,
            *net.peer,
            *net.regions,
            *(site.name for site in net.sites),
            *(risk for circuit in net.circuits for risk in circuit.risks),
        }
        self.routers: Collection[str] = net.router
        self.scopes: dict[str, tuple[Collection[str], str]] = {
            "class": (net.cls, "class"),
            "from": (ends | net.peer.keys(), "data centre, router, peer or prefix group"),
            "to": (ends, "data centre, router or prefix group"),
        }

    def event(self, i: int, row: Any) -> Event | None:
        """Return one event, or None after reporting why not."""
        if not isinstance(row, Row):
            return Reoptimize()
        if "cut" in row:
            things = self.draft.all_known(row, "cut", self.things, "circuit, router, port, peer, site, region or risk")
            self.down |= set(things)
            return self._named(row, "cut", Cut(tuple(things)))
        if "restore" in row:
            return self._restore(row)
        if "overload" in row:
            routers = self.draft.all_known(row, "overload", self.routers, "router")
            return self._named(row, "overload", Overload(tuple(routers)))
        return self._grow(row["grow"]) if "grow" in row else None

    def _named(self, row: Row, key: str, event: Event) -> Event:
        if not row[key]:
            self.draft.error(row.at(key), "empty", f"`{key}` names nothing", "a name, or a list of names")
        return event

    def _restore(self, row: Row) -> Event:
        things = []
        for i, name in enumerate(row["restore"]):
            field = f"{row.at('restore')}[{i}]"
            if self.draft.known(field, name, self.things, "circuit, router, port, peer, site, region or risk"):
                if name not in self.down:
                    down = ", ".join(sorted(self.down)) or "nothing, for nothing is down here"
                    self.draft.error(field, "conflict", f"'{name}' is not down at this point", down)
                self.down.discard(name)
                things.append(name)
        return self._named(row, "restore", Restore(tuple(things)))

    def _grow(self, row: Row) -> Event:
        for key, (valid, noun) in self.scopes.items():
            if key in row:
                self.draft.known(row.at(key), row[key], valid, noun)
        return Grow(row.get("factor", 0), row.get("class"), row.get("from"), row.get("to"))
