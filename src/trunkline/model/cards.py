"""Line cards of routers from what was read: each with the circuits and peer ports that fail with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from trunkline.model.names import Names
from trunkline.model.nouns import Card, Circuit, Peer, Router
from trunkline.model.read import Entry, Items, Word


def cards_of(
    root: Entry, routers: Mapping[str, Router], circuits: Iterable[Circuit], peers: Iterable[Peer], names: Names
) -> dict[str, Router]:
    """Return the routers with their cards; what ends elsewhere, or is on two cards of one router, is noted."""
    ends = {c.name: {c.a, c.b} for c in circuits} | {p.name: {p.router} for peer in peers for p in peer.ports}
    found = dict(routers)
    for key, entry in root.rows("routers"):
        rows = entry.rows("cards") if isinstance(entry, Entry) else ()
        on: dict[str, str] = {}
        cards = []
        for name, value in rows:
            card = f"{key.data}/{name.data}"
            names.define("card", card, name.spot)
            words = value.items if isinstance(value, Items) else (value,)
            for word in (w for w in words if isinstance(w, Word)):
                _check(word, card, ends, on, names)
            cards.append(Card(card, tuple(sorted(thing for thing, where in on.items() if where == card))))
        if cards and key.data in routers:
            found[str(key.data)] = replace(routers[str(key.data)], cards=tuple(sorted(cards, key=lambda c: c.name)))
    return found


def _check(word: Word, card: str, ends: Mapping[str, set[str]], on: dict[str, str], names: Names) -> None:
    """Note where a thing cannot be on a card; `on` has the card of each thing of the router so far."""
    thing, router = str(word.data), card.partition("/")[0]
    if thing in ends and router not in ends[thing]:
        elsewhere = " and ".join(sorted(ends[thing]))
        message = f"'{thing}' ends at {elsewhere}, not at '{router}'"
        names.faults.error("card", word.spot, message, "a circuit or peer port of this router")
    elif thing in on:
        names.faults.error("card", word.spot, f"'{thing}' is on the card '{on[thing]}' too", "each on one card")
    on.setdefault(thing, card)
