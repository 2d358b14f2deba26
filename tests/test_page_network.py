"""A whole session on every tab, watched from the browser: no request leaves this machine."""

from urllib.parse import urlsplit

import pytest
from browser import LOOPBACK, Reader, served
from playwright.sync_api import Browser, expect
from question_sets import SET, as_file, upload
from scripted_engine import ScriptedEngine
from test_page import GROWTH, LINES, MANY, MASKS

from rag.engine import ChatModel

pytestmark = pytest.mark.browser

MODEL = ChatModel("some-model", "https://llm.example/v1")
# Addresses that a browser may open before anything is asked for, and those that the page itself would load.
NAMED = """() => [...document.querySelectorAll("link[href], script[src], img[src], iframe[src], source[src]")]
    .map((e) => e.href || e.src)"""


def test_the_log_would_show_a_request_to_elsewhere(browser: Browser) -> None:
    with served(ScriptedEngine((), {})) as address:
        reader = Reader(browser, address)
        reader.page.evaluate("fetch('http://evil.example/x').catch(() => 0)")
        assert reader.foreign == ["http://evil.example/x"]
        reader.leave()


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_a_session_on_every_tab_asks_this_machine_only(browser: Browser, locale: str) -> None:
    likes = {"masks": (MASKS, GROWTH), MASKS.id: (GROWTH,)}
    with served(ScriptedEngine((MASKS, GROWTH, *MANY), LINES, MODEL, likes=likes)) as address:
        reader = Reader(browser, address, locale=locale)
        sockets: list[str] = []
        reader.page.on("websocket", lambda socket: sockets.append(socket.url))
        for question in ("masks?", "growth?", "hostile?", "which?", "breaks?", "down?"):
            reader.ask(question)
        reader.page.locator("a.cite").first.hover()
        reader.page.locator("a.cite").first.click()
        reader.page.click("#scope summary")
        reader.page.locator("#scope .facet button").first.click()
        expect(reader.page.locator("#scope .chip")).to_have_count(1)
        reader.page.locator("[data-lang]").click()
        reader.page.click("#papers-tab-button")
        reader.page.fill("#browse-search input", "masks")
        expect(reader.page.locator("#browse-results h3")).to_be_visible()
        reader.page.locator(".record summary").first.click()
        reader.page.locator("[data-similar]").first.click()
        expect(reader.page.locator("#browse-results .record")).to_have_count(1)
        reader.page.click("#eval-tab-button")
        reader.page.set_input_files("#eval-picker input", upload(as_file(SET[:2])))
        expect(reader.page.locator("#eval-chosen p")).to_contain_text("mine.jsonl")
        reader.page.click("#eval-run")
        reader.page.wait_for_selector("#eval-headline:visible", timeout=60_000)
        for save in ("#eval-save-report", "#eval-save-json"):
            with reader.page.expect_download():
                reader.page.click(save)
        reader.page.click("#chat-tab-button")
        reader.page.click("#new-chat")
        named = [urlsplit(url).hostname or "" for url in reader.page.evaluate(NAMED)]
        reader.leave()
    assert len(reader.requests) > 50
    assert (reader.foreign, sockets, reader.dialogs, reader.errors) == ([], [], [], [])
    assert set(named) <= LOOPBACK
