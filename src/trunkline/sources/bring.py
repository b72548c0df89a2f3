"""The import as a whole, on a page: read, check, fill, write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trunkline.sources.check import check
from trunkline.sources.fill import fill
from trunkline.sources.formats import pick
from trunkline.sources.reading import Reading
from trunkline.sources.sketch import Sketch
from trunkline.sources.write import write


@dataclass(frozen=True)
class Brought:
    """What an import made: the network file's text, the sketch it came from, notes, and the subjects of every rule."""

    text: str
    sketch: Sketch
    notes: tuple[str, ...]
    applied: dict[str, tuple[str, ...]]


def bring(
    sources: Sequence[str], asked: str | None = None, matrix: int | None = None, gravity: int | None = None
) -> Brought:
    """Return the network file of other people's sources.  Raises Problems with everything that is wrong with them.

    `asked` is the format, where the sources do not tell; `matrix` which of several traffic matrices to take; `gravity`
    the bit/s of demands to add to a source that has none.
    """
    reading = Reading(matrix)
    sketch = pick(sources, asked, reading).read(sources, reading)
    reading.stop()
    notes = (*sketch.notes, *check(sketch, reading, gravity))
    filled = fill(sketch, reading.ledger, gravity)
    applied = reading.ledger.applied()
    return Brought(write(filled, sketch.origin, notes, applied), sketch, notes, applied)
