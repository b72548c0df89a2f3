"""Keys of an events file."""

from __future__ import annotations

from trunkline.model.keys.words import CLASS, ROUTER, SOURCE, TARGET, one_or
from trunkline.model.schema import FACTOR, THING, Key, Listing, Record, choice

GROW = Record(
    "grow",
    "a growth's keys",
    (
        Key("factor", FACTOR, "What rates are multiplied by, such as 1.4 or 140%.", required=True),
        Key("class", CLASS, "Only demands of this class.", "all"),
        Key("from", SOURCE, "Only demands from here.", "all"),
        Key("to", TARGET, "Only demands to here.", "all"),
    ),
)
EVENT = Record(
    "event",
    "one of cut, restore, grow and overload",
    (
        Key(
            "cut",
            Listing(THING, least=1),
            "These fail together: circuits, cards, routers, peer ports, peers, sites, regions, shared risks.",
        ),
        Key("restore", Listing(THING, least=1), "These come back; each must be down."),
        Key("grow", GROW, "Demands grow."),
        Key("overload", Listing(ROUTER, least=1), "These routers set the overload bit."),
    ),
    exclusive=(("cut", "restore", "grow", "overload"),),
)
EVENTS = Listing(one_or(choice("reoptimize"), EVENT))
EVENTS_FILE = one_or(
    EVENTS, Record("events", "`events`", (Key("events", EVENTS, "What happens, in order.", required=True),))
)
