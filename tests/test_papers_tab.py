"""The Papers tab in a real Chromium: browse, search, cards, likeness, the way to the chat; the language."""

from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from browser import Opens, Reader, served
from playwright.sync_api import Browser, expect
from question_sets import a_case, as_file, upload
from scripted_engine import Line, ScriptedEngine

from rag.engine import PaperQueryEngine
from rag.records import Answer, Citation, CitedSpan, Paper
from ui.browse_render import PAGE

pytestmark = pytest.mark.browser

MASKS = Paper(
    "m/1#a",
    "Masks in $x^2$ steps",
    "We study masks. The error is $\\alpha$ and <b>bold</b>.",
    ("Ada Lovelace", "Bo Müller", "Cy", "Di"),
    "ICLR",
    2025,
    "oral",
    "https://openreview.net/forum?id=masks",
    ("masks", "nets"),
)
GROWTH = Paper("growth", "Growth", "", ("Emmy",), "ICLR", 2024, "poster", "javascript:alert(1)")
MANY = tuple(Paper(f"n{n}", f"Numbered paper {n}", f"Abstract {n}.", track="poster") for n in range(60))
CITED = Citation(1, MASKS, (CitedSpan(0, "We study masks.", "weak"),))
LINES = {"masks?": Line(["Masks [1]."], Answer("masks?", "lookup", "en", "Masks [1].", citations=(CITED,)))}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    likes = {"mask": (MASKS, GROWTH), MASKS.id: (GROWTH, MANY[3])}
    with served(ScriptedEngine((MASKS, GROWTH, *MANY), LINES, likes=likes)) as address:
        yield address


def titles(reader: Reader) -> list[str]:
    return reader.page.locator("#browse-results .title").all_inner_texts()


def test_the_list_is_read_page_by_page(read: Opens) -> None:
    reader = read("tab=papers")
    heading = reader.page.locator("#browse-results h2")
    expect(heading).to_have_text("62 papers")
    assert len(titles(reader)) == PAGE
    assert titles(reader)[1:3] == ["Growth", "Numbered paper 0"]
    expect(reader.page.get_by_role("button", name="Previous")).to_be_hidden()
    reader.page.get_by_role("button", name="Next").click()
    expect(reader.page.locator(".pages")).to_contain_text("Page 2 of 4")
    assert titles(reader)[0] == "Numbered paper 18"
    assert parse_qs(urlsplit(reader.page.url).query)["sheet"] == ["2"]
    expect(reader.page.get_by_role("button", name="Next")).to_be_focused()
    beyond = read("tab=papers&sheet=900")
    expect(beyond.page.locator(".pages")).to_contain_text("Page 4 of 4")
    assert titles(beyond) == ["Numbered paper 58", "Numbered paper 59"]


def test_results_come_while_one_types_and_are_in_the_address(read: Opens) -> None:
    reader = read("tab=papers")
    box = reader.page.get_by_role("searchbox")
    box.press_sequentially("muller", delay=30)
    expect(reader.page.locator("#browse-results h2")).to_have_text(
        "1 paper has “muller” in its title or authors"
    )
    assert len(titles(reader)) == 1
    box.fill("mask")
    expect(reader.page.locator("#browse-results h3")).to_have_text("Near in content")
    assert titles(reader)[1] == "Growth"
    assert parse_qs(urlsplit(reader.page.url).query)["q"] == ["mask"]
    expect(box).to_be_focused()
    shared = read(urlsplit(reader.page.url).query)
    expect(shared.page.get_by_role("searchbox")).to_have_value("mask")
    assert titles(shared) == titles(reader)
    shared.page.get_by_role("button", name="All papers").click()
    expect(shared.page.locator("#browse-results h2")).to_have_text("62 papers")
    expect(shared.page.get_by_role("searchbox")).to_have_value("")


def test_a_card_holds_the_record_with_formulas_laid_out(read: Opens) -> None:
    reader = read("tab=papers")
    record = reader.page.locator(".record").first
    expect(record.locator(".abstract")).to_be_hidden()
    record.locator("summary").focus()
    reader.page.keyboard.press("Enter")
    expect(record.locator(".abstract")).to_be_visible()
    text = record.inner_text()
    for words in ("Ada Lovelace, Bo Müller, Cy, Di", "ICLR 2025", "oral", "masks, nets", "<b>bold</b>", "𝛼"):
        assert words in text
    assert record.locator("math").count() >= 1
    link = record.get_by_role("link")
    assert link.get_attribute("href") == MASKS.url
    second = reader.page.locator(".record").nth(1)
    second.locator("summary").click()
    assert second.get_by_role("link").count() == 0
    assert "no abstract" in second.inner_text()


