"""A comparison's report.html in a browser with the network blocked: bars, maps of two designs, details, plots."""

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
from trunkline.model.units import show_bytes, show_count, show_share, show_time

ROOT = Path(__file__).parent.parent.parent
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: apt-get install chromium")
DESIGNS = ["route-reflector", "regional", "full-mesh"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as opened:
        yield opened


def written(folder: Path, arguments: list[str]) -> Path:
    command = [sys.executable, "-m", "trunkline", "compare", *arguments, "--out", str(folder), "-q"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder / "report.html"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    growth = ["--grow", "5..12", "--bound", "sessions=10"]
    change = ["--from", DESIGNS[0], "--to", DESIGNS[1], "--steps", "-d", DESIGNS[2]]
    return written(tmp_path_factory.mktemp("tiny"), ["examples/tiny.yaml", *growth, *change])


@pytest.fixture(scope="module")
def aurora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The usual seven designs, with long names."""
    return written(tmp_path_factory.mktemp("aurora"), ["examples/aurora.yaml"])


def rows(report: Path, table: str) -> list[dict[str, Any]]:
    """The rows of a table of compare.json."""
    found = json.loads((report.parent / "compare.json").read_text())["tables"][table]
    names = [column["name"] for column in found["columns"]]
    return [dict(zip(names, row, strict=True)) for row in found["rows"]]


def router(report: Path, design: str, name: str, family: str = "v4") -> dict[str, Any]:
    wanted = (design, name, family)
    return next(r for r in rows(report, "routers") if (r["design"], r["router"], r["family"]) == wanted)


def said(page: Page, place: int, name: str) -> str:
    """What a map says of a router."""
    found = page.locator(f"#map-{place} g.router[aria-label^='router {name},']").get_attribute("aria-label")
    return found or ""


def test_bars_are_as_long_as_their_values_and_say_best_and_worst(browser: Browser, tiny: Path) -> None:
    """b-bb1 reflects to two and meets a-bb1, in both families: 6 sessions; a mesh of five: 8 (all three by hand)."""
    with Opened(browser, tiny, DESK) as page:
        figure = page.locator("table[data-column='sessions_most']")
        assert figure.locator("th[scope=row]").all_inner_texts() == DESIGNS
        assert figure.locator(".value").all_inner_texts() == ["6", "8", "8"]
        assert figure.locator("td .mark").all_inner_texts() == ["▲ best", "▼ worst", "▼ worst"]
        widths = figure.locator(".bar").evaluate_all("bars => bars.map(b => b.getBoundingClientRect().width)")
        assert widths[0] / widths[1] == pytest.approx(6 / 8, rel=0.01)
        assert widths[1] == widths[2] > 100
        memory = page.locator("table[data-column='memory_most'] .value").all_inner_texts()
        assert memory == [show_bytes(row["memory_most"]) for row in rows(tiny, "designs")]


def test_another_design_changes_the_map(browser: Browser, tiny: Path) -> None:
    held = {d: show_count(router(tiny, d, "b-pr1")["held"]) for d in DESIGNS}
    usable = {d: show_share(router(tiny, d, "a-dr1")["usable"]) for d in DESIGNS}
    assert held["route-reflector"] == "900,003"  # its transit's table and default, a prefix of each data centre
    with Opened(browser, tiny, DESK) as page:
        assert page.locator("figcaption").all_inner_texts()[:2] == DESIGNS[:2]
        assert said(page, 0, "b-pr1").endswith(f"routes held {held[DESIGNS[0]]}")
        page.locator("#map").get_by_text("exits usable", exact=True).click()
        for place, design in ((0, DESIGNS[0]), (1, DESIGNS[1])):
            expect(page.locator(f"#map-{place} g.router[aria-label^='router a-dr1,']")).to_have_attribute(
                "aria-label", re.compile(f"exits usable {re.escape(usable[design])}$")
            )
        page.locator("#design-1").select_option(label=DESIGNS[2])
        expect(page.locator("#map-1 svg.map")).to_have_attribute("aria-label", re.compile(f"^map, {DESIGNS[2]}"))
        expect(page.locator("#map-1 g.router[aria-label^='router a-dr1,']")).to_have_attribute(
            "aria-label", re.compile(f"exits usable {re.escape(usable[DESIGNS[2]])}$")
        )
        page.locator("#design-1").select_option("none")
        expect(page.locator("#map-1")).to_be_hidden()


def test_a_larger_figure_is_drawn_larger_and_on_one_scale(browser: Browser, aurora: Path) -> None:
    """The reflector lon-bb1 holds most under route-reflector and little under regional: colour and size say so."""
    with Opened(browser, aurora, DESK) as page:
        page.locator("#design-0").select_option(label="route-reflector+add-path")
        page.locator("#design-1").select_option(label="regional")
        drawn = "g.router[aria-label^='router lon-bb1,'] > path:last-child"
        expect(page.locator(f"#map-1 {drawn}")).to_have_class("v0")
        most = max(row["held"] for row in rows(aurora, "routers") if row["family"] == "v4")
        for place, design in ((0, "route-reflector+add-path"), (1, "regional")):
            held = router(aurora, design, "lon-bb1")["held"]
            expect(page.locator(f"#map-{place} {drawn}")).to_have_class(f"v{min(4, held * 5 // most)}")
            size = re.findall(r"[\d.]+", page.locator(f"#map-{place} {drawn}").get_attribute("transform") or "")
            assert float(size[0]) == pytest.approx(0.8 + 1.2 * held / most, abs=0.01)


def test_a_router_by_keyboard_shows_its_row_of_every_design_and_its_sessions(browser: Browser, tiny: Path) -> None:
    with Opened(browser, tiny, DESK) as page:
        tab_to(page, "#map-0 g.router[aria-label^='router b-bb1,']")
        page.keyboard.press("Enter")
        expect(page.locator("#panel-title")).to_have_text("router b-bb1")
        for family in ("v4", "v6"):
            table = page.locator("#panel table", has=page.locator("caption", has_text=re.compile(f"^{family}$")))
            for design in DESIGNS:
                row = router(tiny, design, "b-bb1", family)
                cells = table.locator("tr", has_text=re.compile(f"^{re.escape(design)}")).locator("td")
                assert cells.all_inner_texts() == [
                    show_count(row["ibgp_sessions"]), show_count(row["held"]), show_share(row["usable"]),
                    show_share(row["elsewhere"]), show_time(row["excess"]),
                ]  # fmt: skip
        text = page.locator("#panel").inner_text()
        assert "clients (2): b-dr1 b-pr1\nreflectors (0)\npeers (1): a-bb1" in text
        assert "clients (0)\nreflectors (0)\npeers (4): a-bb1 a-dr1 b-dr1 b-pr1" in text
        assert [page.locator(f"#map-0 .session.{kind}").count() for kind in ("client", "reflector", "peer")] == [
            2,
            0,
            1,
        ]
        assert [page.locator(f"#map-1 .session.{kind}").count() for kind in ("client", "reflector", "peer")] == [
            0,
            0,
            4,
        ]
        page.locator("#panel a", has_text="b-dr1").first.click()
        expect(page.locator("#map-0 .session.reflector")).to_have_count(1)


def test_ports_are_drawn_by_their_share_of_prefixes(browser: Browser, aurora: Path) -> None:
    exits = [r for r in rows(aurora, "exits") if r["design"] == "regional" and r["family"] == "v4" and r["port"]]
    with Opened(browser, aurora, DESK) as page:
        page.get_by_text("share of each port", exact=True).click()
        ports = page.locator("#map-0 g.port")
        expect(ports).to_have_count(len(exits))
        told = sorted(e.get_attribute("aria-label") or "" for e in ports.all())
        assert told == sorted(f"peer port {r['port']}, {show_share(r['share'])} of prefixes" for r in exits)
        choose(page, exits[0]["port"])
        expect(page.locator("#panel-title")).to_have_text(f"port {exits[0]['port']}")
        expect(page.locator("#panel tr.shown").first).to_contain_text(show_share(exits[0]["share"]))


def test_a_circuit_shows_its_utilisation_under_every_design(browser: Browser, tiny: Path) -> None:
    with Opened(browser, tiny, DESK) as page:
        choose(page, "short")
        arcs = [r for r in rows(tiny, "circuits") if r["arc"] == "short@a-bb1"]
        table = page.locator("#panel table", has=page.locator("caption", has_text="from a-bb1"))
        assert table.locator("td:last-child").all_inner_texts() == [show_share(r["utilisation"]) for r in arcs]
        label = page.locator("#map-0 g.circuit[aria-label^='circuit short,']").get_attribute("aria-label") or ""
        assert f"from a-bb1 {show_share(arcs[0]['utilisation'])}" in label


def test_growth_is_plotted_with_the_bound_and_where_it_is_passed(browser: Browser, tiny: Path) -> None:
    """A mesh of n routers has 2 (n - 1) sessions each: at 5 the bound of 10 holds, at 7 it is passed."""
    growth = rows(tiny, "growth")
    with Opened(browser, tiny, DESK) as page:
        plot = page.locator("svg[data-figure='sessions']")
        titles = plot.locator("path.point title").all_text_contents()
        assert titles == [f"{r['design']}, {r['routers']} routers: {r['sessions']}" for r in growth]
        assert "regional, 5 routers: 8" in titles
        assert "regional, 7 routers: 12" in titles
        rings = plot.locator("circle.passed title").all_text_contents()
        assert "regional passes the bound at 7 routers" in rings
        assert len(rings) == len([r for r in rows(tiny, "passes") if r["passed_at"]])
        assert plot.locator(".bound-name").text_content() == "bound 10"
        at = plot.locator("path.bound").bounding_box()
        over, under = (plot.locator("path.point", has=page.locator("title", has_text=t)) for t in
                       ("regional, 7 routers", "route-reflector, 5 routers"))  # fmt: skip
        boxes = [found.bounding_box() for found in (over, under)]
        assert at is not None
        assert boxes[0] is not None
        assert boxes[1] is not None
        assert boxes[0]["y"] < at["y"] < boxes[1]["y"]
        assert page.locator("svg[data-figure]").count() == 4


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_nothing_is_wider_than_the_screen(browser: Browser, tiny: Path, aurora: Path, size: tuple[int, int]) -> None:
    for report, names in ((tiny, ["b-pr1", "long"]), (aurora, ["lon-bb1", "polaris@ams-pr1", "atl-mid-2", "lon"])):
        with Opened(browser, report, size) as page:
            for name in names:
                choose(page, name)
                expect(page.locator("#panel-title")).to_contain_text(name)
                page.evaluate("document.getElementById('tables').scrollIntoView()")
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
            expect(page.locator("#table .tabulator-row").first).to_be_visible()


def test_every_table_is_there_and_filters(browser: Browser, tiny: Path) -> None:
    tables = json.loads((tiny.parent / "compare.json").read_text())["tables"]
    with Opened(browser, tiny, DESK) as page:
        offered = page.locator("#table-name option").all_inner_texts()
        assert {f"{name} ({len(found['rows'])})" for name, found in tables.items()} <= set(offered)
        page.evaluate("document.getElementById('tables').scrollIntoView()")
        page.locator("#table-name").select_option("now:routers")
        page.locator("#table-filter").fill("design=regional memory>1M family=v4")
        wanted = [r for r in rows(tiny, "routers") if r["design"] == "regional" and r["family"] == "v4"]
        assert min(r["memory"] for r in wanted) > 2**20
        expect(page.locator("#table-count")).to_have_text(f"{len(wanted)} of {len(tables['routers']['rows'])} rows")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_can_be_pressed_on_a_phone_is_large_enough(browser: Browser, tiny: Path, scheme: Any) -> None:
    with Opened(browser, tiny, PHONE, has_touch=True, is_mobile=True, color_scheme=scheme) as page:
        pressed = page.locator("button:visible, select:visible, input[type=search]:visible, .choice span:visible")
        heights = [e.bounding_box() for e in pressed.all() if not e.evaluate("e => !!e.closest('#table')")]
        assert len(heights) > 10
        assert [box for box in heights if box is None or box["height"] < 43.5] == []
