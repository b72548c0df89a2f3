"""Every command and code block of the documentation does what the page shows."""

from __future__ import annotations

import doctest
import json
from pathlib import Path

import pytest

import doc_pages
from lab.labs import needs_a_lab
from trunkline.model.load import load

PAGES = doc_pages.pages()
SET_UP = {"./demo", "./test", "make"}
"""What sets the checkout itself up: CI runs these as they are, not from inside the suite."""


def _name(page: Path) -> str:
    return str(page.relative_to(doc_pages.ROOT))


def _blocks(page: Path, language: str) -> list[doc_pages.Block]:
    return [b for b in doc_pages.blocks(page.read_text()) if b.language == language]


def _of_a_lab(page: Path) -> bool:
    return "trunkline lab up" in page.read_text()


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(p, marks=[pytest.mark.lab] if _of_a_lab(p) else [], id=_name(p))
        for p in PAGES
        if _blocks(p, "console")
    ],
)
def test_every_command_prints_what_its_page_shows(page: Path, tmp_path: Path) -> None:
    doc_pages.folder(tmp_path)
    if _of_a_lab(page):
        needs_a_lab()
    for block in _blocks(page, "console"):
        for command in doc_pages.commands(block):
            if command.script.split()[0] in SET_UP:
                continue
            code, printed = doc_pages.run(command, tmp_path)
            if command.shown:
                assert list(command.shown) == printed, command.typed
            else:
                assert code in (0, 1), printed


@pytest.mark.parametrize("page", [p for p in PAGES if _blocks(p, "pycon")], ids=_name)
def test_every_python_session_prints_what_its_page_shows(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    doc_pages.folder(tmp_path)
    monkeypatch.chdir(tmp_path)
    text = "\n".join(b.text for b in _blocks(page, "pycon"))
    test = doctest.DocTestParser().get_doctest(text, {}, _name(page), str(page), 0)
    assert test.examples
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed == 0


@pytest.mark.parametrize("page", [p for p in PAGES if _blocks(p, "yaml")], ids=_name)
def test_every_piece_of_a_file_is_whole_or_from_an_example(page: Path, tmp_path: Path) -> None:
    examples = [file.read_text() for file in sorted((doc_pages.ROOT / "examples").rglob("*.yaml"))]
    for block in _blocks(page, "yaml"):
        if block.text.startswith("trunkline: 1"):
            (tmp_path / "page.yaml").write_text(block.text)
            load(tmp_path / "page.yaml")
        else:
            assert any(block.text in text for text in examples), block.text


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_no_block_is_in_a_language_that_nothing_checks(page: Path) -> None:
    checked = {"console", "pycon", "yaml", "json", "text"}
    assert {b.language for b in doc_pages.blocks(page.read_text())} <= checked
    for block in _blocks(page, "json"):
        json.loads(block.text)
