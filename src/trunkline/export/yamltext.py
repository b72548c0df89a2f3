"""YAML that other programs read: one entry a line, quoted wherever YAML 1.1 would read a name as something else."""

from __future__ import annotations

import yaml


def flow(value: object) -> str:
    """Return plain data on one line."""
    text: str = yaml.safe_dump(
        value, default_flow_style=True, width=10**9, sort_keys=False, allow_unicode=True, explicit_end=False
    )
    return text.removesuffix("\n...\n").removesuffix("\n")


def entry(key: str, value: object) -> str:
    """Return one entry of a map, on one line."""
    return flow({key: value})[1:-1]
