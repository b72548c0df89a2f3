"""Which core computes: the compiled kernel where its library loads, else the plain reference; the answers are equal."""

from __future__ import annotations

import importlib
import os
from functools import cache
from types import ModuleType

VARIABLE = "TRUNKLINE_BACKEND"


class Unavailable(RuntimeError):
    """The core that was asked for cannot be had."""


def backend() -> ModuleType:
    """Return the core in use.  The environment variable TRUNKLINE_BACKEND (reference, kernel) decides if it is set.

    Raises Unavailable where the kernel is asked for and cannot be had.
    """
    return _pick(os.environ.get(VARIABLE, ""))


def describe() -> str:
    """Return one line for people: which core is in use, and why if it is the slow one."""
    asked = os.environ.get(VARIABLE, "")
    if backend().__name__.endswith(".kernel"):
        return "compiled core"
    if asked == "reference":
        return f"pure-Python core, as {VARIABLE} asks: large networks take 10 to 100 times as long"
    return f"pure-Python core ({_kernel_trouble()}): large networks take 10 to 100 times as long"


def fallback() -> str | None:
    """Return what to tell a user whose compiled core does not load and who did not ask for the slow one, else None."""
    asked = os.environ.get(VARIABLE, "")
    return None if asked or backend().__name__.endswith(".kernel") else describe()


def _kernel_trouble() -> str:
    kernel = importlib.import_module("trunkline.engine.kernel")  # it reads the columns, whose gate reads this module
    return str(kernel.trouble())


@cache
def _pick(asked: str) -> ModuleType:
    if asked not in ("", "reference", "kernel"):
        raise Unavailable(f"{VARIABLE} is {asked!r}; expected reference or kernel")
    trouble = "" if asked == "reference" else _kernel_trouble()
    if asked == "kernel" and trouble:
        raise Unavailable(f"{VARIABLE} asks for the kernel: {trouble}")
    use_kernel = asked != "reference" and not trouble
    return importlib.import_module("trunkline.engine." + ("kernel" if use_kernel else "reference"))
