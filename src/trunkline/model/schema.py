"""What a value of the file may be: the types that `keys` builds its one table from.

Each type says what it expects in words; the reader, the reference and the JSON Schema all read these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network, NetmaskValueError

from trunkline.model import units

Atom = str | int | bool | Decimal | IPv4Address | IPv6Address | IPv4Network | IPv6Network

MAX_RATE = 10**18
"""The largest rate in a file, and of all demands and LSPs in all, bit/s: no sum of them leaves int64."""
MAX_TIME = 10**9
"""The longest latency in a file, microseconds."""


class Refused(ValueError):
    """A scalar's text is not of its type."""

    def __init__(self, code: str, message: str, expected: str = "") -> None:
        self.code, self.message, self.expected = code, message, expected
        super().__init__(message)


@dataclass(frozen=True)
class Scalar:
    """A value of one word.  `read` turns its text into an atom or raises Refused."""

    name: str
    expected: str
    read: Callable[[str], Atom]
    json: Mapping[str, object]
    kinds: tuple[str, ...] = ()
    """What a name must name, where it is a reference: `router`, `class` and so on."""
    also: tuple[str, ...] = ()
    """Words with a meaning of their own where a reference is expected."""


@dataclass(frozen=True)
class Listing:
    """A list.  One text stands for a list of its words, so that a CSV cell can hold it."""

    of: Type
    least: int = 0

    @property
    def words(self) -> bool:
        """Whether the items are single words."""
        return isinstance(self.of, Scalar)


@dataclass(frozen=True)
class Named:
    """A map from names to values of one type; `flat` allows a plain list of names instead."""

    of: Type
    keys: Scalar
    flat: bool = False


@dataclass(frozen=True)
class Key:
    """One key of a record: the row of the table that validates, documents and completes it."""

    name: str
    type: Type
    doc: str
    default: str = ""
    """In words; what the key is when it is left out."""
    required: bool = False
    own: bool = False
    """Whether it is an entry's own, so that `defaults` cannot give it."""


@dataclass(frozen=True)
class Record:
    """A map with fixed keys.  Of `exclusive` keys one may be given; `mark` tells it from its alternatives."""

    name: str
    doc: str
    keys: tuple[Key, ...]
    exclusive: tuple[tuple[str, ...], ...] = ()
    mark: str = ""
    defaults: str = ""
    """The key of `defaults` that completes it."""

    def key(self, name: str) -> Key | None:
        """Return a key by name."""
        return next((k for k in self.keys if k.name == name), None)

    def partial(self) -> Record:
        """Return the record as `defaults` takes it: no key required, none that is an entry's own."""
        keys = tuple(replace(k, required=False) for k in self.keys if not k.own)
        return replace(self, keys=keys, defaults="", mark="")


@dataclass(frozen=True)
class Either:
    """One of several types, told apart by the shape of what is written."""

    options: tuple[Type, ...]


Type = Scalar | Listing | Named | Record | Either


def expected(kind: Type) -> str:
    """Return what a type expects, in words."""
    match kind:
        case Scalar():
            return kind.expected
        case Listing(of=of):
            return f"a list, each {expected(of)}"
        case Named(of=of, keys=keys):
            return f"a map from {keys.expected} to {expected(of)}"
        case Record():
            return f"a map of {kind.doc}"
        case Either(options=options):
            words = [expected(option) for option in options]
            return ", ".join(words[:-1]) + " or " + words[-1]


# ---- scalars

_LONGEST = 100
_NAME = re.compile(r"(?!\.\.?$)[A-Za-z0-9._-]+")
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,29})")
_DECIMAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,15})?")
_FILE = re.compile(r".*\.[A-Za-z]+")


def _wrong(text: str, what: str, expects: str, code: str = "type") -> Refused:
    shown = text if len(text) <= _LONGEST else text[:40] + "..."
    return Refused(code, f"'{shown}' is not {what}", expects)


