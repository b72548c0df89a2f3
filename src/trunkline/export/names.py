"""Names as another program takes them; where two become one, that is an error and never a merge."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from trunkline.model.problem import Problem, Problems


@dataclass(frozen=True)
class Rule:
    """What a program takes as a name: `first` and `rest` are sets of characters, as in a regular expression."""

    program: str
    first: str
    rest: str
    longest: int
    reserved: tuple[str, ...] = ()
    """Words that name something else there."""

    def fit(self, name: str) -> str:
        """Return the name as it is where it fits; else with `-` for what does not, and cut with a digest at its end."""
        fitted = re.sub(f"[^{self.rest}]", "-", name)
        if fitted in self.reserved or not re.match(f"[{self.first}]", fitted):
            fitted = f"n{fitted}"
        if len(fitted) > self.longest:
            fitted = f"{fitted[: self.longest - 5]}-{hashlib.sha256(name.encode()).hexdigest()[:4]}"
        return fitted


CONTAINERLAB = Rule("containerlab", "a-zA-Z0-9", "a-zA-Z0-9._-", 48)
"""Its JSON schema's pattern for nodes; the length leaves room for the lab's name in a host name of 63 (RFC 1035)."""
NETLAB = Rule("netlab", "a-zA-Z_", "a-zA-Z0-9_-", 16, ("all", "peers"))
"""Its identifiers: 16 characters at most (MAX_NODE_ID_LENGTH).  `all` is its group, `peers` ours."""


def fitted(names: Iterable[str], rule: Rule) -> dict[str, str]:
    """Return each name as the rule has it.  Raises Problems with every pair that would become one."""
    found: dict[str, str] = {}
    taken: dict[str, str] = {}
    problems = []
    for name in sorted(names):
        found[name] = rule.fit(name)
        other = taken.setdefault(found[name], name)
        if other != name:
            message = f"'{other}' and '{name}' would both be '{found[name]}' in {rule.program}"
            problems.append(Problem("", 0, 0, "name-clash", message, "", "names that differ there too"))
    if problems:
        raise Problems(problems)
    return found


def renamed(names: dict[str, str]) -> list[str]:
    """Return the comment lines that say who is who, where a name had to change."""
    return [f"# {new} is {name}" for name, new in names.items() if new != name]
