"""What a source needs from outside and does not find: a package, a token, a server that answers."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

from trunkline.model.problem import Missing


def optional(package: str) -> ModuleType:
    """Import a package that only some sources need.  Raises Missing where it is not installed."""
    try:
        return importlib.import_module(package)
    except ImportError:
        raise Missing(f"{package} is not installed: {sys.executable} -m pip install {package}") from None
