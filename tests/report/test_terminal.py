"""The screen: nothing that was computed is left out of it, however narrow it is."""

from __future__ import annotations

import io
import re
from typing import Literal

import pytest
from rich.console import Console
from rich.text import Text

from trunkline.report.terminal import grid, show_grid


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_column_is_left_out_of_a_narrow_terminal(width: int) -> None:
    screen = Console(file=io.StringIO(), width=width)
    rows = grid(
        "LSPs", ">prio", ">placed", ">off shortest", ">displaced", ">moved", ">unplaced", ">undersized", ">lost"
    )
    rows.add_row("internal", "5/5", "264/264", "96", "21", "98", "0", "0", "2.4T")
    show_grid(screen, rows)
    printed = screen.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert [line.split()[-1] for line in printed] == ["lost", "2.4T"]
    # 8 + 4 + 7 + 12 + 9 + 5 + 8 + 10 + 4 letters, a gap of 2 between two, or of 1 where that does not fit
    assert max(map(len, printed)) == (83 if width == 120 else 75)


@pytest.mark.parametrize("colour", [None, "truecolor"])
def test_no_line_of_a_table_ends_in_spaces(colour: Literal["truecolor"] | None) -> None:
    screen = Console(file=io.StringIO(), width=80, force_terminal=bool(colour), color_system=colour)
    rows = grid("objective", "worst")
    rows.add_row("utilisation", Text("long@a-bb1", "dim"))
    rows.add_row("loss", Text("", "dim"))
    show_grid(screen, rows)
    printed = screen.file.getvalue()  # type: ignore[attr-defined]
    assert [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in printed.splitlines()] == [
        "objective    worst",
        "utilisation  long@a-bb1",
        "loss",
    ]
    assert ("\x1b[2mlong@a-bb1" in printed) == bool(colour)


def test_a_figure_keeps_its_unit_in_a_narrow_terminal() -> None:
    screen = Console(file=io.StringIO(), width=40)
    rows = grid("design", *[">the share of all"] * 6)
    rows.add_row("regional", *["100.0 %"] * 6)
    show_grid(screen, rows)
    heading, row = screen.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert heading.split() == ["design", *["the", "share", "of", "all"] * 6]
    assert row.split() == ["regional", *["100.0", "%"] * 6]