def test_like_a_paper_are_others_and_back(read: Opens) -> None:
    reader = read("tab=papers")
    reader.page.locator(".record summary").first.click()
    reader.page.get_by_role("button", name="Similar papers").first.click()
    expect(reader.page.locator("#browse-results h2")).to_contain_text("Like “Masks in")
    assert titles(reader) == ["Growth", "Numbered paper 3"]
    shared = read(urlsplit(reader.page.url).query)
    assert titles(shared) == ["Growth", "Numbered paper 3"]
    reader.page.get_by_role("button", name="All papers").click()
    expect(reader.page.locator("#browse-results h2")).to_have_text("62 papers")
    nobody = read("tab=papers&similar=<img src=x>")
    expect(nobody.page.locator("#browse-results h2")).to_have_text("No paper has the id “<img src=x>”.")


def test_a_paper_is_asked_about_in_the_chat(read: Opens) -> None:
    reader = read("tab=papers")
    reader.page.locator(".record summary").nth(1).click()
    reader.page.get_by_role("button", name="Ask about this paper").locator("visible=true").click()
    box = reader.page.locator("#question textarea")
    expect(box).to_be_visible()
    expect(box).to_have_value("What is “Growth” about?")
    expect(box).to_be_focused()
    assert "tab" not in parse_qs(urlsplit(reader.page.url).query)


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_no_width_scrolls_sideways(read: Opens, width: int) -> None:
    reader = read("tab=papers&venue=ICLR&track=" + "w" * 150, width=width, height=740)
    expect(reader.page.locator("#browse-filters .problem")).to_be_visible()
    assert reader.page.evaluate("document.documentElement.scrollWidth") == width
    reader.page.goto(f"{reader.page.url.partition('?')[0]}?tab=papers")
    reader.page.locator(".record summary").first.click()
    assert reader.page.evaluate("document.documentElement.scrollWidth") == width
    reader.page.click("#chat-tab-button")
    reader.page.click("#scope summary")
    expect(reader.page.locator("#scope .facets")).to_be_in_viewport()
    assert reader.page.evaluate("document.documentElement.scrollWidth") == width


def test_of_a_hundred_thousand_papers_one_page_is_sent(browser: Browser) -> None:
    papers = [
        Paper(f"p{n}", f"Paper {n}", "An abstract. " * 50, (f"Author {n % 40_000}",), "V", 2000 + n % 25)
        for n in range(100_000)
    ]
    sizes: list[int] = []
    with served(ScriptedEngine(tuple(papers), {})) as address:
        reader = Reader(browser, f"{address}/?tab=papers")
        expect(reader.page.locator("#browse-results h2")).to_have_text("100,000 papers", timeout=60_000)
        reader.page.on(
            "response",
            lambda r: sizes.append(len(r.body())) if "/run/" in r.url or "/queue/" in r.url else None,
        )
        reader.page.get_by_role("searchbox").fill("paper 77777")
        expect(reader.page.locator("#browse-results h2")).to_contain_text("1 paper has", timeout=60_000)
        reader.page.get_by_role("searchbox").fill("")
        expect(reader.page.locator(".pages")).to_contain_text("Page 1 of 5,000", timeout=60_000)
        reader.page.locator('#browse-filters .facet [data-value="2024"]').click()
        expect(reader.page.locator("#browse-results h2")).to_have_text("4,000 papers", timeout=60_000)
        assert len(reader.page.content()) < 1_000_000
        reader.leave()
    assert reader.errors == []
    assert sizes
    assert max(sizes) < 200_000


# --- the language ---


def test_the_language_is_switched_on_the_page_in_every_tab_and_remembered(read: Opens) -> None:
    reader = read("")
    reader.ask("masks?")
    reader.page.get_by_role("button", name="中文").click()
    expect(reader.page.locator("h1")).to_have_text("与论文对话")
    expect(reader.page.locator("#chat-tab-button")).to_have_text("对话")
    expect(reader.page.locator("#turn-0")).to_contain_text("支持较弱")
    expect(reader.page.locator("#welcome")).to_be_hidden()
    assert reader.page.evaluate("document.documentElement.lang") == "zh-CN"
    reader.page.click("#papers-tab-button")
    expect(reader.page.locator("#browse-results h2")).to_have_text("62 篇论文")
    assert reader.page.get_by_role("searchbox").get_attribute("placeholder") == "按标题、作者、主题搜索"
    reader.page.click("#eval-tab-button")
    expect(reader.page.locator("#eval-run")).to_have_text("运行")
    later = reader.context.new_page()
    later.goto(reader.page.url.partition("?")[0])
    expect(later.locator("h1")).to_have_text("与论文对话")
    later.get_by_role("button", name="English").click()
    expect(later.locator("h1")).to_have_text("Ask the papers")
    expect(later.locator("#ask")).to_have_text("Ask")


