"""What a source needs from outside and does not find: a package, a token, a server that answers."""

from __future__ import annotations

import importlib
from types import ModuleType


class Lacking(OSError):
    """The environment lacks something; the message says what, and what brings it.  The command line exits with 3."""


def optional(package: str, extra: str) -> ModuleType:
    """Import a package that comes with an extra of ours.  Raises Lacking where it is not installed."""
    try:
        return importlib.import_module(package)
    except ImportError:
        message = f"{package} is not installed; it comes with: pip install 'trunkline[{extra}]'"
        raise Lacking(message) from None
