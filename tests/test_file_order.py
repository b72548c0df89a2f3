"""The order of the file never reaches the answer: aurora, shuffled, is the same network and the same plan."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from trunkline.flow import prove
from trunkline.model.load import load
from trunkline.report.files import plan_document, to_json
from trunkline.report.summary import summarise

EXAMPLES = Path(__file__).parent.parent / "examples"


def shuffled(value: Any, rng: Random) -> Any:
    """The same document with every map and list in another order, but for coordinates, whose order means something."""
    if isinstance(value, dict):
        items = [(key, shuffled(item, rng)) for key, item in value.items()]
        rng.shuffle(items)
        return dict(items)
    if isinstance(value, list) and not all(isinstance(item, float) for item in value):
        items = [shuffled(item, rng) for item in value]
        return rng.sample(items, len(items))
    return value


def answer(file: Path) -> str:
    """The whole plan as JSON, but for the hash of the file."""
    proof = prove(load(file).network)
    return to_json(plan_document(proof, "", summarise(proof), ()))


@pytest.mark.parametrize("name", ["aurora.yaml", "tiny.yaml"])
def test_a_shuffled_file_plans_the_same(name: str, tmp_path: Path) -> None:
    document = yaml.safe_load((EXAMPLES / name).read_text())
    expected = answer(EXAMPLES / name)
    for seed in range(3):
        other = tmp_path / f"{seed}.yaml"
        other.write_text(yaml.safe_dump(shuffled(document, Random(seed)), sort_keys=False))  # noqa: S311 - a shuffle
        assert other.read_text() != (EXAMPLES / name).read_text()
        assert load(other).network == load(EXAMPLES / name).network
        assert answer(other) == expected
