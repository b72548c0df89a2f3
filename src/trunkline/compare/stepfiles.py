"""The states of a migration as network files: `000.yaml` before anything is changed, then one for each step."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from trunkline.compare.migrate import Migration
from trunkline.model.edit.editing import Editing
from trunkline.model.edit.words import Value
from trunkline.model.nouns import AddPath, Ibgp
from trunkline.model.problem import Problem, Problems

SETTINGS = ("fallback_default", "shared_cluster", "best_external", "optimal", "client_to_client", "confine")
"""Settings that a step may change, beside sessions and Add-Path; every file says them outright."""


def step_files(path: Path, migration: Migration) -> dict[str, bytes]:
    """Return the network file of every state, by name: the file as it is, with the state's iBGP sessions and settings.

    Raises Problems where the network is in several files: what they name beside them would not be found from elsewhere.
    """
    states = [migration.start, *(step.net for step in migration.steps)]
    found = {}
    digits = max(3, len(str(len(migration.steps))))  # by name they are in order
    for number, net in enumerate(states):
        editing = Editing(str(path))
        written = editing.written()
        if len(written) > 1:
            message = f"the network is in {len(written)} files, and its steps are written for one in a single file"
            raise Problems([Problem(str(path), 0, 0, "steps", message, "", "no `include` and no lists in other files")])
        _say(editing, net.ibgp)
        found[f"{number:0{digits}}.yaml"] = next(iter(editing.written().values()))
    return found


def _say(editing: Editing, ibgp: Ibgp) -> None:
    if not editing.document.where("ibgp"):
        editing.set("", "ibgp", {"design": "regional"})
    if editing.document.where("ibgp.reflectors"):
        editing.remove("", "ibgp.reflectors")
    said: dict[str, Value] = {key: getattr(ibgp, key) for key in SETTINGS}
    said["add_path"] = {field.name: _mode(getattr(ibgp.add_path, field.name)) for field in fields(AddPath)}
    said["sessions"] = [
        {"a": s.a, "b": s.b} | ({"client": s.client} if s.client is not None else {}) for s in ibgp.sessions
    ]
    said["design"] = ibgp.design
    for key, value in said.items():
        editing.set("", f"ibgp.{key}", value)


def _mode(mode: str) -> Value:
    return int(mode) if mode.isdigit() else mode
