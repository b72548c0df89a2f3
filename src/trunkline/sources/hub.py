"""Networks of the `topohub` package (PyPI): SNDlib with demands, the Topology Zoo, CAIDA, Gabriel graphs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from trunkline.model.problem import Problem, Problems, nearest
from trunkline.sources.missing import optional
from trunkline.sources.nodelink import sketched
from trunkline.sources.reading import Reading
from trunkline.sources.sketch import Sketch

TITLE = "topohub"


def read(sources: Sequence[str], reading: Reading) -> Sketch:
    """Return the network that `topohub:NAME` names.  Raises Missing without the package, Problems without the name."""
    source = sources[0]
    name = source.removeprefix("topohub:")
    data = Path(str(optional("topohub").__file__)).parent / "data"
    file = data / f"{name}.json"
    names = [str(path.relative_to(data).with_suffix("")) for path in sorted(data.rglob("*.json"))]
    if name not in names:
        known = sorted({known.partition("/")[0] + "/..." for known in names})
        near = nearest(name, names)
        raise Problems([Problem(source, 0, 0, "name", f"topohub has no '{name}'", "", ", ".join(known), near)])
    return sketched(reading.json(str(file)), source, reading, TITLE)
