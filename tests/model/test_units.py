"""Quantities as people write them."""

from __future__ import annotations

import pytest

from trunkline.model import units


@pytest.mark.parametrize(
    ("text", "bps"),
    [
        ("400G", 400_000_000_000),
        ("1.6T", 1_600_000_000_000),
        ("99.9 Gbps", 99_900_000_000),
        ("1.5 Tbps", 1_500_000_000_000),
        ("2.5 Gbit/s", 2_500_000_000),
        ("10Mb/s", 10_000_000),
        ("64k", 64_000),
        ("1000000", 1_000_000),
        ("0.1", 0),  # a tenth of a bit: rounded half up
        ("0.5", 1),
        (".5G", 500_000_000),
        ("0.0000000005T", 500),
    ],
)
def test_rate(text: str, bps: int) -> None:
    assert units.rate(text) == bps


@pytest.mark.parametrize("text", ["", "fast", "-1G", "1e9", "1,5G", "400 GB", "G", "1 000G", "0x10", "nan", "inf"])
def test_rate_refuses(text: str) -> None:
    with pytest.raises(units.BadQuantity, match="400G"):
        units.rate(text)


@pytest.mark.parametrize(("text", "us"), [("8.5ms", 8500), ("120us", 120), ("1s", 1_000_000), ("0.0005 ms", 1)])
def test_duration(text: str, us: int) -> None:
    assert units.duration(text) == us


@pytest.mark.parametrize("text", ["8.5", "3 m", "1h"])
def test_duration_needs_its_unit(text: str) -> None:
    with pytest.raises(units.BadQuantity):
        units.duration(text)


@pytest.mark.parametrize(
    ("text", "us"),
    [("1100 km", 5390), ("100km", 490), ("300 m", 1), ("1 km", 5)],  # 4.9 us a km; 1.47 and 4.9 rounded half up
)
def test_length(text: str, us: int) -> None:
    assert units.length(text) == us


@pytest.mark.parametrize(
    ("text", "ppm"), [("30%", 300_000), ("0.3", 300_000), ("1.4", 1_400_000), ("99.9999%", 999_999)]
)
def test_share(text: str, ppm: int) -> None:
    assert units.share(text) == ppm


@pytest.mark.parametrize(
    ("bps", "text"),
    [
        (0, "0"),
        (999, "999"),
        (400_000_000_000, "400G"),
        (1_600_000_000_000, "1.6T"),
        (12_345_000_000, "12.3G"),
        (5 * 10**15, "5000T"),
        (999_400_000_000, "999G"),
        (999_600_000_000, "1000G"),
        (999_999_999, "1000M"),
    ],
)
def test_show_rate(bps: int, text: str) -> None:
    assert units.show_rate(bps) == text


@pytest.mark.parametrize(
    ("us", "text"),
    [(999, "999 us"), (8500, "8.5 ms"), (119_999, "120 ms"), (999_999, "1000 ms"), (12_345_678, "12346 ms")],
)
def test_show_time(us: int, text: str) -> None:
    assert units.show_time(us) == text


@pytest.mark.parametrize(("text", "seconds"), [("30min", 1800), ("12h", 43_200), ("1.5 h", 5400), ("20d", 1_728_000)])
def test_repair(text: str, seconds: int) -> None:
    assert units.repair(text) == seconds


@pytest.mark.parametrize("text", ["12", "12s", "-1h", "h"])
def test_repair_refuses(text: str) -> None:
    with pytest.raises(units.BadQuantity, match="12h"):
        units.repair(text)


@pytest.mark.parametrize(
    ("text", "ppb", "shown"),
    [
        ("99.999%", 999_990_000, "99.999 %"),
        ("0.9999999", 999_999_900, "99.99999 %"),
        ("100%", 10**9, "100 %"),
        ("99.9999999%", 999_999_999, "99.9999999 %"),
    ],
)
def test_availability(text: str, ppb: int, shown: str) -> None:
    assert units.availability(text) == ppb
    assert units.show_availability(ppb) == shown


def test_nines_that_would_be_rounded_away_are_refused() -> None:
    with pytest.raises(units.BadQuantity, match="seven digits"):
        units.availability("99.99999999%")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0 min"), (7, "7 s"), (60, "1 min"), (316, "5.27 min"), (7199, "120 min"), (157_680, "43.8 h")],
)
def test_show_minutes(seconds: int, text: str) -> None:
    assert units.show_minutes(seconds) == text
