"""A package that a source needs and that is not installed."""

from __future__ import annotations


class Missing(OSError):
    """An optional package is not installed; the message has the command that brings it, and the exit code is 3."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed; it comes with: pip install 'trunkline[{extra}]'")
