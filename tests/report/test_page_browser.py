"""report.html in a browser with the network blocked, as wide as a phone and a desk, by keyboard alone."""

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

from pages import CHROMIUM, DESK, PHONE, Opened, choose, launched, tab_to
from trunkline.flow import prove
from trunkline.model.load import load
from trunkline.model.tables import table
from trunkline.model.units import show_bytes, show_rate, show_share, show_time
from trunkline.report.page import Side, sides
from trunkline.report.page import page as written

ROOT = Path(__file__).parent.parent.parent
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: apt-get install chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as opened:
        yield opened


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("aurora")
    arguments = ["examples/aurora.yaml", "-e", "examples/aurora-cut.yaml", "--out", str(folder), "-q"]
    subprocess.run([sys.executable, "-m", "trunkline", "plan", *arguments], cwd=ROOT, check=True, capture_output=True)
    return folder / "report.html"


def cells(page: Page, caption: str) -> dict[str, list[str]]:
    """The rows of a table of facts in the panel, by their heading."""
    rows = page.locator(
        "#panel table.facts", has=page.locator("caption", has_text=re.compile(f"^{re.escape(caption)}$"))
    )
    found = rows.first.locator("tbody tr").all()
    return {row.locator("th").inner_text(): row.locator("td").all_inner_texts() for row in found}


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_by_keyboard_from_circuit_to_lsp_to_router(browser: Browser, report: Path, size: tuple[int, int]) -> None:
    with Opened(browser, report, size) as page:
        tab_to(page, "g.circuit")  # the first is the hottest circuit of the state before
        page.keyboard.press("Enter")
        expect(page.locator("#panel-title")).to_be_focused()
        expect(page.locator("#panel-title")).to_contain_text("circuit atl-")
        tab_to(page, "#panel a[href^='#at=lsp:']")
        page.keyboard.press("Enter")
        expect(page.locator("#panel-title")).to_contain_text("lsp ")
        assert page.locator("g.circuit.marked").count() > 0
        tab_to(page, "#panel a[href^='#at=router:']")
        page.keyboard.press("Enter")
        expect(page.locator("#panel-title")).to_contain_text("router ")
        expect(page.locator("#panel caption", has_text="routes and exits")).to_be_visible()
        page.go_back()
        expect(page.locator("#panel-title")).to_contain_text("lsp ")
        assert "#at=lsp:" in page.url
        page.keyboard.press("/")
        expect(page.locator("#search")).to_be_focused()


def test_from_a_circuit_and_an_lsp_to_the_demands_that_ride_there(browser: Browser, report: Path) -> None:
    tables = json.loads((report.parent / "plan.json").read_text())["tables"]
    names = [c["name"] for c in tables["demands"]["columns"]]
    demands = [dict(zip(names, row, strict=True)) for row in tables["demands"]["rows"]]
    head, name = re.findall(r"(\S+) =(\S+)=> ", demands[0]["path"])[0]  # how a way goes into an LSP: docs/tables.md
    inside = sorted({d["demand"] for d in demands if f"{head} ={name}=> " in d["path"]})
    with Opened(browser, report, DESK) as page:
        choose(page, f"{head}/{name}")
        after = page.locator("#panel table.list", has=page.locator("caption", has_text="demands in it")).locator(
            "tbody tr:not(.left) a"
        )
        assert sorted(set(after.all_inner_texts())) == inside
        page.locator("#panel a[href^='#at=circuit:']").first.click()
        on_it = page.locator("#panel table.list", has=page.locator("caption", has_text="demands on it")).locator("a")
        page.locator("#panel table.list a", has_text=inside[0]).first.click()
        assert inside[0] in page.locator("#panel-title").inner_text()
        assert on_it.count() == 0


