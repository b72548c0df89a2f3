"""The page of a sweep in a browser with the network blocked: failures walked through, the map, details, links."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from rich.console import Console

from pages import CHROMIUM, DESK, PHONE, Opened, choose, launched, tab_to
from trunkline.model.units import show_rate, show_share
from trunkline.report import break_kept, break_page
from trunkline.report.breaking import Wanted, broken

ROOT = Path(__file__).parent.parent.parent
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: apt-get install chromium")
MORE = "failures: {sets: {storm: [long, b-pr1]}, maintenance: [long]}\n"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as opened:
        yield opened


def swept(folder: Path, arguments: list[str]) -> Path:
    command = [sys.executable, "-m", "trunkline", "break", *arguments, "--html", str(folder / "page.html"), "--json"]
    done = subprocess.run([*command, "-q"], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()
    (folder / "break.json").write_bytes(done.stdout)
    return folder / "page.html"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tiny")
    (folder / "tiny.yaml").write_text((ROOT / "examples/tiny.yaml").read_text() + MORE)
    return swept(folder, [str(folder / "tiny.yaml")])


def rows(file: Path, table: str) -> list[dict[str, Any]]:
    """The rows of a table of the JSON."""
    found = json.loads((file.parent / "break.json").read_text())["tables"][table]
    names = [column["name"] for column in found["columns"]]
    return [dict(zip(names, row, strict=True)) for row in found["rows"]]


def settled(file: Path, table: str) -> list[dict[str, Any]]:
    """The rows of a list of the worst that are about the settled network: what the page says it shows."""
    return [row for row in rows(file, table) if row["state"] == "after"]


def chosen(page: Page) -> str:
    return page.locator("#ranked .chosen [tabulator-field=scenario]").inner_text()


def at(failure: str, state: str = "after") -> str:
    """What follows the page in an address that has a failure and a state."""
    return f"#failure={failure}&state={state}"


def test_it_opens_with_the_worst_failure_once_settled(browser: Browser, tiny: Path) -> None:
    worst = rows(tiny, "scenarios_worst")[0]
    with Opened(browser, tiny, DESK) as page:
        expect(page.locator("#ranked .chosen")).to_be_visible()
        assert chosen(page) == worst["scenario"]
        said = page.locator("#failure-now").inner_text()
        assert said.startswith(f"1 of 35: {worst['scenario']} ({worst['kind']}), once settled: ")
        assert f"{show_rate(worst['lost'])} lost" in said
        assert said.endswith(f"breaks {worst['broken']}")
        assert page.locator("input[name=state]:checked").get_attribute("value") == "after"


def test_up_and_down_walk_and_the_link_shows_the_same(browser: Browser, tiny: Path) -> None:
    names = [row["scenario"] for row in rows(tiny, "scenarios_worst")]
    with Opened(browser, tiny, DESK) as page:
        tab_to(page, "#ranked")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowDown")
        assert chosen(page) == names[2]
        assert page.evaluate("document.activeElement.id") == "ranked"
        page.locator("input[name=state][value=bypassed] + span").click()
        assert "before anything settles" in page.locator("#failure-now").inner_text()
        page.get_by_role("button", name="the next failure").click()
        assert chosen(page) == names[3]
        address = page.evaluate("location.hash")
        said = page.locator("#failure-now").inner_text()
    with Opened(browser, tiny, DESK, address) as page:
        assert page.locator("#failure-now").inner_text() == said
        assert page.locator("input[name=state]:checked").get_attribute("value") == "bypassed"
        assert page.locator("#panel h2").inner_text() == f"failure {names[3]}"


def test_the_map_shows_what_is_down_what_runs_hot_and_who_lost_the_internet(browser: Browser, tiny: Path) -> None:
    """With `long` and b-pr1 gone, `short` of 100G is offered 60G and 50G; the only port to the Internet was b-pr1's."""
    with Opened(browser, tiny, DESK, at("storm")) as page:
        short = page.locator("g.circuit[aria-label^='circuit short,']")
        assert "from a-bb1 110.0 %, from b-bb1 0.0 %" in (short.get_attribute("aria-label") or "")
        assert "u5" in (short.locator("path.line").first.get_attribute("class") or "")
        assert "down" in (page.locator("g.circuit[aria-label^='circuit long,']").get_attribute("aria-label") or "")
        expect(page.locator(".crosses path")).to_have_count(3)  # long, b-bb1--b-pr1, and b-pr1 with its port
        assert page.locator("g.router.down").get_attribute("aria-label") == "router b-pr1, pr, down"
        sites = page.locator("g.site.cut-off").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
        assert sites == [
            "site a, region west, 2 of 2 routers up, no Internet v4 v6",
            "site b, region east, 2 of 3 routers up, no Internet v4 v6",
        ]
        choose(page, "short")
        expect(page.locator("#panel h2")).to_have_text("failure short")
        expect(page.locator("g.site.cut-off")).to_have_count(0)
        assert "down" in (short.get_attribute("aria-label") or "")


