"""The order of the file is irrelevant: every map and list whose order means nothing is shuffled, and nothing changes.

Order means something in an explicit path, a policy, a class's fallback, an AS path, and in `at: [latitude, longitude]`;
those stay as they are.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from trunkline.flow import prove
from trunkline.model.load import load, load_events
from trunkline.model.starter import starter
from trunkline.report.files import plan_document, to_json
from trunkline.report.summary import summarise

EXAMPLES = Path(__file__).parent.parent / "examples"
ORDERED = {"paths", "policy", "fallback", "path"}
CASES = {
    "aurora": ("aurora.yaml", "aurora-cut.yaml"),
    "tiny": ("tiny.yaml", "tiny-cut.yaml"),
    "seven-zero": ("traps/seven-zero.yaml", None),
    "fib-leak": ("traps/fib-leak.yaml", None),
    "starter": (None, None),
}


def shuffled(node: Any, pick: random.Random, key: str = "") -> Any:
    """The same tree with every map and every list in another order, but for the lists whose order is their meaning."""
    if isinstance(node, dict):
        keys = pick.sample(sorted(node), len(node))
        return {k: shuffled(node[k], pick, k) for k in keys}
    if not isinstance(node, list):
        return node
    keep = key in ORDERED or (key == "at" and all(isinstance(i, str) and i[-1].isdigit() and "." in i for i in node))
    return [shuffled(item, pick) for item in (node if keep else pick.sample(node, len(node)))]


def answer(file: Path, events: Path | None) -> Mapping[str, Any]:
    """The whole plan as it is written, but for the digest of the file."""
    loaded = load(file)
    proof = prove(loaded.network, load_events(events, loaded.network) if events else ())
    notes = (*loaded.warnings, *proof.settled.warnings)
    document = json.loads(to_json(plan_document(proof, loaded.sha256, summarise(proof), notes)))
    del document["network"]["sha256"]
    document["warnings"].sort(key=json.dumps)  # those of the file come in the file's own order
    found: Mapping[str, Any] = document
    return found


@pytest.mark.parametrize("case", CASES)
def test_the_order_of_the_file_is_irrelevant(case: str, tmp_path: Path) -> None:
    name, events = (EXAMPLES / n if n else None for n in CASES[case])
    file = tmp_path / "as-written.yaml"
    file.write_text(name.read_text(encoding="utf-8") if name else starter(), encoding="utf-8")
    expected = answer(file, events)
    tree = yaml.load(file.read_text(encoding="utf-8"), yaml.BaseLoader)  # noqa: S506
    for seed in range(2 if case == "aurora" else 8):
        other = tmp_path / f"{seed}.yaml"
        other.write_text(json.dumps(shuffled(tree, random.Random(seed))), encoding="utf-8")  # noqa: S311
        assert other.read_text(encoding="utf-8") != json.dumps(tree)
        assert load(other).network == load(file).network
        found = answer(other, events)
        assert [key for key in expected if found[key] != expected[key]] == []
        assert json.dumps(found) == json.dumps(expected)
