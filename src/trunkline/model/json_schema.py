"""The JSON Schema of the network file, for editors that complete and check while one types."""

from __future__ import annotations

from trunkline.model.keys.file import DEFAULTS, NETWORK
from trunkline.model.schema import Either, Key, Listing, Named, Record, Type

Schema = dict[str, object]
_FROM_FILE = frozenset({"circuits", "lsps", "demands", "prefix_groups"})
"""Sections that may be a file's name, or hold `{file: NAME}` among their items."""


def json_schema() -> Schema:
    """Return the schema (JSON Schema 2020-12), made from the table of keys."""
    schema = _record(NETWORK)
    properties = schema["properties"]
    if isinstance(properties, dict):
        for name in sorted(_FROM_FILE):
            properties[name]["anyOf"] = [_from_file(properties[name]), {"type": "string"}]
            for word in ("type", "items", "additionalProperties", "propertyNames"):
                properties[name].pop(word, None)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Trunkline network file",
        **schema,
    }


def _from_file(section: Schema) -> Schema:
    plain = {key: value for key, value in section.items() if key != "description"}
    if plain.get("type") != "array":
        return plain
    file: Schema = {"file": {"type": "string"}}
    row = {"type": "object", "properties": file, "required": ["file"], "additionalProperties": False}
    return {"type": "array", "items": {"anyOf": [plain["items"], row]}}


def _of(kind: Type) -> Schema:
    match kind:
        case Listing(of=of, least=least):
            many: Schema = {"type": "array", "items": _of(of)}
            if least:
                many["minItems"] = least
            return {"anyOf": [many, {"type": ["string", "integer"]}]} if kind.words else many
        case Named(of=of, keys=keys, flat=flat):
            named: Schema = {"type": "object", "additionalProperties": {"anyOf": [_of(of), {"type": "null"}]}}
            named["propertyNames"] = {"pattern": keys.json["pattern"]}
            return {"anyOf": [named, {"type": "array", "items": dict(keys.json)}]} if flat else named
        case Record():
            return _record(kind)
        case Either(options=options):
            return {"anyOf": [_of(option) for option in options]}
        case _:
            return dict(kind.json)


def _record(kind: Record) -> Schema:
    schema: Schema = {
        "type": "object",
        "properties": {key.name: {**_of(key.type), "description": _words(key)} for key in kind.keys},
        "additionalProperties": False,
    }
    required = [key.name for key in kind.keys if key.required and not _may_default(kind, key)]
    if required:
        schema["required"] = required
    return schema


def _may_default(kind: Record, key: Key) -> bool:
    """Whether `defaults` can give the key, so that its absence from an entry is no fault of the entry."""
    section = DEFAULTS.key(kind.defaults)
    return section is not None and isinstance(section.type, Record) and section.type.key(key.name) is not None


def _words(key: Key) -> str:
    return f"{key.doc} Default: {key.default}." if key.default else key.doc
