"""XML as a tree that knows where everything stands.

Document types are refused: entities are how a small file becomes a large one, and no network needs them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.parsers import expat

from trunkline.model.document import Place, Spot
from trunkline.model.problem import Problem, Problems

MAX_DEPTH = 100


@dataclass
class Element:
    """An element: its name without namespace, attributes, children, and the text directly inside it."""

    name: str
    attributes: dict[str, str]
    spot: Spot
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def attribute(self, name: str) -> str:
        """Return an attribute.  Raises Problems where it is missing."""
        if name not in self.attributes:
            raise refused("attribute", self.spot.place, f"<{self.name}> has no `{name}`", f'{name}="..."')
        return self.attributes[name].strip()

    def all(self, name: str) -> list[Element]:
        """Return the children of a name."""
        return [child for child in self.children if child.name == name]

    def one(self, name: str) -> Element:
        """Return the first child of a name.  Raises Problems where there is none."""
        for child in self.children:
            if child.name == name:
                return child
        raise refused("element", self.spot.place, f"<{self.name}> has no <{name}>", f"<{name}> inside it")

    def words(self, name: str) -> str:
        """Return the text of the first child of a name, stripped; empty where there is none."""
        return next((child.text.strip() for child in self.children if child.name == name), "")


def refused(code: str, place: Place, message: str, expected: str = "") -> Problems:
    """Return the exception for a text that cannot be read on from here."""
    return Problems([Problem(place.file, place.line, place.column, code, message, expected=expected)])


def parse(text: str, file: str) -> Element:
    """Return the outermost element.  Raises Problems where the text is no XML or declares a document type."""
    builder = _Builder(file)
    try:
        builder.parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError as error:
        place = Place(file, error.lineno, error.offset + 1)
        raise refused("syntax", place, f"this is not XML: {expat.ErrorString(error.code)}") from None
    return builder.root


class _Builder:
    def __init__(self, file: str) -> None:
        self.file = file
        self.parser = expat.ParserCreate("utf-8")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self._doctype
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._text
        self.open: list[Element] = []

    def _place(self) -> Place:
        return Place(self.file, self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1)

    def _doctype(self, *_: object) -> None:
        raise refused("doctype", self._place(), "document types and entities are not read", "XML without <!DOCTYPE>")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self.open) == MAX_DEPTH:
            raise refused("depth", self._place(), "nested too deeply", f"at most {MAX_DEPTH} levels")
        element = Element(name.rpartition(":")[2], attributes, Spot(self._place()))
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def _end(self, _: str) -> None:
        self.open.pop()

    def _text(self, text: str) -> None:
        self.open[-1].text += text