@pytest.mark.parametrize(
    ("query", "locale", "heading"),
    [
        ("lang=zh", "en-US", "与论文对话"),
        ("lang=en", "zh-CN", "Ask the papers"),
        ("lang=xx", "zh-CN", "与论文对话"),
        ("", "zh-TW", "与论文对话"),
        ("", "fr-FR", "Ask the papers"),
    ],
)
def test_the_address_decides_before_the_browser(read: Opens, query: str, locale: str, heading: str) -> None:
    expect(read(query, locale=locale).page.locator("h1")).to_have_text(heading)


def test_a_finished_run_is_told_in_the_other_language_too(read: Opens) -> None:
    reader = read("tab=eval")
    case = a_case("one", "masks?", gold=[MASKS.id], nuggets=[["never"]])
    reader.page.set_input_files("#eval-picker input", upload(as_file([case])))
    expect(reader.page.locator("#eval-chosen p")).to_contain_text("mine.jsonl")
    reader.page.click("#eval-run")
    reader.page.wait_for_selector("#eval-headline:visible", timeout=60_000)
    reader.page.get_by_role("button", name="中文").click()
    expect(reader.page.locator("#eval-headline h2")).to_contain_text("1 个问题中 0 个通过")
    expect(reader.page.locator("#eval-chosen p")).to_contain_text("mine.jsonl")
    expect(reader.page.locator("#eval-save-report")).to_have_text("保存报告")
    assert "缺少事实" in reader.page.inner_text("#eval-cases")


def test_a_phone_shows_the_papers_before_the_filters(read: Opens) -> None:
    reader = read("tab=papers", width=360, height=740)
    facets = reader.page.locator("#browse-filters .facets")
    expect(reader.page.locator(".record").first).to_be_visible()
    expect(facets).to_be_hidden()
    reader.page.locator("#browse-filters summary").click()
    facets.locator("button").first.click()
    expect(reader.page.locator("#browse-filters .chip")).to_have_count(1)
    expect(facets).to_be_visible()


def test_no_text_of_the_other_language_is_left(read: Opens) -> None:
    reader = read("", locale="en-US")
    reader.page.get_by_role("button", name="中文").click()
    expect(reader.page.locator("h1")).to_have_text("与论文对话")
    expect(reader.page.locator("#eval-tab-button")).to_have_text("评测")
    words = "Ask|New chat|Filter|Papers|Search|Eval|Run|Questions|Page|Next|Nothing leaves"
    for tab in ("chat", "papers", "eval"):
        reader.page.click(f"#{tab}-tab-button")
        expect(reader.page.locator(f"#{tab}-tab")).to_be_visible()
        left = reader.page.evaluate(
            """(words) => [...document.querySelectorAll(
                    "button, h1, h2, h3, label, summary, input, textarea")]
                .filter((e) => e.checkVisibility() && !e.closest("[lang=en]"))
                .flatMap((e) => [e.children.length ? "" : e.textContent, e.placeholder, e.ariaLabel])
                .filter((text) => new RegExp(`^(${words})`).test(text ?? ""))""",
            words,
        )
        assert left == []


# --- our own engine ---


def test_search_likeness_and_questions_over_the_shipped_papers(
    read: Opens, seed_engine: PaperQueryEngine
) -> None:
    with served(seed_engine) as address:
        reader = read("tab=papers&q=compressing images progressively", at=address)
        assert "Progressive Compression with Universally Quantized" in titles(reader)[0]
        reader.page.locator(".record summary").first.click()
        reader.page.get_by_role("button", name="Ask about this paper").first.click()
        reader.page.press("#question textarea", "Enter")
        reader.page.wait_for_selector("#turn-0.answered")
        expect(reader.page.locator("#paper-1 h3")).to_contain_text("Progressive Compression")
        reader.page.click("#papers-tab-button")
        reader.page.get_by_role("button", name="Similar papers").first.click()
        expect(reader.page.locator("#browse-results h2")).to_contain_text("Like “Progressive Compression")
        assert any("iffusion" in title for title in titles(reader)[:4])
        reader.leave()
