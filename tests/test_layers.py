"""Imports run one way (docs/design.md): a package reads only what stands to its left."""

from __future__ import annotations

import ast
from pathlib import Path

SRC = Path(__file__).parent.parent / "src" / "trunkline"

# package -> the packages of ours that it may import, itself included
ALLOWED = {
    "jobs": {"jobs"},
    "engine": {"engine"},
    "model": {"model"},
    "igp": {"igp", "model", "engine"},
    "bgp": {"bgp", "igp", "model", "engine"},
    "demand": {"demand", "bgp", "igp", "model", "engine"},
    "te": {"te", "demand", "bgp", "igp", "model", "engine"},
    "traffic": {"traffic", "te", "demand", "bgp", "igp", "model", "engine"},
    "verdict": {"verdict", "model"},
    "flow": {"flow", "verdict", "traffic", "te", "demand", "bgp", "igp", "model", "engine"},
    "compare": {
        "compare",
        "jobs",
        "feeds",
        "flow",
        "verdict",
        "traffic",
        "te",
        "demand",
        "bgp",
        "igp",
        "model",
        "engine",
    },
    "risk": {"risk", "jobs", "flow", "verdict", "traffic", "te", "demand", "bgp", "igp", "model", "engine"},
    "report": {
        "report",
        "risk",
        "compare",
        "feeds",
        "flow",
        "verdict",
        "traffic",
        "te",
        "demand",
        "bgp",
        "igp",
        "model",
        "engine",
    },
    "devices": {"devices", "bgp", "igp", "model"},
    "sources": {"sources", "model"},
    "feeds": {"feeds", "model"},
    "export": {"export", "model"},
    "lab": {"lab", "devices", "bgp", "igp", "model", "engine"},
    "cli": {
        "cli",
        "compare",
        "devices",
        "export",
        "lab",
        "sources",
        "report",
        "risk",
        "flow",
        "verdict",
        "traffic",
        "te",
        "demand",
        "bgp",
        "igp",
        "model",
        "engine",
    },
}


def imports(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [a.name for a in node.names] if isinstance(node, ast.Import) else []
        if names == ["trunkline"] and isinstance(node, ast.ImportFrom):
            names = [f"trunkline.{a.name}" for a in node.names]
        found |= {n.split(".")[1] for n in names if n.startswith("trunkline.")}
    return found


def test_imports_run_one_way() -> None:
    wrong = []
    for file in sorted(SRC.rglob("*.py")):
        package = file.relative_to(SRC).parts[0].removesuffix(".py")
        if package.startswith("__"):
            continue
        wrong += [f"{file.relative_to(SRC)} imports {name}" for name in sorted(imports(file) - ALLOWED[package])]
    assert wrong == []
