"""From what a daemon was told to what it is to be told: the commands in between, and nothing else.

What filters are made of comes before the sessions that use them, and goes after them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple, TypeAlias

Tree: TypeAlias = "dict[str, Line]"
"""Lines of a configuration in order, by what each is about (`_place`)."""


class Line(NamedTuple):
    """A line, and those below it."""

    text: str
    below: Tree


ENDS = re.compile(r"end|exit(-[a-z-]+)?")
PROTOCOL = re.compile(r"(router|interface|bfd)\b")
OVERWRITTEN = tuple(
    re.compile(pattern)
    for pattern in (
        r"(route-map \S+) (?:permit|deny)( \d+)",
        r"((?:isis )?metric|max-bw|max-rsv-bw|unrsv-bw \d|admin-grp|maximum-paths(?: ibgp)?|bgp cluster-id) .*",
        r"(topology ipv6-unicast).*",
        r"((?:match|set) (?:ip address |ipv6 address )?\S+) .*",
        r"(neighbor \S+ (?:description|maximum-prefix|update-source)) .*",
    )
)
"""Lines that take the place of one with the same groups: taken away first, such a setting would be its default for a
moment, and the network would converge on that."""
JOINS = re.compile(r"neighbor (\S+) peer-group ?(\S*)")
"""Without this line a neighbour, or a peer group, is gone with all its other lines."""
SEVERAL = re.compile(r"neighbor (\S+) addpath-\S+")
"""Where this changes, sessions start anew anyhow, and FRR 8.4 may keep a default that it originates from them for good:
so the peer group is made anew."""


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
            above.append(above[depth].setdefault(_place(words), Line(words, {})).below)
    return root


def _place(line: str) -> str:
    """What a line says of what, without the value where one takes another's place."""
    for pattern in OVERWRITTEN:
        if found := pattern.fullmatch(line):
            return "".join(found.groups())
    return line


def _part(tree: Tree, protocol: bool) -> Tree:
    return {place: line for place, line in tree.items() if bool(PROTOCOL.match(place)) is protocol}


def _lost(was: Tree, now: Tree) -> frozenset[str]:
    """The neighbours and peer groups that go, or are made anew: whatever else was said of them is gone."""
    found: set[str] = set()
    for place, line in was.items():
        stays = now[place].below if place in now else {}
        joins = [joined for one in line.below if (joined := JOINS.fullmatch(one))]
        found |= {joined[1] for joined in joins if joined[0] not in stays}
        anew = _several(line.below) ^ _several(stays)
        found |= {name for _, name, _ in anew} | {joined[1] for joined in joins if joined[2] in {n for _, n, _ in anew}}
    return frozenset(found)


def _several(tree: Tree) -> set[tuple[str, str, str]]:
    """Which peer groups are told several paths: address family, name, and the line that says so."""
    return {
        (family, s[1], s[0]) for family, line in tree.items() for one in line.below if (s := SEVERAL.fullmatch(one))
    }


def _of_lost(text: str, lost: Collection[str]) -> bool:
    words = text.split()
    return words[0] == "neighbor" and words[1] in lost


def _removed(was: Tree, now: Tree, lost: Collection[str]) -> Iterator[str]:
    """What takes lines away, the last first: what is said of a thing before the thing."""
    for place, line in reversed(was.items()):
        if _of_lost(line.text, lost):
            if JOINS.fullmatch(line.text):
                yield f"no {line.text}"
        elif place in now:
            yield from _inside(now[place].text, list(_removed(line.below, now[place].below, lost)))
        else:
            undo = line.text.removeprefix("no ") if line.text.startswith("no ") else f"no {line.text}"
            if _place(undo) not in now:
                yield undo


def _added(was: Tree, now: Tree, lost: Collection[str]) -> Iterator[str]:
    for place, line in now.items():
        before = was.get(place)
        below = list(_added(before.below if before else {}, line.below, lost))
        if before and before.text == line.text and not _of_lost(line.text, lost):
            yield from _inside(line.text, below)
        elif line.below or place.startswith("route-map "):  # an entry of a route-map may have nothing in it
            yield from (line.text, *below, "exit")
        else:
            yield line.text


def _inside(context: str, lines: list[str]) -> list[str]:
    return [context, *lines, "exit"] if lines else []
