"""Quantities as people write them, and back: exact, in integers.

`1.6T`, `99.9 Gbps`, `8.5ms`, `1100 km`, `30%`.  Decimals are read as decimals, never through a float, and a quantity
that is no whole number of the base unit (bit/s, microseconds, parts per million) is rounded half up.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

_QUANTITY = re.compile(r"^\s*([0-9]+(?:\.[0-9]+)?|\.[0-9]+)\s*([A-Za-z/%]*)\s*$")
_RATE = {"": 0, "k": 3, "K": 3, "M": 6, "G": 9, "T": 12, "P": 15}
_RATE_SUFFIXES = ("", "bps", "bit/s", "b/s")
_REPAIR = {"min": 60, "h": 3600, "d": 86_400}
_TIME = {"us": 1, "ms": 1000, "s": 1_000_000}
NANOSECONDS_PER_KM = 4900
"""One-way delay of silica fibre: a group index of 1.468 (ITU-T G.652 fibre at 1550 nm) is 4.897 microseconds a km."""


class BadQuantity(ValueError):
    """The text is not a quantity of the kind that was asked for; the message says what was expected."""


def _split(text: str, expected: str) -> tuple[Decimal, str]:
    match = _QUANTITY.match(text)
    if match is None:
        raise BadQuantity(expected)
    return Decimal(match[1]), match[2]


def _whole(value: Decimal) -> int:
    return int(value.to_integral_value(ROUND_HALF_UP))


def rate(text: str) -> int:
    """Return bit/s from `400G`, `1.5 Tbps`, `99.9 Gbit/s` or plain bit/s."""
    expected = "a bandwidth such as 400G, 1.5 Tbps or 99.9 Gbps"
    value, unit = _split(text, expected)
    for suffix in _RATE_SUFFIXES:
        prefix = unit.removesuffix(suffix) if suffix else unit
        if unit.endswith(suffix) and prefix in _RATE:
            return _whole(value * 10 ** _RATE[prefix])
    raise BadQuantity(expected)


def duration(text: str) -> int:
    """Return microseconds from `8.5ms`, `120us` or `1s`; the unit is required."""
    return _in_units(text, _TIME, "a time such as 8.5ms, 120us or 1s")


def repair(text: str) -> int:
    """Return seconds from `30min`, `12h` or `20d`; the unit is required."""
    return _in_units(text, _REPAIR, "a time such as 30min, 12h or 20d")


def _in_units(text: str, units: Mapping[str, int], expected: str) -> int:
    value, unit = _split(text, expected)
    if unit not in units:
        raise BadQuantity(expected)
    return _whole(value * units[unit])


def availability(text: str) -> int:
    """Return parts per billion from `99.999%` or a plain factor such as `0.99999`; finer than that is refused."""
    value, unit = _split(text, "a share such as 99.999%")
    ppb = value * (10**7 if unit == "%" else 10**9)
    if unit not in ("", "%") or ppb != _whole(ppb):
        raise BadQuantity("a share such as 99.999%, of at most seven digits behind the point")
    return _whole(ppb)


def length(text: str) -> int:
    """Return the one-way fibre delay in microseconds of `1100 km` or `300 m`."""
    expected = "a length such as 1100 km or 300 m"
    value, unit = _split(text, expected)
    if unit not in ("km", "m"):
        raise BadQuantity(expected)
    km = value if unit == "km" else value / 1000
    return _whole(km * NANOSECONDS_PER_KM / 1000)


def share(text: str) -> int:
    """Return parts per million from `30%` or a plain factor such as `0.3` or `1.4`."""
    expected = "a share such as 30% or 0.3"
    value, unit = _split(text, expected)
    if unit not in ("", "%"):
        raise BadQuantity(expected)
    return _whole(value * (10_000 if unit == "%" else 1_000_000))


def show_rate(bps: int) -> str:
    """Return `400G`, `1.6T`, `12.5G`: three significant digits at least, no trailing zeros."""
    for letter, power in (("T", 12), ("G", 9), ("M", 6), ("k", 3)):
        if abs(bps) >= 10**power:
            return f"{_short(bps / 10**power)}{letter}"
    return f"{bps}"


def show_time(us: int) -> str:
    """Return `8.5 ms`, `120 us`."""
    return f"{_short(us / 1000)} ms" if us >= 1000 else f"{us} us"


def _short(value: float) -> str:
    """Three significant digits, or all of them before the point where there are more."""
    return f"{value:.3g}" if abs(value) < 999.5 else f"{value:.0f}"


def show_share(ppm: int, digits: int = 1) -> str:
    """Return `83.2 %`, or all that is known of it with four digits."""
    return f"{ppm / 10_000:.{digits}f} %"


def show_availability(ppb: int) -> str:
    """Return `99.999 %`: parts per billion with all digits that are known, no more."""
    return f"{_plain(Decimal(ppb).scaleb(-7))} %"


def show_minutes(seconds: int) -> str:
    """Return `5.26 min`, below one `7 s`, and from two hours on `43.8 h`: how long something is down in a year."""
    if 0 < seconds < 60:
        return f"{seconds} s"
    return f"{_short(seconds / 60)} min" if seconds < 7200 else f"{_short(seconds / 3600)} h"


def show_count(n: int) -> str:
    """Return `1,560`, and from a million on `90.2M`, `1.95G`: three significant digits."""
    return f"{n:,}" if abs(n) < 10**6 else show_rate(n)


def show_bytes(n: int) -> str:
    """Return `820 KiB`, `1.38 GiB` (IEC 80000-13): three significant digits."""
    for unit, power in (("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)):
        if abs(n) >= 2**power:
            return f"{_short(n / 2**power)} {unit}"
    return f"{n} B"


def size(text: str) -> int:
    """Return bytes from `16GiB`, `512 MiB`, `4G` (powers of 1,024 with or without `iB`) or a plain number."""
    expected = "a size such as 16GiB or 512M"
    value, unit = _split(text, expected)
    power = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}.get(unit.removesuffix("B").removesuffix("i"))
    if power is None or unit in ("iB", "B"):
        raise BadQuantity(expected)
    return _whole(value * 2**power)


def exact_rate(bps: int) -> str:
    """Return a rate that reads back as the same whole number of bit/s: `400G`, `1.6T`, `10.169491525G`."""
    power = next((p for p in (12, 9, 6, 3) if abs(bps) >= 10**p), 0)
    return _plain(Decimal(bps).scaleb(-power)) + {12: "T", 9: "G", 6: "M", 3: "k", 0: ""}[power]


def exact_time(us: int) -> str:
    """Return a time that reads back as the same whole number of microseconds: `8.5ms`, `120us`."""
    return f"{_plain(Decimal(us).scaleb(-3))}ms" if abs(us) >= 1000 else f"{us}us"


def exact_share(ppm: int) -> str:
    """Return a share that reads back as the same parts per million: `30%`, `99.9999%`."""
    return f"{_plain(Decimal(ppm).scaleb(-4))}%"


def _plain(value: Decimal) -> str:
    """All digits, no exponent, no trailing zeros after the point."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
