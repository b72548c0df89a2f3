"""Keys of what fails together, what is taken out for maintenance, and how often things fail."""

from __future__ import annotations

from trunkline.model.rates import DEFAULTS, HOUR, Rate
from trunkline.model.schema import NAME, REPAIR, THING, THING_KINDS, TIME, Key, Listing, Named, Record, decimal, ref

_PER_YEAR = decimal(0, 100_000, "failures a year")
_FIBRE = ref("circuit", "risk")


_FIGURES = (
    Key("per_year", _PER_YEAR, "Failures a year.", "its kind's"),
    Key("repair", REPAIR, "Mean time to repair.", "its kind's"),
    Key("detection", TIME, "Until those beside it know, and what is protected is on its bypass.", "its kind's"),
    Key("convergence", TIME, "From then on until the network has settled again.", "its kind's"),
)
_RATE = Record("rate", "failures a year and what follows each", _FIGURES)
_SEA = Record(
    "submarine rate",
    "the same, and whose fibre it is",
    (
        *_FIGURES,
        Key("of", Listing(_FIBRE, least=1), "Circuits, and risks of circuits, whose fibre lies in the sea.", "none"),
    ),
)
_KINDS = {
    "fibre": "Cuts per 1,000 km of a circuit between two sites.",
    "submarine": "Cuts per 1,000 km of fibre in the sea.",
    "circuit": "The optics at both ends of a circuit that is no bundle.",
    "member": "One member of a bundle.",
    "card": "A line card of a router.",
    "router": "A router.",
    "site": "A site: power, cooling, fire.",
    "region": "A region.",
    "peer": "A peer, at all of its ports.",
    "port": "A peer port and its session.",
    "risk": "What circuits share, beside the fibre of each.",
}


def _said(rate: Rate) -> str:
    """A default as the file would have it."""
    times = f"{rate.repair // HOUR}h, {rate.detection // 1000}ms, {rate.convergence // 1000}ms"
    return f"{rate.per_year} a year, {times}"


RATES = Record(
    "rates",
    "failures a year and times to repair, by kind or by name",
    (
        *(
            Key(kind, _SEA if kind == "submarine" else _RATE, doc, _said(DEFAULTS[kind]))
            for kind, doc in _KINDS.items()
        ),
        Key(
            "named",
            Named(_RATE, THING),
            f"One thing by name: {', '.join(THING_KINDS)}. `per_year` of a circuit is for its fibre and ends together.",
            "none",
        ),
    ),
)
FAILURES = Record(
    "failures",
    "what fails together, what is maintained, and how often things fail",
    (
        Key(
            "sets",
            Named(Listing(THING, least=1), NAME),
            "Things that fail together, by a name of their own: circuits, cards, routers, peer ports, peers, "
            "sites, regions, shared risks.",
            "none",
        ),
        Key(
            "maintenance",
            Listing(THING, least=1),
            "What is taken out for maintenance, one at a time, while every single failure hits what is left.",
            "none",
        ),
        Key("rates", RATES, "How often things fail, and for how long.", "all defaults"),
    ),
)
