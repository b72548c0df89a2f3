"""What a source needs from outside and does not find: a package, a token, a server that answers."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType


class Lacking(OSError):
    """The environment lacks something; the message says what, and what brings it.  The command line exits with 3."""


def optional(package: str) -> ModuleType:
    """Import a package that only some sources need.  Raises Lacking where it is not installed."""
    try:
        return importlib.import_module(package)
    except ImportError:
        raise Lacking(f"{package} is not installed: {sys.executable} -m pip install {package}") from None
