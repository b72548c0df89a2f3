"""LSPs and meshes of LSPs: from the typed file to nouns."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from trunkline.model.draft import Draft
from trunkline.model.nouns import Hop, Lsp, TrafficClass
from trunkline.model.policy import check_priorities
from trunkline.model.topology import Topology
from trunkline.model.typed import BAD, Row

MAX_LSPS = 1_000_000


def build(draft: Draft, topology: Topology, classes: tuple[TrafficClass, ...]) -> tuple[Lsp, ...]:
    """Return the LSPs sorted by identity; problems go to the draft."""
    by_name = {c.name: c for c in classes}
    found: dict[tuple[str, str], Lsp] = {}
    for row in draft.entries("lsps"):
        draft.known(row.at("class"), row.get("class", BAD), draft.section("classes"), "class")
        made = _Template(draft, topology, row, by_name)
        pairs = made.pairs()
        if len(found) + len(pairs) > MAX_LSPS:
            draft.error(row.path, "range", f"this makes more than {MAX_LSPS} LSPs", "fewer")
            break
        for head, tail, name in pairs:
            if (head, name) in found:
                what = f"LSP '{name}' is there already at head-end '{head}'"
                draft.error(row.at("name"), "duplicate-name", what, "another name")
                break
            found[head, name] = made.lsp(head, tail, name)
    return tuple(found[key] for key in sorted(found))


class _Template:
    """What all LSPs of one entry share."""

    def __init__(self, draft: Draft, topology: Topology, row: Row, classes: dict[str, TrafficClass]) -> None:
        self.draft, self.topology, self.row = draft, topology, row
        cls = classes.get(row.get("class", ""))
        self.setup = row.get("setup", cls.setup if cls else 7)
        self.hold = row.get("hold", min(cls.hold, self.setup) if cls else self.setup)
        check_priorities(draft, row, (self.setup, self.hold))
        self.paths = tuple(self._path(i, path) for i, path in enumerate(row.get("paths", ["dynamic"])))
        admin = {g for c in topology.circuits.values() for g in c.groups}
        self.affinities = {
            key: tuple(sorted(set(draft.all_known(row, key, admin, "admin group"))))
            for key in ("include_any", "include_all", "exclude")
        }

    def pairs(self) -> list[tuple[str, str, str]]:
        """Return head, tail and name of each LSP."""
        row = self.row
        if "mesh" in row:
            mesh = row["mesh"]
            ends = [self._select(mesh, key) for key in ("from", "to")]
            made = [
                (head, tail, f"{row['name']}.{tail}.{k}")
                for head in ends[0]
                for tail in ends[1]
                for k in range(1, mesh.get("per_pair", 1) + 1)
                if head != tail and "name" in row
            ]
            if not made and all(ends) and "name" in row:
                self.draft.error(row.at("mesh"), "empty", "the mesh makes no LSP", "two different routers at least")
            return made
        if "mesh" in row.bad:
            return []
        known = [
            self.draft.known(row.at(end), row.get(end, BAD), self.topology.routers, "router") for end in ("from", "to")
        ]
        if all(known) and row["from"] == row["to"]:
            self.draft.error(row.at("to"), "self-loop", f"head and tail are '{row['to']}'", "two different routers")
            return []
        return [(row["from"], row["to"], row["name"])] if all(known) and "name" in row else []

    def _select(self, mesh: Row, key: str) -> list[str]:
        if key not in mesh:
            return []
        given = mesh[key]
        several = given if isinstance(given, list) else [given]
        chosen: set[str] = set()
        for i, one in enumerate(several):
            chosen |= self._chosen(f"{mesh.at(key)}[{i}]" if isinstance(given, list) else mesh.at(key), one)
        if not several:
            self.draft.error(mesh.at(key), "empty", "this selects no router", "a selection of at least one")
        return sorted(chosen)

    def _chosen(self, field: str, one: Any) -> set[str]:
        routers = self.topology.routers
        if isinstance(one, str):
            if one == "all":
                return set(routers)
            return {one} if self.draft.known(field, one, routers, "router") else set()
        if not isinstance(one, Row):
            return set()
        before = len(self.draft.problems)
        self.draft.all_known(one, "region", self.topology.regions, "region")
        self.draft.all_known(one, "site", self.draft.section("sites"), "site")
        found = {
            r.name
            for r in routers.values()
            if r.role in one.get("role", [r.role])
            and r.region in one.get("region", [r.region])
            and r.site in one.get("site", [r.site])
        }
        if not found and not one.bad and len(self.draft.problems) == before:
            self.draft.error(field, "empty", "this selects no router", "a selection of at least one")
        return found

    def _path(self, i: int, path: Any) -> tuple[Hop, ...]:
        if not isinstance(path, list):
            return ()
        field = f"{self.row.at('paths')}[{i}]"
        if not path:
            self.draft.error(field, "empty", "a path without a hop", "`dynamic`, or hops")
        hops = []
        for k, text in enumerate(path):
            name = text.removeprefix("loose:") if isinstance(text, str) else text
            if self.draft.known(f"{field}[{k}]", name, self._hops, "router or circuit"):
                hops.append(Hop(name, name != text))
        return tuple(hops)

    @property
    def _hops(self) -> Collection[str]:
        return self.topology.routers.keys() | self.topology.circuit_names

    def lsp(self, head: str, tail: str, name: str) -> Lsp:
        """Return one LSP."""
        row, bandwidth = self.row, self.row.get("bandwidth", "demand")
        return Lsp(
            head,
            name,
            tail,
            row.get("class", ""),
            self.setup,
            self.hold,
            None if bandwidth == "demand" else bandwidth,
            hop_limit=row.get("hop_limit"),
            paths=self.paths,
            **self.affinities,
        )
