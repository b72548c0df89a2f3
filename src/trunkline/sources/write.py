"""The network file of a sketch: what was done to it as comments on top, then an entry a line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

import yaml

from trunkline.sources.fill import Filled
from trunkline.sources.rules import RULES

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NUMBER = re.compile(r"[-+.0-9]+(e[-+0-9]+)?", re.IGNORECASE)
"""Numbers of YAML 1.2 too, where PyYAML reads 1.1."""
EXAMPLES = 3
_LISTED = frozenset({"lsp-unresolved", "left-out"})
"""Rules whose every subject is written: what is not in the file has to be found somewhere."""


def write(filled: Filled, origin: str, notes: Sequence[str], applied: Mapping[str, Sequence[str]]) -> str:
    """Return the YAML text; the same input gives the same bytes."""
    lines = [f"# {origin}, imported by Trunkline; the rules are in docs/how-to/import.md."]
    lines += [f"# {line}" for line in summary(notes, applied)]
    lines += ["trunkline: 1", f"name: {scalar(filled.name)}"]
    for section, value in filled.sections.items():
        lines += ["", *_section(section, value)]
    return "\n".join(lines) + "\n"


def summary(notes: Sequence[str], applied: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the notes and every rule that was applied, with a few of its subjects, as lines for people."""
    lines = [f"note: {note}" for note in notes]
    for rule, subjects in applied.items():
        lines.append(f"{rule} ({len(subjects)}): {RULES[rule]}")
        if rule in _LISTED:
            lines += [f"  {_printable(subject)}" for subject in subjects]
        else:
            more = f" and {len(subjects) - EXAMPLES} more" if len(subjects) > EXAMPLES else ""
            lines.append("  " + ", ".join(map(_printable, subjects[:EXAMPLES])) + more)
    return lines


def _section(section: str, value: Any) -> list[str]:
    if section == "regions":
        return [f"regions: {flow(value)}"]
    if isinstance(value, dict):
        return [f"{section}:", *(f"  {scalar(name)}: {flow(entry)}" for name, entry in value.items())]
    return [f"{section}:", *(f"  - {flow(entry)}" for entry in value)]


def flow(value: Any) -> str:
    """Return a value in YAML's flow style, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(inner) for inner in value) + "]"
    if isinstance(value, Decimal):
        return f"{value:f}"
    return str(value) if isinstance(value, int) else scalar(value)


@lru_cache(maxsize=65536)
def scalar(text: str) -> str:
    """Return a word as YAML, quoted where a reader might take it for a number, a date, a boolean or nothing."""
    try:
        same = yaml.load(f"[{text}]", Loader=_LOADER) == [text]  # noqa: S506 - the safe loader, in C where there is one
    except (yaml.YAMLError, ValueError):
        same = False
    return text if same and not _NUMBER.fullmatch(text) else f"'{text}'"


def _printable(subject: str) -> str:
    return "".join(c if c.isprintable() else " " for c in subject)
