"""Protection from what was read."""

from __future__ import annotations

from trunkline.model.protection import Guard, Protection, Risks
from trunkline.model.read import Entry


def protection_of(root: Entry) -> Protection:
    """Return what the file asks of protection."""
    entry = root.entry("protection")
    if entry is None:
        return Protection()
    asked = entry.word("bandwidth", int) or 0  # a share is read as a negative number
    return Protection(
        Guard(entry.word("bypass", str) or Guard.NONE),
        entry.word("per_circuit", int) or 1,
        max(asked, 0),
        max(-asked, 0),
        Risks(entry.word("risks", str) or Risks.AVOID),
        tuple(sorted(set(entry.strings("classes")))) if entry.has("classes") else None,
    )
