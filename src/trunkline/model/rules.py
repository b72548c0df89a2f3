"""Policy rules from what was read."""

from __future__ import annotations

from trunkline.model.document import Spot
from trunkline.model.names import Names
from trunkline.model.nouns import Kind
from trunkline.model.policy import NOTHING, Change, PeerRule, PolicyRule, PrefixRange
from trunkline.model.read import Entry

OURS = range(1, 5)
"""The second part of the large communities of our AS by which routers tell routes apart (devices/policy.py)."""


def policy_of(ibgp: Entry, own: int, names: Names) -> tuple[PolicyRule, ...]:
    """Return the rules between regions."""
    return tuple(_policy(rule, own, names) for rule in ibgp.entries("policy"))


def _policy(rule: Entry, own: int, names: Names) -> PolicyRule:
    kind = rule.word("kind", str)
    return PolicyRule(
        _decision(rule, "cross", names),
        Kind(kind) if kind else None,
        rule.word("from", str),
        rule.word("to", str),
        rule.word("peer", str),
        rule.word("group", str),
        rule.word("side", str) or "both",
        tuple(map(PrefixRange.of, rule.strings("prefixes"))),
        rule.word("as_path", str),
        communities_of(rule, own, names),
        _change(rule, own, names),
    )


def peer_rules_of(peer: Entry, key: str, own: int, names: Names) -> tuple[PeerRule, ...]:
    """Return the rules of a peer's `import` or `export`."""
    return tuple(_peer_rule(rule, own, names) for rule in peer.entries(key))


def _peer_rule(rule: Entry, own: int, names: Names) -> PeerRule:
    kind = rule.word("kind", str)
    return PeerRule(
        _decision(rule, "accept", names),
        Kind(kind) if kind else None,
        rule.word("region", str),
        rule.word("group", str),
        tuple(sorted(set(rule.strings("at")))),
        tuple(map(PrefixRange.of, rule.strings("prefixes"))),
        rule.word("as_path", str),
        communities_of(rule, own, names),
        _change(rule, own, names),
    )


def _decision(rule: Entry, key: str, names: Names) -> bool | None:
    """Whether the route passes.  A rule has to decide or to set something; what is rejected needs nothing set."""
    passes = rule.word(key, bool)
    if not rule.has(key) and not rule.has("set"):
        names.faults.error("rule", rule.spot, "the rule does nothing", f"`{key}`, `set`, or both")
    elif passes is False and rule.has("set"):
        names.faults.error("rule", rule.at("set"), "what is rejected carries nothing that is set", "one of the two")
    return passes


def _change(rule: Entry, own: int, names: Names) -> Change:
    given = rule.entry("set")
    if given is None:
        return NOTHING
    if not given.values and not given.broken:
        names.faults.error("rule", given.spot, "nothing is set", "what to set")
    pref, med, prepend = (given.word(key, int) for key in ("local_pref", "med", "prepend"))
    return Change(pref, med, communities_of(given, own, names), prepend)


def communities_of(entry: Entry, own: int, names: Names) -> tuple[str, ...]:
    """Return the communities of an entry, sorted; those that routers mark routes with are refused."""
    for word in entry.words("communities"):
        _free(str(word.data), own, word.spot, names)
    return tuple(sorted(set(entry.strings("communities"))))


def _free(community: str, own: int, spot: Spot, names: Names) -> None:
    parts = [int(part) for part in community.split(":")]
    if len(parts) == 3 and parts[0] == own and parts[1] in OURS:
        message = f"'{community}' is one that our routers mark routes with"
        names.faults.error("community", spot, message, f"another second part than {OURS[0]} to {OURS[-1]}")
