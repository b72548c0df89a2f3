"""Keys of what fails together and what is taken out for maintenance."""

from __future__ import annotations

from trunkline.model.schema import NAME, THING, Key, Listing, Named, Record

FAILURES = Record(
    "failures",
    "what fails together, and what is maintained",
    (
        Key(
            "sets",
            Named(Listing(THING, least=1), NAME),
            "Things that fail together, by a name of their own: circuits, routers, peer ports, peers, sites, regions, "
            "shared risks.",
            "none",
        ),
        Key(
            "maintenance",
            Listing(THING, least=1),
            "What is taken out for maintenance, one at a time, while every single failure hits what is left.",
            "none",
        ),
    ),
)
