"""A benchmark prints a ratio only where both did the same work."""

from __future__ import annotations

import pytest
from same_work import Metrics, why_not


@pytest.mark.parametrize(
    ("theirs", "why"),
    [
        ([10, 20, None], None),
        ([10, 20], "it was given 2 of 3 LSPs"),
        ([10, None, None], "it placed 1 LSPs, not 2"),
        ([10, 20, 30], "it placed 3 LSPs, not 2"),
        ([10, 21, None], "1 LSPs are on paths of another metric"),
        ([None, 20, 10], "2 LSPs are on paths of another metric"),  # as many placed, but not the same ones
    ],
)
def test_why_there_is_no_ratio(theirs: Metrics, why: str | None) -> None:
    assert why_not([10, 20, None], theirs) == why
