"""`lab test --sealed`: the lab is held against a seal only where both predict the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lab.labs import nobody
from trunkline.lab import drill, lab, sealed
from trunkline.lab.predict import predict
from trunkline.model.problem import Problems

pytestmark = pytest.mark.lab


def seal(file: Path, found: lab.Lab, **digests: str | None) -> Path:
    """A seal of one-thing scenarios, as `break --seal` writes it but for what a lab does not read."""
    scenarios = {name: {"lab": digest} for name, digest in digests.items()}
    document = {"schema": sealed.SCHEMA, "network": {"sha256": found.sha256}, "scenarios": scenarios}
    file.write_text(json.dumps(document))
    return file


def test_a_sealed_cut_is_what_the_lab_does(tiny: lab.Lab, tmp_path: Path) -> None:
    (digest,) = sealed.digests(tiny.net, [["short"]])
    lab.up(tiny, 1000, nobody)
    assert sealed.agreed(tiny, seal(tmp_path / "seal", tiny, short=digest)) == ("short",)
    rounds = drill.drill(tiny, "short", False, nobody)
    assert [r.differences for r in rounds] == [(), ()]
    assert rounds[0].sha256 == digest == predict(tiny.net.without("short"), tiny.devices).sha256
    for wrong, why in (("0" * 64, "'short' would be predicted otherwise"), (None, "not one thing that a lab can cut")):
        with pytest.raises(Problems, match=why):
            sealed.agreed(tiny, seal(tmp_path / "seal", tiny, short=wrong))
    for text, why in (("{}", "it is no seal"), ("[", "it is no JSON")):
        (tmp_path / "other").write_text(text)
        with pytest.raises(Problems, match=why):
            sealed.agreed(tiny, tmp_path / "other")
    other = seal(tmp_path / "other", lab.Lab("x", tiny.net, "0" * 64), short=digest)
    with pytest.raises(Problems, match="the seal of another network"):
        sealed.agreed(tiny, other)