def test_maintenance_is_crossed_out_apart(browser: Browser, tiny: Path) -> None:
    with Opened(browser, tiny, DESK, at("long%2Bshort")) as page:
        expect(page.locator(".crosses .out")).to_have_count(1)
        expect(page.locator(".crosses .whole")).to_have_count(1)


def test_a_circuit_has_the_failures_that_load_it_most(browser: Browser, tiny: Path) -> None:
    worst = [row for row in settled(tiny, "circuits_worst") if row["arc"] == "short@a-bb1"]
    assert 1 < len(worst) <= 10
    with Opened(browser, tiny, DESK, at("storm")) as page:
        page.locator("g.circuit[aria-label^='circuit short,'] .hit").dispatch_event("click")
        expect(page.locator("#panel h2")).to_have_text("circuit short")
        lines = page.locator("#panel .cards > div").first.locator("tbody tr").all_inner_texts()
        wanted = [[row["scenario"], show_share(row["utilisation"]), show_rate(row["load"])] for row in worst]
        assert [line.split("\t") for line in lines] == wanted
        assert "in this one 110.0 %" in page.locator("#panel").inner_text()
        assert "failure=storm" in page.evaluate("location.hash")
        page.locator("#panel .cards a", has_text=re.compile(f"^{re.escape(worst[-1]['scenario'])}$")).first.click()
        expect(page.locator("#panel h2")).to_have_text(f"failure {worst[-1]['scenario']}")
        page.go_back()
        expect(page.locator("#panel h2")).to_have_text("circuit short")


def test_a_demand_has_the_failures_that_cost_it_most(browser: Browser, tiny: Path) -> None:
    name = "internal.a-dc.b-dc"
    worst = [row["scenario"] for row in settled(tiny, "demands_worst") if row["demand"] == name]
    with Opened(browser, tiny, DESK) as page:
        choose(page, name)
        cells = page.locator("#panel table").last.locator("tbody tr td:first-child").all_inner_texts()
        assert cells == worst


def test_the_list_is_sorted_filtered_and_follows_the_state(browser: Browser, tiny: Path) -> None:
    every = rows(tiny, "scenarios")
    with Opened(browser, tiny, DESK) as page:
        page.locator("#ranked-filter").fill("kind=circuit")
        circuits = {row["scenario"] for row in every if row["kind"] == "circuit"}
        names = page.locator("#ranked .tabulator-row [tabulator-field=scenario]")
        expect(names).to_have_count(len(circuits))
        assert set(names.all_inner_texts()) == circuits
        expect(page.locator("#ranked-count")).to_have_text(f"{len(circuits)} of 35")
        for state in ("bypassed", "reoptimised"):
            page.locator(f"input[name=state][value={state}] + span").click()
            lost = {r["scenario"]: show_rate(r["lost"]) for r in every if r["state"] == state}
            expect(names).to_have_count(len(circuits))
            cells = page.locator("#ranked .tabulator-row [tabulator-field=lost]").all_inner_texts()
            assert cells == [lost[name] for name in names.all_inner_texts()]


def test_what_cannot_be_drawn_says_so_over_the_network_before_it(
    browser: Browser, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three failures of which two can be drawn: losing b-dr1 or b-pr1 costs customers traffic, losing `long` does not:
    60G of theirs and 50G of the internal class go west to east, on circuits of 100G, and 10G of the latter is lost.
    Before it `short` has the 60G, `long` the 50G.
    """
    for module in (break_kept, break_page):
        monkeypatch.setattr(module, "MAPPED", 2)
    wanted = Wanted(only=("long", "b-dr1", "b-pr1"), page=True)
    found = broken(tiny.parent / "tiny.yaml", wanted, Console(stderr=True), quiet=True)
    assert found.kept is not None
    file = tmp_path / "page.html"
    file.write_text(break_page.break_page(found, found.kept))
    with Opened(browser, file, DESK, at("long")) as page:
        assert "The worst 2 can be drawn." in page.locator("#failures").inner_text()
        said = page.locator("#failure-now").inner_text()
        assert said.startswith("3 of 3: long (circuit), once settled: 10G lost, 1 LSP unplaced; breaks ")
        assert said.endswith(". Not among those that can be drawn: the map shows the network before it.")
        expect(page.locator(".crosses path")).to_have_count(0)
        label = page.locator("g.circuit[aria-label^='circuit long,']").get_attribute("aria-label") or ""
        assert label.endswith("from a-bb1 50.0 %, from b-bb1 0.0 %")
        page.locator("#ranked [data-scenario=b-dr1]").click()
        expect(page.locator(".crosses path")).not_to_have_count(0)


def test_without_a_script_the_worst_are_a_table(browser: Browser, tiny: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(tiny.as_uri())
    shown = page.locator("#worst tbody th").all_inner_texts()
    assert shown == [row["scenario"] for row in settled(tiny, "scenarios_worst")]
    assert page.locator("#worst").is_visible()
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_is_wider_than_the_screen(browser: Browser, tiny: Path, scheme: str) -> None:
    with Opened(browser, tiny, PHONE, at("storm"), color_scheme=scheme) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
        tops = [page.locator(one).evaluate("e => e.offsetTop") for one in ("#failures", "#map", "#panel", "#tables")]
        assert tops == sorted(tops)
