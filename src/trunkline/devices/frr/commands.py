"""From what a daemon was told to what it is to be told: the commands in between, and nothing else.

What filters are made of comes before the sessions that use them, and goes after them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import TypeAlias

Tree: TypeAlias = "dict[str, Tree]"
"""Lines of a configuration, each with those below it, in order."""

ENDS = re.compile(r"end|exit(-[a-z-]+)?")
PROTOCOL = re.compile(r"(router|interface|bfd)\b")
OVERWRITTEN = tuple(
    re.compile(pattern)
    for pattern in (
        r"(route-map \S+) (?:permit|deny)( \d+)",
        r"((?:isis )?metric|max-bw|max-rsv-bw|unrsv-bw \d|admin-grp|maximum-paths(?: ibgp)?|bgp cluster-id) .*",
        r"(topology ipv6-unicast).*",
        r"((?:match|set) (?:ip address |ipv6 address )?\S+) .*",
        r"(neighbor \S+ (?:description|maximum-prefix|timers|update-source)) .*",
    )
)
"""Lines that take the place of one with the same groups: taken away first, such a setting would be its default for a
moment, and the network would converge on that."""
JOINS = re.compile(r"neighbor (\S+) peer-group.*")
"""Without this line a neighbour, or a peer group, is gone with all its other lines."""


def commands(old: str, new: str) -> list[str]:
    """Return what to type after `configure terminal` at a daemon that was told `old`, so that it is told `new`."""
    (was, now), (had, has) = ([_part(_tree(text), wanted) for text in (old, new)] for wanted in (True, False))
    lost = _lost(was, now)
    return [
        *_added(had, has, lost),
        *_removed(was, now, lost),
        *_added(was, now, lost),
        *_removed(had, has, lost),
    ]


def _tree(text: str) -> Tree:
    root: Tree = {}
    above = [root]
    for line in text.splitlines():
        words = line.strip()
        if words and not words.startswith("!") and not ENDS.fullmatch(words):
            depth = len(line) - len(line.lstrip())
            del above[depth + 1 :]
            above.append(above[depth].setdefault(words, {}))
    return root


def _part(tree: Tree, protocol: bool) -> Tree:
    return {line: below for line, below in tree.items() if bool(PROTOCOL.match(line)) is protocol}


def _lost(was: Tree, now: Tree) -> frozenset[str]:
    """The neighbours and peer groups that go, or go to another peer group: whatever else is said of them goes too."""
    found = set()
    for line, below in was.items():
        gone = [one for one in below if one not in now.get(line, {})]
        found |= {joins[1] for one in gone if (joins := JOINS.fullmatch(one))}
    return frozenset(found)


def _of_lost(line: str, lost: Collection[str]) -> bool:
    words = line.split()
    return words[0] == "neighbor" and words[1] in lost


def _removed(was: Tree, now: Tree, lost: Collection[str]) -> Iterator[str]:
    """What takes lines away, the last first: what is said of a thing before the thing."""
    come = {_place(line) for line in now if line not in was}
    for line, below in reversed(was.items()):
        if line in now:
            yield from _inside(line, list(_removed(below, now[line], lost)))
        elif not (_of_lost(line, lost) and not JOINS.fullmatch(line)) and _place(line) not in come:
            undo = line.removeprefix("no ") if line.startswith("no ") else f"no {line}"
            if undo not in now:
                yield undo


def _added(was: Tree, now: Tree, lost: Collection[str]) -> Iterator[str]:
    for line, below in now.items():
        if line in was and below:
            yield from _inside(line, list(_added(was[line], below, lost)))
        elif below:
            yield from (line, *_added({}, below, lost), "exit")
        elif line not in was or _of_lost(line, lost):
            yield from (line, "exit") if line.startswith("route-map ") else (line,)  # an entry may have nothing in it


def _inside(context: str, lines: list[str]) -> list[str]:
    return [context, *lines, "exit"] if lines else []


def _place(line: str) -> str:
    """What a line says of what, without the value where one takes another's place."""
    for pattern in OVERWRITTEN:
        if found := pattern.fullmatch(line):
            return "".join(found.groups())
    return line
