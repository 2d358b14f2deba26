"""The report as a page and as Markdown: complete, self-contained, escaped, readable on a phone."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from eval_oracle import CASES, Oracle

from eval.calibration import Bin, Calibration
from eval.cases import Case
from eval.charts import latency, reliability, risk_coverage
from eval.comparison import Comparison, compare
from eval.pages import as_html, as_markdown, write_report
from eval.report import Report, summarise
from eval.run import Run
from eval.runner import Runner
from rag.records import Answer, Conversation

HOSTILE = '<script>window.hacked = 1</script> **bold** | $x^2$ <img src="http://evil.example/x.png">'


class Hostile(Oracle):
    """Puts markup into one answer, crashes in another, refuses a third."""

    def answer(self, case: Case, conversation: Conversation) -> Answer:
        answer = super().answer(case, conversation)
        if case.id == "dev-lookup-01":
            return replace(answer, text=HOSTILE, confidence=0.3)
        if case.id == "dev-lookup-02":
            raise ValueError(HOSTILE)
        if case.id == "dev-lookup-03":
            return replace(answer, abstained=True, confidence=0.2)
        return answer


@pytest.fixture(scope="module")
def reports() -> tuple[Report, Comparison]:
    settings = {"questions": "dev.jsonl", "papers": 19}
    before = Run(tuple(Runner(Oracle()).run(CASES)), settings)
    after = summarise(Run(tuple(Runner(Hostile(), perturb=False).run(CASES)), settings), 0)
    return after, compare(after.run, before, 0, max_broken=0)


def test_the_page_shows_every_case_its_verdict_and_why(reports: tuple[Report, Comparison]) -> None:
    page = as_html(*reports)
    assert "68 of 71 questions pass" in page
    for case in CASES:
        assert f'id="{case.id}"' in page
    assert "abstained although the papers answer it" in page
    assert "3 cases flipped to failing, 0 are tolerated" in page
    assert '<a href="#dev-lookup-01">' in page
    for title in ("By kind", "Reliability", "Risk and coverage", "Latency", "Seconds by stage", "Every case"):
        assert title in page


def test_nothing_of_the_page_comes_from_elsewhere_and_everything_is_escaped(
    reports: tuple[Report, Comparison],
) -> None:
    page = as_html(*reports)
    assert "<script" not in page
    assert "<img" not in page
    assert "&lt;script&gt;window.hacked" in page
    addresses = set(re.findall(r'(?:src|href|xmlns(?::\w+)?)="(?!#)([^"]*)"', page))
    assert addresses <= {"http://www.w3.org/1999/xlink", "http://www.w3.org/2000/svg"}


def test_a_page_without_confidence_or_baseline_leaves_these_out() -> None:
    class Plain(Oracle):
        def answer(self, case: Case, conversation: Conversation) -> Answer:
            return replace(super().answer(case, conversation), confidence=None)

    page = as_html(summarise(Run(tuple(Runner(Plain()).run(CASES)), {"questions": "dev.jsonl"}), 0))
    assert "Reliability" not in page
    assert "Against the baseline" not in page
    assert "Latency" in page


def test_the_summary_is_markdown_that_nothing_breaks(reports: tuple[Report, Comparison]) -> None:
    text = as_markdown(*reports)
    assert text.startswith("# 68 of 71 questions pass\n")
    assert "- **Gate:** 3 cases flipped to failing, 0 are tolerated" in text
    assert "| strict_pass | 0.958 |" in text
    crash = next(line for line in text.splitlines() if line.startswith("- dev-lookup-02"))
    assert r"\<script\>" in crash
    tables = [line for line in text.splitlines() if line.startswith("| ")]
    assert {line.count("|") for line in tables} == {5}


def test_the_folder_holds_both(reports: tuple[Report, Comparison], tmp_path: Path) -> None:
    write_report(tmp_path / "out", *reports)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"report.html", "report.md"}


def test_pictures_are_named_and_take_the_colours_of_the_page() -> None:
    bins = tuple(Bin(0.1 * i, 0.1 * i, 0.0, 1.0, 5) for i in range(1, 9))
    drawn = (
        reliability(Calibration(bins, 0.5, 0.5)),
        risk_coverage(((0.5, 0.0), (1.0, 0.25))),
        latency([0.1, 0.2, 0.4]),
    )
    for svg in drawn:
        assert re.match(r'<svg role="img" aria-label="[^"]+" ', svg)
        assert "currentColor" in svg
        assert not re.search(r"#0[0-9]{5}\b|<style|<metadata", svg)
        assert not re.search(r'<svg[^>]* (?:width|height)="', svg)
    identifiers = [name for svg in drawn for name in re.findall(r'\bid="([^"]+)"', svg)]
    assert len(identifiers) == len(set(identifiers)), "pictures share a page"
    assert latency([0.1, 0.2, 0.4]) == drawn[2], "the same numbers give the same picture"


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_on_a_phone(
    scheme: str, browser: Any, reports: tuple[Report, Comparison], tmp_path: Path
) -> None:
    write_report(tmp_path, *reports)
    page = browser.new_context(viewport={"width": 360, "height": 800}, color_scheme=scheme).new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto((tmp_path / "report.html").as_uri())
    assert requests == [(tmp_path / "report.html").as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.evaluate("window.hacked") is None
    for colour in ("var(--text)", "var(--soft)", "var(--bad)", "var(--good)", "var(--accent)"):
        for ground in ("var(--back)", "var(--card)"):
            assert contrast(page, colour, ground) >= 4.5, (colour, ground, scheme)
    font = page.evaluate("parseFloat(getComputedStyle(document.querySelector('figure svg text')).fontSize)")
    drawn = page.evaluate("document.querySelector('figure svg').getBoundingClientRect().width") / 360
    assert font * drawn >= 9, "the words in the pictures stay readable"
    page.check("#only")
    assert page.locator("details.passed:visible").count() == 0
    assert page.locator("details.failed:visible").count() == 3
    page.click("#dev-lookup-01 summary")
    assert page.locator("#dev-lookup-01 .answer").inner_text() == HOSTILE


def contrast(page: Any, colour: str, ground: str) -> float:
    """WCAG 2 contrast ratio of two CSS colours as the page computes them."""
    script = """(value) => {
        const probe = document.createElement('i'); probe.style.color = value; document.body.append(probe);
        const found = getComputedStyle(probe).color; probe.remove(); return found }"""
    levels = []
    for value in (colour, ground):
        channels = [int(c) / 255 for c in re.findall(r"\d+", page.evaluate(script, value))[:3]]
        linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        levels.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(levels) + 0.05) / (min(levels) + 0.05)
