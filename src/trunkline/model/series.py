"""Factors of demand by time, from CSV: `time,factor` or `time,class,factor`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from trunkline.model import units
from trunkline.model.csvtext import cells
from trunkline.model.document import Faults, Place, Spot, Text
from trunkline.model.network import Network
from trunkline.model.nouns import MILLION
from trunkline.model.problem import Problem, Problems, nearest

Factors = tuple[tuple[str, int], ...]
"""Of a time: (class, factor in ppm), by class; a class that is not named keeps its rates."""
HEADERS = (["time", "factor"], ["time", "class", "factor"])
MOST = 1000 * MILLION


def read_series(path: Path, net: Network) -> Mapping[str, Factors]:
    """Return the factors of each time, in the order of the file.  Raises Problems with every place that is wrong."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "it is not UTF-8"
        raise Problems([Problem(str(path), 0, 0, "unreadable", f"cannot read the series: {why}")]) from None
    faults = Faults()
    rows = cells(text, str(path), faults)
    faults.stop()
    if not rows or [c.value for c in rows[0]] not in HEADERS or len(rows) == 1:
        at = rows[0][0].place if rows else Place(str(path), 1, 1)
        message = "this is no series of factors"
        faults.error("csv", Spot(at), message, "a header `time,factor` or `time,class,factor`, and a row for each time")
        faults.stop()
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for row in rows[1:] if rows else ():
        _row(row, len(rows[0]) if rows else 0, net, found, faults)
    faults.stop()
    return {time: tuple(sorted(factors.items())) for time, factors in found.items()}


def _row(row: list[Text], width: int, net: Network, found: dict[str, dict[str, int]], faults: Faults) -> None:
    if len(row) != width:
        faults.error("csv", Spot(row[0].place), f"this row has {len(row)} fields", f"{width} fields")
        return
    time, factor = row[0], _factor(row[-1], faults)
    classes = [c.name for c in net.classes]
    named = [row[1].value] if width == len(HEADERS[1]) else classes
    if named[0:1] and named[0] not in classes:
        message = f"no class is named '{named[0]}'"
        faults.error("reference", Spot(row[1].place), message, nearest=nearest(named[0], classes))
    for cls in named:
        if cls in found[time.value]:
            faults.error("duplicate", Spot(time.place), f"there is a factor for {time.value} above already")
            return
        found[time.value][cls] = factor


def _factor(cell: Text, faults: Faults) -> int:
    """A factor in ppm; 1 where it is none."""
    try:
        factor = units.share(cell.value)
    except units.BadQuantity:
        factor = -1
    if not 0 <= factor <= MOST:
        faults.error("value", Spot(cell.place), f"'{cell.value}' is no factor", "a number such as 0.4 or 120%, to 1000")
        return MILLION
    return factor
