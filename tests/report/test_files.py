"""JSON and CSV: exact bytes, and nothing half-written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trunkline.model.problem import Problems
from trunkline.model.tables import table
from trunkline.report.files import to_csv, to_json, write_all

ROUTES = table("router load:int:bit/s up:bool note", [("b", 5, True, None), ("a", 0, False, 'says "hi", twice')])


def test_csv_has_units_in_its_heading_and_quotes_what_needs_it() -> None:
    assert to_csv(ROUTES) == 'router,load [bit/s],up,note\nb,5,True,\na,0,False,"says ""hi"", twice"\n'


def test_json_sorts_keys_and_keeps_unicode() -> None:
    assert to_json({"b": 1, "a": "Zürich"}) == '{\n "a": "Zürich",\n "b": 1\n}\n'


def test_write_all_writes_every_file_whole(tmp_path: Path) -> None:
    written = write_all(tmp_path / "deep" / "er", {"plan.json": to_json({"ok": True})}, {"routes": ROUTES})
    assert [p.name for p in written] == ["plan.json", "routes.csv"]
    assert json.loads(written[0].read_text()) == {"ok": True}
    assert sorted(p.name for p in written[0].parent.iterdir()) == ["plan.json", "routes.csv"]


def test_a_disk_that_fills_leaves_the_old_answer_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_all(tmp_path, {"plan.json": to_json({"run": 1})}, {"a": ROUTES, "b": ROUTES})
    whole = Path.write_bytes

    def fill(path: Path, data: bytes) -> int:
        if path.name == ".plan.json.part":
            raise OSError(28, "No space left on device")
        return whole(path, data)

    monkeypatch.setattr(Path, "write_bytes", fill)
    with pytest.raises(Problems):
        write_all(tmp_path, {"plan.json": to_json({"run": 2})}, {"a": table("x", []), "b": ROUTES})
    assert (tmp_path / "plan.json").read_text() == '{\n "run": 1\n}\n'
    assert (tmp_path / "a.csv").read_text() == to_csv(ROUTES)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.csv", "b.csv", "plan.json"]
