"""The same network file in many hands: flow and block, odd indents, quotes, comments, line ends, byte order marks."""

from __future__ import annotations

from random import Random
from typing import Any

WORDS = ["one", "two", "no", "a: b"]


class Hand:
    """Writes plain data as YAML, each choice of style drawn anew."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def file(self, data: dict[str, Any]) -> bytes:
        lines = [*self.noise(0), *self.block(data, 0), *self.noise(0)]
        end = self.random.choice(["\n", "\r\n"])
        text = end.join(lines) + self.random.choice(["", end])
        return (self.random.choice(["", "\ufeff"]) + text).encode()

    def noise(self, indent: int) -> list[str]:
        return self.random.choice([[], [], [], [""], [" " * indent + "# é: [x, {y"], ["", "# - at the margin", ""]])

    def comment(self) -> str:
        return self.random.choice(["", "", "", "   # said: 'so'", " #"])

    def scalar(self, value: str, flow: bool = False) -> str:
        plain = value and not any(c in value for c in ":,[]{}#'\"") and value == value.strip()
        choices = [value] * 3 if plain else []
        choices += ["'" + value.replace("'", "''") + "'", '"' + value.replace('"', '\\"') + '"']
        return self.random.choice(choices)

    def flow(self, value: Any) -> str:
        gap = self.random.choice(["", " "])
        if isinstance(value, dict):
            inner = ", ".join(
                f"{self.scalar(k)}:{self.random.choice([' ', '  '])}{self.flow(v)}" for k, v in value.items()
            )
            return "{" + gap + inner + gap + "}"
        if isinstance(value, list):
            return "[" + gap + f",{gap or ' '}".join(self.flow(v) for v in value) + gap + "]"
        return self.scalar(str(value), flow=True)

    def tall(self, value: Any, indent: int) -> list[str] | None:
        """A flow list or map over several lines, each entry on its own."""
        if not isinstance(value, list | dict) or not value or self.random.random() < 0.8:
            return None
        pairs = value.items() if isinstance(value, dict) else [("", v) for v in value]
        entries = [(f"{self.scalar(k)}: " if isinstance(value, dict) else "") + self.flow(v) for k, v in pairs]
        last = self.random.choice(["", ","])
        commas = [","] * (len(entries) - 1) + [last]
        open_, close = "{}" if isinstance(value, dict) else "[]"
        pad = " " * (indent + 2)
        lines = [f"{pad}{entry}{comma}{self.comment()}" for entry, comma in zip(entries, commas, strict=True)]
        return [open_, *lines, " " * (indent + 1) + close + self.comment()]

    def value(self, lead: str, value: Any, indent: int) -> list[str]:
        """The lines of a value behind `lead` (`key:` or a dash), which stands at `indent`."""
        tall = self.tall(value, indent)
        if tall:
            return [f"{lead} {tall[0]}", *tall[1:]]
        if not isinstance(value, dict | list) or not value or self.random.random() < 0.5:
            return [f"{lead} {self.flow(value)}{self.comment()}"]
        if lead.endswith("-"):
            inner = self.block(value, indent + self.random.choice([2, 3]))
            column = len(inner[0]) - len(inner[0].lstrip())
            return [lead + " " * (column - len(lead)) + inner[0].lstrip(), *inner[1:]]
        deeper = self.random.choice([0, 2, 4]) if isinstance(value, list) else self.random.choice([1, 2, 4])
        return [lead + self.comment(), *self.noise(indent), *self.block(value, indent + deeper)]

    def block(self, value: Any, indent: int) -> list[str]:
        pad, lines = " " * indent, []
        entries = list(value.items()) if isinstance(value, dict) else [(None, item) for item in value]
        for number, (key, inner) in enumerate(entries):
            lead = f"{pad}{self.scalar(key)}:" if key is not None else f"{pad}-"
            lines += [*(self.noise(indent) if number else []), *self.value(lead, inner, indent)]
        return lines
