"""Sources through the whole import: the file's text, and the network that the loader reads from it."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from trunkline.flow import prove
from trunkline.model.load import load
from trunkline.model.network import Network
from trunkline.sources.bring import Brought, bring


def network(brought: Brought) -> Network:
    """Return what the network file says."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "net.yaml"
        file.write_text(brought.text, encoding="utf-8")
        return load(file).network


def imported(*sources: Path | str, matrix: int | None = None) -> tuple[Brought, Network]:
    """Return the import of sources, and its network."""
    brought = bring([str(source) for source in sources], matrix=matrix)
    return brought, network(brought)


def source(folder: Path, name: str, text: str) -> Path:
    """Return a source of this name and text."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def planned(net: Network, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table of the network's plan."""
    return [dict(row) for row in prove(net).settled.records[table]]
