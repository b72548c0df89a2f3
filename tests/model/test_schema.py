"""The starter loads, the reference is up to date, and the JSON Schema says yes and no where the reader does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from trunkline.model.json_schema import json_schema
from trunkline.model.load import load
from trunkline.model.reference import reference_markdown
from trunkline.model.starter import starter

REFERENCE = Path(__file__).parent.parent.parent / "docs" / "file.md"
GOOD = {file.stem: file.read_text(encoding="utf-8") for file in sorted((Path(__file__).parent / "good").glob("*.yaml"))}
TYPES: dict[str, type] = {"object": dict, "array": list, "string": str, "null": type(None)}


def valid(value: object, schema: dict[str, object]) -> bool:
    """The part of JSON Schema that ours uses."""
    if "anyOf" in schema:
        options = schema["anyOf"]
        assert isinstance(options, list)
        return any(valid(value, option) for option in options)
    if "enum" in schema:
        options = schema["enum"]
        assert isinstance(options, list)
        return value in options
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(is_a(value, str(kind)) for kind in kinds):
        return False
    if isinstance(value, dict):
        return valid_map(value, schema)
    return valid_list(value, schema) if isinstance(value, list) else valid_scalar(value, schema)


def valid_list(value: list[object], schema: dict[str, object]) -> bool:
    items = schema["items"]
    assert isinstance(items, dict)
    return len(value) >= int(str(schema.get("minItems", 0))) and all(valid(item, items) for item in value)


def valid_scalar(value: object, schema: dict[str, object]) -> bool:
    if isinstance(value, str):
        return re.search(str(schema.get("pattern", "")), value) is not None
    low, high = schema.get("minimum", value), schema.get("maximum", value)
    return value is None or float(str(low)) <= float(str(value)) <= float(str(high))


def is_a(value: object, kind: str) -> bool:
    if kind in ("integer", "number"):
        return isinstance(value, int | float if kind == "number" else int) and not isinstance(value, bool)
    return isinstance(value, TYPES[kind])


def valid_map(value: dict[str, object], schema: dict[str, object]) -> bool:
    properties, others, required = (
        schema.get("properties", {}),
        schema["additionalProperties"],
        schema.get("required", []),
    )
    assert isinstance(properties, dict)
    assert isinstance(required, list)
    for key, inner in value.items():
        if key not in properties and others is False:
            return False
        rule = properties.get(key, others)
        assert isinstance(rule, dict)
        if not valid(inner, rule):
            return False
    return all(key in value for key in required)


@pytest.mark.parametrize("text", [starter(), *GOOD.values()], ids=["starter", *GOOD])
def test_schema_takes_good_files(text: str) -> None:
    assert valid(yaml.safe_load(text), json_schema())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("regions:", "region:"),
        ("capacity: 400G", "capasity: 400G"),
        ("role: dr", "role: [core]"),
        ("lsp_priority: 2", "lsp_priority: 8"),
        ("asn: 64501, ", ""),
        ("design: regional", "design: reflector"),
        ("trunkline: 1\n", ""),
    ],
)
def test_schema_refuses_bad_files(old: str, new: str) -> None:
    assert old in starter()
    assert not valid(yaml.safe_load(starter().replace(old, new)), json_schema())


def test_starter_loads_without_a_warning(tmp_path: Path) -> None:
    file = tmp_path / "starter.yaml"
    file.write_text(starter())
    loaded = load(file)
    assert loaded.warnings == ()
    assert len(loaded.network.routers) == 8
    assert len(starter().splitlines()) <= 80


def test_reference_is_up_to_date() -> None:
    assert REFERENCE.read_text(encoding="utf-8") == reference_markdown()
