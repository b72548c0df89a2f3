"""Rules as data: what a route must be, what is set on it, and whether it passes.

Rules are read in order.  One that matches first sets, then decides if it says whether the route passes; one that only
sets goes on to the next, which sees the route as it then is.  A router's route-map does the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:  # nouns holds rules
    from trunkline.model.nouns import Kind

Prefix = IPv4Network | IPv6Network

_SIGN = re.compile(r"\[\^?(?:[0-9](?:-[0-9])?| )+\]|[0-9. _^$(|)*+?]")
_OPENS = ("(", "|")
_ENDS = "(?:^|[,{}() ]|$)"
"""What `_` stands for: the ends of the path and what stands between two AS numbers."""


@dataclass(frozen=True)
class PrefixRange:
    """Prefixes inside one, of `least` to `most` bits: an entry of a prefix list."""

    network: Prefix
    least: int
    most: int

    @classmethod
    def of(cls, text: str) -> PrefixRange:
        """Return the range of a text such as `10.0.0.0/8 ge 16 le 24`.  Raises ValueError where it is none."""
        network, *rest = text.split()
        inside = ip_network(network)
        limits = dict(zip(rest[::2], rest[1::2], strict=False))
        known = set(limits) <= {"ge", "le"} and all(bits.isascii() and bits.isdecimal() for bits in limits.values())
        if not known or 2 * len(limits) != len(rest) or "/" not in network:
            raise ValueError("a prefix, then `ge` or `le` with a length is what it takes")
        words = {word: int(bits) for word, bits in limits.items()}
        least = words.get("ge", inside.prefixlen)
        most = words.get("le", inside.max_prefixlen if "ge" in words else inside.prefixlen)
        if not all(inside.prefixlen < bits <= inside.max_prefixlen for bits in words.values()) or least > most:
            raise ValueError("length < ge <= le is what it takes")
        return cls(inside, least, most)

    def covers(self, prefix: Prefix) -> bool:
        """Whether a prefix is one of these."""
        if prefix.version != self.network.version or not self.least <= prefix.prefixlen <= self.most:
            return False
        shift = prefix.max_prefixlen - self.network.prefixlen
        return int(prefix.network_address) >> shift == int(self.network.network_address) >> shift

    def __str__(self) -> str:
        bits = self.network.prefixlen
        low = f" ge {self.least}" if self.least > bits else ""
        whole = self.most == (self.network.max_prefixlen if low else bits)
        return f"{self.network}{low}" + ("" if whole else f" le {self.most}")


@dataclass(frozen=True)
class Change:
    """What a rule sets: None leaves as it is; communities are added; the AS in front is repeated `prepend` times."""

    local_pref: int | None = None
    med: int | None = None
    communities: tuple[str, ...] = ()
    prepend: int | None = None


NOTHING = Change()


class Rule(Protocol):
    """What every rule has: conditions, all of which must hold (None and empty hold always), and what it does."""

    @property
    def kind(self) -> Kind | None:
        """The kind of route."""

    @property
    def group(self) -> str | None:
        """The prefix group."""

    @property
    def prefixes(self) -> tuple[PrefixRange, ...]:
        """Ranges, one of which every prefix is in."""

    @property
    def as_path(self) -> str | None:
        """A regular expression that is found in the AS path."""

    @property
    def communities(self) -> tuple[str, ...]:
        """Communities, all of which it carries."""

    @property
    def change(self) -> Change:
        """What is set."""

    @property
    def decides(self) -> bool | None:
        """Whether the route passes; None goes on to the next rule."""


@dataclass(frozen=True)
class PolicyRule:
    """What becomes of routes between two regions: whether they `cross`, and what is set on them.

    `side` says where the rule acts: at the sender's export, the receiver's import, or both.
    """

    cross: bool | None
    kind: Kind | None = None
    source: str | None = None
    target: str | None = None
    peer: str | None = None
    group: str | None = None
    side: str = "both"
    prefixes: tuple[PrefixRange, ...] = ()
    as_path: str | None = None
    communities: tuple[str, ...] = ()
    change: Change = NOTHING

    @property
    def decides(self) -> bool | None:
        """Whether the route crosses; None goes on to the next rule."""
        return self.cross


@dataclass(frozen=True)
class PeerRule:
    """What becomes of a route that a peer says (import) or would hear (export), on top of the session's own filter."""

    accept: bool | None
    kind: Kind | None = None
    region: str | None = None
    """Where the route entered."""
    group: str | None = None
    at: tuple[str, ...] = ()
    """Routers where the rule acts; none is all."""
    prefixes: tuple[PrefixRange, ...] = ()
    as_path: str | None = None
    communities: tuple[str, ...] = ()
    change: Change = NOTHING

    @property
    def decides(self) -> bool | None:
        """Whether the route is accepted; None goes on to the next rule."""
        return self.accept


@lru_cache(maxsize=1024)
def as_path_pattern(text: str) -> re.Pattern[str]:
    """Return an AS-path regular expression, compiled: what FRR and IOS mean by it.  Raises ValueError for others.

    Digits, blanks, `.`, `[...]`, `*` `+` `?` after one of these or a group, `|`, `(...)`, `^`, `$`, and `_` for the
    boundary of an AS number.  POSIX and Python read these alike; what they read differently is refused.
    """
    signs = _SIGN.findall(text)
    before = "("
    for sign in signs:
        if (before in _OPENS and sign in "|)*+?") or (before in "^$_*+?" and sign in "*+?"):
            raise ValueError(f"'{sign}' has nothing to stand for")
        before = sign
    if before in _OPENS or "".join(signs) != text:
        raise ValueError("not an AS-path expression")
    try:
        return re.compile(text.replace("_", _ENDS))
    except re.error as error:
        raise ValueError(str(error)) from error


def in_path(text: str, path: tuple[int, ...]) -> bool:
    """Whether an AS-path expression is found in a path."""
    return as_path_pattern(text).search(" ".join(map(str, path))) is not None
