"""Traffic matrices as Teal has them: a column for each pair of nodes, `0-1`, and a row for each matrix."""

from __future__ import annotations

from collections.abc import Sequence

from trunkline.model.csvtext import cells
from trunkline.model.document import Place, Spot, Text
from trunkline.sources.reading import MBIT, Reading
from trunkline.sources.sketch import Demand


def demands(file: str, nodes: Sequence[str], reading: Reading) -> tuple[Demand, ...]:
    """Return the demands of one row: the first, or the one that was asked for.  Raises Problems."""
    rows = cells(reading.text(file), file, reading.faults)
    reading.stop()
    if not rows or rows[0][0].value != "index" or len(rows) < 2:
        reading.error("header", Spot(Place(file, 1, 1)), "this is no traffic matrix", "a header `index,A-B,A-C`, rows")
        reading.stop()
        return ()
    header, matrices = rows[0], rows[1:]
    reading.matrices = len(matrices)
    number = reading.matrix or 0
    if number >= len(matrices):
        reading.error("matrix", Spot(Place(file, 1, 1)), f"there is no matrix {number}", f"0 to {len(matrices) - 1}")
        reading.stop()
    row = matrices[number]
    if len(matrices) > 1:
        reading.ledger.apply("matrix-one", f"{number} of {len(matrices)}")
    reading.ledger.apply("unit-assumed", "demands")
    if len(row) != len(header):
        reading.error("csv", Spot(row[0].place), f"this row has {len(row)} fields", f"{len(header)} fields")
    known = set(nodes)
    found = []
    for title, cell in zip(header[1:], row[1:], strict=False):
        ends = _ends(title, known, reading)
        rate = reading.bits(cell.value, Spot(cell.place, title.value), "rate", MBIT)
        if ends and rate:
            found.append(Demand(*ends, rate, Spot(cell.place, title.value)))
    return tuple(found)


def _ends(title: Text, nodes: set[str], reading: Reading) -> tuple[str, str] | None:
    parts = title.value.split("-")
    splits = [("-".join(parts[:cut]), "-".join(parts[cut:])) for cut in range(1, len(parts))]
    fitting = [ends for ends in splits if nodes.issuperset(ends)]
    if len(fitting) != 1:
        reading.error("reference", Spot(title.place), f"'{title.value}' is no pair of nodes", "A-B of two nodes")
        return None
    return fitting[0]
