"""What stays the same in every state of a network: its LSPs as columns, their turns, and what each has to itself."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from trunkline.engine.graph import Bool, Int32, Int64, frozen
from trunkline.engine.placement import Lsps
from trunkline.model.network import Network
from trunkline.model.nouns import Lsp
from trunkline.te.columns import Axes, axes, columns

# What decides an LSP's path in an empty network: everything that its author may say, but for these.
_KIND = attrgetter(
    *(f.name for f in fields(Lsp) if f.name not in {"name", "cls", "setup", "hold", "bandwidth", "standby"})
)


@dataclass(frozen=True, eq=False)
class Subject:
    """The LSPs of a network with everything in order, in (head, name) order throughout."""

    net: Network
    axis: Axes
    lsps: Lsps
    turns: Int32
    """LSP indices in the order of a cold start."""

    def suits(self, net: Network) -> bool:
        """Whether it is also what another network's LSPs have in common, as that of one that differs in demands."""
        mine = self.net.routers, self.net.circuits, self.net.lsps, self.net.te
        other = net.routers, net.circuits, net.lsps, net.te
        return all(a is b for a, b in zip(mine, other, strict=True))

    @cached_property
    def between(self) -> dict[tuple[str, str, str], list[int]]:
        """Indices of the LSPs by (head, tail, class)."""
        return between(self.net.lsps)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The identity of each LSP as text."""
        return tuple([lsp.id for lsp in self.net.lsps])

    @cached_property
    def classes(self) -> npt.NDArray[np.str_]:
        """The class of each LSP."""
        return frozen([lsp.cls for lsp in self.net.lsps], np.str_)  # type: ignore[no-any-return]

    @cached_property
    def fixed(self) -> Int64:
        """(lsps,) bit/s that the file gives each LSP, 0 where it gives none."""
        return frozen([lsp.bandwidth or 0 for lsp in self.net.lsps], np.int64)  # type: ignore[no-any-return]

    @cached_property
    def bunch(self) -> dict[tuple[str, str, str], int]:
        """The number of each bunch of LSPs that have no bandwidth of their own, by (head, tail, class)."""
        keys = dict.fromkeys((p.head, p.tail, p.cls) for p in self.net.lsps if p.bandwidth is None)
        return {key: number for number, key in enumerate(keys)}

    @cached_property
    def sharing(self) -> Int32:
        """Indices of those LSPs, bunch by bunch."""
        mine = [(self.bunch[p.head, p.tail, p.cls], i) for i, p in enumerate(self.net.lsps) if p.bandwidth is None]
        return frozen([i for _, i in sorted(mine)], np.int32)  # type: ignore[no-any-return]

    @cached_property
    def start(self) -> Int32:
        """(bunches + 1,): bunch b is ``sharing[start[b]:start[b + 1]]``."""
        many = Counter((p.head, p.tail, p.cls) for p in self.net.lsps if p.bandwidth is None)
        return frozen(np.cumsum([0, *(many[key] for key in self.bunch)]), np.int32)  # type: ignore[no-any-return]

    @cached_property
    def alone(self) -> tuple[Lsps, Int32]:
        """One LSP of each kind that may take another path in an empty network, and which is each LSP's."""
        kinds = [_KIND(lsp) for lsp in self.net.lsps]
        first = dict(zip(reversed(kinds), reversed(self.net.lsps), strict=True))
        number = {kind: i for i, kind in enumerate(first)}
        return columns(self.axis, tuple(first.values())), frozen([number[kind] for kind in kinds], np.int32)

    @cached_property
    def dynamic(self) -> Bool:
        """(lsps,) whether it has the dynamic path alone, which is the cheapest that its constraints allow."""
        return frozen([lsp.paths == ((),) for lsp in self.net.lsps], np.bool_)  # type: ignore[no-any-return]


def between(lsps: Sequence[Lsp]) -> dict[tuple[str, str, str], list[int]]:
    """Return the indices of LSPs by (head, tail, class)."""
    found: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for index, lsp in enumerate(lsps):
        found[lsp.head, lsp.tail, lsp.cls].append(index)
    return dict(found)


def subject(net: Network) -> Subject:
    """Return what the LSPs of a network have in common in all its states."""
    axis = axes(net)
    return Subject(net, axis, columns(axis, net.lsps), frozen(np.array(race(net, head_ends(net)), np.int32), np.int32))


def head_ends(net: Network) -> tuple[str, ...]:
    """Return the routers that head LSPs, by name."""
    return tuple(sorted({lsp.head for lsp in net.lsps}))


def race(net: Network, heads: Sequence[str]) -> list[int]:
    """Return LSP indices in the order of a cold start: round robin over head-ends, each by (setup, name)."""
    own: dict[str, list[int]] = defaultdict(list)
    for index in sorted(range(len(net.lsps)), key=lambda i: (net.lsps[i].setup, net.lsps[i].name)):
        own[net.lsps[index].head].append(index)
    rounds = max((len(queue) for queue in own.values()), default=0)
    return [own[head][turn] for turn in range(rounds) for head in heads if turn < len(own[head])]
