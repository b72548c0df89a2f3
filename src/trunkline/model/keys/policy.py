"""Keys of policy: rules between regions, on what peers say, and on what they hear."""

from __future__ import annotations

import re

from trunkline.model.keys.words import REGION_NAME, ROUTER, UINT32
from trunkline.model.policy import PrefixRange, as_path_pattern
from trunkline.model.schema import BOOL, PREFIX, Atom, Key, Listing, Record, Refused, Scalar, choice, integer, ref

_NUMBER = r"(?:0|[1-9][0-9]{0,9})"
_COMMUNITY = re.compile(rf"{_NUMBER}(?::{_NUMBER}){{1,2}}")
RESERVED = 65535
"""The first half of communities that routers act on by themselves (RFC 1997), which is not modelled."""
_COMMUNITY_WORDS = "a community such as 64500:120 (RFC 1997) or 64500:1:120 (RFC 8092)"
_RANGE_WORDS = "a prefix such as 10.0.0.0/8, or 10.0.0.0/8 ge 16 le 24 for those inside it"
_PATH_WORDS = "an AS-path expression such as _3356_ (somewhere), ^64500_ (from) or _64500$ (by)"


def _read_community(text: str) -> Atom:
    parts = [int(part) for part in text.split(":")] if _COMMUNITY.fullmatch(text) else []
    if not parts or max(parts) >= 2 ** (16 if len(parts) == 2 else 32):
        raise Refused("type", f"'{text[:60]}' is not a community", _COMMUNITY_WORDS)
    if len(parts) == 2 and parts[0] == RESERVED:
        raise Refused("range", f"routers act on '{text}' by themselves", "one that only rules act on")
    return text


def _read_range(text: str) -> Atom:
    words = text.split()
    network = PREFIX.read(words[0] if words else "")
    try:
        return str(PrefixRange.of(" ".join([str(network), *words[1:]])))
    except ValueError as error:
        raise Refused("range", f"'{text[:60]}' is no range of prefixes: {error}", _RANGE_WORDS) from error


def _read_path(text: str) -> Atom:
    try:
        as_path_pattern(text)
    except ValueError as error:
        raise Refused("type", f"'{text[:60]}' is not an AS-path expression", _PATH_WORDS) from error
    return text


COMMUNITY = Scalar(
    "community", _COMMUNITY_WORDS, _read_community, {"type": ["string", "integer"], "pattern": "^[0-9:]+$"}
)
PREFIX_RANGE = Scalar("prefixes", _RANGE_WORDS, _read_range, {"type": "string"})
AS_PATH = Scalar("AS path", _PATH_WORDS, _read_path, {"type": ["string", "integer"]})

COMMUNITIES = Key("communities", Listing(COMMUNITY, least=1), "Communities, all of which it carries.", "any")
_GROUP = Key(
    "group",
    ref("prefix group", "data centre", also=("default",)),
    "Its prefix group; `default` is the fallback default.",
    "any",
)
_KIND = Key("kind", choice("transit", "peering", "customer", "datacenter", "default"), "Kind of route.", "any")
_PREFIXES = Key("prefixes", Listing(PREFIX_RANGE, least=1), "Ranges that its group's prefixes are in.", "any")
_AS_PATH_KEY = Key(
    "as_path", AS_PATH, "A regular expression found in its AS path; `_` is the boundary of a number.", "any"
)
_AT = Key("at", Listing(ROUTER, least=1), "Routers of the peer's ports where the rule acts.", "all of them")
_PREF = Key("local_pref", UINT32, "Local preference.", "as it is")
_MED = Key("med", UINT32, "MED.", "as it is")
_ADDED = Key("communities", Listing(COMMUNITY, least=1), "Communities to add.", "none")


def _prepend(whose: str) -> Key:
    return Key("prepend", integer(1, 20), f"How often {whose} AS is put in front of the AS path.", "not at all")


def _set(where: str, *keys: Key) -> Key:
    return Key("set", Record(f"set {where}", "what is set", keys), "What is set on it.", "nothing")


RULE = Record(
    "rule",
    "a policy rule's keys",
    (
        Key("cross", BOOL, "Whether the routes it matches cross from region to region.", "goes on to the next rule"),
        _KIND,
        Key("from", REGION_NAME, "Region that the route leaves.", "any"),
        Key("to", REGION_NAME, "Region that it would enter.", "any"),
        Key("peer", ref("peer"), "Peer it was heard from.", "any"),
        _GROUP,
        Key("side", choice("export", "import", "both"), "Where the rule acts.", "both"),
        _PREFIXES,
        _AS_PATH_KEY,
        COMMUNITIES,
        _set("between regions", _PREF, _MED, _ADDED),
    ),
)
_ACCEPT = Key("accept", BOOL, "Whether the routes it matches are accepted.", "goes on to the next rule")
IMPORT_RULE = Record(
    "import rule",
    "an import rule's keys",
    (
        _ACCEPT,
        _GROUP,
        _AT,
        _PREFIXES,
        _AS_PATH_KEY,
        COMMUNITIES,
        _set("on import", _PREF, _MED, _ADDED, _prepend("the peer's")),
    ),
)
EXPORT_RULE = Record(
    "export rule",
    "an export rule's keys",
    (
        _ACCEPT,
        _KIND,
        Key("region", REGION_NAME, "Region where the route entered.", "any"),
        _GROUP,
        _AT,
        COMMUNITIES,
        _set("on export", _MED, _ADDED, _prepend("our")),
    ),
)
