"""Keys of protection: facility bypasses."""

from __future__ import annotations

from trunkline.model.keys.words import CLASS, one_or
from trunkline.model.protection import Guard, Risks
from trunkline.model.schema import LSP_RATE, PERCENT, Key, Listing, Record, choice, integer

PROTECTION = Record(
    "protection",
    "bypasses that repair at once, on the spot (RFC 4090, facility backup)",
    (
        Key(
            "bypass",
            choice(*Guard),
            "What LSPs ask for: `link`, a bypass around each circuit; `node`, around the next router too, where one is "
            "to be had.",
            "none",
        ),
        Key(
            "per_circuit",
            integer(1, 8),
            "Bypasses that LSPs over a circuit to the same merge point share at most; no two of them share a circuit.",
            "1",
        ),
        Key(
            "bandwidth",
            one_or(PERCENT, LSP_RATE),
            "What a bypass reserves: a rate, or a share such as 100% of what its LSPs reserve.",
            "0",
        ),
        Key(
            "risks",
            choice(*Risks),
            "Circuits that share a risk with what is protected: `avoid` them, `prefer` to, or `ignore` that.",
            "avoid",
        ),
        Key("classes", Listing(CLASS, least=1), "Classes whose LSPs ask.", "all"),
    ),
)
