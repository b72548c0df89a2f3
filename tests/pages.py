"""Pages as tests read them: their markup and embedded data, and in a browser with the network blocked."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium")
PHONE, DESK = (390, 844), (1280, 800)


class Reading(HTMLParser):
    """What stands in a page: rows of cells by the table's id, scripts by id, and every attribute."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self.scripts: dict[str, str] = {}
        self.attributes: list[tuple[str, str, str]] = []
        self.table, self.script, self.cell = "", "", False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.attributes += [(tag, name, value) for name, value in found.items()]
        if tag == "table":
            self.table = found.get("id", "")
            self.tables[self.table] = []
        if tag == "tr" and self.table:
            self.tables[self.table].append([])
        if tag in ("td", "th") and self.table:
            self.cell = True
            self.tables[self.table][-1].append("")
        if tag == "script":
            self.script = found.get("id", "bundle")

    def handle_endtag(self, tag: str) -> None:
        self.cell = self.cell and tag not in ("td", "th")
        self.table = "" if tag == "table" else self.table
        self.script = "" if tag == "script" else self.script

    def handle_data(self, data: str) -> None:
        if self.script:
            self.scripts[self.script] = self.scripts.get(self.script, "") + data
        elif self.cell:
            self.tables[self.table][-1][-1] += data


def unpacked(payload: dict[str, Any], packed: dict[str, Any]) -> dict[str, Any]:
    """A table of the payload in the form of plan.json, by the rules that payload.py states."""
    texts, columns = payload["texts"], []
    for (_, kind, _), cells in zip(packed["columns"], packed["data"], strict=True):
        if kind == "str":
            columns.append([None if cell is None else texts[cell] for cell in cells])
        else:
            columns.append([int(cell) if isinstance(cell, str) else cell for cell in cells])
    names = [{"name": name, "type": kind, "unit": unit} for name, kind, unit in packed["columns"]]
    return {"columns": names, "rows": [list(row) for row in zip(*columns, strict=True)]}


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser of this machine."""
    with sync_playwright() as playwright:
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu"]
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield opened
        opened.close()


class Opened:
    """A page whose requests and complaints are kept; `at` is what follows it in the address."""

    def __init__(self, browser: Browser, file: Path, size: tuple[int, int], at: str = "", **options: Any) -> None:
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, accept_downloads=True, **options
        )
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.context.route(re.compile("^(?!file:)"), lambda route: route.abort())
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(f"{file.as_uri()}{at}")
        expect(self.page.locator(".map .line").first).to_be_attached()

    def __enter__(self) -> Page:
        return self.page

    def __exit__(self, *error: object) -> None:
        self.context.close()
        assert self.complaints == []
        assert [url for url in self.requests if not url.startswith(("file:", "blob:"))] == []


def tab_to(page: Page, selector: str, most: int = 400) -> None:
    """Press Tab until what has the focus matches."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
    pytest.fail(f"Tab never reaches {selector}")


def choose(page: Page, name: str) -> None:
    page.keyboard.press("/")
    page.keyboard.type(name)
    page.keyboard.press("Enter")
