"""The schema table as other people read it: the reference of every key (Markdown), and JSON Schema for editors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trunkline.model.schema import EVENTS, NETWORK, RESERVED
from trunkline.model.shape import Either, Key, ListOf, MapOf, Record, Scalar, Shape

_HEAD = """\
# The network file

One YAML file, `trunkline: 1` at its top, or several by `include`. This page is generated from the schema table.

- Scalars are read by their key's type: `no` is a name where a name belongs. Names match `[A-Za-z0-9._-]+`.
- The order of entries never matters. List items count from 0 in field paths such as `circuits[3].capacity`.
- Aliases, anchors and merge keys (`<<`) are read; tags are not. A key given twice is an error.
- One name means one thing among regions, sites, routers, circuits, peers and risks: what fails is called by name.
- `circuits`, `lsps`, `demands` and `prefix_groups` may name a JSON file, or a CSV file: a header of key names; an empty
  cell is a key left out; a list's items are separated by spaces or semicolons; `metric.ab` is the key `ab` of `metric`.
- Without `latency` and `length`, a circuit inside one site takes 10 us; between sites one of them is needed.
- Unnamed circuits between the same two routers are an error: give a `name`, or `count`.
- Gravity splits its total exactly: largest remainder, the first pair by name among equals.
- Derived loopbacks depend on the router's name alone; two that collide are an error that prints the pin to add.
"""


def reference_markdown() -> str:
    """Return the reference of every key, as Markdown."""
    records = dict.fromkeys([NETWORK, *_records(NETWORK), EVENTS, *_records(EVENTS)])
    sections = [_HEAD, *(_section(record) for record in records if record.keys)]
    reserved = ", ".join(f"`{name}`" for name in RESERVED)
    sections.append(f"## Reserved\n\nKeys of later versions, refused until then: {reserved}.\n")
    return "\n".join(sections)


def _section(record: Record) -> str:
    title = record.title + (f" (`{record.when}`)" if record.when else "")
    lines = [f"## {title[0].upper()}{title[1:]}", "", "| key | value | default | meaning |", "|---|---|---|---|"]
    for key in record.keys:
        default = "required" if key.required else key.default or "-"
        lines.append(f"| `{key.name}` | {_value(key.shape)} | {default} | {key.doc} |")
    return "\n".join([*lines, ""])


def _value(shape: Shape) -> str:
    match shape:
        case Scalar():
            if shape.kind in ("rate", "time", "length", "share") or shape.choices or shape.kind == "int":
                return shape.expected
            return shape.expected.split(" such as")[0]
        case ListOf():
            return f"list of {_value(shape.item)}"
        case MapOf():
            return f"map of names to {_value(shape.value)}"
        case Record():
            return shape.title
        case Either():
            return "; or ".join(_value(option) for option in shape.options)


def _records(shape: Shape) -> Iterator[Record]:
    for inner in _inner(shape):
        if isinstance(inner, Record):
            yield inner
        yield from _records(inner)


def _inner(shape: Shape) -> tuple[Shape, ...]:
    match shape:
        case Scalar():
            return ()
        case ListOf():
            return (shape.item,)
        case MapOf():
            return (shape.value,)
        case Record():
            return tuple(key.shape for key in shape.keys)
        case Either():
            return shape.options


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the network file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Trunkline network file",
        **_json(NETWORK),
    }


def _json(shape: Shape) -> dict[str, Any]:
    match shape:
        case Scalar():
            return _json_scalar(shape)
        case ListOf():
            several = {"type": "array", "items": _json(shape.item)}
            return {
                "anyOf": [several, {"type": "null"}, *([_json(shape.item)] if shape.alone else [{"type": "string"}])]
            }
        case MapOf():
            names = {"pattern": r"^[A-Za-z0-9._-]+$"}
            one = {"type": "object", "propertyNames": names, "additionalProperties": _json(shape.value)}
            return {"anyOf": [one, {"type": ["string", "null"]}]}
        case Record():
            return _json_record(shape)
        case Either():
            return {"anyOf": [_json(option) for option in shape.options]}


def _json_record(record: Record) -> dict[str, Any]:
    properties = {key.name: {"description": _described(key), **_json(key.shape)} for key in record.keys}
    required = [key.name for key in record.keys if key.required]
    found: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**found, "required": required} if required else {**found, "type": ["object", "null"]}


def _described(key: Key) -> str:
    return key.doc + (f" (default: {key.default})" if key.default else "")


def _json_scalar(shape: Scalar) -> dict[str, Any]:
    if shape.choices:
        return {"enum": list(shape.choices)}
    if shape.kind == "int":
        bounds = {"minimum": shape.low, "maximum": shape.high}
        return {"type": "integer", **{key: value for key, value in bounds.items() if value is not None}}
    if shape.kind == "bool":
        return {"enum": [True, False, "yes", "no", "on", "off"]}
    if shape.kind == "degrees":
        return {"type": "number"}
    return {"type": ["string", "number"], "description": shape.expected}
