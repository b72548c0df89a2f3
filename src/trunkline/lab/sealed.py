"""Sealed predictions and the lab: one digest, written by `break --seal` and asked for by `lab test --sealed`.

What a lab must hold after a failure is `predict`'s to say.  A seal has the digest of it; a lab that is as predicted,
where the prediction has that digest, is as was sealed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from trunkline.devices.device import devices
from trunkline.lab.lab import Lab
from trunkline.lab.predict import predict
from trunkline.lab.standins import lab_network
from trunkline.model.network import Network
from trunkline.model.problem import Problem, Problems

SCHEMA = "trunkline/seal/1"


def digests(net: Network, cuts: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield, for each cut of things, the digest of what a lab of this network must hold after it."""
    whole = lab_network(net)
    told = devices(whole)
    yield from (predict(whole.without(*things), told).sha256 for things in cuts)


def agreed(lab: Lab, file: Path) -> tuple[str, ...]:
    """Return what to cut for a seal, once the lab's own predictions are found to be the sealed ones.

    Raises Problems for a file that is no seal of this network, for a scenario that a lab cannot play, and where this
    lab as it stands would be predicted otherwise.
    """
    document = _read(file)
    if document.get("schema") != SCHEMA or not isinstance(document.get("scenarios"), dict):
        raise _refused(file, "it is no seal", "what `break --seal` has written")
    if document.get("network", {}).get("sha256") != lab.sha256:
        raise _refused(file, "it is the seal of another network", "one of the network that the lab runs")
    now = lab.net.under(lab.state.condition)
    found, wrong = [], []
    for name, said in sorted(document["scenarios"].items()):
        if said["lab"] is None:
            wrong.append(f"'{name}' is not one thing that a lab can cut")
        elif name not in lab.state.condition.down and predict(now.without(name), lab.devices).sha256 == said["lab"]:
            found.append(name)
        else:
            wrong.append(f"'{name}' would be predicted otherwise: the lab, or this version, is not what was sealed")
    if wrong:
        raise Problems([Problem(str(file), 0, 0, "seal", message) for message in wrong])
    return tuple(found)


def _read(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(file.read_bytes())
    except OSError as error:
        raise _refused(file, error.strerror or str(error), "a file that can be read") from None
    except ValueError as error:
        raise _refused(file, f"it is no JSON: {error}", "what `break --seal` has written") from None
    return found if isinstance(found, dict) else {}


def _refused(file: Path, message: str, expected: str) -> Problems:
    return Problems([Problem(str(file), 0, 0, "seal", message, "", expected)])
