"""Values as they are written into a file: YAML, JSON, or a CSV cell, in the style of what stood there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from trunkline.model.document import Faults, List, Node, Text
from trunkline.model.yamltext import parse_yaml

Value = str | int | float | bool | Sequence["Value"] | Mapping[str, "Value"]
"""What may be written.  Text is written as it is (`400G`, `8.5ms`), quoted only where YAML would read it otherwise."""


def word(value: str | float) -> str:
    """Return a scalar as the tree has it: text."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def plain(value: Value) -> object:
    """Return a value as `data` would read it back: text, lists and dictionaries."""
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, str | int | float):
        return word(value)
    return [plain(item) for item in value]


def data(node: Node) -> object:
    """Return a tree as text, lists and dictionaries, without its places."""
    if isinstance(node, Text):
        return "" if node.empty else node.value
    if isinstance(node, List):
        return [data(item) for item in node.items]
    return {key.value: data(inner) for key, inner in node.entries}


def yaml_value(value: Value, old: str = "") -> str:
    """Return a value on one line of YAML; a text keeps the quotes of the `old` one in its place."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{yaml_key(key)}: {yaml_value(inner)}" for key, inner in value.items()) + "}"
    if not isinstance(value, str | int | float):
        return "[" + ", ".join(yaml_value(item) for item in value) + "]"
    text = word(value)
    if old.startswith("'") and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return text if _is_plain(text) and not old.startswith('"') else json.dumps(text, ensure_ascii=False)


def yaml_key(key: str) -> str:
    """Return a key of a YAML map."""
    return yaml_value(key) if key != "<<" else '"<<"'


def _is_plain(text: str) -> bool:
    """Whether YAML reads the text back as it is, inside brackets, where it is strictest."""
    read = parse_yaml(f"[{text}]", "", Faults()) if "\n" not in text else None
    items = read.items if isinstance(read, List) else ()
    return len(items) == 1 and isinstance(items[0], Text) and items[0].value == text and not items[0].empty


def json_value(value: Value, old: str = "") -> str:
    """Return a value as JSON on one line; a number given as text stays bare where a number stood."""
    if isinstance(value, str) and old[:1] not in ("", '"', "{", "[") and _is_number(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def _is_number(text: str) -> bool:
    try:
        return type(json.loads(text)) in (int, float)
    except ValueError:
        return False


def cell(value: Value, old: str = "") -> str | None:
    """Return a value as a CSV field (RFC 4180); None where a field cannot hold it."""
    text = cell_text(value)
    if text is None:
        return None
    quoted = old.startswith('"') or any(c in text for c in ',"\n\r') or text != text.strip() or text.startswith("#")
    return '"' + text.replace('"', '""') + '"' if quoted else text


def cell_text(value: Value) -> str | None:
    """Return what a CSV field holds for a value: a list is its words; None where that cannot be."""
    if isinstance(value, str | int | float):
        return word(value)
    words = [] if isinstance(value, Mapping) else [word(v) for v in value if isinstance(v, str | int | float)]
    fits = not isinstance(value, Mapping) and len(words) == len(value) and not any(" " in w or ";" in w for w in words)
    return " ".join(words) if fits else None
