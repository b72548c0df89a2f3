"""Every bad file says what is wrong, where: cases/KIND/NAME.yaml has its answer beside it in NAME.txt."""

from __future__ import annotations

from pathlib import Path

import pytest

from trunkline.model.load import load, load_events
from trunkline.model.problem import Problems

CASES = Path(__file__).parent / "cases"
FILES = sorted(CASES.rglob("*.yaml"))


def read(file: Path) -> None:
    """Read a network, or events of the network beside them."""
    if file.parent.name == "events":
        load_events(file.name, load("network.yml").network)
    else:
        load(file.name)


@pytest.mark.parametrize("file", FILES, ids=lambda f: f"{f.parent.name}/{f.stem}")
def test_says_what_is_wrong_and_where(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    with pytest.raises(Problems) as caught:
        read(file)
    said = "".join(f"{problem}\n" for problem in caught.value.problems)
    assert said == file.with_suffix(".txt").read_text(encoding="utf-8")


def test_there_are_many_kinds() -> None:
    assert len(FILES) >= 70
    assert len({file.parent for file in FILES}) >= 14