def _quantity(name: str, what: str, read: Callable[[str], int], bounds: tuple[int, int, str]) -> Scalar:
    """A scalar that `units` reads, with bounds (least, most, in words)."""
    least, most, words = bounds
    example = {
        "rate": "a bandwidth such as 400G, 1.5 Tbps or 99.9 Gbps",
        "time": "a time such as 8.5ms, 120us or 1s",
        "length": "a length such as 1100 km or 300 m",
        "share": "a share such as 30% or 0.3",
        "repair": "a time such as 30min, 12h or 20d",
        "availability": "a share such as 99.999%",
    }[name]

    def take(text: str) -> Atom:
        if len(text) > _LONGEST:
            raise _wrong(text, what, example, "unit")
        try:
            value = read(text)
        except units.BadQuantity as error:
            raise _wrong(text, what, str(error), "unit") from error
        if not least <= value <= most:
            raise Refused("range", f"'{text}' is out of range", words)
        return value

    return Scalar(name, example, take, {"type": ["string", "number"]})


def integer(least: int, most: int, name: str = "integer") -> Scalar:
    """An integer between two bounds, both included."""
    words = f"an integer from {least} to {most}"

    def take(text: str) -> Atom:
        if not _INTEGER.fullmatch(text):
            raise _wrong(text, "an integer", words)
        value = int(text)
        if not least <= value <= most:
            raise Refused("range", f"{text} is out of range", words)
        return value

    return Scalar(name, words, take, {"type": "integer", "minimum": least, "maximum": most})


def decimal(least: int, most: int, what: str) -> Scalar:
    """A decimal between two bounds, exact."""
    words = f"{what} from {least} to {most}"

    def take(text: str) -> Atom:
        if not _DECIMAL.fullmatch(text):
            raise _wrong(text, "a number", words)
        if not least <= Decimal(text) <= most:
            raise Refused("range", f"{text} is out of range", words)
        return Decimal(text)

    return Scalar("number", words, take, {"type": "number", "minimum": least, "maximum": most})


def choice(*words: str) -> Scalar:
    """One of these words."""
    options = words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]

    def take(text: str) -> Atom:
        if text not in words:
            raise _wrong(text, "one of its values" if len(words) > 1 else f"'{words[0]}'", options, "choice")
        return text

    read = {"true": True, "off": False, "1": 1}  # as a YAML parser may hand them to a validator
    return Scalar("word", options, take, {"enum": [*words, *(read[word] for word in words if word in read)]})


def _read_bool(text: str) -> Atom:
    word = text.lower()
    if word not in ("true", "false", "yes", "no", "on", "off"):
        raise _wrong(text, "a yes or no", "true or false")
    return word in ("true", "yes", "on")


def _read_name(text: str) -> Atom:
    if not _NAME.fullmatch(text) or len(text) > _LONGEST:
        more = ", and neither '.' nor '..'" if text in (".", "..") else ""
        raise _wrong(text, "a name", f"letters, digits, '.', '_' and '-', at most {_LONGEST}{more}", "name")
    return text


def _read_hop(text: str) -> Atom:
    _read_name(text.removeprefix("loose:"))
    return text


def _read_thing(text: str) -> Atom:
    """A name, a card's (ROUTER/CARD), or a peer port's: PEER@ROUTER, and PEER@ROUTER#2 for the second one there."""
    holder, slash, card = text.partition("/")
    if slash:
        _read_name(holder)
        _read_name(card)
        return text
    return _read_link(text)


def _read_link(text: str) -> Atom:
    peer, at, port = text.partition("@")
    router, sharp, number = port.partition("#")
    _read_name(peer)
    if at:
        _read_name(router)
    if sharp and not re.fullmatch("[1-9][0-9]{0,3}", number):
        raise _wrong(text, "a port's name", "PEER@ROUTER, then PEER@ROUTER#2", "name")
    return text


def _read_file(text: str) -> Atom:
    if not _FILE.fullmatch(text):
        raise _wrong(text, "a file's name", "a file's name such as long-haul.csv")
    return text


def _read_address(text: str) -> Atom:
    for family in (IPv4Address, IPv6Address):
        try:
            return family(text)
        except AddressValueError:
            continue
    raise _wrong(text, "an IP address", "an address such as 10.0.0.1 or fd00::1", "address")


