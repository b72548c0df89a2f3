"""`headroom` as a user meets it: what it says, and what it refuses."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from trunkline.model.problem import Problems
from trunkline.report.headroom import Headroom, Wanted, headroom
from trunkline.report.headroom_terminal import show_headroom

TINY = Path(__file__).parent.parent.parent / "examples" / "tiny.yaml"


def found(surviving: str, pair: tuple[str, str] | None, cls: str = "customer", file: Path = TINY) -> Headroom:
    return headroom(file, Wanted(cls, surviving, pair), Console(file=io.StringIO()), True)


def screen(what: Headroom) -> str:
    console = Console(file=io.StringIO(), width=120, highlight=False, emoji=False, markup=False)
    show_headroom(console, what)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_pair_is_said_with_what_a_step_more_breaks() -> None:
    """`short` carries 60G of 100G: internal's LSP of 50G had no room beside customer's 60G and took `long`.

    With 40.4G more, 0.4G do not fit, and the 60G lose 60 of 100.4 parts of that: 239,043,825 bit/s, rounded up.
    """
    what = found("0", ("a", "b"))
    assert what.document["beyond"] == {"rate": 40_400_000_000, "loses": "customer.a-dc.b-dc", "by": 239_043_825}
    assert (what.document["proved"], what.document["scenarios"]) == (True, 0)
    lines = screen(what).splitlines()
    assert lines[:2] == ["tiny  customer, with everything in order", "a to b: 40G more"]
    assert "a circuit on its way is full (short@a-bb1)" in lines[2]


def test_a_matrix_has_every_pair() -> None:
    what = found("0", None)
    rows = what.tables["headroom"].records()
    assert next((r["from"], r["to"], r["rate"]) for r in rows) == ("a", "b", 40_000_000_000)
    assert what.document["beyond"] is None
    assert "from, to" in screen(what)


@pytest.mark.parametrize(
    ("surviving", "pair", "cls", "says"),
    [
        ("0", ("a", "c"), "customer", "no site is named 'c'"),
        ("0", ("a", "a"), "customer", "from 'a' to itself there is nothing to carry"),
        ("0", ("a", "b"), "custmer", "no class is named 'custmer'; did you mean 'customer'?"),
        ("rooter", ("a", "b"), "customer", "did you mean 'router'?"),
        ("2", ("a", "b"), "customer", "'2' is not what can be survived; expected 0, 1, or kinds of failure"),
    ],
)
def test_bad_input_is_refused(surviving: str, pair: tuple[str, str], cls: str, says: str) -> None:
    with pytest.raises(Problems) as caught:
        found(surviving, pair, cls)
    assert says in str(caught.value)


def test_a_site_without_a_router_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "net.yaml"
    file.write_text(TINY.read_text().replace("  b: {region: east}\n", "  b: {region: east}\n  c: {region: east}\n"))
    with pytest.raises(Problems, match="the site 'c' has no router"):
        found("0", ("a", "c"), file=file)
