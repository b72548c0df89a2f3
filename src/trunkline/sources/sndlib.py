"""SNDlib networks, in XML and in the library's native text.

Links have a capacity that is installed, and modules that could be: what is there counts, else the largest module.
Costs and admissible paths are the library's design problem and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath

from trunkline.model.document import Place, Spot
from trunkline.model.problem import nearest
from trunkline.sources.reading import MBIT, Reading
from trunkline.sources.sketch import Demand, Link, Node, Sketch
from trunkline.sources.xmltree import Element, parse

TITLE = "SNDlib"
_NATIVE = "?SNDlib native format"
_UNITS = {"BITPERSEC": 1, "KBITPERSEC": 1000, "MBITPERSEC": MBIT, "GBITPERSEC": 10**9}
_SECTIONS = ("META", "NODES", "LINKS", "DEMANDS", "ADMISSIBLE_PATHS")


def told(text: str) -> bool:
    """Whether a text is one of the two forms."""
    return text.lstrip().startswith(_NATIVE) or "sndlib.zib.de/network" in text[:4000]


def read(sources: Sequence[str], reading: Reading) -> Sketch:
    """Return the network of one file."""
    text = reading.text(sources[0])
    form = _native if text.lstrip().startswith(_NATIVE) else _xml
    found = form(text, sources[0], reading)
    if any(link.capacity is not None for link in found.links) or found.demands:
        reading.ledger.apply("left-out", "costs and admissible paths")
    return found


def _unit(name: str, spot: Spot, reading: Reading) -> int:
    if name and name not in _UNITS:
        reading.faults.error("unit", spot, f"'{name}' is no unit", ", ".join(_UNITS), nearest(name, _UNITS))
    if not name:
        reading.ledger.apply("unit-assumed", "capacities and demands")
    return _UNITS.get(name, MBIT)


def _capacity(spot: Spot, installed: str, modules: Sequence[str], unit: int, reading: Reading) -> int | None:
    """Return what is installed on a link; where nothing is, its largest module; None where it has none either."""
    there = reading.bits(installed or "0", spot, "installed capacity", unit)
    if there:
        return there
    sizes = [reading.bits(size, spot, "module capacity", unit) for size in modules if size != "UNLIMITED"]
    largest = max((size for size in sizes if size), default=None)
    if largest:
        reading.ledger.apply("capacity-module", spot.field)
    return largest


def _xml(text: str, file: str, reading: Reading) -> Sketch:
    root = parse(text, file)
    structure = root.one("networkStructure")
    meta = root.all("meta")
    unit = _unit(meta[0].words("unit") if meta else "", meta[0].spot if meta else root.spot, reading)
    places = structure.one("nodes")
    drawn = places.attributes.get("coordinatesType", "geographical") != "geographical"
    if drawn:
        reading.ledger.apply("position-drawn", f"all: coordinatesType is {places.attributes['coordinatesType']}")
    nodes = [_xml_node(element, drawn, reading) for element in places.all("node")]
    links = [_xml_link(element, unit, reading) for element in structure.one("links").all("link")]
    demands = [_xml_demand(d, unit, reading) for section in root.all("demands") for d in section.all("demand")]
    return Sketch(PurePath(file).stem, TITLE, file, tuple(nodes), tuple(links), demands=tuple(demands))


def _xml_node(element: Element, drawn: bool, reading: Reading) -> Node:
    node = Node(element.attribute("id"), element.spot)
    at = element.all("coordinates")
    if drawn or not at:
        return node
    lon, lat = (reading.number(at[0].words(axis), at[0].spot, f"coordinate {axis}", None) for axis in ("x", "y"))
    return replace(node, lat=lat, lon=lon)


def _xml_link(element: Element, unit: int, reading: Reading) -> Link:
    name = element.attribute("id")
    spot = Spot(element.spot.place, name)
    installed = "".join(module.words("capacity") for module in element.all("preInstalledModule")[:1])
    offers = [module for offered in element.all("additionalModules") for module in offered.all("addModule")]
    capacity = _capacity(spot, installed, [module.words("capacity") for module in offers], unit, reading)
    return Link(element.words("source"), element.words("target"), spot, name, capacity)


def _xml_demand(element: Element, unit: int, reading: Reading) -> Demand:
    spot = Spot(element.spot.place, element.attribute("id"))
    rate = reading.bits(element.words("demandValue"), spot, "demand value", unit)
    return Demand(element.words("source"), element.words("target"), rate or 0, spot, element.attribute("id"))


def _native(text: str, file: str, reading: Reading) -> Sketch:
    rows = list(_rows(text, file, reading))
    reading.stop()
    said = {words[0]: (words[-1], spot) for section, spot, words in rows if section == "META"}
    name, spot = said.get("unit", ("", Spot(Place(file, 1, 1))))
    unit = _unit(name, spot, reading)
    nodes = tuple(_native_node(spot, words, reading) for section, spot, words in rows if section == "NODES")
    links = tuple(_native_link(spot, words, unit, reading) for section, spot, words in rows if section == "LINKS")
    traffic = tuple(_native_demand(spot, words, unit, reading) for section, spot, words in rows if section == "DEMANDS")
    reading.stop()
    return Sketch(PurePath(file).stem, TITLE, file, nodes, links, demands=traffic)


def _rows(text: str, file: str, reading: Reading) -> Iterator[tuple[str, Spot, list[str]]]:
    """Yield section, place and words (parentheses are words too) of every line inside a section."""
    section, depth = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        words = re.findall(r"[()]|[^\s(),]+", line.partition("#")[0])
        spot = Spot(Place(file, number, len(line) - len(line.lstrip()) + 1))
        if not words or line.lstrip().startswith("?"):
            continue
        depth += words.count("(") - words.count(")")
        if not section:
            section = words[0]
            if section not in _SECTIONS or words[1:] not in (["("], ["(", ")"]):
                near = nearest(section, _SECTIONS)
                reading.faults.error(
                    "section", spot, f"'{line.strip()}' opens nothing", "NAME ( of " + ", ".join(_SECTIONS), near
                )
            section = section if depth > 0 else ""
        elif depth <= 0:
            section, depth = "", 0
        else:
            yield section, spot, words
    if section:
        reading.error("section", Spot(Place(file, len(text.splitlines()), 1)), f"{section} is not closed", ")")


def _bad(spot: Spot, form: str, reading: Reading) -> None:
    reading.error("row", spot, "this line is not as it should be", form)


def _native_node(spot: Spot, words: list[str], reading: Reading) -> Node:
    match words:
        case [id_, "(", lon, lat, ")"]:
            x, y = (reading.number(value, spot, "coordinate", None) for value in (lon, lat))
            return Node(id_, spot, lat=y, lon=x)
        case [id_]:
            return Node(id_, spot)
    _bad(spot, "NAME ( longitude latitude )", reading)
    return Node(words[0], spot)


def _native_link(spot: Spot, words: list[str], unit: int, reading: Reading) -> Link:
    match words:
        case [id_, "(", a, b, ")", installed, _, _, _, "(", *modules, ")"]:
            where = Spot(spot.place, id_)
            return Link(a, b, where, id_, _capacity(where, installed, modules[::2], unit, reading))
    _bad(spot, "NAME ( A B ) capacity cost routing-cost setup-cost ( capacity cost ... )", reading)
    return Link("", "", spot)


def _native_demand(spot: Spot, words: list[str], unit: int, reading: Reading) -> Demand:
    match words:
        case [id_, "(", start, end, ")", _, value, _]:
            return Demand(start, end, reading.bits(value, spot, "demand value", unit) or 0, spot, id_)
    _bad(spot, "NAME ( A B ) routing-unit value longest-path", reading)
    return Demand("", "", 0, spot)
