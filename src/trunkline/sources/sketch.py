"""What a source says, in one shape for all formats: nothing is made up here.

Rates are bit/s, times microseconds, lengths kilometres, positions degrees; None is what the source does not say.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from trunkline.model.document import Spot


@dataclass(frozen=True)
class Node:
    """A router.  `id` is what links call it, `name` what people do; `site` is where it stands."""

    id: str
    spot: Spot
    name: str = ""
    site: str = ""
    region: str = ""
    role: str = ""
    lat: Decimal | None = None
    lon: Decimal | None = None


@dataclass(frozen=True)
class Link:
    """A link between the nodes of ids `a` and `b`; `metric` is from a to b, `metric_back` from b to a."""

    a: str
    b: str
    spot: Spot
    name: str = ""
    capacity: int | None = None
    metric: int | None = None
    metric_back: int | None = None
    latency: int | None = None
    length: Decimal | None = None
    reservable: int | None = None
    risks: tuple[str, ...] = ()
    rsvp: bool = True


@dataclass(frozen=True)
class Lsp:
    """An LSP.  `bandwidth` None follows its demands; `path` holds positions in the sketch's links, () is dynamic."""

    name: str
    head: str
    tail: str
    spot: Spot
    bandwidth: int | None = None
    setup: int | None = None
    hold: int | None = None
    path: tuple[int, ...] = ()


@dataclass(frozen=True)
class Demand:
    """Traffic between the nodes of ids `source` and `target`."""

    source: str
    target: str
    rate: int
    spot: Spot
    name: str = ""


@dataclass(frozen=True)
class Sketch:
    """A network as a source has it, in the source's order; `origin` says what it was, `notes` what to know about it."""

    name: str
    origin: str
    file: str
    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    lsps: tuple[Lsp, ...] = ()
    demands: tuple[Demand, ...] = ()
    notes: tuple[str, ...] = ()
