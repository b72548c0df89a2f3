"""Names as the network file takes them: what may stand in one, and one name for one thing."""

from __future__ import annotations

import re
import unicodedata

from trunkline.sources.rules import Ledger

_OTHER = re.compile(r"[^A-Za-z0-9._-]+")
_RESERVED = ("all", "dynamic", "drop")
"""Words that mean something where a name may stand."""
LONGEST = 40
"""Of a name; a circuit and a demand may be called after two of them, and a name has at most 100."""
LONG = 90
"""Of the names of circuits, LSPs and demands."""
_LIGATURES = str.maketrans(
    {"ß": "ss", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "Ae", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D"}
)


class Names:
    """Gives out names that no two things share: routers, sites, regions, circuits and shared risks."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self._taken = set(_RESERVED)
        self._next: dict[str, int] = {}

    def clean(self, raw: str, instead: str, longest: int = LONGEST) -> str:
        """Return `raw` with what may stand in a name; `instead` where nothing is left of it."""
        plain = unicodedata.normalize("NFKD", raw.translate(_LIGATURES)).encode("ascii", "ignore").decode("ascii")
        name = _OTHER.sub("-", plain).strip("-")[:longest]
        name = name if name.strip(".") else instead
        if name != raw:
            self.ledger.apply("name-sanitised", f"'{raw}' is {name}")
        return name

    def take(self, name: str) -> str:
        """Return `name`, or with `-2`, `-3` and so on where it is taken."""
        if name not in self._taken:
            self._taken.add(name)
            return name
        number = self._next.get(name, 2)
        while f"{name}-{number}" in self._taken:
            number += 1
        self._next[name] = number + 1
        given = f"{name}-{number}"
        self._taken.add(given)
        self.ledger.apply("name-suffix", f"another '{name}' is {given}")
        return given
