"""JSON and CSV: exact bytes, and nothing half-written."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from trunkline.model.problem import Problems
from trunkline.model.tables import table
from trunkline.report.files import to_csv, to_json, write_all, write_whole

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


def test_the_name_of_a_file_need_not_be_utf_8(tmp_path: Path) -> None:
    name = os.fsdecode(b"net-\xff")
    (written,) = write_all(tmp_path, {"plan.json": to_json({"name": name})}, {})
    assert json.loads(written.read_bytes()) == {"name": name}


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


def test_a_link_stays_and_what_it_points_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "old.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to(tmp_path / "there" / "old.txt")
    write_whole({tmp_path / "link.txt": b"new"})
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "there" / "old.txt").read_text() == "new"
    assert [p.name for p in (tmp_path / "there").iterdir()] == ["old.txt"]


def test_a_pipe_takes_the_bytes_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    heard: list[bytes] = []
    reader = threading.Thread(target=lambda: heard.append(pipe.read_bytes()), daemon=True)
    reader.start()
    write_whole({pipe: b"new"})
    reader.join(timeout=60)
    assert pipe.is_fifo()
    assert heard == [b"new"]


@pytest.mark.parametrize("place", [".", "/", "folder", "file/below", "no/where"])
def test_what_is_no_place_for_a_file_is_said_in_words(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("old")
    with pytest.raises(Problems, match="unwritable"):
        write_whole({Path(place): b"new"})


def test_a_folder_in_the_way_of_one_file_leaves_all_the_others(tmp_path: Path) -> None:
    write_whole({tmp_path / "a": b"old"})
    (tmp_path / "b").mkdir()
    with pytest.raises(Problems, match="Is a directory"):
        write_whole({tmp_path / "a": b"new", tmp_path / "b": b"new"})
    assert (tmp_path / "a").read_bytes() == b"old"