def test_a_diff_without_moved_lsps_opens_with_what_did_move(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text(
        (ROOT / "examples/tiny.yaml").read_text().replace("b-pr1, capacity: 100G", "b-pr1, capacity: 80G")
    )
    arguments = ["examples/tiny.yaml", str(tmp_path / "b.yaml"), "--out", str(tmp_path / "out"), "-q"]
    subprocess.run([sys.executable, "-m", "trunkline", "diff", *arguments], cwd=ROOT, check=False, capture_output=True)
    with Opened(browser, tmp_path / "out" / "report.html", DESK) as page:
        shown = page.locator("#table-name option:checked").inner_text()
        assert re.fullmatch(r"circuits \([1-9]\d*\)", shown), shown


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_nothing_is_wider_than_the_screen(browser: Browser, report: Path, size: tuple[int, int]) -> None:
    with Opened(browser, report, size) as page:
        for name in (
            "atl-mid-2",
            "dal-dr1/internal.fra-dr2.2",
            "fra-bb1",
            "customer.eyeball-us.sto-dc",
            "lon",
            "bank@",
        ):
            choose(page, name)
            expect(page.locator("#panel-title")).to_contain_text(name)
            page.evaluate("document.getElementById('tables').scrollIntoView()")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        expect(page.locator("#table .tabulator-row").first).to_be_visible()


def test_the_details_show_the_figures_of_plan_json(browser: Browser, report: Path) -> None:
    tables = json.loads((report.parent / "plan.json").read_text())["tables"]
    names = {t: [c["name"] for c in tables[t]["columns"]] for t in tables}
    arc = next(
        dict(zip(names["circuits"], r, strict=True)) for r in tables["circuits"]["rows"] if r[0] == "atl-mid-2@nyc-bb2"
    )
    lsp = next(
        dict(zip(names["lsps"], r, strict=True))
        for r in tables["lsps"]["rows"]
        if r[:2] == ["dal-dr1", "internal.fra-dr2.2"]
    )
    with Opened(browser, report, DESK) as page:
        choose(page, "atl-mid-2")
        shown = cells(page, "atl-mid-2@nyc-bb2")
        assert shown["utilisation"][1] == show_share(arc["utilisation"])
        assert shown["load"][1] == show_rate(arc["load"])
        assert shown["… customer"][1] == show_rate(arc["load.customer"])
        on = [r for r in tables["lsps"]["rows"] if "atl-mid-2@nyc-bb2" in (r[9] or "").split()]
        assert f", {len(on)} after)" in page.locator("#panel caption", has_text="LSPs on it").first.inner_text()
        choose(page, "dal-dr1/internal.fra-dr2.2")
        shown = cells(page, "LSP")
        assert shown["latency"][1] == show_time(lsp["latency"])
        assert shown["cost"][1] == f"{lsp['cost']:,}"
        hops = page.locator("#panel ol.hops").last.locator("a[href^='#at=circuit:']").all_inner_texts()
        assert hops == lsp["path"].split()


def test_a_table_sorts_filters_and_exports_what_plan_json_says(browser: Browser, report: Path, tmp_path: Path) -> None:
    whole = json.loads((report.parent / "plan.json").read_text())["tables"]["circuits"]
    with Opened(browser, report, DESK) as page:
        page.evaluate("document.getElementById('tables').scrollIntoView()")
        page.locator("#table-name").select_option("after:circuits")
        expect(page.locator("#table-count")).to_have_text(f"{len(whole['rows'])} rows")
        for kind in ("csv", "json"):
            with page.expect_download() as download:
                page.locator(f"#table-{kind}").press("Enter")
            download.value.save_as(tmp_path / kind)
        assert (tmp_path / "csv").read_bytes() == (report.parent / "circuits.csv").read_bytes()
        assert json.loads((tmp_path / "json").read_text()) == whole
        page.locator("#table-filter").fill("utilisation>80% arc:nyc")
        hot = [r for r in whole["rows"] if r[7] > 800_000 and "nyc" in r[0]]
        assert len(hot) == 2
        expect(page.locator("#table-count")).to_have_text(f"2 of {len(whole['rows'])} rows")
        page.locator("#table-filter").fill("")
        page.locator("#table .tabulator-col[tabulator-field='load'] button").press("Enter")  # smallest first
        page.locator("#table .tabulator-col[tabulator-field='load'] button").press("Enter")
        most = max(whole["rows"], key=lambda r: r[4])
        expect(page.locator("#table .tabulator-row [tabulator-field='load']").first).to_have_text(show_rate(most[4]))
        with page.expect_download() as download:
            page.locator("#table-json").click()
        download.value.save_as(tmp_path / "sorted")
        loads = [row[4] for row in json.loads((tmp_path / "sorted").read_text())["rows"]]
        assert loads == sorted((r[4] for r in whole["rows"]), reverse=True)


def test_before_and_after_stand_beside_each_other(browser: Browser, report: Path) -> None:
    for size, beside in ((DESK, True), (PHONE, False)):
        with Opened(browser, report, size) as page:
            boxes = [page.locator(f"#map-{i}").bounding_box() for i in (0, 1)]
            assert boxes[0] is not None
            assert boxes[1] is not None
            assert (boxes[0]["y"] == boxes[1]["y"]) is beside
            cut = "g.circuit[aria-label^='circuit atl-north-1,']"
            assert "down" not in (page.locator(f"#map-0 {cut}").get_attribute("aria-label") or "")
            assert (page.locator(f"#map-1 {cut}").get_attribute("aria-label") or "").endswith("down")
            page.locator("#zoom-in").click()
            expect(page.locator("#map-0 svg > g").first).to_have_attribute("transform", re.compile(r"scale\(1\.5\)"))
            assert len({page.locator(f"#map-{i} svg > g").first.get_attribute("transform") for i in (0, 1)}) == 1
            page.get_by_text("after", exact=True).click()
            expect(page.locator("#map-0")).to_be_hidden()


def test_switches_change_what_the_map_shows(browser: Browser, report: Path) -> None:
    table = json.loads((report.parent / "plan.json").read_text())["tables"]["circuits"]
    columns = [c["name"] for c in table["columns"]]
    rows = [dict(zip(columns, r, strict=True)) for r in table["rows"]]
    arcs = {r["arc"]: r for r in rows}
    with Opened(browser, report, DESK) as page:
        circuit = page.locator("#map-1 g.circuit[aria-label^='circuit atl-mid-2,']")
        assert f"from nyc-bb2 {show_share(arcs['atl-mid-2@nyc-bb2']['utilisation'])}" in (
            circuit.get_attribute("aria-label") or ""
        )
        page.get_by_label("internal").uncheck()
        arc = arcs["atl-mid-2@nyc-bb2"]
        only = show_share(round(arc["load.customer"] * 1_000_000 / arc["capacity"]))
        expect(circuit).to_have_attribute("aria-label", re.compile(f"from nyc-bb2 {re.escape(only)}"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_follow_the_system_and_the_switch(browser: Browser, report: Path, scheme: Any) -> None:
    with Opened(browser, report, DESK, color_scheme=scheme) as page:

        def ink() -> int:
            return sum(map(int, re.findall(r"\d+", page.evaluate("getComputedStyle(document.body).color"))[:3]))

        assert (ink() > 400) is (scheme == "dark")
        page.get_by_text({"light": "dark", "dark": "light"}[scheme], exact=True).click()
        assert (ink() > 400) is (scheme == "light")


def test_units_read_as_the_terminal_prints_them(browser: Browser, report: Path, tmp_path: Path) -> None:
    """Ties are where Python and JavaScript round apart: 1.125 is 1.12 here and 1.13 there."""
    rates = [
        0,
        999,
        1000,
        1125 * 10**9,
        1135 * 10**9,
        9995 * 10**8,
        99_950_000_000,
        999_499_999_999,
        360_500_000_000,
        10**15,
    ]
    shares = [0, 500, 1500, 2500, 899_500, 900_500, 1_000_000, 12_345_678]
    times = [0, 999, 1000, 1125, 64_449, 64_450, 1_000_500]
    sizes = [0, 1023, 1024, 1152, 1_023_500, 2**20, 1_822_817_136, 6 * 2**30, 2**40]

    (real,) = sides(prove(load(ROOT / "examples" / "tiny.yaml").network))
    rows = [(i, *(v[i] if i < len(v) else None for v in (rates, shares, times, sizes))) for i in range(10)]
    tables = {**real.tables, "held": table("n:int rate:int:bit/s share:int:ppm time:int:us size:int:B", rows)}
    given = Side(real.label, real.net, real.now, tables, (), (), real.summary, ())
    file = tmp_path / "units.html"
    file.write_text(written("units", [given]))
    with Opened(browser, file, DESK) as page:
        page.locator("#table-name").select_option("now:held")
        expect(page.locator("#table .tabulator-row")).to_have_count(10)
        for field, values, show in (
            ("rate", rates, show_rate),
            ("share", shares, show_share),
            ("time", times, show_time),
            ("size", sizes, show_bytes),
        ):
            shown = page.locator(f"#table .tabulator-row [tabulator-field='{field}']").all_inner_texts()
            assert [text.strip() for text in shown[: len(values)]] == [show(value) for value in values]


def test_a_shared_address_opens_what_it_names_where_it_was(browser: Browser, report: Path) -> None:
    with Opened(browser, report, DESK) as page:
        page.goto(report.as_uri() + "#at=lsp:dal-dr1/internal.fra-dr2.2&map=3,-0.5,-0.25")
        page.reload()
        expect(page.locator("#panel-title")).to_have_text("lsp dal-dr1/internal.fra-dr2.2")
        expect(page.locator("#map-1 svg > g").first).to_have_attribute("transform", re.compile(r"scale\(3\)"))
        page.goto(report.as_uri() + "#at=lsp:no-such/lsp")
        expect(page.locator("#panel")).to_contain_text("There is no lsp of this name in this report.")


def test_a_finger_chooses_a_site(browser: Browser, report: Path) -> None:
    with Opened(browser, report, PHONE, has_touch=True, is_mobile=True) as page:
        page.locator("#map-1 g.site[aria-label^='site sjc,']").tap()
        expect(page.locator("#panel-title")).to_have_text("site sjc")
        expect(page.locator("#panel-title")).to_be_in_viewport()
        small = page.locator("button:visible, select:visible, input[type=search]:visible")
        heights = [
            (e.inner_text(), e.evaluate("e => e.offsetHeight"))
            for e in small.all()
            if not e.evaluate("e => !!e.closest('#table')")
        ]
        assert len(heights) > 5
        assert [found for found in heights if found[1] < 44] == []
