"""Changes to a YAML or JSON text, as the characters they replace: nothing else is written anew."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from trunkline.model.edit.marks import Mark, Marks, Shape
from trunkline.model.edit.words import Value, json_value, yaml_key, yaml_value

_NEXT_LINE = re.compile(r":[ \t]*\n\s*")
_REST = re.compile(r"[ \t]*(,?)[ \t]*(#.*)?")
_COMMA = re.compile(r"\s*,[ \t]*")


class Unfit(ValueError):
    """The file has no place for this, as it is written; the message says why."""


@dataclass(frozen=True, order=True)
class Splice:
    """`text[start:end]` becomes `new`."""

    start: int
    end: int
    new: str = ""


def spliced(text: str, splices: Iterable[Splice]) -> str:
    """Return a text after splices that do not overlap; of two at one place the first given comes first."""
    for splice in sorted(splices, key=lambda s: (s.start, s.end))[::-1]:
        text = text[: splice.start] + splice.new + text[splice.end :]
    return text


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _column(text: str, at: int) -> int:
    return at - _line_start(text, at)


@dataclass(frozen=True)
class Surgeon:
    """Cuts one text; `json` writes values as JSON."""

    marks: Marks
    json: bool = False

    @property
    def _text(self) -> str:
        return self.marks.text

    def _value(self, value: Value, old: str = "") -> str:
        return json_value(value, old) if self.json else yaml_value(value, old)

    def _entry(self, key: str | None, value: Value) -> str:
        if key is None:
            return self._value(value)
        return f"{json_value(key)}: {json_value(value)}" if self.json else f"{yaml_key(key)}: {yaml_value(value)}"

    # ---- replace

    def replace(self, mark: Mark, value: Value) -> list[Splice]:
        """Put a value in the place of another; a block of lines becomes a value on the line of its key."""
        new = self._value(value, self._text[mark.start : mark.end])
        return [self._put(mark, new)]

    def _put(self, mark: Mark, new: str) -> Splice:
        start, key = mark.start, mark.whole[0]
        if key is not mark and _NEXT_LINE.fullmatch(self._text, key.end, start):
            return Splice(key.end, mark.end, f": {new}")
        gap = " " if mark.start == mark.end and not self._text[:start].endswith((" ", "\n")) else ""
        return Splice(start, mark.end, gap + new)

    # ---- insert

    def insert(self, box: Mark, key: str | None, value: Value) -> list[Splice]:
        """Add an entry (an item where there is no key) behind the last one of a map or list, in that one's style."""
        if box.shape is Shape.TEXT:  # `circuits:` with nothing behind it
            return self._fill(box, key, value)
        if box.flow:
            return self._insert_flow(box, self._entry(key, value))
        last = box.children[-1]
        column = _column(self._text, box.children[0].start if key is not None else box.start)
        lines = self._lines(key, value, block=last.shape is Shape.MAP and not last.flow)
        at = _line_end(self._text, last.end)
        return [Splice(at, at, "".join(f"\n{' ' * column}{line}" for line in lines))]

    def _lines(self, key: str | None, value: Value, block: bool) -> list[str]:
        """The lines of an entry of a block."""
        if not (block and isinstance(value, Mapping) and value):
            return [self._entry(key, value) if key is not None else f"- {self._entry(key, value)}"]
        inner = [self._entry(k, v) for k, v in value.items()]
        if key is not None:
            return [f"{yaml_key(key)}:", *(f"  {line}" for line in inner)]
        return [f"- {inner[0]}", *(f"  {line}" for line in inner[1:])]

    def _fill(self, box: Mark, key: str | None, value: Value) -> list[Splice]:
        if key is not None:
            return [self._put(box, "{" + self._entry(key, value) + "}")]
        first = box.whole[0]
        column = _column(self._text, first.start) + 2 if first is not box else 0
        at = _line_end(self._text, box.end)
        return [Splice(at, at, f"\n{' ' * column}- {self._entry(key, value)}")]

    def _insert_flow(self, box: Mark, entry: str) -> list[Splice]:
        if not box.children:
            return [Splice(box.start + 1, box.start + 1, entry)]
        last = box.children[-1]
        first, text = last.whole[0], self._text
        indent = text[_line_start(text, first.start) : first.start]
        if indent.strip() or "\n" not in text[box.start : first.start]:
            return [Splice(last.end, last.end, f", {entry}")]
        end = _line_end(text, last.end)
        rest = _REST.fullmatch(text, last.end, end)
        if rest is None:
            return [Splice(last.end, last.end, f",\n{indent}{entry}")]
        comma = rest[1]
        before = [] if comma else [Splice(last.end, last.end, ",")]
        return [*before, Splice(end, end, f"\n{indent}{entry}{comma}")]

    # ---- remove

    def remove(self, mark: Mark) -> list[Splice]:
        """Take an item, or the entry of a value, out of its map or list; one that it leaves empty says so."""
        box = mark.parent
        if box is None:
            raise ValueError("a whole file is not removed")
        first, last = mark.whole
        at, step = box.children.index(first), 2 if box.shape is Shape.MAP else 1
        if len(box.children) == step:
            return [self._put(box, "{}" if box.shape is Shape.MAP else "[]")]
        before = box.children[at - 1] if at else None
        after = box.children[at + step] if at + step < len(box.children) else None
        if box.flow:
            return self._remove_flow(box, (first, last), before, after)
        start = first.start if box.shape is Shape.MAP else self._dash(box, at)
        if not self._text[_line_start(self._text, start) : start].strip():
            return [self._whole_lines(start, last.end)]
        if after is None:
            raise Unfit("a key that is written as `? key` is not taken out")
        follows = after.start if box.shape is Shape.MAP else self._dash(box, at + 1)
        return [Splice(start, last.end if "#" in self._text[last.end : follows] else follows)]

    def _whole_lines(self, start: int, end: int) -> Splice:
        return Splice(_line_start(self._text, start), min(_line_end(self._text, end) + 1, len(self._text)))

    def _dash(self, box: Mark, at: int) -> int:
        """Where the dash of an item stands: in the column of the first one, behind the item before."""
        if at == 0:
            return box.start
        column = _column(self._text, box.start)
        line = _line_end(self._text, box.children[at - 1].end) + 1
        while self._text[line + column : line + column + 1] != "-" or self._text[line : line + column].strip():
            line = _line_end(self._text, line) + 1
        return line + column

    def _remove_flow(
        self, box: Mark, entry: tuple[Mark, Mark], before: Mark | None, after: Mark | None
    ) -> list[Splice]:
        text, (first, last) = self._text, entry
        rest = _REST.fullmatch(text, last.end, _line_end(text, last.end))
        own = not text[_line_start(text, first.start) : first.start].strip() and "\n" in text[box.start : first.start]
        if own and rest is not None:
            gone = [self._whole_lines(first.start, last.end)]
            comma = _COMMA.match(text, before.end) if before and not rest[1] else None
            return gone if comma is None or before is None else [Splice(before.end, comma.end()), *gone]
        if after is not None:
            comma = _COMMA.match(text, last.end)
            return [Splice(first.start, comma.end() if comma else after.start)]
        return [Splice(before.end if before else first.start, last.end)]
