"""What the file defines, by kind and name: clashes, and references to what it does not define."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from trunkline.model.document import Faults, Spot
from trunkline.model.problem import nearest
from trunkline.model.read import Mention

_FAIL = frozenset({"router", "site", "region", "risk", "circuit", "peer", "port", "failure set", "candidate"})
_ENDS = frozenset({"data centre", "router", "peer", "prefix group"})
_SHARED = frozenset({"peer", "prefix group"})
"""Kinds that may share a name: a peer and what it announces."""
_TAKEN = {("class", "drop"): "the end of a fallback list", ("router", "all"): "every router of a mesh"}
"""Words that mean something where the name of such a thing may stand."""


class Names:
    """Where every named thing is defined."""

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        self.spots: dict[tuple[str, str], Spot] = {}
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self.by_kind: dict[str, list[str]] = defaultdict(list)

    def define(self, kind: str, name: str, spot: Spot, again: str = "") -> bool:
        """Note a thing; return False where the name is taken (the fault is noted).  `again` says what to do then."""
        if (kind, name) in _TAKEN:
            self.faults.error("name-clash", spot, f"'{name}' is {_TAKEN[kind, name]}", "another name")
        taken = self.spots.get((kind, name))
        if taken is not None:
            self.faults.error("name-twice", spot, f"the {kind} '{name}' was defined before, at {taken.place}", again)
            return False
        for other in self._by_name[name]:
            if _clash(kind, other):
                where = self.spots[other, name].place
                message = f"'{name}' is a {kind} here and a {other} at {where}: one name, one thing"
                self.faults.error("name-clash", spot, message, "another name")
        self.spots[kind, name] = spot
        self._by_name[name].append(kind)
        self.by_kind[kind].append(name)
        return True

    def mention(self, kind: str, name: str, spot: Spot) -> None:
        """Note a thing that its first mention defines (a shared risk, an admin group)."""
        if (kind, name) not in self.spots:
            self.define(kind, name, spot)

    def known(self, kind: str, name: str) -> bool:
        """Whether a thing of this kind and name is defined."""
        return (kind, name) in self.spots

    def check(self, mentions: Iterable[Mention]) -> None:
        """Note every reference to what is not defined."""
        for mention in mentions:
            kinds = mention.type.kinds
            if any(self.known(kind, mention.name) for kind in kinds):
                continue
            valid = [name for kind in kinds for name in self.by_kind[kind]] + list(mention.type.also)
            near = nearest(mention.name, valid)
            words = " or ".join(kinds)
            expects = "" if near else mention.type.expected
            self.faults.error("reference", mention.spot, f"no {words} is named '{mention.name}'", expects, near)


def _clash(kind: str, other: str) -> bool:
    if {kind, other} == _SHARED:
        return False
    return {kind, other} <= _FAIL or {kind, other} <= _ENDS