def _prefix(*families: type[IPv4Network] | type[IPv6Network]) -> Scalar:
    words = "a prefix such as " + " or ".join("10.0.0.0/8" if f is IPv4Network else "2001:db8::/32" for f in families)

    def take(text: str) -> Atom:
        for family in families:
            try:
                network = family(text, strict=False)
            except (AddressValueError, NetmaskValueError, ValueError):
                continue
            if "/" not in text:
                raise Refused("address", f"'{text}' has no prefix length", f"{network}")
            if str(network.network_address) != str(type(network.network_address)(text.split("/", maxsplit=1)[0])):
                raise Refused("address", f"'{text}' has bits set behind its prefix length", f"{network}")
            return network
        raise _wrong(text, "a prefix", words, "address")

    return Scalar("prefix", words, take, {"type": "string"})


_NAME_JSON = {"type": ["string", "integer"], "pattern": f"^{_NAME.pattern}$"}
BOOL = Scalar("boolean", "true or false", _read_bool, {"enum": [True, False, "yes", "no", "on", "off"]})
NAME = Scalar("name", "a name", _read_name, _NAME_JSON)
FILE = Scalar("file", "a file's name", _read_file, {"type": "string", "pattern": f"^{_FILE.pattern}$"})
ADDRESS = Scalar("address", "an IP address", _read_address, {"type": "string"})
PREFIX4 = _prefix(IPv4Network)
PREFIX6 = _prefix(IPv6Network)
PREFIX = _prefix(IPv4Network, IPv6Network)
RATE = _quantity(
    "rate", "a bandwidth", units.rate, (1, MAX_RATE, "a bandwidth from 1 bit/s to 1000P, so that sums stay exact")
)
LSP_RATE = _quantity("rate", "a bandwidth", units.rate, (0, MAX_RATE, "a bandwidth from 0 to 1000P"))
TIME = _quantity("time", "a time", units.duration, (0, MAX_TIME, "a time from 0us to 1000s"))
REPAIR = _quantity("repair", "a time", units.repair, (0, 10**8, "a time from 0min to 1000d"))
AVAILABILITY = _quantity("availability", "a share", units.availability, (0, 10**9, "a share from 0% to 100%"))
LENGTH = _quantity("length", "a length", units.length, (0, MAX_TIME, "a length of at most 200000000 km"))
SHARE = _quantity("share", "a share", units.share, (0, 10**6, "a share from 0% to 100%"))
LEVEL = _quantity("share", "a share", units.share, (0, 10**9, "a share from 0% to 100000%"))
FACTOR = _quantity("share", "a factor", units.share, (1, 10**9, "a factor above 0 and at most 1000"))


def _read_percent(text: str) -> Atom:
    if not text.rstrip().endswith("%"):
        raise _wrong(text, "a share", "a share such as 90%", "unit")
    return -int(str(LEVEL.read(text)))


PERCENT = Scalar("percent", "a share such as 90%", _read_percent, {"type": "string", "pattern": "%$"})
"""Read as a negative number of parts per million, so that it is told from a rate."""


def ref(*kinds: str, also: tuple[str, ...] = ()) -> Scalar:
    """The name of a thing of one of these kinds that the file defines."""
    words = "the name of a " + " or ".join((*kinds, *also))
    return Scalar("name", words, _read_name, _NAME_JSON, kinds, also)


THING_KINDS = ("circuit", "card", "router", "port", "peer", "site", "region", "risk")
_PORT_PATTERN = rf"^{_NAME.pattern}(@{_NAME.pattern}(#[1-9][0-9]{{0,3}})?)?$"
THING = Scalar(
    "thing",
    "the name of something that can fail, such as a port as peer@router or a card as router/card",
    _read_thing,
    {"type": "string", "pattern": f"{_PORT_PATTERN}|^{_NAME.pattern}/{_NAME.pattern}$"},
    THING_KINDS,
)
LINK = Scalar(
    "link",
    "the name of a circuit, or a port as peer@router",
    _read_link,
    {"type": "string", "pattern": _PORT_PATTERN},
    ("circuit", "port"),
)
HOP = Scalar(
    "hop", "the name of a router or circuit, or loose:NAME", _read_hop, {"type": "string"}, ("router", "circuit")
)
