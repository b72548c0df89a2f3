"""Every bad source says what is wrong, where: cases/NAME.EXT has its answer beside it in NAME.said."""

from __future__ import annotations

from pathlib import Path

import pytest

from trunkline.model.problem import Problems
from trunkline.sources.bring import bring

CASES = Path(__file__).parent / "cases"
FILES = sorted(file for file in CASES.iterdir() if file.suffix != ".said")


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.name)
def test_says_what_is_wrong_and_where(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    with pytest.raises(Problems) as caught:
        bring([file.name])
    said = "".join(f"{problem}\n" for problem in caught.value.problems)
    assert said == file.with_name(f"{file.name}.said").read_text(encoding="utf-8")


def test_no_answer_is_left_over() -> None:
    answers = {file.name.removesuffix(".said") for file in CASES.glob("*.said")}
    assert answers == {file.name for file in FILES}
