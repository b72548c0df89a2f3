"""The formats that can be imported, and which of them a source is in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trunkline.model.document import Place, Spot
from trunkline.model.problem import Problem, Problems, nearest
from trunkline.sources import esnet, graphml, hub, netbox, nodelink, pyntm, sndlib, tables
from trunkline.sources.reading import Reading
from trunkline.sources.sketch import Sketch


@dataclass(frozen=True)
class Format:
    """A format: what it is, how many sources it takes at most, who reads it, and how its text is told."""

    title: str
    most: int
    read: Callable[[Sequence[str], Reading], Sketch]
    told: Callable[[str], bool] = lambda _: False


FORMATS = {
    "topohub": Format(hub.TITLE, 1, hub.read),
    "netbox": Format(netbox.TITLE, 1, netbox.read),
    "graphml": Format(graphml.TITLE, 1, graphml.read, graphml.told),
    "esnet": Format(esnet.TITLE, 2, esnet.read, esnet.told),
    "pyntm": Format(pyntm.TITLE, 1, pyntm.read, pyntm.told),
    "node-link": Format(nodelink.TITLE, 2, nodelink.read, nodelink.told),
    "sndlib": Format(sndlib.TITLE, 1, sndlib.read, sndlib.told),
    "csv": Format(tables.TITLE, 4, tables.read, tables.told),
}
"""By the name that `--format` takes; told apart in this order by how the first source begins."""
SCHEMES = ("topohub", "netbox")
"""Formats whose source is no file: `topohub:NAME`, `netbox:URL`."""


def pick(sources: Sequence[str], asked: str | None, reading: Reading) -> Format:
    """Return the format of the sources.  Raises Problems where it is unknown, or takes fewer sources."""
    first = Spot(Place(sources[0], 1, 1))
    name = asked or _scheme(sources[0]) or _told(sources[0], reading)
    if name not in FORMATS:
        message = f"no format is called '{name}'" if asked else "nothing says what this is"
        known = "one of " + ", ".join(f"{name} ({known.title})" for name, known in FORMATS.items())
        found = Problem(sources[0], 0, 0, "format", message, expected=known, nearest=nearest(name, FORMATS))
        raise Problems([found])
    found_format = FORMATS[name]
    if len(sources) > found_format.most:
        wanted = "one source" if found_format.most == 1 else f"at most {found_format.most}"
        reading.error("sources", first, f"{len(sources)} sources are given, and {name} takes {wanted}")
        reading.stop()
    return found_format


def _scheme(source: str) -> str:
    scheme, colon, _ = source.partition(":")
    return scheme if colon and scheme in SCHEMES else ""


def _told(source: str, reading: Reading) -> str:
    begins = reading.text(source)
    return next((name for name, known in FORMATS.items() if known.told(begins)), "")
