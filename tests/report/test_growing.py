"""`grow` as a user meets it: what it says, and what it refuses."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from trunkline.model.problem import Problems
from trunkline.report.grow_terminal import show_growing
from trunkline.report.growing import Growing, Wanted, growing
from trunkline.risk.grow import Scope

TINY = Path(__file__).parent.parent.parent / "examples" / "tiny.yaml"
PRICES = "prices: {unit: kUSD, member: [{capacity: 100G, price: 12.5}], port: 10}\n"


def found(wanted: Wanted, file: Path = TINY) -> Growing:
    return growing(file, wanted, Console(file=io.StringIO()), True)


def priced(tmp_path: Path) -> Path:
    file = tmp_path / "tiny.yaml"
    file.write_text(TINY.read_text() + PRICES)
    return file


def screen(what: Growing) -> str:
    console = Console(file=io.StringIO(), width=120, highlight=False, emoji=False, markup=False)
    show_growing(console, what)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_the_factor_and_what_breaks_first() -> None:
    """90 % of `short` are 90G, 1.5 times the 60G on it."""
    what = found(Wanted(Scope(), 10_000_000, "0"))
    (row,) = what.tables["factors"].records()
    assert (row["factor"], row["beyond"], row["objective"], row["failures"]) == (1_500_000, 1_510_000, "utilisation", 0)
    assert what.ok
    assert "with everything in order: x1.50, proved in 1 state\n" in screen(what)


def test_what_is_broken_today_is_said_and_so_is_what_is_not_judged(tmp_path: Path) -> None:
    """60G of 100G on `short` are over 50 % today."""
    file = tmp_path / "tiny.yaml"
    nines = "  - {name: nines, availability: 99%}\n"
    file.write_text(TINY.read_text().replace("utilisation: 90%", "utilisation: 50%") + nines)
    what = found(Wanted(Scope("customer"), 2_000_000, "0"), file)
    assert what.document["broken_calm"] == ["utilisation"]
    assert screen(what).splitlines()[-2:] == [
        "utilisation is broken today with everything in order, which counts for nothing here: see `plan`",
        "nines: judged by `trunkline availability`, not here",
    ]
    assert found(Wanted(Scope(), 2_000_000, "0")).document["broken_calm"] == []
    file.write_text(TINY.read_text().split("objectives:")[0] + "objectives:\n" + nines)
    shown = screen(found(Wanted(Scope(), 2_000_000, "0"), file))
    assert "the file has no objective that growth could break" in shown


def test_what_to_buy(tmp_path: Path) -> None:
    """Internal alone, 50G on `long`, twice as much: 100G are 112G at 90 %, one more member there."""
    what = found(Wanted(Scope("internal"), 2_000_000, "0", quarters=1), priced(tmp_path))
    assert what.tables["upgrades"].rows == ((1, "member", "long", 1, 12_500),)
    (row,) = what.tables["stages"].records()
    assert (row["ok"], row["cost"], row["factor"]) == (True, 12_500, 2_000_000)
    assert what.document["unit"] == "kUSD"
    assert "x2.00: 12.5 kUSD in all" in screen(what)


def test_traffic_that_no_purchase_serves_is_named(tmp_path: Path) -> None:
    """a-dr1 has one circuit, of 400G: 90 % are 360G, and ten times 110G are 1.1T."""
    what = found(Wanted(Scope(), 10_000_000, "0", quarters=1), priced(tmp_path))
    assert (what.ok, what.document["ok"]) == (False, False)
    unserved = {"case": "", "source": "a-dr1", "target": "b-dr1", "rate": 740_000_000_000}
    assert what.document["unserved"] == unserved
    assert screen(what).splitlines()[-1] == "no purchase serves 740G from a-dr1 to b-dr1"


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        (Wanted(Scope("custmer"), 2_000_000, "0"), "did you mean 'customer'?"),
        (Wanted(Scope(region="wst"), 2_000_000, "0"), "no region is named 'wst'; did you mean 'west'?"),
        (Wanted(Scope(region="us"), 2_000_000, "0"), "no region is named 'us'; expected one of east, west"),
        (Wanted(Scope(), 2_000_000, "all"), "'all' is not what can be survived"),
        (Wanted(Scope(), 2_000_000, "0", quarters=1), "the file has no `prices`"),
    ],
)
def test_bad_input_is_refused(wanted: Wanted, says: str) -> None:
    with pytest.raises(Problems) as caught:
        found(wanted)
    assert says in str(caught.value)


def test_growth_of_nothing_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "net.yaml"
    file.write_text("trunkline: 1\nname: idle\n")
    with pytest.raises(Problems, match="no demand grows"):
        found(Wanted(Scope(), 2_000_000, "0"), file)


def test_a_factor_beyond_what_sums_hold_is_refused(tmp_path: Path) -> None:
    """20P of 1,000P today; a hundred times that would be 2,000P."""
    file = tmp_path / "net.yaml"
    file.write_text(TINY.read_text().replace("rate: 10G", "rate: 20P"))
    with pytest.raises(Problems, match="in all at the largest factor"):
        found(Wanted(Scope(), 100_000_000, "0"), file)
