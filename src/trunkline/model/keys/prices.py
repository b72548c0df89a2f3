"""Keys of what can be bought, and for how much."""

from __future__ import annotations

from trunkline.model.keys.topology import CIRCUIT
from trunkline.model.schema import NAME, RATE, Key, Listing, Record, decimal

PRICE = decimal(0, 10**9, "a price")
CANDIDATE = Record(
    "candidate",
    "a circuit that could be built: a circuit's keys and `price`",
    (*(key for key in CIRCUIT.keys if key.name != "count"), Key("price", PRICE, "What it costs whole.", required=True)),
    exclusive=(("latency", "length"),),
    defaults="circuits",
)
PRICES = Record(
    "prices",
    "what can be bought",
    (
        Key("unit", NAME, "What prices are in: a word of yours, such as kEUR.", required=True),
        Key(
            "circuit",
            Record(
                "optics",
                "optics and fibre of one member",
                (
                    Key("per_end", PRICE, "Optics and router port, each end of a member.", "0"),
                    Key("per_km", PRICE, "Each km of a member, at 4.9 us a km.", "0"),
                ),
            ),
            "One more member of a circuit, built up.",
            "by `member` alone",
        ),
        Key(
            "member",
            Listing(
                Record(
                    "member",
                    "one more member of a capacity",
                    (
                        Key("capacity", RATE, "Of one member.", required=True),
                        Key("price", PRICE, "What it costs whole, in place of `circuit`.", required=True),
                    ),
                )
            ),
            "One more member of a circuit whose members have this capacity.",
            "none",
        ),
        Key("port", PRICE, "One more peer port beside one: as much capacity and commit.", "none can be had"),
        Key("candidates", Listing(CANDIDATE), "Circuits that could be built.", "none"),
    ),
)
