"""The shapes a value in the file can have: what the schema table is written in.

A shape says how text is read, in which unit and range, and what to tell someone who wrote something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from ipaddress import ip_address, ip_network

from trunkline.model import units

NAME = re.compile(r"[A-Za-z0-9._-]+")
MAX_TEXT = 200
"""Scalars are short: names, numbers, quantities, file names."""
MAX_RATE = 10**18
"""The largest rate: sums of a few stay within int64."""
_TRUE = ("yes", "true", "on")
_FALSE = ("no", "false", "off")


class Unreadable(ValueError):
    """A scalar that cannot be read: an error code, a message, and what was expected."""

    def __init__(self, code: str, message: str, expected: str) -> None:
        self.code, self.message, self.expected = code, message, expected
        super().__init__(message)


@dataclass(frozen=True)
class Part:
    """A part of something else, written with `%`, in parts per million."""

    ppm: int


@dataclass(frozen=True)
class Scalar:
    """One text, read as `kind`; `low` and `high` bound what it reads as, `choices` lists the only texts allowed."""

    kind: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def expected(self) -> str:
        """What to write."""
        if self.choices:
            return " or ".join(self.choices)
        if self.kind == "int":
            high = "" if self.high is None else f" to {self.high}"
            return f"a whole number from {self.low}{high}"
        return EXPECTED[self.kind]

    def read(self, text: str) -> object:
        """Return the value of a text.  Raises Unreadable."""
        if len(text) > MAX_TEXT:
            raise Unreadable("type", f"a text of {len(text)} characters", self.expected)
        if self.choices and text not in self.choices:
            raise Unreadable("choice", f"'{text}' is not one of the values", self.expected)
        try:
            value = READERS[self.kind](text)
        except units.BadQuantity as error:
            raise Unreadable("unit", f"'{text}' is no quantity of this kind", str(error)) from None
        except ValueError:
            code = "name" if self.kind == "name" else "type"
            raise Unreadable(code, f"'{text}' is not readable here", self.expected) from None
        if isinstance(value, int) and not isinstance(value, bool):
            self._check_range(text, value)
        return value

    def _check_range(self, text: str, value: int) -> None:
        low = self.low if self.low is not None else 0
        high = self.high if self.high is not None else MAX_RATE
        if not low <= value <= high:
            show = SHOW.get(self.kind, str)
            raise Unreadable("range", f"'{text}' is out of range", f"{show(low)} to {show(high)}")


@dataclass(frozen=True)
class ListOf:
    """A list; a single value alone stands for a list of one."""

    item: Shape
    alone: bool = True

    @property
    def expected(self) -> str:
        """What to write."""
        return f"a list, each item {self.item.expected}"


@dataclass(frozen=True)
class MapOf:
    """A map from names to values."""

    value: Shape

    @property
    def expected(self) -> str:
        """What to write."""
        return "a map of names"


@dataclass(frozen=True)
class Record:
    """A map with known keys; `when` names the key that tells this record from others at the same place."""

    title: str
    keys: tuple[Key, ...]
    when: str = ""

    @property
    def expected(self) -> str:
        """What to write."""
        return f"{self.title} ({self.when}: ...)" if self.when else self.title

    @property
    def names(self) -> tuple[str, ...]:
        """The keys' names."""
        return tuple(key.name for key in self.keys)


@dataclass(frozen=True)
class Either:
    """One of several shapes; scalars are tried in order."""

    options: tuple[Shape, ...]

    @property
    def expected(self) -> str:
        """What to write."""
        return ", or ".join(option.expected for option in self.options)


Shape = Scalar | ListOf | MapOf | Record | Either


@dataclass(frozen=True)
class Key:
    """A key of a record: its shape, what it means, what stands where it is left out (as text)."""

    name: str
    shape: Shape
    doc: str
    default: str = ""
    required: bool = False


def _name(text: str) -> str:
    if not NAME.fullmatch(text):
        raise ValueError(text)
    return text


def _int(text: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,19}", text):
        raise ValueError(text)
    return int(text)


def _degrees(text: str) -> float:
    if not re.fullmatch(r"-?[0-9]{1,3}(\.[0-9]+)?", text) or abs(Decimal(text)) > 180:
        raise ValueError(text)
    return float(text)


def _part(text: str) -> Part:
    if not text.endswith("%") or units.share(text) > 1_000_000:
        raise ValueError(text)
    return Part(units.share(text))


def _bool(text: str) -> bool:
    if text.lower() not in _TRUE + _FALSE:
        raise ValueError(text)
    return text.lower() in _TRUE


def _text(text: str) -> str:
    if not text.strip():
        raise ValueError(text)
    return text


READERS: Mapping[str, Callable[[str], object]] = {
    "name": _name,
    "text": _text,
    "int": _int,
    "bool": _bool,
    "degrees": _degrees,
    "choice": str,
    "file": _text,
    "part": _part,
    "rate": units.rate,
    "time": units.duration,
    "length": units.length,
    "share": units.share,
    "address": ip_address,
    "prefix": ip_network,
}
EXPECTED: Mapping[str, str] = {
    "name": "a name of letters, digits, '.', '_' and '-'",
    "text": "a text",
    "bool": "yes or no",
    "degrees": "degrees such as -74.01",
    "rate": "a bandwidth such as 400G, 1.5 Tbps or 99.9 Gbps",
    "time": "a time such as 8.5ms, 120us or 1s",
    "length": "a length such as 1100 km or 300 m",
    "part": "a share such as 90%",
    "share": "a share such as 30% or 0.3",
    "address": "an IPv4 or IPv6 address",
    "prefix": "a prefix such as 192.0.2.0/24 or 2001:db8::/32",
    "file": "a file name",
}
SHOW: Mapping[str, Callable[[int], str]] = {
    "rate": units.show_rate,
    "time": units.show_time,
    "length": lambda us: f"{us * 1000 // units.NANOSECONDS_PER_KM} km",
    "share": lambda ppm: f"{ppm / 10_000:g}%",
}
