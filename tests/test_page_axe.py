"""axe-core finds nothing serious or critical on any tab, not even in Gradio's own widgets."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import Reader, served
from playwright.sync_api import Browser, expect
from question_sets import SET, as_file, upload
from scripted_engine import ScriptedEngine
from test_page import GROWTH, LINES, MANY, MASKS

from rag.engine import ChatModel

pytestmark = pytest.mark.browser

SERIOUS = {"serious", "critical"}
MODEL = ChatModel("some-model", "https://llm.example/v1")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    likes = {"masks": (MASKS, GROWTH)}
    with served(ScriptedEngine((MASKS, GROWTH, *MANY), LINES, MODEL, likes=likes)) as address:
        yield address


def faults(reader: Reader) -> list[str]:
    """What axe holds against the page as it is shown now: rule, place and what to do."""
    found = Axe().run(reader.page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{rule['id']}: {node['target']}: {node['failureSummary']}"
        for rule in found
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
    ]


def test_axe_would_find_something(browser: Browser, address: str) -> None:
    reader = Reader(browser, address)
    assert faults(reader) == []
    reader.page.evaluate(
        """document.querySelector("#lead").innerHTML =
            "<button></button><p style='color: #aaa; background: #bbb'>pale</p><img src='data:,'>" """
    )
    assert {line.partition(":")[0] for line in faults(reader)} == {
        "button-name",
        "color-contrast",
        "image-alt",
    }
    reader.leave()


@pytest.mark.parametrize(
    ("locale", "dark", "width"),
    [
        ("en-US", False, 1440),
        ("en-US", True, 1440),
        ("zh-CN", False, 1440),
        ("zh-CN", True, 1440),
        ("en-US", True, 360),
    ],
)
def test_nothing_serious_on_any_tab(
    browser: Browser, address: str, locale: str, dark: bool, width: int
) -> None:
    query = "?venue=ICLR&year=soon&author=Nobody"
    reader = Reader(browser, f"{address}/{query}", locale=locale, dark=dark, width=width)
    found = {"at first": faults(reader)}
    for question in ("masks?", "growth?", "hostile?", "breaks?", "down?", "which?"):
        reader.ask(question)
    reader.page.locator("#current a.cite").first.click()
    found["answers, a list, an open card"] = faults(reader)
    reader.page.click("#scope summary")
    found["the menu of filters"] = faults(reader)
    reader.page.locator('#scope .chip[data-value="Nobody"]').click()
    reader.page.click("#papers-tab-button")
    expect(reader.page.locator("#browse-results .record")).to_have_count(2)
    for summary in reader.page.locator(".record > summary").all():
        summary.click()
    found["papers, open"] = faults(reader)
    reader.page.fill("#browse-search input", "masks")
    expect(reader.page.locator("#browse-results h3")).to_be_visible()
    found["papers found"] = faults(reader)
    reader.page.click("#eval-tab-button")
    reader.page.wait_for_selector("#eval-run:visible")
    found["eval"] = faults(reader)
    cases = [case for case in SET if case["id"] in ("passes", "lacks", "crashes")]
    reader.page.set_input_files("#eval-picker input", upload(as_file(cases)))
    expect(reader.page.locator("#eval-chosen p")).to_contain_text("mine.jsonl")
    reader.page.click("#eval-run")
    reader.page.wait_for_selector("#eval-headline:visible", timeout=60_000)
    reader.page.evaluate(
        "document.querySelectorAll('#eval details').forEach((details) => (details.open = true))"
    )
    found["eval, finished"] = faults(reader)
    reader.leave()
    assert {state: lines for state, lines in found.items() if lines} == {}
