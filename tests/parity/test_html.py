"""Open the HTML report in a browser, and read it as text where there is none."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from plotly.offline import get_plotlyjs

from porter.parity.html import html_page
from porter.parity.results import Histogram, ModuleRun, OutputRow, ParityReport, RunRow, VariantRows
from porter.types import PorterError
from tests.parity.report_samples import (
    HOSTILE,
    bare_report,
    failing_report,
    module_rows,
    passing_report,
)

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
needs_chromium = pytest.mark.skipif(
    not CHROMIUM, reason="no Chromium on this machine: the page cannot be opened in a browser"
)
REPORTS = {"holds": passing_report(), "fails": failing_report(), "bare": bare_report()}


def own_text(page: str) -> str:
    """Return the page without the plot library."""
    return page.replace(get_plotlyjs(), "")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Chromium has no sandbox for the superuser, whom containers have as their only user.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield opened
        opened.close()


class Opened(TypedDict):
    """What the browser was told and what it asked for."""

    errors: list[str]
    requests: list[str]


def open_page(browser: Browser, report: ParityReport, folder: Path) -> tuple[Page, Opened]:
    """Open the report of a file, as a user does."""
    seen = Opened(errors=[], requests=[])
    file = folder / "report.html"
    file.write_text(html_page(report), encoding="utf-8")
    page = browser.new_page()
    page.set_default_timeout(10_000)
    page.on("console", lambda message: seen["errors"].append(message.text))
    page.on("pageerror", lambda error: seen["errors"].append(str(error)))
    page.on("request", lambda request: seen["requests"].append(request.url))
    page.goto(file.as_uri())
    return page, seen


def column(page: Page, name: str) -> list[str]:
    """Return what a column of the outputs shows, from the top."""
    names = page.locator("#outputs thead th").all_inner_texts()
    place = next(number for number, text in enumerate(names, 1) if text.strip().startswith(name))
    rows = page.locator(f"#outputs tbody:visible tr:first-child > :nth-child({place})")
    return [text.strip() for text in rows.all_inner_texts()]


def click(page: Page, name: str) -> str | None:
    """Click a header of the outputs, and return the order that it then tells."""
    head = page.locator("#outputs thead th").filter(has=page.get_by_role("button", name=name))
    head.get_by_role("button").click()
    return head.get_attribute("aria-sort")


@needs_chromium
@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_the_page_opens_without_an_error_and_fetches_nothing(
    browser: Browser, report: ParityReport, tmp_path: Path
) -> None:
    page, seen = open_page(browser, report, tmp_path)
    assert seen == {"errors": [], "requests": [page.url]}
    verdict = "Parity holds" if report.passed else "Parity fails"
    assert page.locator("h1").all_inner_texts() == [verdict]
    page.close()


@needs_chromium
def test_every_compared_call_is_a_point(browser: Browser, tmp_path: Path) -> None:
    report = replace(
        passing_report(),
        modules=(
            ModuleRun("a", "graph", module_rows(200)),
            ModuleRun("b", "graph", module_rows(7)),
        ),
    )
    page, seen = open_page(browser, report, tmp_path)
    points = [
        [trace.locator(".point").count() for trace in plot.locator(".scatterlayer .trace").all()]
        for plot in page.locator(".plot.modules").all()
    ]
    # The limit is a line; one call of each is not compared.
    assert points == [[0, 199, 199], [0, 6, 6]]
    assert page.locator(".plot.histogram .scatterlayer .trace .js-line").count() == 2
    assert seen["errors"] == []
    page.close()


@needs_chromium
def test_the_located_module_is_marked_and_names_are_shown_as_they_are(
    browser: Browser, tmp_path: Path
) -> None:
    page, seen = open_page(browser, failing_report(), tmp_path)
    plot = page.locator(".plot.modules").first
    plot.scroll_into_view_if_needed()
    [ring] = plot.locator(".scatterlayer .trace").last.locator(".point").all()
    box = ring.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    hover = plot.locator(".hoverlayer .hovertext")
    hover.wait_for()
    assert (hover.text_content() or "").startswith(f"encoder.layer.5{HOSTILE}, call 0")
    # The call that is not finite stands at the top, with a sign of its own.
    data = plot.evaluate("plot => plot.data[2]")
    assert data["y"][6] == max(data["y"])
    assert (data["marker"]["symbol"][6], data["marker"]["symbol"][0]) == ("x", "circle-open")
    assert seen["errors"] == []
    page.close()


@needs_chromium
def test_a_header_sorts_in_both_directions(browser: Browser, tmp_path: Path) -> None:
    report = passing_report()
    row = OutputRow("extra", maximum_absolute=None)
    rows = (row, *(replace(row, name=f"o{at}", maximum_absolute=10.0**at) for at in (2, -9, 0, 1)))
    wild = replace(row, name="wild", maximum_absolute=float("nan"))
    low = replace(row, name="low", maximum_absolute=-float("inf"))
    minus = replace(row, name="minus", maximum_absolute=-5.0)
    run = RunRow("case", "graph", "", "", variants=(VariantRows(0, (*rows, wild, minus, low)),))
    page, _ = open_page(browser, replace(report, runs=(run,)), tmp_path)
    assert column(page, "Output") == ["extra", "o2", "o-9", "o0", "o1", "wild", "minus", "low"]
    assert click(page, "Difference") == "ascending"
    assert column(page, "Output") == ["low", "minus", "o-9", "o0", "o1", "o2", "wild", "extra"]
    assert click(page, "Difference") == "descending"
    assert column(page, "Output") == ["wild", "o2", "o1", "o0", "o-9", "minus", "low", "extra"]
    assert click(page, "Output") == "ascending"
    assert column(page, "Output") == ["extra", "low", "minus", "o-9", "o0", "o1", "o2", "wild"]
    assert page.locator("#outputs [aria-sort]").count() == 1
    page.close()


@needs_chromium
def test_every_column_can_be_sorted(browser: Browser, tmp_path: Path) -> None:
    page, seen = open_page(browser, failing_report(), tmp_path)
    for table in page.locator("table:visible").all():
        lines = table.locator("tbody").count()
        for head in table.locator("thead th").all():
            head.get_by_role("button").click()
            assert head.get_attribute("aria-sort") == "ascending"
        assert table.locator("tbody").count() == lines
    assert column(page, "Verdict") == sorted(column(page, "Verdict"), key=str.lower)
    assert seen["errors"] == []
    page.close()


@needs_chromium
def test_a_message_stays_with_its_row(browser: Browser, tmp_path: Path) -> None:
    page, _ = open_page(browser, failing_report(), tmp_path)
    click(page, "Verdict")
    click(page, "Verdict")
    first = page.locator("#outputs tbody").first
    assert "PRT606" in first.inner_text()
    assert first.locator(".message").inner_text().strip() == "no graph"
    page.close()


@needs_chromium
def test_typing_filters_the_rows(browser: Browser, tmp_path: Path) -> None:
    page, _ = open_page(browser, passing_report(), tmp_path)
    everything = column(page, "Output")
    form = page.locator(".filter[data-for=outputs]")
    form.get_by_label("Filter").press_sequentially("POOLER dynamic")
    assert column(page, "Output") == ["pooler_output"] * 4
    assert set(column(page, "Run")) == {"graph LAX dynamic", "graph LAX dynamic #1"}
    assert form.locator("output").inner_text() == f"4 of {len(everything)} rows"
    form.get_by_label("Filter").fill("")
    assert column(page, "Output") == everything
    assert form.locator("output").inner_text() == f"{len(everything)} rows"
    page.close()


@needs_chromium
def test_the_verdict_filters_the_rows(browser: Browser, tmp_path: Path) -> None:
    page, _ = open_page(browser, failing_report(), tmp_path)
    everything = column(page, "Verdict")
    choice = page.locator(".filter[data-for=outputs]").get_by_label("Verdict")
    choice.select_option("fails")
    assert column(page, "Verdict") == ["PRT603", "PRT606"]
    choice.select_option("PRT606")
    assert column(page, "Verdict") == ["PRT606"]
    choice.select_option("holds")
    assert column(page, "Verdict") == ["holds"] * (len(everything) - 2)
    choice.select_option("all")
    assert column(page, "Verdict") == everything
    page.close()


@needs_chromium
def test_the_page_follows_the_scheme_and_prints_on_white(browser: Browser, tmp_path: Path) -> None:
    page, _ = open_page(browser, passing_report(), tmp_path)
    paper = "() => getComputedStyle(document.body).backgroundColor"
    port = "document.querySelector('.plot.modules').data[2].marker.color"
    white, blue = page.evaluate(paper), page.evaluate(port)
    assert white == "rgb(255, 255, 255)"
    # The plots are drawn anew some time after the change.
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(f"light => {port} !== light", arg=blue)
    assert page.evaluate(paper) != white
    page.emulate_media(color_scheme="dark", media="print")
    page.wait_for_function(f"light => {port} === light", arg=blue)
    assert page.evaluate(paper) == white
    assert not page.locator(".filter, nav").first.is_visible()
    page.close()


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_the_page_loads_nothing_from_elsewhere(report: ParityReport) -> None:
    text = own_text(html_page(report))
    assert re.findall(r"<(?:link|img|iframe|object|embed|base)\b", text) == []
    assert re.findall(r"""\b(?:src|srcset|action|ping)\s*=|url\(|@import""", text) == []
    assert {link for link in re.findall(r'href="(.)', text) if link != "#"} == set()
    assert "//" not in re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)
    assert "default-src 'none'" in text


def test_every_text_is_escaped() -> None:
    text = own_text(html_page(failing_report()))
    assert "alert(1)" in text
    assert "<script>alert" not in text
    assert len(re.findall(r"<script", text)) == 3


def test_headers_have_a_scope() -> None:
    heads = re.findall(r"<th\b[^>]*>", html_page(failing_report()))
    assert len(heads) > 50
    assert [head for head in heads if 'scope="col"' not in head and 'scope="row"' not in head] == []


def test_the_fault_is_told_with_both_lines() -> None:
    text = html_page(failing_report())
    located = text[text.index("Where it goes wrong") : text.index("What was compared")]
    assert "encoder.layer.5 (Layer, call 0) is the first module" in located
    assert "between encoder.layer.4 and encoder.layer.6" in located
    assert "out/bert.py:40" in located
    assert "models/bert.py:51" in located
    assert "<pre>return x</pre>" in located


def test_versions_recipe_and_command_are_told() -> None:
    text = html_page(passing_report())
    assert "porter verify recipe.toml --port out" in text
    assert "<dt>mindspore</dt><dd>2.10.0</dd>" in text
    assert "&#34;class&#34;: &#34;Bert&#34;" in text
    assert "at most four times" in text
    assert "Note: text: no gradients" in text


def test_without_plots_there_is_no_plot_library() -> None:
    whole = passing_report()
    page = html_page(replace(whole, modules=(), histograms=()))
    assert len(page) < 100_000 < len(html_page(whole))
    for heading in (">Modules<", "How errors are distributed", 'class="plot'):
        assert heading not in page
        assert heading in html_page(whole)


def test_a_report_without_runs_has_no_empty_sections() -> None:
    text = html_page(bare_report())
    assert "PRT608" in text
    assert "<table" not in text
    assert re.findall(r"<h2>(.*)</h2>", text) == ["What was compared", "Run again"]


def test_exact_values_alone_can_be_plotted() -> None:
    rows = tuple(replace(row, torch_error=0.0, port_error=0.0, scale=0.0) for row in module_rows(3))
    histogram = Histogram("a", "graph", "y", (), (), (), 9, 9)
    report = replace(
        passing_report(), modules=(ModuleRun("a", "graph", rows),), histograms=(histogram,)
    )
    assert "circle-open" in html_page(report)


@pytest.mark.parametrize("package", ["jinja2", "plotly"])
def test_without_a_package_the_error_is_one_line(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(PorterError, match=f"HTML report needs the package {package}") as error:
        html_page(passing_report())
    assert error.value.code == "PRT703"
    assert "porter-mindspore[verify]" in str(error.value)
