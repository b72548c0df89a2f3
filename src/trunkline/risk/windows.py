"""When a drain loses nothing: a series of factors of demand, each distinct one proved once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from trunkline.flow import Watch
from trunkline.model.network import Network
from trunkline.model.series import Factors
from trunkline.model.tables import Table, table
from trunkline.risk.drain import Thing, drain
from trunkline.risk.steps import Steps


@dataclass(frozen=True)
class Window:
    """A time of the series, and the first step that loses traffic then: None is a safe time."""

    time: str
    step: int | None
    lost: int
    """What the worst step loses, bit/s."""


def windows(
    net: Network, what: Thing, series: Mapping[str, Factors], undo: bool = False, watch: Watch = lambda _: None
) -> tuple[Window, ...]:
    """Return whether a drain, or its undo, loses anything at each time of a series, in the order of the series."""
    known: dict[Factors, tuple[int | None, int]] = {}
    for factors in series.values():
        if factors not in known:
            watch(f"factors {len(known) + 1} of {len(set(series.values()))}")
            steps = Steps(drain(_at(net, factors), what, undo))
            known[factors] = steps.failed, max(lost.total() for lost in steps.lost)
    return tuple(Window(time, *known[factors]) for time, factors in series.items())


def _at(net: Network, factors: Factors) -> Network:
    """The network with each class's demands times its factor."""
    for cls, factor in factors:
        net = net.scaled(factor, cls)
    return net


def windows_table(found: Iterable[Window]) -> Table:
    """`drain_windows`: each time, whether nothing is lost then, the first step that loses, and the most lost."""
    rows = [(w.time, w.step is None, w.step, w.lost) for w in found]
    return table("time safe:bool step:int lost:int:bit/s", rows)
