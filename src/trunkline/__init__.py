"""An AI cloud from one file: its backbone designed, proven, rendered, run, and broken on purpose.

net = trunkline.load("examples/aurora.yaml").network
proof = trunkline.prove(net, trunkline.load_events("examples/aurora-cut.yaml", net))
print(proof.settled.tables["lsps"])
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trunkline.flow import Proof, State, prove
    from trunkline.model.edit import Editing, edit
    from trunkline.model.load import Loaded, load, load_events
    from trunkline.model.network import Network
    from trunkline.model.problem import Missing, Problem, Problems
    from trunkline.model.tables import Table

_FROM = {
    "trunkline.flow": ("Proof", "State", "prove"),
    "trunkline.model.edit": ("Editing", "edit"),
    "trunkline.model.load": ("Loaded", "load", "load_events"),
    "trunkline.model.network": ("Network",),
    "trunkline.model.problem": ("Missing", "Problem", "Problems"),
    "trunkline.model.tables": ("Table",),
}
__all__ = [
    "Editing",
    "Loaded",
    "Missing",
    "Network",
    "Problem",
    "Problems",
    "Proof",
    "State",
    "Table",
    "edit",
    "load",
    "load_events",
    "prove",
]


def __getattr__(name: str) -> object:
    """Import a name when it is asked for, so that a command pays only for what it needs."""
    for module, names in _FROM.items():
        if name in names:
            return getattr(importlib.import_module(module), name)
    raise AttributeError(f"module 'trunkline' has no attribute '{name}'")
