"""The words of rules against other programs: AS-path expressions against grep, ranges against a count of prefixes."""

from __future__ import annotations

import subprocess
from ipaddress import ip_network

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trunkline.model.policy import PrefixRange, as_path_pattern, in_path

PATHS = ["", "1", "3356", "13356", "33561", "1 3356", "3356 1", "1 3356 2", "64500 64500", "12 3 4", "1 1 1 1", "70 7"]
SIGNS = [*"01356 ", ".", "_", "^", "$", "(", ")", "|", "*", "+", "?", "[13]", "[0-4]", "[^ 5]"]


def grep(expression: str) -> list[str]:
    """The paths that POSIX finds an expression in, as FRR has it: `_` is an end or what stands between numbers."""
    posix = expression.replace("_", "(^|[,{}() ]|$)")
    lines = "".join(f"{path}\n" for path in PATHS)
    done = subprocess.run(["grep", "-E", "--", posix], input=lines, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout.split("\n")[:-1]


@given(st.lists(st.sampled_from(SIGNS), min_size=1, max_size=9).map("".join))
@settings(max_examples=300, deadline=None)
def test_an_expression_that_is_taken_means_what_posix_means(expression: str) -> None:
    try:
        as_path_pattern(expression)
    except ValueError:
        return
    found = [path for path in PATHS if in_path(expression, tuple(map(int, path.split())))]
    assert found == grep(expression)


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("_3356_", ["3356", "1 3356", "3356 1", "1 3356 2"]),
        ("^3356_", ["3356", "3356 1"]),
        ("_3356$", ["3356", "1 3356"]),
        ("^$", [""]),
        ("^[0-9]+$", ["1", "3356", "13356", "33561"]),
        ("^1( 1)*$", ["1", "1 1 1 1"]),
    ],
)
def test_the_usual_expressions(expression: str, found: list[str]) -> None:
    assert [path for path in PATHS if in_path(expression, tuple(map(int, path.split())))] == found == grep(expression)


REFUSED = ["", "a", "*1", "1**", "1*?", "(1", "1)", "(|1)", "1||2", r"\d", "(?i)1", "1{2}", "^*", "[9-0]"]


@pytest.mark.parametrize("expression", REFUSED)
def test_what_programs_read_differently_is_refused(expression: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  # each sign has words of its own
        as_path_pattern(expression)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("10.0.0.0/28", 1),
        ("10.0.0.0/28 le 30", 1 + 2 + 4),
        ("10.0.0.0/28 ge 30", 4 + 8 + 16),
        ("10.0.0.0/28 ge 29 le 30", 2 + 4),
        ("10.0.0.0/28 ge 32", 16),
    ],
)
def test_a_range_covers_the_prefixes_inside_by_length(text: str, count: int) -> None:
    """A /28 has two /29, four /30, eight /31, sixteen /32."""
    found = PrefixRange.of(text)
    inside = [p for bits in range(28, 33) for p in ip_network("10.0.0.0/28").subnets(new_prefix=bits)]
    assert sum(found.covers(p) for p in inside) == count
    assert not any(found.covers(ip_network(p)) for p in ("10.0.0.0/27", "10.0.0.16/30", "::/29"))
    assert str(found) == text


NO_RANGE = ["/8 le 8", "/8 ge 8", "/8 le 33", "/8 ge 20 le 19", "/8 le", "/8 to 9", "/8 le 9 le 9", "/8 ge ²", ""]


@pytest.mark.parametrize("rest", NO_RANGE)
def test_what_is_no_range_is_refused(rest: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        PrefixRange.of(f"10.0.0.0{rest}")
